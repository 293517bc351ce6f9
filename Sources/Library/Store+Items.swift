// Makes folders, and moves, throws away and restores items. A move changes two folders, and power
// may be cut between them: the source records the intent first, and recovery completes or undoes
// the move. Runs on the card's thread.

import Recorder
import Tape

extension Store {
  /// Makes the directory first, with its identity in a snapshot: if power is cut before its entry
  /// is written, recovery adopts it.
  func makeFolder(
    _ id: ItemID, name: String, in parent: ItemID
  ) throws(TapeError) -> WorkResult {
    let above = try folder(parent)
    let directory = try freeName(in: above) { FileName.directory(title: name, number: $0) }
    let path = join(try path(of: parent), directory)
    try system.makeDirectory(path)
    let folder = OpenFolder(FolderIndex(id: id, name: name))
    let entry = Folder(id: id, parent: parent, name: name, directory: directory)
    do {
      try files.writeSnapshot(of: folder, at: path)
      try system.syncDirectory(try self.path(of: parent))
      try change([.put(Entry(entry))], in: above)
    } catch {
      do { try system.removeTree(path) } catch { recovery = recovery ?? Recovery() }
      throw error
    }
    tree[id] = Branch(parent: parent, directory: directory)
    (folders[id], summaries[id]) = (folder, Summary())
    return .made(entry)
  }

  // MARK: Moving

  /// Nil if the move continues as a job, which answers the ticket.
  func move(
    _ id: ItemID, to target: ItemID, at index: Int?, _ ticket: Int
  ) throws(TapeError) -> WorkResult? {
    let (folder, entry) = try home(of: id)
    if folder.index.id == target {
      if let index { try change([.place(id, at: index)], in: folder) }
      return .moved(
        id, path: trail(to: target), at: index, name: entry.title, file: entry.fileName)
    }
    if trail(to: target).contains(id) {
      throw TapeError(.cannotWrite, Refusal.intoItself.sentence)
    }
    let landing = try landing(of: entry, in: self.folder(target))
    let result = WorkResult.moved(
      id, path: trail(to: target), at: index, name: landing.title, file: landing.name)
    return try carry(entry, from: folder, to: target, landing, at: index, for: result, ticket)
  }

  func throwAway(_ id: ItemID, _ ticket: Int) throws(TapeError) -> WorkResult? {
    let (folder, entry) = try home(of: id)
    var landing = try landing(of: entry, in: self.folder(.trash))
    landing.trail = trail(to: folder.index.id)
    landing.thrownAt = now
    if try system.entry(FileName.trash) == nil {
      try system.makeDirectory(FileName.trash)
      try system.syncDirectory("")
    }
    let result = WorkResult.thrown(
      id, file: landing.name, newName: landing.title == entry.title ? nil : landing.title)
    return try carry(entry, from: folder, to: .trash, landing, at: nil, for: result, ticket)
  }

  func restore(_ id: ItemID, _ ticket: Int) throws(TapeError) -> WorkResult? {
    let (folder, entry) = try home(of: id)
    guard trail(to: folder.index.id)[0] == .trash else {
      throw TapeError(.cannotWrite, Refusal.notInTrash.sentence)
    }
    let target = try nearest(of: entry.trail)
    let landing = try landing(of: entry, in: self.folder(target))
    let result = WorkResult.moved(
      id, path: trail(to: target), at: nil, name: landing.title, file: landing.name)
    return try carry(entry, from: folder, to: target, landing, at: nil, for: result, ticket)
  }

  /// The folder an item was in, or its nearest ancestor that still exists.
  private func nearest(of trail: [ItemID]) throws(TapeError) -> ItemID {
    if let last = trail.last, tree[last] != nil, self.trail(to: last)[0] == .root { return last }
    var here = ItemID.root
    for id in trail.dropFirst() {
      guard try folder(here).index.entries[id]?.folder != nil else { break }
      here = id
    }
    return here
  }

  private func landing(of entry: Entry, in target: OpenFolder) throws(TapeError) -> Landing {
    let (sequence, title, ending) = FileName.parts(entry.fileName)
    let name = try freeName(in: target, for: entry.fileNames) { number in
      if entry.folder != nil { return FileName.directory(title: entry.fileName, number: number) }
      // It keeps its name, with a number behind it if the name is taken.
      return FileName.recording(
        sequence: sequence ?? 0, title: title, ending: ending, number: number,
        trackCount: entry.fileCount)
    }
    // If the directory became "Kitchen 2", so does the title.
    let isFolder = entry.folder != nil
    let isClash =
      isFolder && name != FileName.directory(title: entry.fileName)
      && FileName.directory(title: entry.title) == entry.fileName
    return Landing(name: name, title: isClash ? name : entry.title)
  }

