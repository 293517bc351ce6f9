// Folders of the store: where they are, how they come into memory and leave it, and the one way in
// which their indexes change.

import Glibc
import Recorder
import Tape

extension Store {
  // MARK: Where things are

  /// Below the root; "" is the root itself.
  func path(of id: ItemID) throws(TapeError) -> String {
    if id == .root { return "" }
    if id == .trash { return FileName.trash }
    guard let branch = tree[id] else { throw Self.notFound }
    return join(try path(of: branch.parent), branch.directory)
  }

  /// The folder and those above it, the outermost first.
  func trail(to id: ItemID) -> [ItemID] {
    var trail = [id]
    while let parent = tree[trail[0]]?.parent { trail.insert(parent, at: 0) }
    return trail
  }

  /// The folder something is in, with its entry.
  func home(of id: ItemID) throws(TapeError) -> (folder: OpenFolder, entry: Entry) {
    guard let home = tree[id]?.parent ?? homes[id] else { throw Self.notFound }
    let folder = try folder(home)
    guard let entry = folder.index.entries[id] else { throw Self.notFound }
    return (folder, entry)
  }

  static var notFound: TapeError { TapeError(.cannotOpen, Refusal.notFound.sentence) }

  // MARK: In memory

  /// Reads its index if it is not in memory, and brings to an end what a power cut interrupted.
  func folder(_ id: ItemID) throws(TapeError) -> OpenFolder {
    useCount += 1
    if let folder = folders[id] {
      folder.lastUse = useCount
      return folder
    }
    let path = try path(of: id)
    if id == .root {
      _ = try system.list("")
    } else if id == .trash {
      if try system.entry(path) == nil { return adopt(OpenFolder(FolderIndex(id: id, name: ""))) }
    } else if try system.entry(path)?.kind != .directory {
      throw TapeError(.cannotOpen, "The folder \(path) is gone from the card.", errno: ENOENT)
    }
    if tallies[id] == nil { files.forgetUnwritten(at: path) }
    let name = FileName.parts(path).title
    let folder = adopt(try files.read(id, at: path, name: name))
    if !isReadOnly { finishWhatWasBegun(in: folder) }
    return folder
  }

  private func adopt(_ folder: OpenFolder) -> OpenFolder {
    folder.lastUse = useCount
    let id = folder.index.id
    folders[id] = folder
    let above = trail(to: id) + [.root, .trash]
    for entry in folder.index.entries.values {
      // A directory copied into itself by hand must not make a ring.
      guard let inside = entry.folder, !above.contains(inside.id) else { continue }
      tree[inside.id] = Branch(parent: id, directory: inside.directory)
      if let known = tallies[inside.id], known != inside.tally {
        folder.index.apply(.count(inside.id, known))
        folder.uncounted.insert(inside.id)
      }
    }
    tellMiscount(of: folder)
    count(folder)
    return folder
  }

  /// Its parent had other counts: a cut came before they were written, or somebody changed it.
  private func tellMiscount(of folder: OpenFolder) {
    let id = folder.index.id
    guard let parent = tree[id]?.parent,
      let known = tallies[id] ?? folders[parent]?.index.entries[id]?.tally,
      known != folder.index.tally
    else { return }
    let difference = folder.index.tally - known
    send(.found(.miscounted(Whereabouts(id: id, path: trail(to: parent), tally: difference))))
  }

  func drop(_ id: ItemID) { folders[id] = nil }

  /// Their memory and the card may differ after a failure: they are read again, now or when they
  /// can be.
  func reread(_ ids: ItemID...) {
    for id in ids { (folders[id], tallies[id]) = (nil, nil) }
    for id in ids {
      do { _ = try folder(id) } catch { _ = notice(of: error) }
    }
  }

  /// Makes up for a change that failed; where that fails as well, the card is asked how it is.
  func takeBack(_ changes: [IndexChange], in folder: OpenFolder) {
    do { try change(changes, in: folder) } catch { reread(folder.index.id) }
  }

