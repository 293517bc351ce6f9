// The state of a card in memory: what programs see (`live`), what is synced (`safe`), and in order
// the changes since, which could be lost. A plain value behind the card's lock.

import Glibc
import Tape

let deviceGone = EIO
let readOnly = EROFS

struct MemoryCardDisk: Sendable {
  enum Pending: Sendable {
    case data(MemoryCardTree.DataChange, file: Int)
    /// Atomic on a journalling file system; on FAT each name is independent.
    case names([MemoryCardTree.NameChange], node: Int)
  }

  typealias Place = (folder: Int, key: [UInt8], name: [UInt8])

  static let clusterBytes = 4096
  /// How many freed contents are kept, to reappear where nothing was written.
  private static let staleCount = 4

  let kind: MemoryCard.Kind
  var live: MemoryCardTree
  var safe: MemoryCardTree
  var pending: [Pending] = []
  var stale: [[UInt8]] = []
  /// Nodes whose last safe name was just removed.
  var gone: [Int] = []
  var nextNode: Int
  var usedBytes = 0
  var openFiles: [Int: Int] = [:]
  /// Time of files made now, in nanoseconds since 1970.
  var now: Int64
  var faults = MemoryCardFaults()
  var counts = MemoryCardCounts()
  var hook: (@Sendable (MemoryCardOperation) -> Void)?
  var isCut = false

  init(kind: MemoryCard.Kind, tree: MemoryCardTree, nextNode: Int, now: Int64) {
    (self.kind, live, safe) = (kind, tree, tree)
    (self.nextNode, self.now) = (nextNode, now)
    usedBytes =
      tree.files.values.reduce(0) { $0 + Self.clusters($1.bytes.count) }
      + (tree.folders.count - 1) * Self.clusterBytes
  }

  static func clusters(_ bytes: Int) -> Int {
    (bytes + clusterBytes - 1) / clusterBytes * clusterBytes
  }

  var stampedNow: Int64 { kind == .fat ? now - now % 2_000_000_000 : now }

  // MARK: Finding

  func key(_ name: [UInt8]) -> [UInt8] {
    if kind == .journalling { return name }
    if name.allSatisfy({ $0 < 0x80 }) { return name.map { (65...90).contains($0) ? $0 + 32 : $0 } }
    guard let text = String(validating: name, as: UTF8.self) else { return name }
    return Array(text.lowercased().utf8)
  }

  /// The folder of a path's last name, and that name, which is empty for the root.
  func place(_ path: String) throws(TapeError) -> Place {
    try CardPath.check(path)
    var names = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    let last = names.popLast() ?? []
    var folder = MemoryCardTree.root
    for name in names {
      guard let next = live.folders[folder]?.entries[key(name)]?.node else {
        throw refusal(ENOENT, path)
      }
      guard live.isFolder(next) else { throw refusal(ENOTDIR, path) }
      folder = next
    }
    return (folder, key(last), last)
  }

  func node(_ place: Place) -> Int? {
    place.name.isEmpty
      ? MemoryCardTree.root : live.folders[place.folder]?.entries[place.key]?.node
  }

  func existing(_ path: String) throws(TapeError) -> (place: Place, node: Int) {
    let place = try place(path)
    guard let node = node(place) else { throw refusal(ENOENT, path) }
    return (place, node)
  }

  func existingFolder(_ path: String) throws(TapeError) -> (place: Place, node: Int) {
    let found = try existing(path)
    guard live.isFolder(found.node) else { throw refusal(ENOTDIR, path) }
    return found
  }

  /// The place for a new name; throws if the name exists or is not allowed.
  func vacancy(_ path: String) throws(TapeError) -> Place {
    let place = try place(path)
    guard node(place) == nil else { throw refusal(EEXIST, path) }
    if let errno = fault(ofName: place.name) { throw refusal(errno, path) }
    return place
  }

  private func fault(ofName name: [UInt8]) -> Int32? {
    if name.contains(0) { return EINVAL }
    guard kind == .fat else { return name.count > 255 ? ENAMETOOLONG : nil }
    guard let text = String(validating: name, as: UTF8.self) else { return EINVAL }
    if text.utf16.count > 255 { return ENAMETOOLONG }
    let isBad = name.contains { $0 < 32 || "\"*:<>?\\|".utf8.contains($0) }
    return isBad || name.last == 32 || name.last == UInt8(ascii: ".") ? EINVAL : nil
  }

