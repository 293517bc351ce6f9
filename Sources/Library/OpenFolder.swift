// A folder whose index is in memory, and the state of its index files on the card. Used on the
// card's thread only.

import Recorder

final class OpenFolder {
  var index: FolderIndex
  /// Generation of the snapshot that the journal follows; 0 before the first.
  var generation = 0
  /// Number of lines in the journal.
  var lineCount = 0
  /// Checksum of the journal's last line; 0 before the first.
  var lastSum: UInt32 = 0
  /// Offset of the journal's next line.
  var journalEnd: Int64 = 0
  /// Length of the journal file. Zeros fill it from its last line to its end.
  var journalBytes: Int64 = 0
  /// Number of journal lines known to be synced.
  var syncedLines = 0
  var hasJournal = false
  /// The journal was just created and its directory is not synced yet.
  var hasUnsyncedName = false
  var snapshotBytes: Int64 = 0
  /// Generation of the valid snapshot, which must not be overwritten; 0 if there is none.
  var snapshotGeneration = 0
  /// Number of bytes after the last line, if any is not zero: a power cut tore a write.
  var tornBytes: Int64 = 0
  var hasTornLine = false
  /// Set if data that was synced can no longer be read.
  var damage: Damage?
  /// Subfolders whose counts are not written to the journal yet.
  var uncounted: Set<ItemID> = []
  /// The store's `useCount` at the last use.
  var lastUse = 0

  struct Damage: Equatable {
    /// Names of the index files that are not valid.
    var files: [String] = []
  }

  init(_ index: FolderIndex) { self.index = index }

  func wantsSnapshot(_ pace: SnapshotPace) -> Bool {
    journalEnd > max(pace.leastBytes, snapshotBytes * pace.times)
  }
}

/// How far a journal grows before the next snapshot. The journal is replayed when the folder is
/// opened, so this bounds what is read. Snapshots add a fifth to the bytes written, whatever the
/// folder's size.
struct SnapshotPace {
  /// Below this, snapshots would be so frequent that the number of operations matters.
  var leastBytes: Int64 = 16_384
  /// Multiple of the previous snapshot's size.
  var times: Int64 = 5
}
