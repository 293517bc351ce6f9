// Moving a recording into another folder where renaming is copying: bit by bit, so that commands
// come in between, above all a take that begins. Its folder has said beforehand what will be done;
// until the copy is safe the recording is where it was, and a cut, a failure or a cancelling takes
// the copy back. On the card's thread.

import Recorder
import Tape

/// A file on its way into another folder.
struct Carrying {
  let id: ItemID
  /// That of its file in the folder it leaves.
  let name: String
  let source: ItemID
  let target: ItemID
  let landing: Landing
  let index: Int?
  let result: WorkResult
  let byteCount: Int64
  var offset: Int64 = 0

  /// Some tenths of a second of a slow card.
  static let pieceBytes = 1 << 20
}

extension Store {
  /// Nil for what is renamed at once, or copied as fast. Where there is no room for a copy, the
  /// card renames as it can.
  func bytesToCopy(_ path: String) throws(TapeError) -> Int64? {
    guard system.copiesToRename, let file = try system.entry(path), file.kind == .file,
      file.byteCount > copiedAtOnceBytes, try system.space().freeBytes > file.byteCount
    else { return nil }
    return file.byteCount
  }

  func step(_ carrying: inout Carrying, _ ticket: Int) throws(TapeError) -> Bool {
    do throws(TapeError) {
      let source = try folder(carrying.source)
      guard let entry = carried(carrying, in: source), entry.fileName == carrying.name else {
        throw Self.notFound
      }
      let (old, new) = try paths(of: entry, carrying)
      let piece = try system.open(old, .read).bytes(
        at: carrying.offset, count: Carrying.pieceBytes)
      if !piece.isEmpty {
        try system.open(new, .change).write(piece, at: carrying.offset)
        carrying.offset += Int64(piece.count)
        tell(ticket, done: carrying.offset, of: carrying.byteCount)
        return true
      }
      try arrive(entry, from: source, carrying, old, new)
    } catch {
      abandon(carrying)
      throw error
    }
    send(.work(ticket: ticket, .done(carrying.result)))
    return false
  }

  private func paths(
    of entry: Entry, _ carrying: Carrying
  ) throws(TapeError) -> (old: String, new: String) {
    (
      join(try path(of: carrying.source), entry.fileName),
      join(try path(of: carrying.target), carrying.landing.name)
    )
  }

  /// Nil when something else became of it meanwhile.
  private func carried(_ carrying: Carrying, in source: OpenFolder) -> Entry? {
    guard let entry = source.index.entries[carrying.id],
      case .leaving(let trail, carrying.landing) = entry.intent, trail.last == carrying.target
    else { return nil }
    return entry
  }

  private func arrive(
    _ entry: Entry, from source: OpenFolder, _ carrying: Carrying, _ old: String, _ new: String
  ) throws(TapeError) {
    let copy = try system.open(new, .change)
    try copy.setModified(try system.open(old, .read).modified())
    try copy.sync()
    try system.syncDirectory(try path(of: carrying.target))
    try system.remove(old)
    try system.syncDirectory(try path(of: carrying.source))
    let place = carrying.index.map { [IndexChange.place(entry.id, at: $0)] } ?? []
    let arrived = entry.placed(in: carrying.target, landing: carrying.landing)
    try change([.put(arrived)] + place, in: carrying.target)
    leave(entry, from: source, to: carrying.target, carrying.landing)
  }

  /// The recording stays where it was.
  func abandon(_ carrying: Carrying) {
    do {
      let source = try folder(carrying.source)
      // Without the intent the copy is gone already, and what has its name is another's.
      guard let entry = carried(carrying, in: source) else { return }
      let (old, new) = try paths(of: entry, carrying)
      guard try system.entry(old) != nil else { return carryBack(entry, new, to: old, in: source) }
      if try system.entry(new) != nil {
        try system.remove(new)
        try system.syncDirectory(try path(of: carrying.target))
      }
      takeBack([.settled(entry.id)], in: source)
    } catch {
      // Reading it again finds out what is there.
      reread(carrying.source)
    }
  }
}
