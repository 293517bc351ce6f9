// Deletes items for good: from the trash, on request or by age; anywhere, to make room. The
// folder's journal records the intent first, and recovery completes it after a power cut. Runs on
// the card's thread.

import Glibc
import Recorder
import Tape

/// Items to be removed, one after the other.
struct Purging {
  var left: [ItemID]
  let count: Int
  var gone: [ItemID] = []
}

/// A search for the recordings to delete first when room is needed.
struct Recycling {
  var left: [ItemID] = [.trash, .root]
  var found: Recyclables
}

/// The recordings to delete next to make room. One search serves many deletions.
struct Recyclables {
  struct Candidate {
    let id: ItemID
    let folder: ItemID
    let rank: (Int, Int, ItemID)
  }

  let kind: Recyclable
  /// Sorted so that the next one to delete is last.
  private(set) var candidates: [Candidate] = []
  /// Candidates beyond the limit were dropped.
  private var isCut = false

  static let limit = 1024

  init(_ kind: Recyclable) { self.kind = kind }

  mutating func removeNext() -> Candidate? { candidates.popLast() }

  mutating func insert(_ candidate: Candidate) {
    // After a drop, a candidate that ranks behind all kept ones is left to the next search.
    if isCut, let last = candidates.first, last.rank < candidate.rank { return }
    var (low, high) = (0, candidates.count)
    while low < high {
      let middle = (low + high) / 2
      if candidates[middle].rank > candidate.rank { low = middle + 1 } else { high = middle }
    }
    candidates.insert(candidate, at: low)
    if candidates.count > 2 * Self.limit {
      candidates.removeFirst(Self.limit)
      isCut = true
    }
  }
}

extension Store {
  func purging(_ purge: Purge) throws(TapeError) -> Purging {
    let trash = try folder(.trash)
    switch purge {
    case .everything:
      return Purging(left: trash.index.sequence, count: trash.index.sequence.count)
    case .item(let id):
      let (folder, _) = try home(of: id)
      guard trail(to: folder.index.id)[0] == .trash else {
        throw TapeError(.cannotWrite, Refusal.notInTrash.sentence)
      }
      return Purging(left: [id], count: 1)
    case .olderThan(let days):
      let old = trash.index.sequence.filter {
        trash.index.entries[$0]?.isOlder(thanDays: days, at: now) ?? false
      }
      return Purging(left: old, count: old.count)
    }
  }

  /// Deletes one item; true if there are more.
  func step(_ purging: inout Purging, _ ticket: Int) throws(TapeError) -> Bool {
    if let id = purging.left.first {
      try purge(id)
      purging.left.removeFirst()
      purging.gone.append(id)
      if !purging.left.isEmpty {
        reportProgress(ticket, done: Int64(purging.gone.count), of: Int64(purging.count))
        return true
      }
    }
    let left = try folder(.trash).index.tally
    send(.work(ticket: ticket, .done(.purged(purging.gone, left: left))))
    return false
  }

  func purge(_ id: ItemID) throws(TapeError) {
    let (folder, entry) = try home(of: id)
    try change([.intend(id, .purging)], in: folder)
    do { try remove(entry, in: folder) } catch {
      // The item, or a part of it, still exists: withdraw the intent.
      if try system.entry(join(try path(of: folder.index.id), entry.fileName)) != nil {
        revert([.settled(id)], in: folder)
      } else {
        reread(folder.index.id)
      }
      throw error
    }
  }

  /// Completes a deletion after a power cut. If the name now belongs to something else, that stays
  /// and the intent is withdrawn.
  func finishPurging(_ entry: Entry, in folder: OpenFolder) throws(TapeError) {
    do { try remove(entry, in: folder) } catch {
      guard error.isMistaken else { throw error }
      try change([.settled(entry.id)], in: folder)
      send(.found(.left(folder: folder.index.id, why: error.sentence)))
    }
  }

  private func remove(_ entry: Entry, in folder: OpenFolder) throws(TapeError) {
    let path = join(try path(of: folder.index.id), entry.fileName)
    if let found = try system.entry(path) {
      guard found.kind == entry.kind else { throw .mistaken(entry, at: path) }
      if found.kind == .directory { try removeDirectory(of: entry, at: path) }
    }
    try removeFiles(of: entry, in: folder.index.id)
    // When its files are gone, even a full card has room for the line.
    listErased([entry], in: folder.index.id)
    try change([.gone(entry.id)], in: folder)
    forgetBelow(entry.id)
  }

