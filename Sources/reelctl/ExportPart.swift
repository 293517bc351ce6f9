// A file that gets its name only when it is whole: written beside its destination, and deleted if
// it is not finished, also on Ctrl-C. The main thread, which is the only one, and its signal
// handler.

import Glibc
import Realtime

struct ExportPart: ~Copyable {
  let file: Int32
  private let path: String
  private let destination: String

  /// - Parameter farewell: printed to standard error if a signal ends the program meanwhile.
  static func make(
    for destination: String, farewell: String? = nil
  ) throws(ExitError) -> ExportPart {
    let slash = destination.lastIndex(of: "/").map { destination.index(after: $0) }
    let folder = String(destination[..<(slash ?? destination.startIndex)])
    let path = folder + "\(prefix)\(getpid())\(ending)"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(destination) }
    // Only `removeAbandoned` reads the lock. Without locks, abandoned files stay.
    _ = flock(file, LOCK_EX | LOCK_NB)
    return ExportPart(file, path, destination, farewell)
  }

  private static let prefix = ".reel-export-"
  private static let ending = ".part"

  /// Deletes what exports that were killed have left in a directory. `folder` ends in a slash.
  static func removeAbandoned(in folder: String) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = directoryEntryName(entry).name
      guard name.hasPrefix(prefix), name.hasSuffix(ending) else { continue }
      let file = open(folder + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      // An export that still runs holds the lock.
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(folder + name) }
      close(file)
    }
  }

  private init(_ file: Int32, _ path: String, _ destination: String, _ words: String?) {
    self.file = file
    self.path = path
    self.destination = destination
    unfinished = strdup(path)
    farewell = words.map { strdup("\n\($0)\n") } ?? nil
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        if let unfinished { unlink(unfinished) }
        if let farewell { _ = write(STDERR_FILENO, farewell, strlen(farewell)) }
        _exit(128 + number)
      }
    }
  }

  deinit {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    close(file)
    if let name = unfinished { unlink(name) }
    free(unfinished)
    free(farewell)
    (unfinished, farewell) = (nil, nil)
  }

  /// Syncs the file and gives it its name.
  func complete() throws(ExitError) {
    guard fsync(file) == 0, rename(path, destination) == 0 else { throw Self.failure(destination) }
  }

  /// Syncs the file and gives it its name; false if a file has that name already, which stays.
  func completeIfFree() throws(ExitError) -> Bool {
    guard fsync(file) == 0 else { throw Self.failure(destination) }
    // A link never replaces a file. FAT has none: there a check must do.
    if link(path, destination) == 0 { return true }
    if errno == EEXIST || access(destination, F_OK) == 0 { return false }
    guard rename(path, destination) == 0 else { throw Self.failure(destination) }
    return true
  }

  private static func failure(_ destination: String) -> ExitError {
    ExitError(
      ExitCode.cannotCreate, "cannot write \(destination): \(systemWords(for: errno))")
  }
}

/// Returns the name of an entry of a directory, and whether it is UTF-8: otherwise it is a
/// replacement, and opens no file.
func directoryEntryName(_ entry: UnsafeMutablePointer<dirent>) -> (name: String, isValid: Bool) {
  withUnsafePointer(to: &entry.pointee.d_name) { name in
    name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
      (String(cString: name), String(validatingCString: name) != nil)
    }
  }
}

/// What a signal handler deletes. Written by the main thread; read by a handler that
/// interrupts it.
private nonisolated(unsafe) var unfinished: UnsafeMutablePointer<CChar>?
/// What it prints. Written by the main thread; read by a handler that interrupts it.
private nonisolated(unsafe) var farewell: UnsafeMutablePointer<CChar>?
