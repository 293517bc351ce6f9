// A card in memory at the moment of a power cut: what was safe, and what is left to chance. Each
// seed gives one card that might be found afterwards. Plain values that share common data. Any
// thread.

import Tape

/// A power cut of a card in memory.
public struct MemoryCardCut: Sendable {
  private let disk: MemoryCardDisk

  init(_ disk: MemoryCardDisk) {
    var disk = disk
    disk.hook = nil
    self.disk = disk
  }

  /// Number of unsynced changes; with 0 there is one outcome only.
  public var unsyncedChanges: Int { disk.pending.count }

  /// The card that is found afterwards. With seed 0 nothing unsynced survived, with 1 everything,
  /// with 2 names only, with 3 bytes only; other seeds are random.
  public func outcome(_ seed: UInt64) -> MemoryCard {
    var chance = MemoryCardChance(seed: seed)
    var tree = disk.safe
    var nextNode = disk.nextNode
    for case .names(let names, _) in survivingNames(&chance) {
      for name in names { apply(name, to: &tree, &nextNode, &chance) }
    }
    if disk.kind == .fat { tree.untangle() }
    changeData(of: &tree, &chance)
    if disk.kind == .fat { shortenRemoved(in: &tree, &chance) }
    return MemoryCard(
      MemoryCardDisk(kind: disk.kind, tree: tree, nextNode: nextNode, now: disk.now))
  }

  // MARK: Names

  private func survivingNames(
    _ chance: inout MemoryCardChance
  ) -> [MemoryCardDisk.Pending] {
    let all = disk.pending.filter { if case .names = $0 { true } else { false } }
    if disk.kind == .journalling {
      return Array(all.prefix(chance.survivingCount(of: all.count)))
    }
    return all.map { change in
      guard case .names(let names, let node) = change else { return change }
      return .names(names.filter { _ in chance.nameSurvives() }, node: node)
    }
  }

  /// On FAT a file's start and length are stored with its name and written last, so a new name may
  /// show an empty file.
  private func apply(
    _ name: MemoryCardTree.NameChange, to tree: inout MemoryCardTree, _ nextNode: inout Int,
    _ chance: inout MemoryCardChance
  ) {
    guard disk.kind == .fat, let entry = name.entry, isOld(entry.node),
      tree.files[entry.node] != nil, chance.happens(percent: 20)
    else { return tree.apply(name) }
    tree.files[nextNode] = MemoryCardTree.File(modified: disk.now)
    tree.apply(
      MemoryCardTree.NameChange(
        folder: name.folder, key: name.key,
        entry: MemoryCardTree.Entry(name: entry.name, node: nextNode)))
    nextNode += 1
  }

  /// FAT frees a removed file's clusters before its name. If the name is still there, a file system
  /// check shortens the file to the clusters it still has.
  private func shortenRemoved(in tree: inout MemoryCardTree, _ chance: inout MemoryCardChance) {
    for case .names(let names, _) in disk.pending {
      for name in names where name.entry == nil {
        guard let node = tree.folders[name.folder]?.entries[name.key]?.node,
          let file = tree.files[node], disk.live.files[node].map({ $0.names == 0 }) ?? true,
          chance.happens(percent: 40)
        else { continue }
        let isEmpty = chance.happens(percent: 50)
        tree.resize(node, to: isEmpty ? 0 : chance.place(in: file.bytes.count, from: 0))
      }
    }
  }

  /// Whether it had a name on the card already.
  private func isOld(_ node: Int) -> Bool { disk.safe.files[node].map { $0.names > 0 } ?? false }

  // MARK: Bytes

  private func changeData(of tree: inout MemoryCardTree, _ chance: inout MemoryCardChance) {
    var changes: [(change: MemoryCardTree.DataChange, file: Int)] = []
    var lengths: [Int: [Int]] = [:]
    for case .data(let change, let file) in disk.pending where tree.files[file] != nil {
      changes.append((change, file))
    }
    for file in Set(changes.map(\.file)) { lengths[file] = [tree.files[file]?.bytes.count ?? 0] }
    if chance.isThrown, chance.happens(percent: 20) { changes.shuffle(using: &chance.random) }
    for (change, file) in changes {
      apply(change, to: file, of: &tree, &chance)
      lengths[file]?.append(tree.files[file]?.bytes.count ?? 0)
    }
    guard chance.isThrown else { return }
    // The length in the folder may be older than the bytes.
    for file in lengths.keys.sorted() where chance.happens(percent: 15) {
      let length = lengths[file]?.randomElement(using: &chance.random) ?? 0
      tree.resize(file, to: length, filler: filler(&chance))
    }
  }

  private func apply(
    _ change: MemoryCardTree.DataChange, to file: Int, of tree: inout MemoryCardTree,
    _ chance: inout MemoryCardChance
  ) {
    switch (chance.fateOfBytes(), change) {
    case (.lost, _): break
    case (.kept, _), (.torn, .resize): tree.apply(change, to: file)
    case (.torn, .write(let bytes, let offset)):
      tear(bytes, at: offset, file, of: &tree, &chance)
    }
  }

  /// Applies a part of a write: a beginning, an end, or all but the middle. If the file grew, its
  /// length may come before its bytes.
  private func tear(
    _ bytes: [UInt8], at offset: Int, _ file: Int, of tree: inout MemoryCardTree,
    _ chance: inout MemoryCardChance
  ) {
    let end = offset + bytes.count
    let isLengthKept = chance.happens(percent: 50)
    if (tree.files[file]?.bytes.count ?? 0) < end, isLengthKept {
      tree.resize(file, to: end, filler: filler(&chance))
    }
    let first = chance.place(in: bytes.count, from: offset)
    let second = chance.place(in: bytes.count, from: offset)
    let (low, high) = (min(first, second), max(first, second))
    switch chance.below(3) {
    case 0: tree.write(bytes[..<first], at: offset, to: file)
    case 1: tree.write(bytes[first...], at: offset + first, to: file)
    default:
      tree.write(bytes[..<low], at: offset, to: file)
      tree.write(bytes[high...], at: offset + high, to: file)
    }
  }

  /// The content of a cluster that a file got and did not write.
  private func filler(_ chance: inout MemoryCardChance) -> [UInt8] {
    guard disk.kind == .fat, chance.happens(percent: 60) else { return [] }
    if !disk.stale.isEmpty, chance.happens(percent: 70) {
      return disk.stale[chance.below(disk.stale.count)]
    }
    return (0..<600).map { _ in UInt8(truncatingIfNeeded: chance.random.next()) }
  }
}
