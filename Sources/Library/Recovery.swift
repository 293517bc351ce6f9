// What recovery has found so far and has still to look at. One walk over all folders; what it found
// is put right at the end, when it is known what is where. Plain values.

import Recorder

struct Recovery {
  /// Folders to be looked at.
  var left: [ItemID] = [.trash, .root]
  /// Entries whose file or directory is not there.
  var missing: [ItemID: (folder: ItemID, entry: Entry)] = [:]
  var strayFolders: [Stray] = []
  var strays: [Stray] = []
  /// Of the strays, the identities that recordings on the card have already.
  var taken: Set<ItemID>?
  var leftToCompare: [ItemID] = []
  /// A folder could not be read: what is missing may be in there.
  var isPartial = false

  /// A file or directory that no index knows.
  struct Stray {
    let folder: ItemID
    let name: String
  }

  /// A stray that turned out to be sound.
  struct Find {
    let stray: Stray
    let recording: Recording
    /// The identity it brought, if it did.
    let id: ItemID?
  }

  static let endings: Set<String> = [
    ".opus", ".ogg", ".oga", ".wav", ".wave", ".flac", ".mp3", ".aif", ".aiff", ".aifc", ".w64",
    ".rf64", ".caf", ".au",
  ]

  /// Directories of other systems, which are nobody's recordings.
  static func isForeign(_ directory: String) -> Bool {
    let folded = directory.lowercased()
    return folded.utf8.first == 0x2E || folded.hasPrefix("found.")
      || ["system volume information", "lost+found", "lost.dir", "$recycle.bin"].contains(folded)
  }
}
