// A card in memory, for tests and the simulator. It counts operations, fails on demand, and can
// lose power at any operation; a seed then decides which unsynced data is kept, lost or torn. The
// same calls and the same seed give the same card. Any thread; no call may block, unless the hook
// does.

import Glibc
import Recorder
import Synchronization
import Tape

/// A card in memory, for tests and simulations.
public final class MemoryCard: FileSystem {
  public enum Kind: CaseIterable, Sendable {
    /// Name changes are ordered and atomic: a crash leaves a prefix of them. Syncing a file makes
    /// its name safe, too.
    case journalling
    /// Bytes, lengths and names are written in no order: after a crash a rename may show the old
    /// name, the new one, both or neither, and a file that grew may show freed bytes. Names ignore
    /// case and cannot have every character.
    case fat
  }

  private let disk: Mutex<MemoryCardDisk>

  public convenience init(_ kind: Kind, now: Int64 = 1_700_000_000_000_000_000) {
    let disk = MemoryCardDisk(
      kind: kind, tree: MemoryCardTree(), nextNode: MemoryCardTree.root + 1, now: now)
    self.init(disk)
  }

  init(_ disk: consuming sending MemoryCardDisk) { self.disk = Mutex(disk) }

  // MARK: What tests set and see

  public var faults: MemoryCardFaults {
    get { withDisk { $0.faults } }
    set { withDisk { $0.faults = newValue } }
  }

  public var counts: MemoryCardCounts { withDisk { $0.counts } }

  /// Nanoseconds since 1970.
  public var now: Int64 {
    get { withDisk { $0.now } }
    set { withDisk { $0.now = newValue } }
  }

  /// Sets a hook that is called before each operation, on the calling thread and without the lock:
  /// to let time pass while the card stalls, or to examine the card step by step.
  public func beforeEach(_ hook: (@Sendable (MemoryCardOperation) -> Void)?) {
    withDisk { $0.hook = hook }
  }

  /// Every path with its bytes; nil for a folder.
  public var everything: [(path: [UInt8], bytes: [UInt8]?)] { withDisk { $0.live }.everything }

  /// Cuts the power: every later operation fails.
  @discardableResult
  public func cut() -> MemoryCardCut {
    withDisk { $0.isCut = true }
    return ifCutNow
  }

  /// The outcomes that a power cut at this moment could have. The card itself goes on.
  public var ifCutNow: MemoryCardCut { withDisk { MemoryCardCut($0) } }

  /// Adds a synced file under a name that need not be valid UTF-8.
  public func plant(_ name: [UInt8], in folder: String, _ bytes: [UInt8]) throws(TapeError) {
    try locked { disk throws(TapeError) in
      let folder = try disk.existingFolder(folder).node
      let node = disk.nextNode
      disk.nextNode += 1
      let change = MemoryCardTree.NameChange(
        folder: folder, key: disk.key(name), entry: MemoryCardTree.Entry(name: name, node: node))
      let file = MemoryCardTree.File(bytes: bytes, modified: disk.stampedNow)
      disk.live.files[node] = file
      disk.safe.files[node] = file
      disk.live.apply(change)
      disk.safe.apply(change)
      disk.usedBytes += MemoryCardDisk.clusters(bytes.count)
    }
  }

  // MARK: The card

  public func open(_ path: String, _ mode: OpenMode) throws(TapeError) -> MemoryCardFile {
    let kind: MemoryCardOperation.Kind = mode == .create ? .createFile : .openFile
    let node = try perform(kind, path) { disk throws(TapeError) in
      let node =
        mode == .create
        ? try disk.makeNode(at: path, isFolder: false) : try disk.existing(path).node
      guard !disk.live.isFolder(node) else { throw disk.refusal(EISDIR, path, .cannotOpen) }
      guard mode != .change || !disk.faults.isReadOnly else { throw disk.refusal(EROFS, path) }
      disk.openFiles[node, default: 0] += 1
      return node
    }
    return MemoryCardFile(card: self, node: node, path: path, isReadOnly: mode == .read)
  }

  public func forgetUnwritten(_ path: String) {
    withDisk { disk in
      // A missing file has nothing to drop.
      do { disk.forgetUnwritten(try disk.existing(path).node) } catch {}
    }
  }

  public func list(_ path: String) throws(TapeError) -> [FileEntry] {
    try perform(.list, path) { disk throws(TapeError) in
      let folder = try disk.existingFolder(path).node
      return disk.live.sorted(folder).map { disk.described($0.node, $0.name) }
    }
  }

  public func entry(_ path: String) throws(TapeError) -> FileEntry? {
    try perform(.look, path) { disk throws(TapeError) in
      let place: MemoryCardDisk.Place
      do throws(TapeError) { place = try disk.place(path) } catch {
        if error.errno == EINVAL { throw error }
        return nil
      }
      return disk.node(place).map { node in
        let name = disk.live.folders[place.folder]?.entries[place.key]?.name
        return disk.described(node, name ?? [])
      }
    }
  }

