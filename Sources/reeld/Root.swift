// The one directory below which the appliance keeps everything, and the lock that keeps two
// daemons from sharing it. Made at the start, by the loop's thread.

import Glibc
import Realtime

/// The paths of the appliance's files.
struct RootPaths: Sendable {
  let path: String
  /// The directory of files that need not outlast a boot.
  let run: String
  /// The directory of the key that signs manifests: a card may be mounted on `path`.
  let keys: String

  var recordings: String { path + "/recordings" }
  var flightLog: String { run + "/flight.log" }
  var oldFlightLog: String { run + "/flight.previous.log" }
  var takeMark: String { run + "/recording" }
  var configurationInForce: String { run + "/" + Root.configurationName }
  var controlSocket: String { run + "/control.sock" }
  var remembered: String { path + "/state.json" }
  var manifestKey: String { keys + "/manifest.key" }
}

struct Root: ~Copyable {
  let paths: RootPaths
  private let lock: Int32

  static let configurationName = "configuration.json"

  struct LockError: Error, CustomStringConvertible {
    let description: String
    /// Whether a later attempt may work.
    var isTemporary = false
  }

  /// The default root; the virtual appliance's is beside the state of other programs.
  static func standard(isVirtual: Bool) -> String {
    if !isVirtual { return directory("STATE_DIRECTORY") ?? "/var/lib/reel" }
    if let state = environment("XDG_STATE_HOME") { return state + "/reel-virtual" }
    return (environment("HOME") ?? "/tmp") + "/.local/state/reel-virtual"
  }

  /// systemd's directory for files that need not outlast a boot; nil if it is below the root.
  static func standardRun(isVirtual: Bool) -> String? {
    isVirtual ? nil : directory("RUNTIME_DIRECTORY")
  }

  /// systemd's directory for the key; nil if it is in the root.
  static func standardKeys(isVirtual: Bool) -> String? {
    isVirtual ? nil : directory("STATE_DIRECTORY", number: 1)
  }

  /// One of the directories that systemd has made for us.
  private static func directory(_ name: String, number: Int = 0) -> String? {
    let all = environment(name)?.split(separator: ":") ?? []
    return all.indices.contains(number) ? String(all[number]) : nil
  }

  static func open(
    _ path: String, run: String? = nil, keys: String? = nil
  ) throws(LockError) -> Root {
    for directory in [path, path + "/recordings", path + "/recordings/.trash", path + "/run"] {
      try makeDirectories(directory)
    }
    let name = path + "/run/lock"
    let lock = Glibc.open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    guard lock >= 0 else {
      throw LockError(description: "cannot make \(name): \(systemWords(for: errno))")
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      throw LockError(
        description: "another reeld runs in \(path) already; end it, or give this one --root DIR",
        isTemporary: true)
    }
    let full = realpath(path, nil)
    defer { free(full) }
    let whole = full.map { String(cString: $0) } ?? path
    return Root(RootPaths(path: whole, run: run ?? whole + "/run", keys: keys ?? whole), lock: lock)
  }

  /// Whether another process holds its lock.
  static func isInUse(_ path: String) -> Bool {
    let lock = Glibc.open(path + "/run/lock", O_RDONLY | O_CLOEXEC)
    guard lock >= 0 else { return false }
    defer { close(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private init(_ paths: RootPaths, lock: Int32) {
    self.paths = paths
    self.lock = lock
  }

  deinit { close(lock) }

  private static func makeDirectories(_ path: String) throws(LockError) {
    for end in path.indices.dropFirst() where path[end] == "/" {
      mkdir(String(path[..<end]), 0o755)
    }
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw LockError(description: "cannot make the directory \(path): \(systemWords(for: errno))")
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw LockError(description: "cannot write to \(path): \(systemWords(for: errno))")
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
