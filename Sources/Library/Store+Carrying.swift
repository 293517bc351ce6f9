// Moves an item into another folder where renaming means copying: slice by slice, so that commands
// are handled in between, above all the start of a take. The source folder records the intent
// first. Until the copy is synced the item stays in the source, and a power cut, a failure or a
// cancellation removes the copy. Once the target folder has the entry, the original is removed.
// Runs on the card's thread.

import Recorder
import Tape

/// A file or a directory on its way into another folder.
struct Carrying {
  let id: ItemID
  /// Name of its file or directory in the source folder.
  let name: String
  let source: ItemID
  let target: ItemID
  let landing: Landing
  let index: Int?
  let result: WorkResult
  let totalBytes: Int64
  /// The copies that are not complete, of its files or of its directory; the next one last.
  var left: [(move: FileMove, copy: TreeCopy)]
  /// The bytes of those that are.
  var doneBytes: Int64 = 0
}

extension Store {
  /// Nil if the item is renamed, or short enough to copy at once. Without room for a copy, a
  /// recording is renamed all the same. A folder is refused, since a power cut could lose all that
  /// is in it; its recordings can be thrown away one by one.
  func bytesToCopy(_ entry: Entry, at paths: [String]) throws(TapeError) -> Int64? {
    guard let found = try system.entry(paths[0]) else { return nil }
    switch found.kind {
    case .file where system.copiesToRename:
      let byteCount = try byteCount(of: paths)
      if byteCount <= copiedAtOnceBytes { return nil }
      return try system.space().freeBytes > byteCount ? byteCount : nil
    case .directory where !system.renamesFoldersSafely:
      let byteCount = try byteCount(of: paths)
      if try system.space().freeBytes > byteCount { return byteCount }
      throw TapeError(
        .cannotWrite,
        "“\(entry.title)” can only be moved as a copy, and the card has no room for one: throw away"
          + " recordings one by one and empty the trash, then try again.")
    default: return nil
    }
  }

  func refuseIfMoving(_ entry: Entry) throws(TapeError) {
    if case .leaving = entry.intent {
      throw TapeError(.cannotWrite, "“\(entry.title)” is being moved; wait for the end of that.")
    }
    // The write thread would go on writing to the original, which it has open.
    if running.contains(where: { id in homes[id].map { trail(to: $0).contains(entry.id) } ?? false }
    ) {
      throw TapeError(
        .cannotWrite, "A recording is being made in “\(entry.title)”; move it when that is over.")
    }
  }

  func step(_ carrying: inout Carrying, _ ticket: Int) throws(TapeError) -> Bool {
    do throws(TapeError) {
      let source = try folder(carrying.source)
      guard let entry = carried(carrying, in: source), entry.fileName == carrying.name else {
        throw Self.notFound
      }
      if case (let move, var copy)? = carrying.left.popLast() {
        if try !copy.isComplete(from: move.old, to: move.new, on: system) {
          carrying.left.append((move, copy))
        } else {
          carrying.doneBytes += copy.doneBytes
        }
        let done = carrying.doneBytes + (carrying.left.last?.copy.doneBytes ?? 0)
        reportProgress(ticket, done: done, of: carrying.totalBytes)
        if !carrying.left.isEmpty { return true }
      }
      try arrive(entry, from: source, carrying)
    } catch {
      abandon(carrying)
      throw error
    }
    send(.work(ticket: ticket, .done(carrying.result)))
    return false
  }

  /// Makes the targets of a copy, which reserves their names. The first file is copied first.
  func copies(_ moves: [FileMove]) throws(TapeError) -> [(FileMove, TreeCopy)] {
    var copies: [(FileMove, TreeCopy)] = []
    do {
      for move in moves where try system.entry(move.old) != nil {
        copies.append((move, try TreeCopy(from: move.old, to: move.new, on: system)))
      }
    } catch {
      for (move, _) in copies { try system.removeTree(move.new) }
      throw error
    }
    return copies.reversed()
  }

  private func moves(of entry: Entry, _ carrying: Carrying) throws(TapeError) -> [FileMove] {
    try moves(of: entry, from: carrying.source, to: carrying.target, as: carrying.landing.name)
  }

  /// Nil if another command changed the entry meanwhile.
  private func carried(_ carrying: Carrying, in source: OpenFolder) -> Entry? {
    guard let entry = source.index.entries[carrying.id],
      case .leaving(let trail, carrying.landing) = entry.intent, trail.last == carrying.target
    else { return nil }
    return entry
  }

  private func arrive(
    _ entry: Entry, from source: OpenFolder, _ carrying: Carrying
  ) throws(TapeError) {
    let target = carrying.target
    let moves = try moves(of: entry, carrying)
    let (old, new) = (moves[0].old, moves[0].new)
    let place = carrying.index.map { [IndexChange.place(entry.id, at: $0)] } ?? []
    let arrived = entry.placed(in: target, landing: carrying.landing)
    if entry.folder != nil {
      try refuseIfMoving(arrived)
      try system.finishCopy(from: old, to: new)
      try system.syncDirectory(try path(of: target))
      try change([.put(arrived)] + place, in: target)
      do { try removeOriginal(old, of: new, in: source) } catch {
        // What is left of the original is removed when its folder is next read.
        reread(source.index.id)
        tree[entry.id] = Branch(parent: target, directory: carrying.landing.name)
        return
      }
    } else {
      try system.syncDirectory(try path(of: target))
      for move in moves where try system.entry(move.old) != nil { try system.remove(move.old) }
      try system.syncDirectory(try path(of: source.index.id))
      try change([.put(arrived)] + place, in: target)
    }
    leave(entry, from: source, to: target, carrying.landing)
  }

  private func removeOriginal(
    _ old: String, of new: String, in source: OpenFolder
  ) throws(TapeError) {
    try system.removeCopy(old, of: new)
    try system.syncDirectory(try path(of: source.index.id))
  }

  /// Resolves a directory that a power cut left in both folders. If the target's index has the
  /// entry, the original is removed and true is returned. If not, the copy is removed, unless
  /// another entry has its name.
  func settleCopy(
    _ entry: Entry, from source: OpenFolder, to target: ItemID, _ landing: Landing
  ) throws(TapeError) -> Bool {
    let old = join(try path(of: source.index.id), entry.fileName)
    let new = join(try path(of: target), landing.name)
    guard try system.entry(old)?.kind == .directory, try system.entry(new)?.kind == .directory
    else {
      return false
    }
    if try folder(target).index.entries[entry.id] != nil {
      try removeOriginal(old, of: new, in: source)
      return true
    }
    if try !folder(target).index.isTaken(landing.name) {
      try system.removeCopy(new, of: old)
      try system.syncDirectory(try path(of: target))
    }
    return false
  }

  /// Cancels the move: removes the copy and settles the entry.
  func abandon(_ carrying: Carrying) {
    do {
      let source = try folder(carrying.source)
      // Without the intent the copy is already gone, and its name may be another item's.
      guard let entry = carried(carrying, in: source) else { return }
      let moves = try moves(of: entry, carrying)
      guard try system.entry(moves[0].old) != nil else {
        return carryBack(entry, moves, in: source)
      }
      for move in moves where try system.entry(move.old) != nil {
        if try system.entry(move.new) != nil { try system.removeTree(move.new) }
      }
      try system.syncDirectory(try path(of: carrying.target))
      revert([.settled(entry.id)], in: source)
    } catch {
      // Reading the folder again finds out what is there.
      reread(carrying.source)
    }
  }
}