  public func makeDirectory(_ path: String) throws(TapeError) {
    try perform(.makeDirectory, path) { disk throws(TapeError) in
      _ = try disk.makeNode(at: path, isFolder: true)
    }
  }

  /// Like `PosixCard`: on FAT, files are copied.
  public func rename(_ path: String, to target: String) throws(TapeError) {
    if copiesToRename, try entry(path)?.kind == .file {
      do { return try renameByCopy(path, to: target) } catch {
        if error.code != .diskFull { throw error }
      }
    }
    try renamePlainly(path, to: target)
  }

  private func renamePlainly(_ path: String, to target: String) throws(TapeError) {
    try perform(.rename, path) { disk throws(TapeError) in
      let (place, node) = try disk.existing(path)
      let new = try disk.vacancy(target)
      guard !disk.live.contains(node, new.folder) else { throw disk.refusal(EINVAL, path) }
      disk.move(place, to: new, node)
    }
  }

  public func rename(
    rawName: [UInt8], in directory: String, to name: String
  ) throws(TapeError) {
    let path = directory.isEmpty ? name : directory + "/" + name
    try perform(.rename, directory) { disk throws(TapeError) in
      guard FileName.isComponent(rawName), FileName.isComponent(name.utf8) else {
        throw disk.refusal(EINVAL, path)
      }
      let folder = try disk.existingFolder(directory).node
      let old = (folder: folder, key: disk.key(rawName), name: rawName)
      guard let node = disk.node(old) else { throw disk.refusal(ENOENT, directory) }
      disk.move(old, to: try disk.vacancy(path), node)
    }
  }

  public func remove(_ path: String) throws(TapeError) {
    try perform(.remove, path) { disk throws(TapeError) in
      let (place, node) = try disk.existing(path)
      guard !disk.live.isFolder(node) else { throw disk.refusal(EISDIR, path) }
      disk.remove(place, node)
    }
  }

  public func removeDirectory(_ path: String) throws(TapeError) {
    try perform(.removeDirectory, path) { disk throws(TapeError) in
      let (place, node) = try disk.existingFolder(path)
      guard disk.live.folders[node]?.entries.isEmpty == true else {
        throw disk.refusal(ENOTEMPTY, path)
      }
      guard node != MemoryCardTree.root else { throw disk.refusal(EBUSY, path) }
      disk.remove(place, node)
    }
  }

  public func syncDirectory(_ path: String) throws(TapeError) {
    try perform(.syncDirectory, path) { disk throws(TapeError) in
      disk.sync(folder: try disk.existingFolder(path).node)
    }
  }

  public var renamesFoldersSafely: Bool { withDisk { $0.kind == .journalling } }

  public var copiesToRename: Bool { withDisk { $0.kind == .fat && !$0.faults.renamesPlainly } }

  public func space() throws(TapeError) -> FileSpace {
    try perform(.measure, "") { disk throws(TapeError) in
      FileSpace(
        freeBytes: Int64(max(0, disk.faults.capacity - disk.usedBytes)),
        totalBytes: Int64(disk.faults.capacity),
        isReadOnly: disk.faults.isReadOnly && !disk.faults.hidesReadOnly,
        isVolatile: disk.faults.isVolatile)
    }
  }

  // MARK: The lock

  /// Counts an operation and performs it, unless it is set to fail.
  func perform<Answer: Sendable>(
    _ kind: MemoryCardOperation.Kind, _ path: String,
    _ body: (inout MemoryCardDisk) throws(TapeError) -> Answer
  ) throws(TapeError) -> Answer {
    let (operation, hook) = withDisk { $0.begin(kind, path) }
    hook?(operation)
    return try locked { disk throws(TapeError) in
      if disk.isCut { throw disk.refusal(EIO, path) }
      if let errno = disk.faults.errno(of: operation) { throw disk.refusal(errno, path) }
      return try body(&disk)
    }
  }

  func locked<Answer: Sendable>(
    _ body: (inout MemoryCardDisk) throws(TapeError) -> Answer
  ) throws(TapeError) -> Answer {
    try disk.withLock { disk in
      Result { () throws(TapeError) in try body(&disk) }
    }.get()
  }

  private func withDisk<Answer: Sendable>(_ body: (inout MemoryCardDisk) -> Answer) -> Answer {
    disk.withLock { body(&$0) }
  }
}

extension MemoryCardDisk {
  mutating func begin(
    _ kind: MemoryCardOperation.Kind, _ path: String
  ) -> (MemoryCardOperation, (@Sendable (MemoryCardOperation) -> Void)?) {
    let operation = MemoryCardOperation(kind: kind, path: path, number: counts.operations)
    counts.operations += 1
    if kind.isChange { counts.changes += 1 }
    if kind == .sync || kind == .syncDirectory { counts.syncs += 1 }
    return (operation, hook)
  }

  func described(_ node: Int, _ name: [UInt8]) -> FileEntry {
    let file = live.files[node]
    return FileEntry(
      rawName: name, kind: file == nil ? .directory : .file,
      byteCount: Int64(file?.bytes.count ?? MemoryCardDisk.clusterBytes),
      modified: file?.modified ?? live.folders[node]?.modified ?? 0)
  }
}
