// One folder: its name, the order of what is in it once that has been read, and how much is below
// it. Folders are read from the card only when somebody asks; until then they know their counts.

public struct Folder: Equatable, Codable, Sendable, Identifiable {
  public let id: ItemID
  /// Nil for the root and the trash.
  public internal(set) var parent: ItemID?
  public internal(set) var name: String
  /// Its directory's name on the card, made of the name by the card.
  public internal(set) var directory: String
  public internal(set) var reading: Reading
  /// What is in it: everything once it has been read, before that only what came in since.
  public internal(set) var items: ItemOrder
  /// Of everything below, read or not.
  public internal(set) var tally: Tally
  public internal(set) var order: Order
  public internal(set) var thrownFrom: ItemID?
  public internal(set) var revision: UInt64

  public init(
    id: ItemID, parent: ItemID?, name: String, directory: String = "", tally: Tally = Tally(),
    order: Order = .byDate, reading: Reading = .unread, thrownFrom: ItemID? = nil
  ) {
    self.id = id
    self.parent = parent
    self.name = name
    self.directory = directory
    self.reading = reading
    self.items = ItemOrder()
    self.tally = tally
    self.order = order
    self.thrownFrom = thrownFrom
    self.revision = 0
  }

  public enum Reading: Equatable, Codable, Sendable {
    case unread
    case reading
    case read
    case failed(String)
  }

  /// How a folder's items are put in order; folders always come first. By date is by sequence
  /// number, which a wrong clock cannot upset.
  public enum Order: String, Codable, CaseIterable, Sendable {
    case byName, byDate, byLength, byHand
  }
}

/// Counts that add up along the tree.
public struct Tally: Equatable, Codable, Sendable {
  public internal(set) var recordings: Int
  public internal(set) var unheard: Int

  public init(recordings: Int = 0, unheard: Int = 0) {
    self.recordings = recordings
    self.unheard = unheard
  }

  /// As the card may have told it, brought to what can be added up.
  var bounded: Tally {
    let recordings = min(max(recordings, 0), 1 << 40)
    return Tally(recordings: recordings, unheard: min(max(unheard, 0), recordings))
  }

  /// A difference, brought to what can be added.
  var boundedDifference: Tally {
    let limit = 1 << 40
    return Tally(
      recordings: min(max(recordings, -limit), limit), unheard: min(max(unheard, -limit), limit))
  }

  public static func + (left: Tally, right: Tally) -> Tally {
    Tally(
      recordings: left.recordings + right.recordings, unheard: left.unheard + right.unheard)
  }

  public static func - (left: Tally, right: Tally) -> Tally {
    Tally(
      recordings: left.recordings - right.recordings, unheard: left.unheard - right.unheard)
  }
}

extension Recording {
  var tally: Tally { Tally(recordings: 1, unheard: isHeard || !isSettled ? 0 : 1) }
}

/// A folder's contents as the card read them.
public struct Listing: Equatable, Codable, Sendable {
  public let folders: [Folder]
  public let recordings: [Recording]
  /// How the folder wishes to be ordered; the lists above are in its order when that is by hand.
  public let order: Folder.Order

  public init(
    folders: [Folder] = [], recordings: [Recording] = [], order: Folder.Order = .byDate
  ) {
    self.folders = folders
    self.recordings = recordings
    self.order = order
  }
}
