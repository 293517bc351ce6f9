// What is deleted for good: from the trash, because somebody says so or it is old; anywhere, to
// make room. The folder's journal says so first; from then on recovery goes on with it, because it
// was asked for.

import Recorder
import Tape

/// Items to be removed, one after the other.
struct Purging {
  var left: [ItemID]
  let count: Int
  var gone: [ItemID] = []
}

/// A search for the recording that is missed least.
struct Recycling {
  var left: [ItemID] = [.trash, .root]
  var best: Candidate?

  struct Candidate {
    let id: ItemID
    let folder: ItemID
    let rank: (Int, Int, ItemID)
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

  /// Removes one; true when there are more.
  func step(_ purging: inout Purging, _ ticket: Int) throws(TapeError) -> Bool {
    if let id = purging.left.first {
      try purge(id)
      purging.left.removeFirst()
      purging.gone.append(id)
      if !purging.left.isEmpty {
        tell(ticket, done: Int64(purging.gone.count), of: Int64(purging.count))
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
    do { try finishPurging(entry, in: folder) } catch {
      // Of what is there still, nothing more shall go.
      if try system.entry(join(try path(of: folder.index.id), entry.fileName)) != nil {
        takeBack([.settled(id)], in: folder)
      } else {
        reread(folder.index.id)
      }
      throw error
    }
  }

  func finishPurging(_ entry: Entry, in folder: OpenFolder) throws(TapeError) {
    let path = try path(of: folder.index.id)
    try system.removeTree(join(path, entry.fileName))
    try system.syncDirectory(path)
    try change([.gone(entry.id)], in: folder)
    forgetBelow(entry.id)
  }

  /// What was known of a folder that is gone.
  private func forgetBelow(_ id: ItemID) {
    homes[id] = nil
    let below = tree.keys.filter { trail(to: $0).contains(id) }
    for gone in below {
      (tree[gone], folders[gone], tallies[gone]) = (nil, nil, nil)
      wantsSnapshots.remove(gone)
    }
  }

  // MARK: Making room

  /// Looks through one folder; when all are looked through, removes what is missed least.
  func step(_ recycling: inout Recycling) throws(TapeError) -> Bool {
    if let id = recycling.left.popLast() {
      let isKnown = folders[id] != nil
      let folder = try folder(id)
      for entry in folder.index.entries.values {
        if entry.folder != nil { recycling.left.append(entry.id) }
        if let candidate = candidate(entry, in: id) {
          if let best = recycling.best, best.rank <= candidate.rank { continue }
          recycling.best = candidate
        }
      }
      if !isKnown, folder.uncounted.isEmpty { drop(id) }
      return true
    }
    guard let best = recycling.best else {
      send(.recycled([]))
      return false
    }
    let folder = try folder(best.folder)
    guard let entry = folder.index.entries[best.id] else { throw Self.notFound }
    homes[best.id] = best.folder
    let path = trail(to: best.folder)
    try purge(best.id)
    send(.recycled([Whereabouts(id: best.id, path: path, tally: entry.tally)]))
    measureSpace()
    return false
  }

  /// What lies in the trash goes first, then what was heard; of each the oldest.
  private func candidate(_ entry: Entry, in id: ItemID) -> Recycling.Candidate? {
    guard let recording = entry.recording, recording.isSettled, !running.contains(entry.id),
      entry.intent == nil
    else { return nil }
    let isThrown = trail(to: id)[0] == .trash
    guard isThrown || recording.isHeard else { return nil }
    return Recycling.Candidate(
      id: entry.id, folder: id, rank: (isThrown ? 0 : 1, recording.sequence, entry.id))
  }
}

extension Entry {
  /// A board whose clock was never set believes everything to be old: such times say nothing.
  fileprivate func isOlder(thanDays days: Int, at now: WallTime) -> Bool {
    let sensible: Int64 = 1_700_000_000_000
    guard let thrownAt, thrownAt.milliseconds > sensible, now.milliseconds > sensible else {
      return false
    }
    let (limit, isTooMuch) = Int64(clamping: days).multipliedReportingOverflow(by: 86_400_000)
    return !isTooMuch && now.milliseconds - thrownAt.milliseconds > limit
  }
}
