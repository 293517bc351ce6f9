// The mounted card: a directory, held by its descriptor, so that it stays the same whatever is
// mounted or renamed above it. Called on the card's thread; every call may block on the disk.
// `CardRoot` resolves every path: nothing outside the directory may be reached, and no link is
// followed.

import CKernel
import Glibc
import Recorder
import Tape

/// A card in a directory.
public final class PosixCard: FileSystem {
  private let root: CardRoot
  /// Names are written in no order, and are safe only once the whole file system is synced.
  private let isFat: Bool
  /// Files that grow need a chain: see `create(growing:)`.
  private let needsChains: Bool
  private let isVolatile: Bool

  public static func open(_ directory: String) throws(TapeError) -> PosixCard {
    try open(directory, resolver: nil)
  }

  /// Opens a directory with the given path resolver; nil for the best available.
  static func open(
    _ directory: String, resolver: CardRoot.Resolver?, needsChains: Bool? = nil
  ) throws(TapeError) -> PosixCard {
    let root = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else {
      throw .system(.cannotOpen, "\(directory) cannot be opened", errno: errno)
    }
    return PosixCard(CardRoot(adopting: root, resolver: resolver), needsChains)
  }

  private init(_ root: consuming CardRoot, _ needsChains: Bool?) {
    let descriptor = root.descriptor
    self.root = root
    let kind = reel_file_system_kind(descriptor)
    isFat = FileSystemKind.isFat(kind)
    self.needsChains = needsChains ?? FileSystemKind.isExFat(kind)
    isVolatile = FileSystemKind.isVolatile(kind, .of(descriptor), kindAt: FileSystemKind.at)
  }

  public func open(_ path: String, _ mode: OpenMode) throws(TapeError) -> PosixCardFile {
    let flags =
      switch mode {
      case .read: O_RDONLY
      case .change: O_RDWR
      case .create: O_RDWR | O_CREAT | O_EXCL
      }
    return PosixCardFile(try file(path, flags), isNew: mode == .create)
  }

  public func create(growing path: String) throws(TapeError) -> PosixCardFile {
    let file = try open(path, .create)
    if needsChains { chain(file, clusterBytes: Int64(try room().f_bsize)) }
    return file
  }

  public func plainFile(_ path: String) throws(TapeError) -> PosixFile? {
    try file(path, O_RDONLY)
  }

  /// Returns a function that opens a recording, for rooms that have no card. It opens the directory
  /// anew each time.
  public static func toRead(
    below directory: String
  ) -> @Sendable (Recorder.CardPath) throws(TapeError) -> PosixFile {
    { path throws(TapeError) in try open(directory).file(path, O_RDONLY) }
  }

  /// Like `toRead`, for writing.
  public static func toWrite(
    below directory: String
  ) -> @Sendable (Recorder.CardPath) throws(TapeError) -> PosixFile {
    { path throws(TapeError) in try open(directory).file(path, O_RDWR) }
  }

  private func file(_ path: Recorder.CardPath, _ flags: Int32) throws(TapeError) -> PosixFile {
    try file(path.components.joined(separator: "/"), flags)
  }

  private func file(_ path: String, _ flags: Int32) throws(TapeError) -> PosixFile {
    try root.inParent(of: path) { place, name throws(TapeError) in
      try PosixFile.open(name, in: place, flags: flags, path: path)
    }
  }

  /// Drops the file's cached bytes. Best effort: a later read reports an unreadable file.
  public func forgetUnwritten(_ path: String) {
    do {
      let file = try file(path, O_RDONLY)
      posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED)
    } catch {
      // This is advice: reading the file reports why it cannot be opened.
    }
  }

  public func entry(_ path: String) throws(TapeError) -> FileEntry? {
    let name = path.utf8.split(separator: CardPath.slash).last.map(Array.init) ?? []
    do {
      return try root.inParent(of: path) { place, last throws(TapeError) in
        var status = stat()
        guard fstatat(place, last, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
          throw .system(.cannotRead, "\(path) cannot be examined", errno: errno)
        }
        return FileEntry(rawName: name, status)
      }
    } catch {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.errno) { return nil }
      throw error
    }
  }

  public func makeDirectory(_ path: String) throws(TapeError) {
    try change(path, "The folder \(path) cannot be made") { mkdirat($0, $1, 0o755) }
  }

  public func remove(_ path: String) throws(TapeError) {
    try change(path, "\(path) cannot be removed") { unlinkat($0, $1, 0) }
  }

  public func removeDirectory(_ path: String) throws(TapeError) {
    try change(path, "The folder \(path) cannot be removed") { unlinkat($0, $1, AT_REMOVEDIR) }
  }

  /// Calls `body` with the path's directory and the name in it; it returns -1 on failure.
  private func change(
    _ path: String, _ failure: String, _ body: (Int32, String) -> Int32
  ) throws(TapeError) {
    try root.inParent(of: path) { place, name throws(TapeError) in
      if body(place, name) != 0 { throw .system(.cannotWrite, failure, errno: errno) }
    }
  }

  /// On FAT, syncs the whole file system: a file's start and length are stored with its name and
  /// written with the file. Ignores a file system that cannot sync a directory.
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

  private func room() throws(TapeError) -> statvfs {
    var room = statvfs()
    guard fstatvfs(root.descriptor, &room) == 0 else {
      throw .system(.cannotRead, "The card's free space cannot be told", errno: errno)
    }
    return room
  }

  public func space() throws(TapeError) -> FileSpace {
    let room = try room()
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
        // Without room for a copy, a plain rename with its short risk is better than none.
        if error.code != .diskFull { throw error }
      }
    }
    try renamePlainly(path, to: target)
    if isFat { try syncDirectory("") }
  }

  private func renamePlainly(_ path: String, to target: String) throws(TapeError) {
    try root.inParent(of: path) { oldPlace, old throws(TapeError) in
      try root.inParent(of: target) { newPlace, new throws(TapeError) in
        let failed = moveWithoutReplacing(old, oldPlace, new, newPlace)
        guard failed == 0 else {
          throw .system(.cannotWrite, "\(path) cannot be renamed to \(target)", errno: failed)
        }
      }
    }
  }

  public func rename(
    rawName: [UInt8], in directory: String, to name: String
  ) throws(TapeError) {
    guard FileName.isComponent(rawName), FileName.isComponent(name.utf8) else {
      throw .system(.cannotWrite, "This cannot be renamed to “\(name)”", errno: EINVAL)
    }
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
      // Not every file system sets `d_type`.
      case Self.unknownType:
        if let entry = examined(name, place) { found.append((text, entry.kind)) }
      default: found.append((text, .other))
      }
    }
    return found
  }

  /// DT_REG, DT_DIR and DT_UNKNOWN, whose type is ambiguous in Swift.
  private static let (regularType, directoryType, unknownType) = (8, 4, 0)

  /// Calls `body` for each name but "." and "..".
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

  /// Nil if the entry has just been removed.
  private func examined(_ name: UnsafePointer<CChar>, _ place: Int32) -> FileEntry? {
    var status = stat()
    guard fstatat(place, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
    return FileEntry(rawName: Array(bytes), status)
  }

  private func openDirectory(_ path: String) throws(TapeError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return try root.inParent(of: path) { place, name throws(TapeError) in
      let directory = SpareDescriptors.ofThisProcess.opening { openat(place, name, flags) }
      guard directory >= 0 else {
        throw .system(.cannotOpen, "The folder \(path) cannot be opened", errno: errno)
      }
      return directory
    }
  }
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
