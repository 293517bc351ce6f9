// A thread's sign of life: since when it has been at its present piece of work, or that it rests.
// The thread itself sets it, a realtime one too; any other may look. What a watchdog is fed by: a
// thread that rests is well, and one that works is well if it has not been at it for too long.
import CRealtime
import Synchronization

public final class Pulse: Sendable {
  /// In milliseconds of CLOCK_MONOTONIC; 0 while the thread rests. Stored by the thread.
  private let since = Atomic<Int64>(0)

  public init() {}

  /// A new piece of work begins.
  public func beat() { since.store(max(1, realtime_now_milliseconds()), ordering: .relaxed) }

  /// The thread waits for something to do.
  public func rest() { since.store(0, ordering: .relaxed) }

  /// How long it has been at its present piece of work; 0 while it rests.
  public var busyMilliseconds: Int64 {
    let since = since.load(ordering: .relaxed)
    return since == 0 ? 0 : max(0, realtime_now_milliseconds() - since)
  }
}
