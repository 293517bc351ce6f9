// A file that appears whole or not at all: written beside its place under another name, synced, and
// renamed when it is complete. The owner's calls may block on the disk.
import Glibc

/// The name of such a file until it is complete, which nothing else on a computer has.
public enum PartName {
  /// Returns a name that is not used yet.
  public static func fresh() -> String {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return make(getpid(), now)
  }

  static func make(_ process: pid_t, _ time: timespec) -> String {
    ".reel-\(process)-\(time.tv_sec)-\(time.tv_nsec).part"
  }

  /// Whether a file of that name is Reel's and not complete.
  public static func isOne(_ name: String) -> Bool {
    guard name.hasPrefix(".reel-"), name.hasSuffix(".part") else { return false }
    let numbers = name.dropFirst(6).dropLast(5)
      .split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 3
      && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}

struct PartFile: ~Copyable {
  let file: PosixFile
  private let destination: String
  private var isComplete = false

  static func make(for destination: String, replacing: Bool) throws(TapeError) -> PartFile {
    guard replacing || access(destination, F_OK) != 0 else {
      throw TapeError(.cannotOpen, "\(destination) exists already.", errno: EEXIST)
    }
    let path = folder(of: destination) + "/" + PartName.fresh()
    return PartFile(
      file: try PosixFile.open(path, .create),
      destination: destination)
  }

  private init(file: consuming PosixFile, destination: String) {
    self.file = file
    self.destination = destination
  }

  deinit { if !isComplete { unlink(file.path) } }

  /// Syncs the file and gives it its name.
  mutating func complete() throws(TapeError) {
    try file.sync()
    guard rename(file.path, destination) == 0 else {
      throw .system(.cannotWrite, "\(destination) cannot be made", errno: errno)
    }
    isComplete = true
    // The name is on the disk once the folder is synced. Some file systems cannot sync a folder;
    // that is ignored.
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
