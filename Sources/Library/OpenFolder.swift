// A folder whose index is in memory, with where its files on the card stand. Used on the card's
// thread only.

import Recorder

final class OpenFolder {
  var index: FolderIndex
  /// That of the snapshot the journal follows; 0 before the first.
  var generation = 0
  /// Lines in the journal so far.
  var lineCount = 0
  /// The checksum of the last of them; 0 before the first.
  var lastSum: UInt32 = 0
  /// Where its next line goes.
  var journalEnd: Int64 = 0
  var hasJournal = false
  /// The journal is new, and its name may not be on the card for good.
  var hasUnsyncedName = false
  var snapshotBytes: Int64 = 0
  /// That of the snapshot which must not be overwritten; 0 when there is none.
  var snapshotGeneration = 0
  /// Bytes behind the last line that belong to none: power was cut while one was written.
  var tornBytes: Int64 = 0
  var hasTornLine = false
  /// Something that had been written is no more to be read.
  var damage: Damage?
  /// Counts of folders in it that were not written down yet.
  var uncounted: Set<ItemID> = []
  /// When it was used last, counted in uses.
  var lastUse = 0

  struct Damage: Equatable {
    /// Files that make no sense, by their names.
    var files: [String] = []
  }

  init(_ index: FolderIndex) { self.index = index }

  func wantsSnapshot(_ pace: SnapshotPace) -> Bool {
    journalEnd > max(pace.leastBytes, snapshotBytes * pace.times)
  }
}

/// How far a journal grows before the next snapshot. It is replayed when the folder is opened, so
/// that this bounds what is read, while a snapshot adds the same fifth to what a change writes,
/// be the folder small or large.
struct SnapshotPace {
  /// Below this, a snapshot would come so often that its operations count.
  var leastBytes: Int64 = 16_384
  /// As many times the snapshot before.
  var times: Int64 = 5
}
