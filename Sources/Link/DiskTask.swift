// One operation on a mounted directory, in steps: each copies or reads a piece, so that the loop
// goes on between them. Temporary names, fsync, a rename that never replaces, fsync of the
// directory; what is read back comes from the disk, not from memory. A stick may go at any step.
// Runs on the loop's thread, which waits for the disk as long as one step takes.
import Glibc
import Realtime

/// An operation that is performed piece by piece.
final class DiskTask {
  private let place: DiskPlace
  private let operation: RemoteOperation
  private let file: OpenedFile?
  private var remote: OpenedFile?
  private var folder: OpenedFile?
  private var hasBegun = false
  private var offset: Int64 = 0
  private var resumedFrom: Int64 = 0
  private var hasher: ContentHasher
  private var buffer: UnsafeMutableRawBufferPointer

  static let pieceBytes = 256 << 10
  /// So much is written between two syncs: otherwise the last one would take minutes on a slow
  /// stick.
  private static let syncBytes: Int64 = 4 << 20

  init(_ operation: RemoteOperation, at place: DiskPlace, file: OpenedFile?) {
    self.place = place
    self.operation = operation
    self.file = file
    buffer = .allocate(byteCount: Self.pieceBytes, alignment: 4096)
    hasher =
      switch operation {
      case .send(_, let content, _), .read(_, let content):
        ContentHasher(soundFrom: content.soundFrom)
      case .fetch(_, _, let soundFrom): ContentHasher(soundFrom: soundFrom)
      default: ContentHasher(soundFrom: 0)
      }
  }

  deinit { buffer.deallocate() }

  /// Performs the next piece. Returns the answer after the last one.
  func step() -> RemoteAnswer? {
    do throws(DiskError) {
      switch operation {
      case .send(let name, let content, let resumes):
        if hasBegun { return try sendPiece(content) }
        try beginSending(name, content, resumes: resumes)
        hasBegun = true
        return nil
      case .read(let name, let content):
        return try readPiece(name, limit: content.hashes.length, into: nil)
      case .fetch(let name, let limit, _): return try readPiece(name, limit: limit, into: file)
      case .probe(let name): return try probe(name)
      case .makeFolder(let name): return try makeFolder(name)
      case .move(let old, let new), .duplicate(let old, let new): return try move(old, new)
      case .remove(let name): return try remove(name)
      case .version(let name): return try version(name)
      case .list(let folder, _): return try list(folder)
      case .replace, .pieces: return .failed(.unexpected("send"))
      }
    } catch {
      switch error {
      case .answer(let answer): return answer
      case .system(let number): return place.failure(number)
      }
    }
  }

  private enum DiskError: Error {
    case answer(RemoteAnswer)
    case system(Int32)
  }

  // MARK: Directories

  /// Opens the directory that a name is in.
  private func openFolder(
    of name: RemoteName, missing: RemoteAnswer
  ) throws(DiskError) -> OpenedFile {
    let root: OpenedFile
    do throws(LinkError) { root = try place.open() } catch { throw .answer(.failed(error)) }
    do throws(LocalError) { return try root.folder(name.components.dropLast()) } catch {
      let number = error.errorNumber
      throw number == ENOENT || number == ENOTDIR ? .answer(missing) : .system(number)
    }
  }

  private func probe(_ name: RemoteName) throws(DiskError) -> RemoteAnswer {
    guard let status = try status(of: name) else { return .absent }
    // A folder or a link of that name takes it: nothing of ours is so long.
    return .present(status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : -1)
  }

  private func version(_ name: RemoteName) throws(DiskError) -> RemoteAnswer {
    guard let status = try status(of: name) else { return .absent }
    let seconds = Int64(status.st_mtim.tv_sec)
    // FAT counts two seconds as one: a later change in them would not show.
    let isOld = Int64(time(nil)) - seconds > 10
    let version = "\(seconds).\(status.st_mtim.tv_nsec)-\(status.st_size)-\(status.st_ino)"
    return .version(isOld ? version : nil, changedSeconds: seconds)
  }