  /// Records the intent, renames, and writes the entry to the target, then removes it from the
  /// source.
  private func carry(
    _ entry: Entry, from source: OpenFolder, to target: ItemID, _ landing: Landing, at index: Int?,
    for result: WorkResult, _ ticket: Int
  ) throws(TapeError) -> WorkResult? {
    let from = source.index.id
    let moves = try moves(of: entry, from: from, to: target, as: landing.name)
    let byteCount = try bytesToCopy(entry, at: moves.map(\.old))
    if byteCount != nil { try refuseIfMoving(entry) }
    try change([.intend(entry.id, .leaving(to: trail(to: target), as: landing))], in: source)
    do {
      if let byteCount {
        let carrying = Carrying(
          id: entry.id, name: entry.fileName, source: from, target: target, landing: landing,
          index: index, result: result, totalBytes: byteCount, left: try copies(moves))
        jobs.append(.carry(ticket, carrying))
        return nil
      }
      try rename(moves)
      try system.syncDirectory(try path(of: target))
      try system.syncDirectory(try path(of: from))
      let place = index.map { [IndexChange.place(entry.id, at: $0)] } ?? []
      try change([.put(entry.placed(in: target, landing: landing))] + place, in: target)
    } catch {
      carryBack(entry, moves, in: source)
      throw error
    }
    leave(entry, from: source, to: target, landing)
    return result
  }

  func carryBack(_ entry: Entry, _ moves: [FileMove], in source: OpenFolder) {
    do {
      try renameBack(moves)
      try system.syncDirectory(try path(of: source.index.id))
      revert([.settled(entry.id)], in: source)
    } catch {
      // Reading the folder again finds out where the item is.
      reread(source.index.id)
    }
  }

  /// Removes the entry from the source. The target's line is synced, so this one can be repeated
  /// after a power cut.
  func leave(
    _ entry: Entry, from source: OpenFolder, to target: ItemID, _ landing: Landing
  ) {
    if entry.folder != nil {
      tree[entry.id] = Branch(parent: target, directory: landing.name)
    } else {
      homes[entry.id] = target
    }
    revert([.gone(entry.id)], in: source)
  }

  // MARK: After a cut

  /// Completes or undoes the operations that a power cut interrupted. Called when the folder is
  /// read.
  func finishWhatWasBegun(in folder: OpenFolder) {
    for entry in folder.index.begun.sorted().compactMap({ folder.index.entries[$0] }) {
      do { try finish(entry, in: folder) } catch {
        // Retried when the folder is next read; the other entries go on.
        _ = notice(of: error)
        if folders[folder.index.id] !== folder { folders[folder.index.id] = folder }
      }
    }
  }

  private func finish(_ entry: Entry, in folder: OpenFolder) throws(TapeError) {
    if let old = entry.formerName { try finishRenaming(entry, before: old, in: folder) }
    switch entry.intent {
    case .leaving(let path, let landing): try finishMove(entry, from: folder, path, landing)
    case .purging: try finishPurging(entry, in: folder)
    case .retagging: try settleTags(of: entry, in: folder, .afterCut)
    case nil: try settle(entry.id, in: folder)
    }
  }

  private func finishRenaming(
    _ entry: Entry, before old: String, in folder: OpenFolder
  ) throws(TapeError) {
    let id = folder.index.id
    let moves = try moves(of: entry, named: old, from: id, to: id, as: entry.fileName)
    for move in moves { try system.settleRename(move.old, to: move.new) }
    try renameRest(moves)
    try system.syncDirectory(try path(of: id))
  }

  private func finishMove(
    _ entry: Entry, from source: OpenFolder, _ trail: [ItemID], _ landing: Landing
  ) throws(TapeError) {
    if let target = try existing(trail) {
      let moves = try moves(of: entry, from: source.index.id, to: target, as: landing.name)
      for move in moves { try system.settleRename(move.old, to: move.new) }
      let isCommitted = try settleCopy(entry, from: source, to: target, landing)
      let (here, there) = (
        try system.entry(moves[0].old) != nil, try system.entry(moves[0].new) != nil
      )
      let hasLeft = there && (!here || isCommitted)
      if moves.count > 1 { try follow(moves, hasLeft, from: source.index.id, to: target) }
      if hasLeft {
        let arrived = entry.placed(in: target, landing: landing)
        try change([.put(arrived)], in: target)
        leave(entry, from: source, to: target, landing)
        return report(arrived, in: target)
      }
    }
    try settle(entry.id, in: source)
  }

  /// Brings the files of a recording's other tracks to where its first is.
  private func follow(
    _ moves: [FileMove], _ hasLeft: Bool, from source: ItemID, to target: ItemID
  ) throws(TapeError) {
    if hasLeft { try renameRest(moves) } else { try renameBack(moves) }
    for folder in [source, target] { try system.syncDirectory(try path(of: folder)) }
  }

  /// Reports where an item has arrived; the recorder may have it elsewhere.
  private func report(_ entry: Entry, in folder: ItemID) {
    switch entry.item {
    case .recording(let recording):
      if recording.isSettled { send(.found(.arrived(recording, path: trail(to: folder)))) }
    case .folder(let inside): send(.found(.folder(inside, path: trail(to: folder))))
    }
  }

  /// The last folder of a trail, if each one is still in the one before.
  private func existing(_ trail: [ItemID]) throws(TapeError) -> ItemID? {
    guard var here = trail.first, here == .root || here == .trash else { return nil }
    for id in trail.dropFirst() {
      guard try folder(here).index.entries[id]?.folder != nil else { return nil }
      here = id
    }
    return here
  }
}
