// The card as the system mounts it: a directory, by its descriptor, so that it stays this one
// whatever is mounted or renamed above it. Called on the card's thread; every call may wait for the
// disk as long as that takes. No link is followed at the end of a path.

import CKernel
import Glibc
import Tape

public final class PosixCard: FileSystem {
  private let root: Int32
  /// Names are written in no order, and only when all that is unwritten is.
  private let isFat: Bool
  private let isVolatile: Bool

  public static func open(_ directory: String) throws(TapeError) -> PosixCard {
    let root = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else {
      throw .system(.cannotOpen, "\(directory) cannot be opened", errno: errno)
    }
    return PosixCard(root)
  }

  private init(_ root: Int32) {
    self.root = root
    let kind = reel_file_system_kind(root)
    isFat = FileSystemKind.isFat(kind)
    isVolatile = FileSystemKind.isVolatile(kind, .of(root), kindAt: FileSystemKind.at)
  }

  deinit { close(root) }

  public func open(_ path: String, _ mode: OpenMode) throws(TapeError) -> PosixCardFile {
    switch mode {
    case .read: try PosixCardFile(path, below: root, O_RDONLY, isNew: false)
    case .change: try PosixCardFile(path, below: root, O_RDWR, isNew: false)
    case .create: try PosixCardFile(path, below: root, O_RDWR | O_CREAT | O_EXCL, isNew: true)
    }
  }

