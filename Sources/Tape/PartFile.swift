// A file that comes into being whole or not at all: written beside its place under another name,
// and renamed when it is complete and on the disk. Whoever owns it may have to wait for the disk.
import Glibc

struct PartFile: ~Copyable {
  let file: PosixFile
  private let destination: String
  private var isComplete = false

  static func make(for destination: String, replacing: Bool) throws(TapeError) -> PartFile {
    guard replacing || access(destination, F_OK) != 0 else {
      throw TapeError(.cannotOpen, "\(destination) exists already.", errno: EEXIST)
    }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let name = ".reel-\(getpid())-\(now.tv_sec)-\(now.tv_nsec).part"
    return PartFile(
      file: try PosixFile.open(folder(of: destination) + "/" + name, .create),
      destination: destination)
  }

  private init(file: consuming PosixFile, destination: String) {
    self.file = file
    self.destination = destination
  }

  deinit { if !isComplete { unlink(file.path) } }

  /// Gives the file its name.
  mutating func complete() throws(TapeError) {
    try file.sync()
    guard rename(file.path, destination) == 0 else {
      throw .system(.cannotWrite, "\(destination) cannot be made", errno: errno)
    }
    isComplete = true
    // The name is on the disk once the folder is. Some file systems cannot sync a folder: no harm.
    let folder = open(Self.folder(of: destination), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