  func refusal(_ errno: Int32, _ path: String, _ code: TapeError.Code = .cannotWrite) -> TapeError {
    .system(code, "\(path) on the card in memory cannot be had", errno: errno)
  }

  // MARK: Names

  mutating func makeNode(at path: String, isFolder: Bool) throws(TapeError) -> Int {
    let place = try vacancy(path)
    guard usedBytes < faults.capacity else { throw refusal(ENOSPC, path) }
    let node = nextNode
    nextNode += 1
    if isFolder {
      live.folders[node] = MemoryCardTree.Folder(modified: stampedNow)
      safe.folders[node] = MemoryCardTree.Folder(modified: stampedNow)
      usedBytes += Self.clusterBytes
    } else {
      live.files[node] = MemoryCardTree.File(modified: stampedNow)
      safe.files[node] = MemoryCardTree.File(modified: stampedNow)
    }
    change([naming(place, node)], node)
    return node
  }

  mutating func move(_ old: Place, to new: Place, _ node: Int) {
    change([naming(new, node), naming(old, nil)], node)
  }

  mutating func remove(_ place: Place, _ node: Int) {
    change([naming(place, nil)], node)
    if live.isFolder(node) {
      live.folders[node] = nil
      usedBytes -= Self.clusterBytes
    }
    release(node)
  }

  private func naming(_ place: Place, _ node: Int?) -> MemoryCardTree.NameChange {
    MemoryCardTree.NameChange(
      folder: place.folder, key: place.key,
      entry: node.map { MemoryCardTree.Entry(name: place.name, node: $0) })
  }

  private mutating func change(_ names: [MemoryCardTree.NameChange], _ node: Int) {
    let time = stampedNow
    for name in names {
      live.apply(name)
      live.folders[name.folder]?.modified = time
    }
    pending.append(.names(names, node: node))
  }

  /// Frees a file that has no name and is not open.
  mutating func release(_ node: Int) {
    guard let file = live.files[node], file.names <= 0, openFiles[node, default: 0] == 0 else {
      return
    }
    usedBytes -= Self.clusters(file.bytes.count)
    giveUp(file.bytes)
    live.files[node] = nil
  }

  private mutating func giveUp(_ bytes: [UInt8]) {
    guard kind == .fat, !bytes.isEmpty else { return }
    stale.append(bytes)
    if stale.count > Self.staleCount { stale.removeFirst() }
  }

  // MARK: Bytes

  /// Writes as much as there is room for. Returns nil if that was all, otherwise an errno.
  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, to file: Int) -> Int32? {
    let before = live.files[file]?.bytes.count ?? 0
    let room = Self.clusters(before) + max(0, faults.capacity - usedBytes)
    let fits = kind == .fat ? min(room, Int(UInt32.max)) : room
    let count = min(bytes.count, max(0, fits - offset))
    if count > 0 { put(.write(Array(bytes[..<count]), at: offset), file, before) }
    counts.bytesWritten += count
    if count == bytes.count { return nil }
    return kind == .fat && offset + count == Int(UInt32.max) ? EFBIG : ENOSPC
  }

  mutating func truncate(_ file: Int, to count: Int) -> Int32? {
    guard let before = live.files[file]?.bytes.count else { return deviceGone }
    let more = Self.clusters(count) - Self.clusters(before)
    guard more <= max(0, faults.capacity - usedBytes) else { return ENOSPC }
    if count < before { giveUp(Array((live.files[file]?.bytes ?? [])[count...])) }
    if count != before { put(.resize(count), file, before) }
    return nil
  }

  mutating func setModified(_ nanoseconds: Int64, of file: Int) {
    let whole = max(0, nanoseconds)
    live.files[file]?.modified = kind == .fat ? whole - whole % 2_000_000_000 : whole
  }

  private mutating func put(_ change: MemoryCardTree.DataChange, _ file: Int, _ before: Int) {
    live.apply(change, to: file)
    let time = stampedNow
    live.files[file]?.modified = time
    let after = live.files[file]?.bytes.count ?? 0
    usedBytes += Self.clusters(after) - Self.clusters(before)
    pending.append(.data(change, file: file))
  }
}
