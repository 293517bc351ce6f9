// The control socket as a file: made, found, protected, and whoever is at its other end. A path may
// be longer than the kernel takes in an address; then it is named through its directory. Any
// thread; nothing here waits but `connect`, which asks the kernel only.

import Glibc
import Realtime

public struct SocketFailure: Error, Equatable, CustomStringConvertible {
  public let errorNumber: Int32
  public let description: String
}

/// A socket, closed with its owner.
public struct SocketFile: ~Copyable {
  public let descriptor: Int32

  deinit { close(descriptor) }

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// Listens at a path. What lies there is taken away: whoever calls this knows that nobody else
  /// listens there.
  public static func listen(
    at path: String, group: String = "reel"
  ) throws(SocketFailure) -> SocketFile {
    let file = try make()
    unlink(path)
    try withAddress(of: path) { address, length in
      bind(file.descriptor, address, length)
    }
    // Whoever may not connect is told so by the file's mode, or by us in a sentence.
    chmod(path, 0o660)
    if let group = groupID(named: group) { chown(path, uid_t.max, group) }
    guard Glibc.listen(file.descriptor, 16) == 0 else { throw failure("listen at", path) }
    setNonBlocking(file.descriptor)
    return file
  }

  public static func connect(to path: String) throws(SocketFailure) -> SocketFile {
    let file = try make()
    try withAddress(of: path) { address, length in
      Glibc.connect(file.descriptor, address, length)
    }
    return file
  }

  /// The next one who wants to talk; nil when nobody is waiting.
  func accept() -> SocketFile? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    Self.setNonBlocking(accepted)
    return SocketFile(adopting: accepted)
  }

  /// For tests: both ends of a connection.
  static func pair() throws(SocketFailure) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure("make", "a pair") }
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

/// Who is at the other end of a connection, as the kernel says.
struct Peer: Equatable {
  let user: uid_t
  let groups: [gid_t]

  /// Root, and whoever runs the daemon.
  func isOwner(daemon: uid_t) -> Bool { user == 0 || user == daemon }

  /// Whether it is in the socket's group.
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
  /// The group a socket file belongs to; nil when it is not there.
  static func group(of path: String) -> gid_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_gid : nil
  }
}
