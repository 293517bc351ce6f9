// Takes as fast as they go, of a virtual microphone: time stands still for it until a take has
// begun, and then passes as fast as the sound can be encoded. A file that has been heard to its end
// ends the take at its last frame. Used by the loop's thread, but for the clock.

import Audio
import Realtime
import Recorder
import Systemd

final class FastPace {
  let clock: FastClock
  /// For what follows by itself: set once the rooms are there.
  var carryOut: (SoundCommand) -> Void = { _ in }
  private let watch: WakerWatch
  private var take: ItemID?

  init(on loop: EventLoop) throws {
    let visitor = Visitor()
    watch = try loop.watchWaker { visitor.visit() }
    clock = FastClock(waker: watch.waker)
    visitor.pace = self
  }

  /// What a command means to a microphone that is ahead of the world: now is where its sound is.
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

  /// Called when a command has been carried out: a take that has begun may be heard.
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
    guard let instant = clock.takeEnd(), let take else { return }
    self.take = nil
    carryOut(.end(take, at: instant, .pressed))
  }

  /// Fills in what does not exist yet when the watch is set up.
  private final class Visitor {
    weak var pace: FastPace?
    func visit() { pace?.end() }
  }
}

/// The time of the microphone that is open. Used by the loop's thread, the one that opens the
/// microphone, and its own.
final class FastClock: Sendable {
  private let time = Locked<GatedTime?>(nil)
  private let endedAt = Locked<Int64?>(nil)
  private let waker: Systemd.Waker

  fileprivate init(waker: Systemd.Waker) { self.waker = waker }

  /// A microphone is opened: its time begins now, and stands still.
  func start() throws -> GatedTime {
    let made = try GatedTime(startNanoseconds: RealTime().nowNanoseconds())
    time.withLock { $0 = made }
    endedAt.withLock { $0 = nil }
    return made
  }

  /// The file has been heard to its end.
  func end(atNanoseconds nanoseconds: Int64) {
    endedAt.withLock { $0 = nanoseconds }
    waker.wake()
  }

  fileprivate func go() { time.withLock { $0 }?.open() }

  fileprivate var now: Instant? {
    time.withLock { $0 }.map { Instant(nanoseconds: $0.nowNanoseconds()) }
  }

  fileprivate func takeEnd() -> Instant? {
    endedAt.withLock { ended in
      defer { ended = nil }
      return ended.map { Instant(nanoseconds: $0) }
    }
  }
}