  /// Drops what is in memory and is not to be written any more. Advice: whether there is such a
  /// file, and whether it can be read, is found out by whoever reads it.
  public func forgetUnwritten(_ path: String) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = SpareDescriptors.ofThisProcess.opening { openat(root, path, flags) }
    guard file >= 0 else { return }
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    close(file)
  }

  public func entry(_ path: String) throws(TapeError) -> FileEntry? {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    var status = stat()
    if fstatat(root, here(path), &status, AT_SYMLINK_NOFOLLOW) == 0 {
      return FileEntry(rawName: name, status)
    }
    if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
    throw .system(.cannotRead, "\(path) cannot be examined", errno: errno)
  }

  public func makeDirectory(_ path: String) throws(TapeError) {
    guard mkdirat(root, path, 0o755) == 0 else {
      throw .system(.cannotWrite, "The folder \(path) cannot be made", errno: errno)
    }
  }

  public func remove(_ path: String) throws(TapeError) {
    guard unlinkat(root, path, 0) == 0 else {
      throw .system(.cannotWrite, "\(path) cannot be removed", errno: errno)
    }
  }

  public func removeDirectory(_ path: String) throws(TapeError) {
    guard unlinkat(root, path, AT_REMOVEDIR) == 0 else {
      throw .system(.cannotWrite, "The folder \(path) cannot be removed", errno: errno)
    }
  }

  /// FAT keeps a file's beginning and length with its name and writes them when it writes the file,
  /// so there everything unwritten goes along. A file system that knows no such call is left alone.
  public func syncDirectory(_ path: String) throws(TapeError) {
    let directory = try openDirectory(path)
    defer { close(directory) }
    if fsync(directory) != 0, ![EINVAL, ENOTSUP].contains(errno) {
      throw .system(.cannotWrite, "The folder \(path) cannot be written", errno: errno)
    }
    if isFat, reel_sync_file_system(directory) != 0 {
      throw .system(.cannotWrite, "The folder \(path) cannot be written", errno: errno)
    }
  }

  public func space() throws(TapeError) -> FileSpace {
    var room = statvfs()
    guard fstatvfs(root, &room) == 0 else {
      throw .system(.cannotRead, "The card's free space cannot be told", errno: errno)
    }
    let block = Int64(room.f_frsize)
    return FileSpace(
      freeBytes: Int64(clamping: room.f_bavail) * block,
      totalBytes: Int64(clamping: room.f_blocks) * block,
      isReadOnly: room.f_flag & 1 != 0, isVolatile: isVolatile)
  }

  // MARK: Renaming

  public var renamesFoldersSafely: Bool { !isFat }
  public var copiesToRename: Bool { isFat }

  public func rename(_ path: String, to target: String) throws(TapeError) {
    if isFat, try entry(path)?.kind == .file {
      do { return try renameByCopy(path, to: target) } catch {
        // Without room for a copy the short risk of the plain way is better than not at all.
        if error.code != .diskFull { throw error }
      }
    }
    try renamePlainly(path, to: target)
    if isFat { try syncDirectory("") }
  }

  private func renamePlainly(_ path: String, to target: String) throws(TapeError) {
    let failed = moveWithoutReplacing(path, root, target, root)
    guard failed == 0 else {
      throw .system(.cannotWrite, "\(path) cannot be renamed to \(target)", errno: failed)
    }
  }

  public func rename(
    rawName: [UInt8], in directory: String, to name: String
  ) throws(TapeError) {
    let place = try openDirectory(directory)
    defer { close(place) }
    let old = rawName.map(CChar.init(bitPattern:)) + [0]
    let failed = old.withUnsafeBufferPointer { old in
      old.baseAddress.map { moveWithoutReplacing($0, place, name, place) } ?? EINVAL
    }
    guard failed == 0 else {
      let shown = String(decoding: rawName, as: UTF8.self)
      throw .system(.cannotWrite, "\(shown) cannot be renamed to \(name)", errno: failed)
    }
  }

  // MARK: Looking

  public func list(_ path: String) throws(TapeError) -> [FileEntry] {
    var found: [FileEntry] = []
    try forEachName(in: path) { name, _, place in
      if let entry = examined(name, place) { found.append(entry) }
    }
    return found
  }

  public func names(
    _ path: String
  ) throws(TapeError) -> [(name: String, kind: FileEntry.Kind)] {
    var found: [(name: String, kind: FileEntry.Kind)] = []
    try forEachName(in: path) { name, type, place in
      guard let text = String(validatingCString: name) else { return }
      switch Int(type) {
      case Self.regularType: found.append((text, .file))
      case Self.directoryType: found.append((text, .directory))
      // Not every file system says it here.
      case Self.unknownType:
        if let entry = examined(name, place) { found.append((text, entry.kind)) }
      default: found.append((text, .other))
      }
    }
    return found
  }

  /// DT_REG, DT_DIR and DT_UNKNOWN, of which Swift knows not what type they are.
  private static let (regularType, directoryType, unknownType) = (8, 4, 0)

  /// Without "." and "..".
  private func forEachName(
    in path: String, _ body: (UnsafePointer<CChar>, UInt8, Int32) -> Void
  ) throws(TapeError) {
    let place = try openDirectory(path)
    guard let stream = fdopendir(place) else {
      let error = errno
      close(place)
      throw .system(.cannotRead, "The folder \(path) cannot be read", errno: error)
    }
    defer { closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
    while true {
      errno = 0
      guard let next = readdir(stream) else { break }
      let name = (UnsafeRawPointer(next) + offset).assumingMemoryBound(to: CChar.self)
      if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { body(name, next.pointee.d_type, place) }
    }
    guard errno == 0 else {
      throw .system(.cannotRead, "The folder \(path) cannot be read", errno: errno)
    }
  }

  /// Nil for what has just gone.
  private func examined(_ name: UnsafePointer<CChar>, _ place: Int32) -> FileEntry? {
    var status = stat()
    guard fstatat(place, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
    return FileEntry(rawName: Array(bytes), status)
  }

  private func openDirectory(_ path: String) throws(TapeError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let directory = SpareDescriptors.ofThisProcess.opening { openat(root, here(path), flags) }
    guard directory >= 0 else {
      throw .system(.cannotOpen, "The folder \(path) cannot be opened", errno: errno)
    }
    return directory
  }

  private func here(_ path: String) -> String { path.isEmpty ? "." : path }
}

extension FileEntry {
  fileprivate init(rawName: [UInt8], _ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      default: .other
      }
    let time = status.st_mtim
    self.init(
      rawName: rawName, kind: kind, byteCount: Int64(status.st_size),
      modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
