// Work in pieces on the loop's thread, at the lowest priority: after each piece the loop serves
// what is ready. For reading a file from the card and for disks, which the loop cannot watch.
import Systemd

/// Runs a step again and again until it says that it is the last. Belongs to the loop's thread.
final class SteppedTask {
  private var timer: Timer?
  private let step: () -> Bool

  /// `step` returns whether there is more to do; it first runs after this has returned.
  init(on loop: EventLoop, _ step: @escaping () -> Bool) throws(LinkError) {
    self.step = step
    do throws(EventLoopError) {
      timer = try loop.timer(afterMilliseconds: 0, slackMilliseconds: 1, priority: .idle) {
        [weak self] in self?.run()
      }
    } catch { throw .noMemory }
  }

  private func run() {
    if step() { timer?.restart(afterMilliseconds: 0) } else { stop() }
  }

  func stop() {
    timer?.stop()
    timer = nil
  }
}
