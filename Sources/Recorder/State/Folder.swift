// One folder: its name, its items in order once they have been read, and the counts of everything
// below it. Folders are read from the card only when needed; until then only their counts are
// known.

/// A folder of recordings.
public struct Folder: Equatable, Codable, Sendable, Identifiable {
  public let id: ItemID
  /// Nil for the root and the trash.
  public internal(set) var parent: ItemID?
  public internal(set) var name: String
  /// Its directory's name on the card, which the card derives from the name.
  public internal(set) var directory: String
  public internal(set) var reading: Reading
  /// All items once the folder has been read; before that, only those added since.
  public internal(set) var items: ItemOrder
  /// Counts everything below, read or not.
  public internal(set) var tally: Tally
  /// When the newest recording below began, as far as the clock could be trusted. The root and the
  /// trash have none: they are rows of no list.
  public var latest: WallTime? { newest.value }
  var newest: NewestDate
  public internal(set) var order: SortOrder
  public internal(set) var thrownFrom: ItemID?
  public internal(set) var revision: UInt64

  public init(
    id: ItemID, parent: ItemID?, name: String, directory: String = "", tally: Tally = Tally(),
    latest: WallTime? = nil, order: SortOrder = .byDate, reading: Reading = .unread,
    thrownFrom: ItemID? = nil
  ) {
    self.id = id
    self.parent = parent
    self.name = name
    self.directory = directory
    self.reading = reading
    self.items = ItemOrder()
    self.tally = tally
    self.newest = NewestDate(latest)
    self.order = order
    self.thrownFrom = thrownFrom
    self.revision = 0
  }

  /// Whether the folder's items have been read.
  public enum Reading: Equatable, Codable, Sendable {
    case unread
    case reading
    case read
    case failed(String)
  }
}

/// Counts that add up along the tree.
public struct Tally: Equatable, Codable, Sendable {
  public var recordings: Int
  public var unheard: Int
  /// Those that have a copy elsewhere.
  public var copied: Int

  public init(recordings: Int = 0, unheard: Int = 0, copied: Int = 0) {
    self.recordings = recordings
    self.unheard = unheard
    self.copied = copied
  }

  /// What a settled recording adds.
  @inlinable
  public static func ofOne(isHeard: Bool, isCopied: Bool) -> Tally {
    Tally(recordings: 1, unheard: isHeard ? 0 : 1, copied: isCopied ? 1 : 0)
  }

  /// Those that exist only here.
  public var uncopied: Int { recordings - copied }

  /// The counts clamped so that sums cannot overflow; the card may hold any numbers.
  var bounded: Tally {
    let recordings = min(max(recordings, 0), 1 << 40)
    return Tally(
      recordings: recordings, unheard: min(max(unheard, 0), recordings),
      copied: min(max(copied, 0), recordings))
  }

  /// A difference of counts, clamped so that sums cannot overflow.
  var boundedDifference: Tally {
    let limit = 1 << 40
    func bounded(_ count: Int) -> Int { min(max(count, -limit), limit) }
    return Tally(
      recordings: bounded(recordings), unheard: bounded(unheard), copied: bounded(copied))
  }

  public static func + (left: Tally, right: Tally) -> Tally {
    Tally(
      recordings: left.recordings + right.recordings, unheard: left.unheard + right.unheard,
      copied: left.copied + right.copied)
  }

  public static func - (left: Tally, right: Tally) -> Tally {
    Tally(
      recordings: left.recordings - right.recordings, unheard: left.unheard - right.unheard,
      copied: left.copied - right.copied)
  }
}

/// What a folder's row says of everything below it.
public struct Summary: Equatable, Codable, Sendable {
  public var tally: Tally
  public var latest: WallTime?

  public init(_ tally: Tally = Tally(), latest: WallTime? = nil) {
    self.tally = tally
    self.latest = latest
  }

  /// The later of two dates, either of which may be missing.
  public static func later(_ one: WallTime?, _ other: WallTime?) -> WallTime? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }
}

extension Folder {
  public internal(set) var summary: Summary {
    get { Summary(tally, latest: latest) }
    set {
      tally = newValue.tally
      if newValue.latest != latest { newest = NewestDate(newValue.latest) }
    }
  }
}

extension Recording {
  /// What it adds to its folder's counts; the library lists a running take, and the card does not.
  var tally: Tally {
    isSettled ? .ofOne(isHeard: isHeard, isCopied: !copies.isEmpty) : Tally(recordings: 1)
  }

  var summary: Summary { Summary(tally, latest: date) }

  /// When it began; nil while the clock was not set.
  @inlinable
  public var date: WallTime? { began.date }
}