  /// Lets go of folders that were not used for long.
  func makeRoomInMemory() {
    var total = folders.values.reduce(0) { $0 + $1.index.entries.count }
    while total > 30_000 {
      let idle = folders.values.filter {
        $0.uncounted.isEmpty && $0.index.id != .root && $0.index.id != .trash
          && !wantsSnapshots.contains($0.index.id)
      }
      guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return }
      total -= oldest.index.entries.count
      drop(oldest.index.id)
    }
  }

  // MARK: Changing

  func change(_ changes: [IndexChange], in id: ItemID) throws(TapeError) {
    try change(changes, in: try folder(id))
  }

  /// Writes a line and syncs it. When this returns, the change is made.
  func change(_ changes: [IndexChange], in folder: OpenFolder) throws(TapeError) {
    let id = folder.index.id
    let path = try path(of: id)
    if id == .trash, try system.entry(path) == nil {
      try system.makeDirectory(path)
      try system.syncDirectory("")
    }
    if folder.damage != nil { try setAside(in: folder) }
    do { try append(changes, to: folder, at: path) } catch {
      guard error.isAbsence, try system.entry(path)?.kind == .directory || path.isEmpty else {
        throw error
      }
      // Somebody has taken the journal away behind our back. What was in it is still known.
      folder.hasJournal = false
      try files.writeSnapshot(of: folder, at: path)
      send(.found(.rebuilt(folder: id)))
      try append(changes, to: folder, at: path)
    }
    if folder.wantsSnapshot(snapshotPace) { wantsSnapshots.insert(id) }
    count(folder)
  }

  /// A sync that failed has given up what was written before it, too, and no later one makes that
  /// safe: lines behind such a hole would not be read. So all is written anew before the next one.
  private func append(
    _ changes: [IndexChange], to folder: OpenFolder, at path: String, synced: Bool = true
  ) throws(TapeError) {
    let id = folder.index.id
    if doubtful.contains(id) {
      try system.syncDirectory(path)
      try files.writeSnapshot(of: folder, at: path)
      doubtful.remove(id)
    }
    do { try files.append(changes, to: folder, at: path, synced: synced) } catch {
      if !error.isAbsence { doubtful.insert(id) }
      throw error
    }
  }

  /// Tells the folders above how much is below. They write it down when there is time: until then,
  /// and after a cut, they are put right by reading this one.
  func count(_ folder: OpenFolder) {
    var (id, tally) = (folder.index.id, folder.index.tally)
    while tallies[id] != tally {
      tallies[id] = tally
      guard let parent = tree[id]?.parent else { return }
      guard let above = folders[parent] else {
        miscounted.insert(parent)
        return
      }
      guard let known = above.index.entries[id]?.folder, known.tally != tally else { return }
      above.index.apply(.count(id, tally))
      above.uncounted.insert(id)
      (id, tally) = (parent, above.index.tally)
    }
  }

  /// Writes down counts of one folder; false when there was nothing to write.
  func countSomething() -> Bool {
    guard let folder = folders.values.first(where: { !$0.uncounted.isEmpty }) else { return false }
    let counts = folder.uncounted.compactMap { id in
      folder.index.entries[id]?.folder.map { IndexChange.count(id, $0.tally) }
    }
    folder.uncounted = []
    if counts.isEmpty || isReadOnly || folder.damage != nil { return true }
    do {
      // Not synced: should it be lost, the next reading puts it right.
      try append(counts, to: folder, at: try path(of: folder.index.id), synced: false)
      if folder.wantsSnapshot(snapshotPace) { wantsSnapshots.insert(folder.index.id) }
    } catch {
      reread(folder.index.id)
    }
    return true
  }

  /// Writes one snapshot that is due; false when there was none.
  func snapshotSomething() -> Bool {
    guard let id = wantsSnapshots.popFirst() else { return false }
    guard let folder = folders[id], folder.wantsSnapshot(snapshotPace), folder.damage == nil else {
      return true
    }
    do { try files.writeSnapshot(of: folder, at: try path(of: id)) } catch {
      // The journal goes on; the next line asks again.
      doubtful.insert(id)
      _ = notice(of: error)
    }
    return true
  }

  func setAside(in folder: OpenFolder) throws(TapeError) {
    guard let damage = folder.damage else { return }
    try files.setAside(damage, of: folder, at: try path(of: folder.index.id))
    send(.found(.rebuilt(folder: folder.index.id)))
  }

  /// What was begun with an item is over. Not synced: should it be lost, that is found out again.
  func settle(_ id: ItemID, in folder: OpenFolder) throws(TapeError) {
    try append([.settled(id)], to: folder, at: try path(of: folder.index.id), synced: false)
  }

  // MARK: Names

  /// A name nothing has in that folder: "Kitchen", "Kitchen 2". `own` does not count.
  func freeName(
    in folder: OpenFolder, except own: String? = nil, _ name: (Int) -> String
  ) throws(TapeError) -> String {
    let path = try path(of: folder.index.id)
    for number in 1...100_000 {
      let candidate = name(number)
      // Its own, as it is spelled on the card.
      if let own, candidate == own { return own }
      if folder.index.isTaken(candidate) {
        // Cards that don't mind the case would not give it a second name.
        if let own, FileName.folded(candidate) == FileName.folded(own) { return own }
        continue
      }
      if try system.entry(join(path, candidate)) == nil { return candidate }
    }
    throw TapeError(.cannotWrite, "There are too many items of that name here; choose another.")
  }
}