  /// Removes a folder's directory tree, but only if it is that of the entry: its snapshot says
  /// which folder it is.
  private func removeDirectory(of entry: Entry, at path: String) throws(TapeError) {
    let names = try system.list(path).map(\.name)
    let hasOnlyIndex = names.allSatisfy { $0.map(FileName.isIndex) ?? false }
    let identity = try files.identity(at: path)?.id
    guard identity == entry.id || identity == nil && hasOnlyIndex else {
      throw .mistaken(entry, at: path)
    }
    listErased(below: entry.id)
    // The snapshots go last: after a power cut they still identify the directory.
    if !hasOnlyIndex {
      try system.removeTree(path, keeping: FileName.isIndex)
      try system.syncDirectory(path)
    }
    try system.removeTree(path)
  }

  /// Forgets an item that is gone, and every folder below it.
  private func forgetBelow(_ id: ItemID) {
    homes[id] = nil
    let below = tree.keys.filter { trail(to: $0).contains(id) }
    for gone in below {
      (tree[gone], folders[gone], summaries[gone]) = (nil, nil, nil)
      wantsSnapshots.remove(gone)
    }
  }

  // MARK: Making room

  /// Deletes the first candidate. If there is none from the last search, all folders are searched
  /// before, one a step.
  func step(_ recycling: inout Recycling) throws(TapeError) -> Bool {
    if let next = nextToRecycle() {
      try recycle(next)
      return false
    }
    if let id = recycling.left.popLast() {
      try search(id, &recycling)
      return true
    }
    recyclables = recycling.found
    guard let next = nextToRecycle() else {
      send(.recycled([]))
      return false
    }
    try recycle(next)
    return false
  }

  private func search(_ id: ItemID, _ recycling: inout Recycling) throws(TapeError) {
    try visit(id) { folder in
      for entry in folder.index.entries.values {
        if entry.folder != nil { recycling.left.append(entry.id) }
        if let candidate = candidate(entry, in: id, recycling.found.kind) {
          recycling.found.insert(candidate)
        }
      }
    }
  }

  /// The next candidate, skipping those that changed since the search.
  private func nextToRecycle() -> Recyclables.Candidate? {
    while let next = recyclables.removeNext() {
      // A folder that cannot be read any more has no candidates.
      guard let entry = (try? folder(next.folder))?.index.entries[next.id],
        let now = candidate(entry, in: next.folder, recyclables.kind), now.rank == next.rank
      else { continue }
      return next
    }
    return nil
  }

  private func recycle(_ next: Recyclables.Candidate) throws(TapeError) {
    guard let entry = try folder(next.folder).index.entries[next.id] else { throw Self.notFound }
    homes[next.id] = next.folder
    let path = trail(to: next.folder)
    try purge(next.id)
    send(.recycled([Whereabouts(id: next.id, path: path, tally: entry.summary.tally)]))
    measureSpace()
  }

  /// Updates the candidates when an entry is put into a folder.
  func noteForRecycling(_ changes: [IndexChange], in id: ItemID) {
    for case .put(let entry) in changes {
      if entry.folder != nil {
        // Everything in the folder may have entered or left the trash.
        recyclables = Recyclables(recyclables.kind)
      } else if let candidate = candidate(entry, in: id, recyclables.kind),
        !recyclables.candidates.isEmpty
      {
        recyclables.insert(candidate)
      }
    }
  }

  /// Recordings in the trash rank first, then the others that may go; within each, the oldest. Nil
  /// if the recording must stay.
  private func candidate(
    _ entry: Entry, in id: ItemID, _ kind: Recyclable
  ) -> Recyclables.Candidate? {
    comparisons += 1
    guard let recording = entry.recording, recording.isSettled, !running.contains(entry.id),
      entry.intent == nil
    else { return nil }
    let isThrown = trail(to: id)[0] == .trash
    guard isThrown || kind.allows(recording) else { return nil }
    return Recyclables.Candidate(
      id: entry.id, folder: id, rank: (isThrown ? 0 : 1, recording.sequence ?? 0, entry.id))
  }
}

extension TapeError {
  fileprivate static func mistaken(_ entry: Entry, at path: String) -> TapeError {
    TapeError(
      .unsupported,
      "“\(entry.title)” was not deleted: \(path) is not what the folder's index says. It was left"
        + " where it is.", errno: EEXIST)
  }

  /// The name belongs to something other than the item to delete.
  fileprivate var isMistaken: Bool { code == .unsupported && errno == EEXIST }
}

extension Entry {
  /// The kind of file that its name must refer to.
  var kind: FileEntry.Kind { folder == nil ? .file : .directory }

  /// False if either time is before November 2023: that clock was never set.
  fileprivate func isOlder(thanDays days: Int, at now: WallTime) -> Bool {
    let sensible: Int64 = 1_700_000_000_000
    guard let thrownAt, thrownAt.milliseconds > sensible, now.milliseconds > sensible else {
      return false
    }
    let (limit, isTooMuch) = Int64(clamping: days).multipliedReportingOverflow(by: 86_400_000)
    return !isTooMuch && now.milliseconds - thrownAt.milliseconds > limit
  }
}
