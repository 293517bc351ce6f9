// The control socket as a file: creates, protects and opens it, and reads the credentials of its
// peer. If a path is longer than the kernel allows in an address, it is reached through its
// directory's descriptor. Any thread; only `connect` waits, and only for the kernel.

import Glibc
import Realtime

/// Why a socket cannot be used.
public struct SocketFailure: Error, Equatable, CustomStringConvertible {
  public let errorNumber: Int32
  public let description: String
}

/// A socket, closed with its owner.
public struct SocketFile: ~Copyable {
  public let descriptor: Int32

  deinit { close(descriptor) }

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// Listens at a path. A file there is deleted: the caller knows that no process listens there.
  /// - Parameter logError: receives a sentence if the group cannot be given access.
  public static func listen(
    at path: String, group: String = standardGroup, logError: (String) -> Void = { _ in }
  ) throws(SocketFailure) -> SocketFile {
    let file = try make()
    unlink(path)
    try withAddress(of: path) { address, length in
      bind(file.descriptor, address, length)
    }
    // Users without access are refused by the file's mode, or by the server with a sentence.
    chmod(path, 0o660)
    letIn(group, at: path, logError)
    guard Glibc.listen(file.descriptor, 16) == 0 else { throw failure("listen at", path) }
    setNonBlocking(file.descriptor)
    return file
  }

  /// Created by the package; without the package it does not exist.
  public static let standardGroup = "reel"

  private static func letIn(_ group: String, at path: String, _ logError: (String) -> Void) {
    guard let id = groupID(named: group) else {
      if group != standardGroup { logError("there is no group \(group) to use \(path)") }
      return
    }
    guard chown(path, uid_t.max, id) != 0 else { return }
    logError("the group \(group) cannot use \(path): \(systemWords(for: errno))")
  }

  public static func connect(to path: String) throws(SocketFailure) -> SocketFile {
    let file = try make()
    try withAddress(of: path) { address, length in
      Glibc.connect(file.descriptor, address, length)
    }
    return file
  }

  /// Returns the next connection; nil if none is pending.
  func accept() -> SocketFile? {
    Descriptors.accept(from: descriptor).map { SocketFile(adopting: $0) }
  }

  /// For tests: both ends of a connection.
  static func pair() throws(SocketFailure) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure("make", "a pair") }
    return (ends[0], ends[1])
  }

  /// Returns both ends of a pair that keeps packets whole; nil, with `errno` set, if the process
  /// has no descriptors left.
  static func packetPair(bufferBytes: Int32) -> (sending: Int32, receiving: Int32)? {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    var bytes = bufferBytes
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    return (ends[0], ends[1])
  }

  static func adopt(_ descriptor: Int32) -> SocketFile {
    setNonBlocking(descriptor)
    return SocketFile(adopting: descriptor)
  }

  private static var kind: Int32 { Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) }

  private static func make() throws(SocketFailure) -> SocketFile {
    let made = socket(AF_UNIX, kind, 0)
    guard made >= 0 else { throw failure("make", "a socket") }
    return SocketFile(adopting: made)
  }

  private static func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  // MARK: Addresses

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketFailure) {
    var directory: Int32 = -1
    defer { if directory >= 0 { close(directory) } }
    var short = path
    if path.utf8.count >= MemoryLayout.size(ofValue: sockaddr_un().sun_path) {
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      directory = open(String(path[..<slash]), pathOnly | O_DIRECTORY | O_CLOEXEC)
      short = "/proc/self/fd/\(directory)" + path[slash...]
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard short.utf8.count <= room else {
      throw SocketFailure(errorNumber: ENAMETOOLONG, description: "the name \(path) is too long")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in short.utf8.enumerated() { bytes[index] = byte }
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { throw failure("use", path) }
  }

  private static func failure(_ what: String, _ name: String) -> SocketFailure {
    let number = errno
    return SocketFailure(
      errorNumber: number,
      description: "cannot \(what) \(name): \(systemWords(for: number))")
  }

  private static func groupID(named name: String) -> gid_t? {
    var group = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    guard getgrnam_r(name, &group, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return group.gr_gid
  }
}

/// O_PATH, which Glibc hides from Swift.
let pathOnly: Int32 = 0o10000000

/// The user and groups at the other end of a connection, as the kernel reports them.
struct Peer: Equatable {
  let user: uid_t
  let groups: [gid_t]

  /// Whether the peer is root or the daemon's user.
  func isOwner(daemon: uid_t) -> Bool { user == 0 || user == daemon }

  /// Whether the peer is in the socket's group.
  func isMember(of group: gid_t) -> Bool { groups.contains(group) }

  init(user: uid_t, groups: [gid_t]) {
    self.user = user
    self.groups = groups
  }

  init?(of descriptor: Int32) {
    // struct ucred: process, user, group.
    var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      return nil
    }
    user = credentials.1
    var more = [gid_t](repeating: 0, count: 1024)
    var moreLength = socklen_t(more.count * MemoryLayout<gid_t>.size)
    let peerGroups: Int32 = 59  // SO_PEERGROUPS, which Glibc hides from Swift
    let result = getsockopt(descriptor, SOL_SOCKET, peerGroups, &more, &moreLength)
    let count = result == 0 ? Int(moreLength) / MemoryLayout<gid_t>.size : 0
    groups = [credentials.2] + more.prefix(count)
  }
}

extension SocketFile {
  /// Returns the group of a socket file; nil if there is no file.
  static func group(of path: String) -> gid_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_gid : nil
  }
}
