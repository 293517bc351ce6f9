// Timers on CLOCK_MONOTONIC, handled on the loop's thread. Each has a slack, which is how late it
// may be: sd-event lets timers whose slack overlaps share a wake-up. A timer is never early. It
// must never be used to count time: a repeating timer skips the beats it missed.
import CSystemd
import Glibc

/// A timer of the event loop.
public final class Timer: EventSource {
  /// Fires next at `deadline` on the monotonic clock; a repeating timer goes on from there.
  public func restart(atNanoseconds deadline: Int64) {
    guard let pointer else { return }
    sd_event_source_set_time(pointer, microseconds(fromNanoseconds: deadline))
    enableOnce()
  }

  /// Fires next after `delay`; a repeating timer goes on from there.
  public func restart(afterMilliseconds delay: Int64) {
    restart(atNanoseconds: EventLoop.deadlineNanoseconds(afterMilliseconds: delay))
  }

  /// Does not fire until restarted. Cheap: no system call, nothing freed.
  public func pause() {
    disable()
  }
}

extension EventLoop {
  /// Fires once, at a time of the monotonic clock; at once if that has passed.
  public func timer(
    atNanoseconds deadline: Int64, slackMilliseconds: Int64, priority: Priority = .normal,
    handler: @escaping () -> Void
  ) throws(EventLoopError) -> Timer {
    let alarm = Alarm(periodMicroseconds: 0, handler)
    return try add(alarm, atNanoseconds: deadline, slackMilliseconds, priority)
  }

  /// Fires once, after `delay`.
  public func timer(
    afterMilliseconds delay: Int64, slackMilliseconds: Int64, priority: Priority = .normal,
    handler: @escaping () -> Void
  ) throws(EventLoopError) -> Timer {
    try timer(
      atNanoseconds: Self.deadlineNanoseconds(afterMilliseconds: delay),
      slackMilliseconds: slackMilliseconds, priority: priority, handler: handler)
  }

  /// Fires repeatedly, first after one period. Slack and delays do not add up; a firing that is due
  /// while an earlier one is still late is left out.
  public func timer(
    everyMilliseconds period: Int64, slackMilliseconds: Int64, priority: Priority = .normal,
    handler: @escaping () -> Void
  ) throws(EventLoopError) -> Timer {
    precondition(period > 0, "a repeating timer needs a period")
    let alarm = Alarm(periodMicroseconds: microseconds(fromMilliseconds: period), handler)
    let first = Self.deadlineNanoseconds(afterMilliseconds: period)
    return try add(alarm, atNanoseconds: first, slackMilliseconds, priority)
  }

  /// Returns the present time of CLOCK_MONOTONIC, on which all of this runs.
  public static func monotonicNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  fileprivate static func deadlineNanoseconds(afterMilliseconds delay: Int64) -> Int64 {
    monotonicNanoseconds() + Int64(microseconds(fromMilliseconds: delay)) * 1000
  }

  private func add(
    _ alarm: Alarm, atNanoseconds deadline: Int64, _ slackMilliseconds: Int64, _ priority: Priority
  ) throws(EventLoopError) -> Timer {
    // sd-event takes a slack of 0 for its default, a quarter of a second.
    let slackMicroseconds = max(1, microseconds(fromMilliseconds: slackMilliseconds))
    let made = try EventSource.make(
      handler: alarm, priority: priority.rawValue, doing: "set a timer"
    ) {
      sd_event_add_time(
        handle.pointer, &$0, CLOCK_MONOTONIC, microseconds(fromNanoseconds: deadline),
        slackMicroseconds,
        { source, due, userData in
          object(userData, as: Alarm.self).fire(source, dueMicroseconds: due)
          return 0
        }, $1)
    }
    return Timer(adopting: made)
  }
}

/// A handler with its period, as an object that C can hold.
final class Alarm {
  private let periodMicroseconds: UInt64
  private let handler: () -> Void

  init(periodMicroseconds: UInt64, _ handler: @escaping () -> Void) {
    self.periodMicroseconds = periodMicroseconds
    self.handler = handler
  }

  func fire(_ source: OpaquePointer?, dueMicroseconds due: UInt64) {
    if periodMicroseconds > 0 {
      let now = microseconds(fromNanoseconds: EventLoop.monotonicNanoseconds())
      // Before the handler, which may restart or pause the timer.
      sd_event_source_set_time(
        source, Self.nextDue(after: due, now: now, period: periodMicroseconds))
      sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    }
    handler()
  }

  /// Returns the first beat that is still to come.
  static func nextDue(after due: UInt64, now: UInt64, period: UInt64) -> UInt64 {
    due + (now > due ? (now - due) / period + 1 : 1) * period
  }
}

/// Rounded up, so that a timer is never early.
private func microseconds(fromNanoseconds nanoseconds: Int64) -> UInt64 {
  (UInt64(max(0, nanoseconds)) + 999) / 1000
}

/// At most a century: a caller that means "never" by a large number must not crash the daemon.
private func microseconds(fromMilliseconds milliseconds: Int64) -> UInt64 {
  UInt64(min(max(0, milliseconds), 36_525 * 86_400_000)) * 1000
}
