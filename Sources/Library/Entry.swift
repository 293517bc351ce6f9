// What a folder's index says of one thing in it: a recording or a folder, where it was thrown away
// from and when, and what has been begun with it and not finished. Plain values.

import Recorder

struct Entry: Equatable {
  var item: Item
  /// The folders it was thrown away from, the outermost first.
  var trail: [ItemID] = []
  var thrownAt: WallTime?
  /// Its file's or directory's name until the change that is written here is carried out.
  var formerName: String?
  var intent: Intent?

  indirect enum Item: Equatable {
    /// On its own, since it is large, and tables of tens of thousands are moved about.
    case recording(Recording)
    case folder(Folder)
  }

  /// Written before it is carried out, and gone when it is.
  indirect enum Intent: Equatable {
    /// On its way into another folder, named from the root down.
    case leaving(to: [ItemID], as: Landing)
    case purging
    /// Its file is about to tell the time that is known now.
    case retagging
  }

  init(_ recording: Recording) { item = .recording(recording) }
  init(_ folder: Folder) { item = .folder(folder) }

  var id: ItemID {
    switch item {
    case .recording(let recording): recording.id
    case .folder(let folder): folder.id
    }
  }

  /// Its name in the directory.
  var fileName: String {
    switch item {
    case .recording(let recording): recording.file ?? ""
    case .folder(let folder): folder.directory
    }
  }

  var title: String {
    switch item {
    case .recording(let recording): recording.title
    case .folder(let folder): folder.name
    }
  }

  /// What it counts for. A take that is not over counts when it is.
  var tally: Tally {
    switch item {
    case .recording(let recording):
      Tally(
        recordings: recording.isSettled ? 1 : 0,
        unheard: recording.isSettled && !recording.isHeard ? 1 : 0)
    case .folder(let folder): folder.tally
    }
  }

  var recording: Recording? {
    if case .recording(let recording) = item { recording } else { nil }
  }

  var folder: Folder? {
    if case .folder(let folder) = item { folder } else { nil }
  }

  /// The same thing in another folder.
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

/// How something that is moved arrives.
struct Landing: Equatable {
  var name: String
  var title: String
  var trail: [ItemID] = []
  var thrownAt: WallTime?
}

/// One line of a journal: what changed.
enum IndexChange: Equatable {
  case put(Entry)
  case gone(ItemID)
  /// To another place in the order of the hand.
  case place(ItemID, at: Int)
  case order(Folder.Order)
  /// Numbers below this one were given away.
  case next(Int)
  /// What is below a folder in it.
  case count(ItemID, Tally)
  case name(String)
  case intend(ItemID, Entry.Intent)
  /// What was begun with an item is done, or taken back.
  case settled(ItemID)
}

extension Recording {
  func changed(
    folder: ItemID? = nil, title: String? = nil, titleIsDefault: Bool? = nil,
    stage: Stage? = nil, file: String? = nil, sound: Sound? = nil, integrity: Integrity? = nil,
    thrownFrom: ItemID?? = nil
  ) -> Recording {
    Recording(
      id: id, folder: folder ?? self.folder, sequence: sequence, title: title ?? self.title,
      titleIsDefault: titleIsDefault ?? self.titleIsDefault, began: began,
      stage: stage ?? self.stage, file: file ?? self.file, sound: sound ?? self.sound,
      isHeard: isHeard, marks: marks, integrity: integrity ?? self.integrity,
      continues: continues, part: part, thrownFrom: thrownFrom ?? self.thrownFrom)
  }
}

extension Folder {
  func changed(
    parent: ItemID? = nil, name: String? = nil, directory: String? = nil, tally: Tally? = nil,
    thrownFrom: ItemID?? = nil
  ) -> Folder {
    Folder(
      id: id, parent: parent ?? self.parent, name: name ?? self.name,
      directory: directory ?? self.directory, tally: tally ?? self.tally, order: order,
      thrownFrom: thrownFrom ?? self.thrownFrom)
  }
}
