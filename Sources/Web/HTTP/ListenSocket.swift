// The sockets that the server listens on: passed by systemd, or opened at an address that the
// command line names. Loop's thread, at start only.
import Glibc
import Realtime
import Systemd

/// Listening sockets.
public enum ListenSocket {
  /// What systemd passed: one socket for browsers, and one for reelctl.
  public struct Passed {
    public var web: Int32?
    public var admin: Int32?
  }

  /// Tells passed sockets apart by their family.
  public static func passed() -> Passed {
    var passed = Passed()
    for descriptor in PassedSockets.claim() {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &length)
        }
      }
      let isLocal = result == 0 && Int32(address.ss_family) == AF_UNIX
      if isLocal, passed.admin == nil {
        passed.admin = descriptor
      } else if !isLocal, passed.web == nil {
        passed.web = descriptor
      } else {
        close(descriptor)
      }
    }
    return passed
  }

  /// Opens a socket at "ADDRESS:PORT"; an address of IPv6 is in brackets.
  public static func open(at text: String) throws(WebError) -> Int32 {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { throw WebError(.usage, "“\(text)” is no address with a port; say 127.0.0.1:8080") }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      return try open(AF_INET, &four, text)
    }
    if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      return try open(AF_INET6, &six, text)
    }
    throw WebError(.usage, "“\(host)” is no address in numbers; say 127.0.0.1:8080 or [::]:8080")
  }

  private static func open<Address>(
    _ family: Int32, _ address: inout Address, _ text: String
  ) throws(WebError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let made = socket(family, kind, 0)
    var yes: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let length = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, length) }
    }
    if made >= 0, result == 0, listen(made, 64) == 0 { return made }
    let number = errno
    if made >= 0 { close(made) }
    throw WebError(
      .system, errorNumber: number, "cannot listen at \(text): \(systemWords(for: number))")
  }

  /// The address of a socket of IPv4 that serves only one; nil for others.
  static func address(of descriptor: Int32) -> String? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0, Int32(address.sin_family) == AF_INET, address.sin_addr.s_addr != 0 else {
      return nil
    }
    let bytes = withUnsafeBytes(of: address.sin_addr.s_addr) { Array($0) }
    return bytes.map { "\($0)" }.joined(separator: ".")
  }

  /// The port of a socket; 0 if it has none.
  public static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    // The port is at the same place in an address of either family.
    return result == 0 ? Int(UInt16(bigEndian: address.sin6_port)) : 0
  }
}
