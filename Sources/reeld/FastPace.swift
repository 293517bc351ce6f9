// Records from a virtual microphone as fast as possible: its time stands still until a take begins,
// and then passes as fast as the sound can be encoded. When a file has been played to its end, the
// take ends at its last frame. Used by the loop's thread, except for the clock.

import Audio
import Realtime
import Recorder
import Systemd

final class FastPace {
  let clock: FastClock
  /// Performs the command that ends a take; set once the rooms exist.
  var perform: (SoundCommand) -> Void = { _ in }
  private let watch: WakerWatch
  private var take: ItemID?

  init(on loop: EventLoop) throws {
    let visitor = Visitor()
    watch = try loop.watchWaker { visitor.visit() }
    clock = FastClock(waker: watch.waker)
    visitor.pace = self
  }

  /// Returns a command with the microphone's time, which runs ahead of real time, as its instant.
  func atItsTime(_ command: SoundCommand) -> SoundCommand {
    guard let now = clock.now else { return command }
    return switch command {
    case .mark(let id, _, let name): .mark(id, at: now, name: name)
    case .split(let id, .instant, let next, let label):
      .split(id, at: .instant(now), next: next, label)
    case .end(let id, _, let reason): .end(id, at: now, reason)
    default: command
    }
  }

  /// Called after a command was performed: when a take has begun, the microphone's time starts.
  func follow(_ command: SoundCommand) {
    switch command {
    case .begin(let order, _):
      take = order.id
      clock.go()
    case .split(_, _, let next, _): take = next.id
    case .end: take = nil
    default: break
    }
  }

  private func end() {
    guard let instant = clock.consumeEnd(), let take else { return }
    self.take = nil
    perform(.end(take, at: instant, .pressed))
  }

  /// Holds the pace, which does not exist yet when the watch is set up.
  private final class Visitor {
    weak var pace: FastPace?
    func visit() { pace?.end() }
  }
}

/// The time of the open microphone. Used by the loop's thread, the thread that opens the
/// microphone, and the microphone's own thread.
final class FastClock: Sendable {
  private let time = Locked<GatedTime?>(nil)
  private let endedAt = Locked<Int64?>(nil)
  private let waker: LoopWaker

  fileprivate init(waker: LoopWaker) { self.waker = waker }

  /// Makes the time of a microphone that is being opened: it begins now, and stands still.
  func start() throws -> GatedTime {
    let made = try GatedTime(startNanoseconds: RealTime().nowNanoseconds())
    time.withLock { $0 = made }
    endedAt.withLock { $0 = nil }
    return made
  }

  /// Called when the file has been played to its end.
  func end(atNanoseconds nanoseconds: Int64) {
    endedAt.withLock { $0 = nanoseconds }
    waker.wake()
  }

  fileprivate func go() { time.withLock { $0 }?.open() }

  fileprivate var now: Instant? {
    time.withLock { $0 }.map { Instant(nanoseconds: $0.nowNanoseconds()) }
  }

  fileprivate func consumeEnd() -> Instant? {
    endedAt.withLock { ended in
      defer { ended = nil }
      return ended.map { Instant(nanoseconds: $0) }
    }
  }
}
