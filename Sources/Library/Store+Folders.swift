// The store's folders: their paths, how they are loaded and dropped, and `change`, which writes
// their indexes. Runs on the card's thread.

import Glibc
import Recorder
import Tape

extension Store {
  // MARK: Where things are

  /// A folder's path below the root; "" is the root itself.
  func path(of id: ItemID) throws(TapeError) -> String {
    if id == .root { return "" }
    if id == .trash { return FileName.trash }
    guard let branch = tree[id] else { throw Self.notFound }
    return join(try path(of: branch.parent), branch.directory)
  }

  /// The folder and its ancestors, the outermost first.
  func trail(to id: ItemID) -> [ItemID] {
    var trail = [id]
    while let parent = tree[trail[0]]?.parent { trail.insert(parent, at: 0) }
    return trail
  }

  /// The folder that holds an item, and the item's entry.
  func home(of id: ItemID) throws(TapeError) -> (folder: OpenFolder, entry: Entry) {
    guard let home = tree[id]?.parent ?? homes[id] else { throw Self.notFound }
    let folder = try folder(home)
    guard let entry = folder.index.entries[id] else { throw Self.notFound }
    return (folder, entry)
  }

  static var notFound: TapeError { TapeError(.cannotOpen, Refusal.notFound.sentence) }

  // MARK: In memory

