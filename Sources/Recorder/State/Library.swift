// The tree of folders and recordings, as far as it has been read from the card. Two flat tables,
// and an order for each folder: a change to one item touches that item, its position in one order
// and the counts of its ancestors, never the rest. Every change to the tree goes through
// Library+Changes, which keeps the counts, the orders and the revisions right and announces each
// change.

/// The folders and recordings that are known.
public struct Library: Equatable, Codable, Sendable {
  public internal(set) var phase: Phase = .closed
  public internal(set) var folders: [ItemID: Folder] = [:]
  public internal(set) var recordings: [ItemID: Recording] = [:]
  /// The next recording's sequence number.
  public internal(set) var nextSequence = 1 {
    didSet {
      let bounds = Recording.sequences
      nextSequence = min(max(nextSequence, bounds.lowerBound), bounds.upperBound)
    }
  }
  /// Requests that the card is working on.
  public internal(set) var pending: [Int: PendingWork] = [:]
  /// Takes whose last page is not on the card yet, the oldest first.
  public internal(set) var takes: [ItemID] = []
  /// Recordings of this boot whose wall time is not trusted yet.
  public internal(set) var unsettledTimes: [ItemID] = []
  /// Recordings whose entries the card could not write.
  public internal(set) var owed: [OwedEntry] = []
  var lastTicket = 0
  var lastRevision: UInt64 = 0

  public init() {}

  public enum Phase: Equatable, Codable, Sendable {
    case closed
    case opening
    case ready
    /// Released to a computer over USB, or about to be pulled: nothing may be written.
    case exported
    case failed(String)
  }

  public var root: Folder? { folders[.root] }

  public func contains(_ id: ItemID) -> Bool { folders[id] != nil || recordings[id] != nil }

  public func parent(of id: ItemID) -> ItemID? { folders[id]?.parent ?? recordings[id]?.folder }

  public func title(of id: ItemID) -> String? { folders[id]?.name ?? recordings[id]?.title }

  /// Returns the folder and its ancestors, the outermost first.
  public func path(to folder: ItemID) -> [Folder] {
    var path: [Folder] = []
    var next: ItemID? = folder
    while let id = next, let folder = folders[id] {
      path.append(folder)
      next = folder.parent
    }
    return path.reversed()
  }

  /// Returns the path of an item's file or directory on the card; nil if it has none yet.
  public func place(of id: ItemID) -> CardPath? {
    guard let name = folders[id]?.directory ?? recordings[id]?.file, let parent = parent(of: id)
    else { return nil }
    let directories = path(to: parent).map(\.directory).filter { !$0.isEmpty }
    return CardPath(components: directories + [name])
  }

  public func isInTrash(_ id: ItemID) -> Bool { isBelow(.trash, id) }

  /// Returns whether an item is the folder or somewhere below it.
  public func isBelow(_ folder: ItemID, _ id: ItemID) -> Bool {
    var next: ItemID? = id
    while let here = next {
      if here == folder { return true }
      next = parent(of: here)
    }
    return false
  }

  /// Returns an item's index in its folder's order.
  public func index(of id: ItemID) -> Int? {
    guard let parent = parent(of: id), let folder = folders[parent] else { return nil }
    if folder.order == .byHand { return folder.items.firstIndex(of: id) }
    let index = folder.items.partitionPoint { comesBefore($0, id, in: folder.order) }
    return index < folder.items.count && folder.items[index] == id ? index : nil
  }

  /// Returns the item and everything below it that has been read.
  func subtree(of id: ItemID) -> [ItemID] {
    var found = [id]
    var next = 0
    while next < found.count {
      if let folder = folders[found[next]] { found.append(contentsOf: folder.items) }
      next += 1
    }
    return found
  }

  /// Whether the item is, or contains, a take that is not written out yet.
  func holdsTake(_ id: ItemID) -> Bool { takes.contains { isBelow(id, $0) } }

  /// Folders come first.
  public func comesBefore(_ left: ItemID, _ right: ItemID, in order: Folder.SortOrder) -> Bool {
    switch (folders[left], folders[right]) {
    case (let one?, let other?): return one.comesBefore(other)
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): break
    }
    guard let one = recordings[left], let other = recordings[right] else { return left < right }
    return one.comesBefore(other, in: order)
  }
}

/// Work that the card is doing, and the origin it is answered to.
public struct PendingWork: Equatable, Codable, Sendable {
  public let origin: Origin
  public let work: CardWork
}

/// An entry that the card could not write, to be written when the card works again.
public struct OwedEntry: Equatable, Codable, Sendable {
  public let id: ItemID
  /// Being written again.
  public internal(set) var isRetried = false
}

/// A file or directory below the root of the card.
public struct CardPath: Equatable, Codable, Sendable {
  public let components: [String]

  public init(components: [String]) { self.components = components }
}
