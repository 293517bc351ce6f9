// A thread's heartbeat: when its present piece of work began, or that it rests. Set by the thread
// itself, which may be a realtime one; read by any thread. It feeds the watchdog: a thread is
// healthy if it rests, or if its present work has not taken too long.
import CRealtime
import Synchronization

/// A thread's heartbeat.
public final class Pulse: Sendable {
  /// In milliseconds of CLOCK_MONOTONIC; 0 while the thread rests. Stored by the thread.
  private let since = Atomic<Int64>(0)

  public init() {}

  /// Marks the start of a piece of work.
  public func beat() { since.store(max(1, realtime_now_milliseconds()), ordering: .relaxed) }

  /// Marks that the thread waits for work.
  public func rest() { since.store(0, ordering: .relaxed) }

  /// How long the present piece of work has taken; 0 while the thread rests.
  public var busyMilliseconds: Int64 {
    let since = since.load(ordering: .relaxed)
    return since == 0 ? 0 : max(0, realtime_now_milliseconds() - since)
  }
}