  /// Returns a folder, reading its index if needed. Completes or undoes what a power cut
  /// interrupted.
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
    if summaries[id] == nil { files.forgetUnwritten(at: path) }
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
    for below in folder.index.folders {
      // A directory copied into itself by hand must not form a cycle.
      guard let inside = folder.index.entries[below]?.folder, !above.contains(below) else {
        continue
      }
      tree[inside.id] = Branch(parent: id, directory: inside.directory)
      if let known = summaries[inside.id], known != inside.summary {
        folder.index.apply(.count(inside.id, known))
        folder.uncounted.insert(inside.id)
      }
    }
    reportMiscount(of: folder)
    count(folder)
    return folder
  }

  /// Reports that the parent's counts were wrong: power was cut before they were written, or
  /// another program changed the folder.
  private func reportMiscount(of folder: OpenFolder) {
    let id = folder.index.id
    guard let parent = tree[id]?.parent,
      let known = summaries[id] ?? folders[parent]?.index.entries[id]?.summary
    else { return }
    let summary = folder.index.summary
    if known == summary { return }
    let place = Whereabouts(
      id: id, path: trail(to: parent), tally: summary.tally - known.tally)
    send(.found(.miscounted(place, latest: summary.latest)))
  }

  func drop(_ id: ItemID) { folders[id] = nil }

  /// Uses a folder for the moment: one that was not read before is dropped again, unless its counts
  /// are still to be told.
  func visit(_ id: ItemID, _ use: (OpenFolder) -> Void) throws(TapeError) {
    let isKnown = folders[id] != nil
    let folder = try folder(id)
    use(folder)
    if !isKnown, folder.uncounted.isEmpty { drop(id) }
  }

  /// Drops folders whose memory may differ from the card after a failure. They are read again, now
  /// or as soon as they can be.
  func reread(_ ids: ItemID...) {
    for id in ids { (folders[id], summaries[id]) = (nil, nil) }
    searchAnewForCopies()
    for id in ids {
      do { _ = try folder(id) } catch { _ = notice(of: error) }
    }
  }

  /// Undoes a failed change. If that fails too, the folder is read again.
  func revert(_ changes: [IndexChange], in folder: OpenFolder) {
    do { try change(changes, in: folder) } catch { reread(folder.index.id) }
  }

  /// Drops the least recently used folders from memory.
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

  /// Writes a journal line and syncs it. When this returns, the change is on the card.
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
      // Another program removed the journal. Its content is still in memory.
      folder.hasJournal = false
      try files.writeSnapshot(of: folder, at: path)
      send(.found(.rebuilt(folder: id)))
      try append(changes, to: folder, at: path)
    }
    if folder.wantsSnapshot(snapshotPace) { wantsSnapshots.insert(id) }
    noteForRecycling(changes, in: id)
    count(folder)
  }

  /// A failed sync may have lost earlier lines, and no later sync makes them safe. Lines after such
  /// a hole would not be read. So a snapshot is written before the next line.
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
    noteForCopying(changes, in: folder)
    noteForManifest(changes, in: folder)
  }

  /// Updates the summaries in the folders above. They are written later; until then, and after a
  /// power cut, reading this folder corrects them.
  func count(_ folder: OpenFolder) {
    var (id, summary) = (folder.index.id, folder.index.summary)
    while summaries[id] != summary {
      summaries[id] = summary
      guard let parent = tree[id]?.parent else { return }
      guard let above = folders[parent] else {
        miscounted.insert(parent)
        return
      }
      guard let known = above.index.entries[id]?.folder, known.summary != summary else { return }
      above.index.apply(.count(id, summary))
      above.uncounted.insert(id)
      (id, summary) = (parent, above.index.summary)
    }
  }

  /// Writes the pending counts of one folder; false if there were none.
  func countSomething() -> Bool {
    guard let folder = folders.values.first(where: { !$0.uncounted.isEmpty }) else { return false }
    let counts = folder.uncounted.compactMap { id in
      folder.index.entries[id]?.folder.map { IndexChange.count(id, $0.summary) }
    }
    folder.uncounted = []
    if counts.isEmpty || isReadOnly || folder.damage != nil { return true }
    do {
      // Not synced: if the line is lost, the next read corrects the counts.
      try append(counts, to: folder, at: try path(of: folder.index.id), synced: false)
      if folder.wantsSnapshot(snapshotPace) { wantsSnapshots.insert(folder.index.id) }
    } catch {
      reread(folder.index.id)
    }
    return true
  }

  /// Writes one snapshot that is due; false if there was none.
  func snapshotSomething() -> Bool {
    guard let id = wantsSnapshots.popFirst() else { return false }
    guard let folder = folders[id], folder.wantsSnapshot(snapshotPace), folder.damage == nil else {
      return true
    }
    do { try files.writeSnapshot(of: folder, at: try path(of: id)) } catch {
      // The journal stays in use; its next line requests a snapshot again.
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

  /// Marks an item's operation as finished. Not synced: if the line is lost, the next read finds
  /// that out again.
  func settle(_ id: ItemID, in folder: OpenFolder) throws(TapeError) {
    try append([.settled(id)], to: folder, at: try path(of: folder.index.id), synced: false)
  }

  // MARK: Names

  /// Returns a name that is free in the folder: "Kitchen", "Kitchen 2". `own`, the item's present
  /// name, counts as free.
  /// - Parameter names: the names of all files of the item, by the name of its first.
  func freeName(
    in folder: OpenFolder, except own: String? = nil, for names: (String) -> [String] = { [$0] },
    _ name: (Int) -> String
  ) throws(TapeError) -> String {
    let path = try path(of: folder.index.id)
    for number in 1...100_000 {
      let candidate = name(number)
      // Strings are equal in any normalisation; keep the spelling on the card.
      if let own, candidate == own { return own }
      // A card that ignores case cannot rename an item to this.
      if let own, FileName.folded(candidate) == FileName.folded(own) { return own }
      if try areFree(names(candidate), in: folder, at: path) { return candidate }
    }
    throw TapeError(.cannotWrite, "There are too many items of that name here; choose another.")
  }

  private func areFree(
    _ names: [String], in folder: OpenFolder, at path: String
  ) throws(TapeError) -> Bool {
    for name in names {
      if folder.index.isTaken(name) { return false }
      if try system.entry(join(path, name)) != nil { return false }
    }
    return true
  }
}
