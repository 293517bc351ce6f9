// The library as it should be, without any card: items with their places and properties. A card's
// items are put into the same form and compared. Plain values.

import Library
import Recorder

struct ModelLibrary: Equatable {
  struct Item: Equatable {
    var parent: ItemID
    var title: String
    /// The store may append to the title if another item has it.
    var titleIsLoose = false
    /// A restored item goes to where it came from, or near that.
    var parentIsLoose = false
    var kind: Kind
  }

  enum Kind: Equatable {
    case folder(Folder.SortOrder)
    case recording(Take)
  }

  struct Take: Equatable {
    var sequence: Int
    var isHeard = false
    /// The targets that have a copy.
    var copies: Set<String> = []
    var marks: [Mark] = []
    /// The bytes of its tracks' files; nil while it is being recorded.
    var files: [[UInt8]]?
    /// How many frames of each were synced.
    var safeFrames: [Int64] = []

    var isUnsafe: Bool { files == nil && safeFrames.allSatisfy { $0 == 0 } }
  }

  var items: [ItemID: Item] = [:]
  /// The manual order of folders that have one.
  var hands: [ItemID: [ItemID]] = [:]

  subscript(id: ItemID) -> Item? { items[id] }

  var folders: [ItemID] {
    items.filter { if case .folder = $0.value.kind { true } else { false } }.keys.sorted()
  }

  /// The takes that have ended.
  var takes: [ItemID] {
    items.filter {
      if case .recording(let take) = $0.value.kind { take.files != nil } else { false }
    }
    .keys.sorted()
  }

  var running: [ItemID] {
    items.filter {
      if case .recording(let take) = $0.value.kind { take.files == nil } else { false }
    }
    .keys.sorted()
  }

  func take(_ id: ItemID) -> Take? {
    if case .recording(let take) = items[id]?.kind { take } else { nil }
  }

  func isBelow(_ folder: ItemID, _ id: ItemID) -> Bool {
    if id == folder { return true }
    return items[id].map { isBelow(folder, $0.parent) } ?? false
  }

  func isThrown(_ id: ItemID) -> Bool { isBelow(.trash, id) }

  /// Items that are neither in the trash nor being recorded.
  var movable: [ItemID] {
    (folders + takes).filter { id in
      !isThrown(id) && !running.contains { isBelow(id, $0) }
    }
  }

  // MARK: Changes

  mutating func change(_ id: ItemID, _ body: (inout Take) -> Void) {
    guard case .recording(var take) = items[id]?.kind else { return }
    body(&take)
    items[id]?.kind = .recording(take)
  }

  mutating func remove(_ id: ItemID) {
    for gone in items.keys.filter({ isBelow(id, $0) }) { items[gone] = nil }
  }

  /// Returns the library after this work, as far as that is known beforehand.
  func foreseen(_ work: CardWork) -> ModelLibrary {
    var after = self
    switch work {
    case .makeFolder(let id, let name, let parent):
      after.items[id] = Item(
        parent: parent, title: name, titleIsLoose: true, kind: .folder(.byDate))
    case .rename(let id, let title): after.items[id]?.title = title
    case .move(let id, let target, _): after.put(id, in: target)
    case .throwAway(let id): after.put(id, in: .trash)
    case .restore(let id):
      after.put(id, in: .root)
      after.items[id]?.parentIsLoose = true
    case .sort(let id, let order): after.items[id]?.kind = .folder(order)
    case .purge(.item(let id)): after.remove(id)
    case .purge(.everything):
      for (id, item) in items where item.parent == .trash { after.remove(id) }
    case .noteCopy(let note):
      let isGone = note.change == .gone
      after.change(note.id) { take in
        if isGone { take.copies.remove(note.target) } else { take.copies.insert(note.target) }
      }
    case .purge, .search, .copies, .openFile, .manifest, .exportMode, .long, .importFile: break
    }
    return after
  }

  private mutating func put(_ id: ItemID, in folder: ItemID) {
    items[id]?.parent = folder
    items[id]?.titleIsLoose = true
  }

  /// Returns the library after this work and the store's answer.
  func told(_ result: WorkResult, of work: CardWork) -> ModelLibrary {
    var after = foreseen(work)
    switch result {
    case .made(let folder): after.items[folder.id]?.settle(folder.name)
    case .renamed(let id, let name, _): after.items[id]?.settle(name)
    case .moved(let id, let path, _, let name, _):
      after.items[id]?.settle(name)
      after.items[id]?.parent = path.last ?? .root
      after.items[id]?.parentIsLoose = false
    case .thrown(let id, _, let newName):
      after.items[id]?.titleIsLoose = newName == nil && items[id]?.titleIsLoose == true
      if let newName { after.items[id]?.title = newName }
    case .purged, .sorted, .searched, .uncopied, .copied, .opened, .manifest, .imported, .told,
      .verified, .waveform, .exportMode:
      break
    }
    return after
  }
}

extension ModelLibrary.Item {
  fileprivate mutating func settle(_ title: String) {
    self.title = title
    titleIsLoose = false
  }

  /// Whether the item on the card matches this one.
  func isShown(by found: FoundItem, inAnyOrder: Bool = false) -> Bool {
    let isNamed = found.title == title || titleIsLoose && found.title.hasPrefix(title)
    let isPlaced = found.parent == parent || parentIsLoose && found.parent != .trash
    guard isNamed || titleIsLoose, isPlaced else { return false }
    switch (kind, found.kind) {
    case (.folder(let order), .folder(let other)): return order == other || inAnyOrder
    case (.recording(let take), .recording(let other)):
      return take.sequence == other.sequence && take.isHeard == other.isHeard
        && take.copies == other.copies && take.marks == other.marks && take.isShown(by: other)
    default: return false
    }
  }
}

extension ModelLibrary.Take {
  fileprivate func isShown(by found: FoundItem.Take) -> Bool {
    if let files {
      return found.stage == .finished && found.files.count == files.count
        && files.enumerated().allSatisfy { found.files[$0 + 1]?.bytes == $1 }
    }
    guard found.stage == .recovered, found.files.values.allSatisfy(\.isPlayable) else {
      return false
    }
    // Another track takes the place of the first, if that is lost.
    return safeFrames.first ?? 0 == 0
      || safeFrames.enumerated().allSatisfy { index, frames in
        frames == 0 || found.files[index + 1]?.frames ?? 0 >= frames
      }
  }
}

/// An item as the store lists it, and the bytes of its files.
struct FoundItem: Equatable {
  struct File: Equatable {
    let frames: Int64
    let bytes: [UInt8]
    let isPlayable: Bool
  }

  struct Take: Equatable {
    let sequence: Int
    let isHeard: Bool
    let copies: Set<String>
    let marks: [Mark]
    let stage: Recording.Stage
    /// By the number of the track.
    let files: [Int: File]

    /// The bytes of its first file.
    var bytes: [UInt8] { files[1]?.bytes ?? [] }
  }

  enum Kind: Equatable {
    case folder(Folder.SortOrder)
    case recording(Take)
  }

  let parent: ItemID
  let title: String
  let kind: Kind
}
