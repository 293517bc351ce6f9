// The contents of a card in memory: folders of names, and files of bytes, by numbers that never
// repeat. A plain value, copied on write. Any thread.

struct MemoryCardTree: Sendable {
  struct File: Sendable {
    var bytes: [UInt8] = []
    var modified: Int64 = 0
    var names = 0
  }

  struct Folder: Sendable {
    var entries: [[UInt8]: Entry] = [:]
    var modified: Int64 = 0
  }

  struct Entry: Equatable, Sendable {
    let name: [UInt8]
    let node: Int
  }

  /// A name that is added or removed.
  struct NameChange: Sendable {
    let folder: Int
    let key: [UInt8]
    let entry: Entry?
  }

  enum DataChange: Sendable {
    case write([UInt8], at: Int)
    case resize(Int)
  }

  static let root = 0

  var files: [Int: File] = [:]
  var folders: [Int: Folder] = [root: Folder()]

  func isFolder(_ node: Int) -> Bool { folders[node] != nil }

  mutating func apply(_ change: NameChange) {
    let before = folders[change.folder]?.entries[change.key]
    guard before != change.entry, folders[change.folder] != nil else { return }
    folders[change.folder]?.entries[change.key] = change.entry
    if let before { files[before.node]?.names -= 1 }
    if let entry = change.entry { files[entry.node]?.names += 1 }
  }

  mutating func apply(_ change: DataChange, to file: Int) {
    switch change {
    case .write(let bytes, let offset): write(bytes[...], at: offset, to: file)
    case .resize(let count): resize(file, to: count)
    }
  }

  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: Int) {
    let end = files[file]?.bytes.count ?? 0
    if offset == end {
      files[file]?.bytes.append(contentsOf: bytes)
      return
    }
    resize(file, to: max(end, offset + bytes.count))
    files[file]?.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  mutating func resize(_ file: Int, to count: Int, filler: [UInt8] = []) {
    let before = files[file]?.bytes.count ?? 0
    if count < before {
      files[file]?.bytes.removeLast(before - count)
      return
    }
    let stale = filler.prefix(count - before)
    files[file]?.bytes.append(contentsOf: stale)
    files[file]?.bytes.append(
      contentsOf: repeatElement(0, count: count - before - stale.count))
  }

  // MARK: Walking

  /// Every path with its bytes; nil for a folder.
  var everything: [(path: [UInt8], bytes: [UInt8]?)] {
    var found: [(path: [UInt8], bytes: [UInt8]?)] = []
    var ahead: [(path: [UInt8], node: Int)] = [([], Self.root)]
    while let (path, node) = ahead.popLast() {
      for entry in sorted(node) {
        let below = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
        if isFolder(entry.node) { ahead.append((below, entry.node)) }
        found.append((below, files[entry.node]?.bytes))
      }
    }
    return found.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// A folder's entries in an arbitrary order that is always the same.
  func sorted(_ folder: Int) -> [Entry] {
    func place(_ entry: Entry) -> UInt64 { UInt64(entry.node) &* 0x9E37_79B9_7F4A_7C15 }
    return (folders[folder]?.entries.values).map { entries in
      entries.sorted {
        place($0) != place($1) ? place($0) < place($1) : $0.name.lexicographicallyPrecedes($1.name)
      }
    } ?? []
  }

  /// Whether `above` is `below` or one of its ancestors.
  func contains(_ above: Int, _ below: Int) -> Bool {
    if above == below { return true }
    return (folders[above]?.entries.values).map { entries in
      entries.contains { isFolder($0.node) && contains($0.node, below) }
    } ?? false
  }

  /// Removes names that would put a folder inside itself.
  mutating func untangle() {
    func search(_ folder: Int, _ above: Set<Int>) -> [NameChange] {
      sorted(folder).filter { isFolder($0.node) }.flatMap { entry in
        above.contains(entry.node)
          ? [NameChange(folder: folder, key: entry.name, entry: nil)]
          : search(entry.node, above.union([entry.node]))
      }
    }
    for change in search(Self.root, [Self.root]) {
      let key = folders[change.folder]?.entries.first { $0.value.name == change.key }?.key
      if let key { apply(NameChange(folder: change.folder, key: key, entry: nil)) }
    }
  }
}
