// What can be wished for: one vocabulary for buttons, consoles, clients and the configuration's
// bindings. An item left out means the one selected where the wish was made.

public enum Request: Equatable, Codable, Sendable {
  case take(TakeWish)
  case deck(DeckWish)
  case item(ItemWish)
  case browse(BrowseWish)
  case system(SystemWish)

  /// Whether a console that may only look may ask for it.
  public var isHarmless: Bool {
    switch self {
    case .browse, .item(.search), .item(.work(.waveform)): true
    case .take, .deck, .item, .system: false
    }
  }

  /// Whether it gives the rooms something to do: not when they are about to close.
  var isWork: Bool {
    switch self {
    case .take, .deck, .item, .system(.exportMode), .system(.reload): true
    case .browse, .system: false
    }
  }
}

public enum TakeWish: Equatable, Codable, Sendable {
  case start(title: String?)
  case stop
  case toggle
  case mark(name: String)
  case split
}

public enum DeckWish: Equatable, Codable, Sendable {
  /// The item named, or the one selected; without either the oldest unheard one, or the newest.
  case play(ItemID?)
  /// Pauses, resumes, or plays as above.
  case toggle
  case pause
  case resume
  case stop
  case seek(Seek)
  case next
  case previous
  case volume(percent: Int)
  case volumeBy(steps: Int)
}

public enum Seek: Equatable, Codable, Sendable {
  case to(milliseconds: Int64)
  case by(milliseconds: Int64)
}

public enum ItemWish: Equatable, Codable, Sendable {
  case makeFolder(name: String, in: ItemID?)
  case rename(ItemID?, to: String)
  case move(ItemID?, to: ItemID, at: Int?)
  case delete(ItemID?)
  case restore(ItemID)
  case purge(Purge)
  case sort(ItemID?, Folder.Order)
  case setHeard(ItemID, Bool)
  case nameMark(ItemID, index: Int, name: String)
  case search(String)
  case work(LongWork)
}

/// What is removed from the trash for good.
public enum Purge: Equatable, Codable, Sendable {
  case everything
  case item(ItemID)
  case olderThan(days: Int)
}

/// Work that takes a while and tells how far it is.
public enum LongWork: Equatable, Codable, Sendable {
  case export(ItemID, format: String, to: OutsideFile)
  case importFile(OutsideFile, into: ItemID)
  case verify(ItemID)
  /// So many points, of which `Waveform.pointRange` says how many there may be.
  case waveform(ItemID, points: Int)
  case cancel(ticket: Int)
}

public enum BrowseWish: Equatable, Codable, Sendable {
  case enter(ItemID)
  case up
  /// Enters the folder selected, or plays the recording selected.
  case open
  case select(ItemID)
  case selectBy(Int)
  /// On to the next folder of the root, and after the last to the root itself: for one button.
  case nextFolder
  /// Reads a folder from the card if nobody has, for whoever looks for something in it.
  case read(ItemID)
}

public enum SystemWish: Equatable, Codable, Sendable {
  case acknowledge
  case lock(Bool)
  case reload
  case exportMode(Bool)
  case shutDown
}
