// What the daemon tells systemd about itself (sd_notify): ready, status, reloading, stopping, and
// the watchdog. From any thread, though it allocates, so not from an audio thread. Must never be
// needed: without systemd every call does nothing, and no failure here stops a recording. Must
// never wait: sd_notify(3) does, where nobody reads what was told before, so this sends by itself
// what that page describes, and says when there was no room.
import CSystemd
import Glibc

public enum Notify {
  public enum Outcome: Equatable, Sendable {
    case sent
    /// Not started by systemd: nobody asked to be told.
    case noManager
    /// What was told before was not read yet. What matters is to be said again.
    case busy
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
    guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), !name.isEmpty else {
      return .noManager
    }
    let number = deliver([assignment, words].compactMap { $0 }.joined(separator: "\n"), to: name)
    switch number {
    case 0: return .sent
    case EAGAIN, ENOBUFS: return .busy
    default: return .failed(errorNumber: number)
    }
  }

  /// Made once and kept: a process that has used up its descriptors must not fall silent, for
  /// systemd would take it for stuck and kill it in the middle of a recording.
  private static let socket = Glibc.socket(
    AF_UNIX,
    Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)

  /// 0, or an errno.
  private static func deliver(_ text: String, to name: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    // A name that begins with an @ is in no folder.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + bytes.count } ?? 0
    guard socket >= 0 else { return EMFILE }
    let sent = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        sendto(
          socket, text, text.utf8.count, Int32(MSG_NOSIGNAL), $0.baseAddress,
          socklen_t(length))
      }
    }
    return sent >= 0 ? 0 : errno
  }
}
