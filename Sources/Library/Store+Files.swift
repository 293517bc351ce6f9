// The files of an item: a recording has one for each of its tracks, a folder its directory. They
// are renamed, moved and removed together. The first is renamed first, and after a power cut the
// others follow it to where it is. Runs on the card's thread.

import Recorder
import Tape

/// Where a file of an item is, and where it is to be.
struct FileMove {
  let old: String
  let new: String
}

extension Store {
  /// The paths of an item's files, its own first.
  func paths(of entry: Entry, in folder: ItemID, named name: String? = nil) throws(TapeError)
    -> [String]
  {
    let directory = try path(of: folder)
    return entry.fileNames(name ?? entry.fileName).map { join(directory, $0) }
  }

  /// The moves of an item's files from a folder into one, the same or another, under a new name.
  func moves(
    of entry: Entry, named old: String? = nil, from source: ItemID, to target: ItemID,
    as new: String
  ) throws(TapeError) -> [FileMove] {
    let before = try paths(of: entry, in: source, named: old)
    let after = try paths(of: entry, in: target, named: new)
    return zip(before, after).map { FileMove(old: $0, new: $1) }
  }

  /// Renames an item's files. If one cannot be renamed, those before it get their old names back.
  func rename(_ moves: [FileMove]) throws(TapeError) {
    for (index, move) in moves.enumerated() {
      do {
        // A track's file that is gone does not hold up the others.
        if index > 0, try system.entry(move.old) == nil { continue }
        try system.rename(move.old, to: move.new)
      } catch {
        try renameBack(Array(moves[..<index]))
        throw error
      }
    }
  }

  /// Undoes renames, the last one first. Where both names are taken, or none, nothing is done.
  func renameBack(_ moves: [FileMove]) throws(TapeError) {
    for move in moves.reversed() {
      if try system.entry(move.new) != nil, try system.entry(move.old) == nil {
        try system.rename(move.new, to: move.old)
      }
    }
  }

  /// Completes renames that a power cut interrupted. `settleRename` was called for each.
  func renameRest(_ moves: [FileMove]) throws(TapeError) {
    for move in moves {
      if try system.entry(move.new) == nil, try system.entry(move.old) != nil {
        try system.rename(move.old, to: move.new)
      }
    }
  }

  /// Removes an item's files, the first one last: while it is there, the item is.
  func removeFiles(of entry: Entry, in folder: ItemID) throws(TapeError) {
    for path in try paths(of: entry, in: folder).reversed() {
      if try system.entry(path)?.kind == .file { try system.remove(path) }
    }
    try system.syncDirectory(try path(of: folder))
  }

  /// The bytes of those of an item's files that are there.
  func byteCount(of paths: [String]) throws(TapeError) -> Int64 {
    var sum: Int64 = 0
    for path in paths { sum += try system.byteCount(below: path) }
    return sum
  }
}
