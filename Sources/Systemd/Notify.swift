// The daemon's messages to systemd (sd_notify): ready, status, reloading, stopping, and the
// watchdog. From any thread but an audio one: it allocates. Must never be needed: without systemd
// every call does nothing, and no failure here stops a recording. Must never wait: sd_notify(3)
// waits while systemd does not read, so this sends the datagrams itself and reports when there was
// no room.
import CSystemd
import Glibc

/// Messages to systemd.
public enum Notify {
  /// What became of a message.
  public enum Outcome: Equatable, Sendable {
    case sent
    /// The process was not started by systemd.
    case noManager
    /// systemd has not read earlier messages. The caller must repeat what matters.
    case busy
    case failed(errorNumber: Int32)
  }

  /// Reports that start-up or a reload has finished.
  @discardableResult
  public static func ready(status: String? = nil) -> Outcome {
    send("READY=1", status: status)
  }

  /// Sets the line that `systemctl status` shows.
  @discardableResult
  public static func status(_ text: String) -> Outcome {
    send(nil, status: text)
  }

  /// Reports that the configuration is being read again; `ready` must follow.
  @discardableResult
  public static func reloading() -> Outcome {
    let now = EventLoop.monotonicNanoseconds() / 1000
    return send("RELOADING=1\nMONOTONIC_USEC=\(now)")
  }

  /// Reports that the daemon is stopping.
  @discardableResult
  public static func stopping(status: String? = nil) -> Outcome {
    send("STOPPING=1", status: status)
  }

  /// Feeds the watchdog. To be called well within `watchdogIntervalMicroseconds`, and only while
  /// every thread makes progress.
  @discardableResult
  public static func watchdog() -> Outcome {
    send("WATCHDOG=1")
  }

  /// Returns how long this process may stay silent before systemd kills it; nil if there is no
  /// limit.
  public static func watchdogIntervalMicroseconds() -> UInt64? {
    var interval: UInt64 = 0
    return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
  }

  private static func send(_ assignment: String?, status: String? = nil) -> Outcome {
    // A line end in the text would begin another assignment.
    let words = status.map {
      "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), !name.isEmpty else {
      return .noManager
    }
    let message = [assignment, words].compactMap { $0 }.joined(separator: "\n")
    switch Datagrams.send(Array(message.utf8), to: name) {
    case 0: return .sent
    case EAGAIN, ENOBUFS: return .busy
    case let number: return .failed(errorNumber: number)
    }
  }
}
