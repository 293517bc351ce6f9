// Datagrams to systemd and to its journal. Any thread that may allocate. Must never wait: if the
// reader has stopped reading, the message is lost, not the time of the thread that sends it.

import CSystemd
import Glibc

enum Datagrams {
  /// Opened once and kept: a process that has run out of descriptors must not fall silent, or
  /// systemd takes it for stuck and kills it in the middle of a recording.
  private static let socket = Glibc.socket(
    AF_UNIX,
    Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)

  /// Sends a datagram. Returns 0 or an errno: EAGAIN or ENOBUFS if the reader has no room for it.
  static func send(_ message: [UInt8], to name: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    // A leading @ stands for the zero byte of an abstract socket address, which is in no folder.
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + path.count } ?? 0
    guard socket >= 0 else { return EMFILE }
    let sent = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        sendto(
          socket, message, message.count, Int32(MSG_NOSIGNAL), $0.baseAddress, socklen_t(length))
      }
    }
    return sent >= 0 ? 0 : errno
  }
}
