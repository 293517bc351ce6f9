// The state of a recovery: what it has found and what is left to examine. It first walks all
// folders, and acts at the end, when it knows where everything is. Plain values.

import Recorder

struct Recovery {
  /// Folders still to be examined.
  var left: [ItemID] = [.trash, .root]
  /// Entries whose file or directory is missing.
  var missing: [ItemID: (folder: ItemID, entry: Entry)] = [:]
  var strayFolders: [Stray] = []
  var strays: [Stray] = []
  /// Identities in use on the card, so that a copy among the strays gets a new one.
  var taken: Set<ItemID>?
  var leftToCompare: [ItemID] = []
  /// A folder could not be read, so missing items may be in it.
  var isPartial = false

  /// A file or directory that no index knows.
  struct Stray {
    let folder: ItemID
    let name: String
    /// Whether it belongs to a recording whose first file is gone: that claims its name in vain.
    var isFree = false
  }

  /// A stray that turned out to be sound.
  struct Find {
    let stray: Stray
    let recording: Recording
    /// The identity in its tags, if any.
    let id: ItemID?
    /// Which track of the recording it is, if it has several.
    var track: TrackFact?
    /// Whether it was cut short, and has been repaired just now.
    var isRepaired = false
  }

  /// Whether a directory is hidden or another system's, and holds no recordings.
  static func isForeign(_ directory: String) -> Bool {
    let folded = directory.lowercased()
    return folded.utf8.first == 0x2E || folded.hasPrefix("found.")
      || ["system volume information", "lost+found", "lost.dir", "$recycle.bin"].contains(folded)
  }
}
