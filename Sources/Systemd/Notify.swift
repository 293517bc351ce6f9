// What the daemon tells systemd about itself (sd_notify): ready, status, reloading, stopping, and
// the watchdog. From any thread, though it allocates, so not from an audio thread. Must never be
// needed: without systemd every call does nothing, and no failure here stops a recording.
import CSystemd
import Glibc

public enum Notify {
  public enum Outcome: Equatable, Sendable {
    case sent
    /// Not started by systemd: nobody asked to be told.
    case noManager
    case failed(errorNumber: Int32)
  }

  /// Started, or finished reloading.
  @discardableResult
  public static func ready(status: String? = nil) -> Outcome {
    send("READY=1", status: status)
  }

  /// One line for `systemctl status`.
  @discardableResult
  public static func status(_ text: String) -> Outcome {
    send(nil, status: text)
  }

  /// Reading its configuration again; `ready` must follow.
  @discardableResult
  public static func reloading() -> Outcome {
    let now = EventLoop.monotonicNanoseconds() / 1000
    return send("RELOADING=1\nMONOTONIC_USEC=\(now)")
  }

  /// On its way out.
  @discardableResult
  public static func stopping(status: String? = nil) -> Outcome {
    send("STOPPING=1", status: status)
  }

  /// Alive. To be called well within `watchdogIntervalMicroseconds`, and only while every thread
  /// makes progress.
  @discardableResult
  public static func watchdog() -> Outcome {
    send("WATCHDOG=1")
  }

  /// How long this process may stay silent before systemd kills it; nil when it may for ever.
  public static func watchdogIntervalMicroseconds() -> UInt64? {
    var interval: UInt64 = 0
    return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
  }

  private static func send(_ assignment: String?, status: String? = nil) -> Outcome {
    // A line end in the text would begin another assignment.
    let words = status.map {
      "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    let result = sd_notify(0, [assignment, words].compactMap { $0 }.joined(separator: "\n"))
    if result < 0 { return .failed(errorNumber: -result) }
    return result > 0 ? .sent : .noManager
  }
}