  /// Nil if there is no such file.
  private func status(of name: RemoteName) throws(DiskError) -> stat? {
    let folder = try openFolder(of: name, missing: .absent)
    var status = stat()
    if fstatat(folder.descriptor, name.file, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    if errno == ENOENT { return nil }
    throw .system(errno)
  }

  private func list(_ name: RemoteName) throws(DiskError) -> RemoteAnswer {
    let above = try openFolder(of: name, missing: .absent)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openat(above.descriptor, name.file, flags)
    if descriptor < 0 { throw errno == ENOENT ? .answer(.absent) : .system(errno) }
    // It owns the descriptor from here on.
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      throw .system(errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory), names.count < RemoteListing.namesMaximum {
      let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
      if RemoteName.isGood(name) { names.append(name) }
    }
    return .names(names, hasMore: false)
  }

  private func makeFolder(_ name: RemoteName) throws(DiskError) -> RemoteAnswer {
    let folder = try openFolder(of: name, missing: .folderMissing)
    if mkdirat(folder.descriptor, name.file, 0o755) != 0 {
      if errno == EEXIST { return .done }
      throw .system(errno)
    }
    if fsync(folder.descriptor) != 0 { throw .system(errno) }
    return .done
  }

  private func remove(_ name: RemoteName) throws(DiskError) -> RemoteAnswer {
    let folder = try openFolder(of: name, missing: .absent)
    if unlinkat(folder.descriptor, name.file, 0) != 0 {
      if errno == ENOENT { return .absent }
      throw .system(errno)
    }
    if fsync(folder.descriptor) != 0 { throw .system(errno) }
    return .done
  }

  private func move(_ old: RemoteName, _ new: RemoteName) throws(DiskError) -> RemoteAnswer {
    let from = try openFolder(of: old, missing: .absent)
    let to = try openFolder(of: new, missing: .folderMissing)
    var failed = Descriptors.renameNeverReplacing(
      old.file, in: from.descriptor, to: new.file, in: to.descriptor)
    if failed == EINVAL || failed == ENOSYS {
      failed = renameByLink(old.file, from.descriptor, new.file, to.descriptor)
    }
    switch failed {
    case nil: break
    case EEXIST: return .taken
    case ENOENT: return .absent
    case .some(let number): throw .system(number)
    }
    if fsync(to.descriptor) != 0 || fsync(from.descriptor) != 0 { throw .system(errno) }
    return .done
  }

  /// For file systems that cannot promise that a rename replaces nothing. Without links, as FAT by
  /// FUSE, the name is looked at before: one program writes to a stick.
  private func renameByLink(
    _ old: String, _ from: Int32, _ new: String, _ to: Int32
  ) -> Int32? {
    if linkat(from, old, to, new, 0) == 0 { return unlinkat(from, old, 0) == 0 ? nil : errno }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(errno) else { return errno }
    var status = stat()
    if fstatat(to, new, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
    if errno != ENOENT { return errno }
    return renameat(from, old, to, new) == 0 ? nil : errno
  }

  // MARK: Bytes

  private func beginSending(
    _ name: RemoteName, _ content: Content, resumes: Bool
  ) throws(DiskError) {
    let folder = try openFolder(of: name, missing: .folderMissing)
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (resumes ? 0 : O_TRUNC)
    let descriptor = openat(folder.descriptor, name.file, flags, 0o644)
    if descriptor < 0 { throw .system(errno) }
    let opened = OpenedFile(owning: descriptor)
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw .system(errno) }
    if status.st_mode & S_IFMT != S_IFREG { throw .system(EISDIR) }
    if status.st_size > content.hashes.length {
      if ftruncate(descriptor, 0) != 0 { throw .system(errno) }
    } else {
      offset = Int64(status.st_size)
    }
    resumedFrom = offset
    self.folder = folder
    remote = opened
  }

  private func sendPiece(_ content: Content) throws(DiskError) -> RemoteAnswer? {
    guard let remote, let folder, let file else { throw .system(EBADF) }
    let count = Int(min(Int64(Self.pieceBytes), content.hashes.length - offset))
    if count <= 0 {
      if fsync(remote.descriptor) != 0 || fsync(folder.descriptor) != 0 { throw .system(errno) }
      return .sent(resumedFrom == 0 ? hasher.hashes() : nil, resumedFrom: resumedFrom)
    }
    let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    switch file.read(piece, at: offset) {
    case .failure(let error): throw .answer(.failed(.source(error.errorNumber)))
    case .success(let read) where read < count: throw .answer(.failed(.sourceChanged))
    case .success: break
    }
    hasher.append(UnsafeRawBufferPointer(piece))
    if let error = remote.write(UnsafeRawBufferPointer(piece), at: offset) {
      throw .system(error.errorNumber)
    }
    let isSyncDue = offset / Self.syncBytes != (offset + Int64(count)) / Self.syncBytes
    offset += Int64(count)
    if isSyncDue, fdatasync(remote.descriptor) != 0 { throw .system(errno) }
    return nil
  }

  private func readPiece(
    _ name: RemoteName, limit: Int64, into sink: OpenedFile?
  ) throws(DiskError) -> RemoteAnswer? {
    guard let remote else {
      let folder = try openFolder(of: name, missing: .absent)
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
      let descriptor = openat(folder.descriptor, name.file, flags)
      if descriptor < 0 { throw errno == ENOENT ? .answer(.absent) : .system(errno) }
      remote = OpenedFile(owning: descriptor)
      // Written pages leave memory, so that the disk is read.
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      return nil
    }
    let read: Int
    switch remote.read(buffer, at: offset) {
    case .failure(let error): throw .system(error.errorNumber)
    case .success(let count): read = count
    }
    if read == 0 { return .hashed(hasher.hashes()) }
    if offset + Int64(read) > limit { return .tooLong }
    let piece = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<read])
    hasher.append(piece)
    if let sink, let error = sink.write(piece, at: offset) {
      throw .answer(.failed(.cannotKeep(error.errorNumber)))
    }
    offset += Int64(read)
    return nil
  }
}

extension LinkError {
  static func cannotKeep(_ number: Int32) -> LinkError {
    LinkError(
      .source, .recording, number: Int(number),
      "The card cannot keep what is fetched: \(systemWords(for: number)).")
  }
}
