// An entry of a folder's index: a recording or a folder, where and when it was thrown away, and an
// operation that was begun and not finished. Plain values.

import Recorder

struct Entry: Equatable {
  var item: Item
  private var box = Box.empty

  /// What few entries have.
  struct Extra: Equatable {
    /// The folders above it when it was thrown away, the outermost first.
    var trail: [ItemID] = []
    var thrownAt: WallTime?
    /// The old name of its file or directory, until the rename is done.
    var formerName: String?
    var intent: Intent?

    var isEmpty: Bool {
      trail.isEmpty && thrownAt == nil && formerName == nil && intent == nil
    }
  }

  /// Boxed, too, because a dictionary of 10,000 entries moves all of them when it grows.
  private indirect enum Box: Equatable {
    case empty
    case full(Extra)
  }

  /// In a box that a listing shares, so that it copies no recording.
  typealias Item = Listing.Item

  /// An operation, written before it is performed and cleared when it is done.
  indirect enum Intent: Equatable {
    /// Moving into another folder, given by its path of folders from the root.
    case leaving(to: [ItemID], as: Landing)
    case purging
    /// The tags in its file are about to be written anew.
    case retagging

    var isBelievable: Bool {
      if case .leaving(_, let landing) = self { FileName.isBelievable(landing.name) } else { true }
    }
  }

  var extra: Extra {
    get { if case .full(let extra) = box { extra } else { Extra() } }
    set { box = newValue.isEmpty ? .empty : .full(newValue) }
  }

  var trail: [ItemID] {
    get { extra.trail }
    set { extra.trail = newValue }
  }

  var thrownAt: WallTime? {
    get { extra.thrownAt }
    set { extra.thrownAt = newValue }
  }

  var formerName: String? {
    get { extra.formerName }
    set { extra.formerName = newValue }
  }

  var intent: Intent? {
    get { extra.intent }
    set { extra.intent = newValue }
  }

  init(_ recording: Recording) { item = .recording(recording) }
  init(_ folder: Folder) { item = .folder(folder) }

  var id: ItemID { item.id }

  /// Its name in the directory.
  var fileName: String {
    switch item {
    case .recording(let recording): recording.life.file ?? ""
    case .folder(let folder): folder.directory
    }
  }

  /// The names of all its files in the directory, its own first.
  var fileNames: [String] { fileNames(fileName) }

  /// The names its files have, or had, when its own is `name`.
  func fileNames(_ name: String) -> [String] { recording?.fileNames(name) ?? [name] }

  /// How many files it has in the directory.
  var fileCount: Int {
    if case .recording(let recording) = item { 1 + recording.tracks.others.count } else { 1 }
  }

  /// Whether all its names are valid in a directory and it is neither root nor trash.
  var isBelievable: Bool {
    id != .root && id != .trash && FileName.isBelievable(fileName)
      && formerName.map(FileName.isBelievable) ?? true
      && intent?.isBelievable ?? true
  }

  var title: String {
    switch item {
    case .recording(let recording): recording.title
    case .folder(let folder): folder.name
    }
  }

  var sequence: Int? {
    switch item {
    case .recording(let recording): recording.life.sequence
    case .folder: nil
    }
  }

  var isFolder: Bool {
    if case .folder = item { true } else { false }
  }

  /// Whether an operation on it was begun and not finished.
  var isBegun: Bool { formerName != nil || intent != nil }

  /// What it adds to its folder's summary. A running take adds nothing.
  var summary: Summary {
    if case .folder(let folder) = item { return folder.summary }
    if !item.isSettledRecording { return Summary() }
    return Summary(.ofOne(isHeard: item.isHeard, isCopied: item.isCopied), latest: item.began?.date)
  }

  var recording: Recording? {
    if case .recording(let recording) = item { recording } else { nil }
  }

  var folder: Folder? {
    if case .folder(let folder) = item { folder } else { nil }
  }

  /// The entry as it is in another folder.
  func placed(in parent: ItemID, landing: Landing) -> Entry {
    var entry = self
    (entry.formerName, entry.intent) = (nil, nil)
    (entry.trail, entry.thrownAt) = (landing.trail, landing.thrownAt)
    switch item {
    case .recording(let recording):
      entry.item = .recording(
        recording.changed(
          folder: parent, title: landing.title, file: landing.name,
          thrownFrom: .some(landing.trail.last)))
    case .folder(let folder):
      entry.item = .folder(
        folder.changed(
          parent: parent, name: landing.title, directory: landing.name,
          thrownFrom: .some(landing.trail.last)))
    }
    return entry
  }
}

/// The name, title and origin with which an item arrives in a folder.
struct Landing: Equatable {
  var name: String
  var title: String
  var trail: [ItemID] = []
  var thrownAt: WallTime?
}

/// One change of a journal line.
enum IndexChange: Equatable {
  case put(Entry)
  case gone(ItemID)
  /// Moves an item to another place in the user's order.
  case place(ItemID, at: Int)
  case order(Folder.SortOrder)
  /// Sequence numbers below this one are used.
  case next(Int)
  /// What a subfolder's row says of everything below it.
  case count(ItemID, Summary)
  case name(String)
  case intend(ItemID, Entry.Intent)
  /// The operation begun with an item is done, or undone.
  case settled(ItemID)
}

extension IndexChange {
  /// Whether all its names are valid in a directory.
  var isBelievable: Bool {
    switch self {
    case .put(let entry): entry.isBelievable
    case .intend(_, let intent): intent.isBelievable
    default: true
    }
  }
}

extension Recording {
  func changed(
    folder: ItemID? = nil, title: String? = nil, titleIsDefault: Bool? = nil,
    stage: Stage? = nil, file: String? = nil, sound: Sound? = nil, integrity: Integrity? = nil,
    marks: [Mark]? = nil, thrownFrom: ItemID?? = nil
  ) -> Recording {
    Recording(
      id: id, folder: folder ?? self.folder, sequence: sequence, title: title ?? self.title,
      titleIsDefault: titleIsDefault ?? self.titleIsDefault, began: began,
      stage: stage ?? self.stage, file: file ?? self.file, sound: sound ?? self.sound,
      isHeard: isHeard, marks: marks ?? self.marks, details: details,
      integrity: integrity ?? self.integrity,
      continues: continues, part: part, thrownFrom: thrownFrom ?? self.thrownFrom, copies: copies
    ).with(tracks)
  }
}

extension Folder {
  func changed(
    parent: ItemID? = nil, name: String? = nil, directory: String? = nil,
    summary: Summary? = nil, thrownFrom: ItemID?? = nil
  ) -> Folder {
    Folder(
      id: id, parent: parent ?? self.parent, name: name ?? self.name,
      directory: directory ?? self.directory, tally: (summary ?? self.summary).tally,
      latest: (summary ?? self.summary).latest, order: order,
      thrownFrom: thrownFrom ?? self.thrownFrom)
  }
}
