// Requests: one vocabulary for buttons, consoles, clients and the configuration's bindings. A nil
// item means the item selected at the request's origin.

/// What a person or a program asks for.
public enum Request: Equatable, Codable, Sendable {
  case take(TakeRequest)
  case deck(DeckRequest)
  case item(ItemRequest)
  case browse(BrowseRequest)
  case system(SystemRequest)

  /// Whether a console with status access may send it.
  public var isHarmless: Bool {
    switch self {
    case .browse, .item(.search), .item(.copies), .item(.work(.waveform)): true
    case .item(.manifest(let query)): query != .open
    case .take, .deck, .item, .system: false
    }
  }

  /// Whether it gives the rooms work; such requests are refused during shutdown.
  var isWork: Bool {
    switch self {
    case .take, .deck, .item, .system(.exportMode), .system(.reload): true
    case .browse, .system: false
    }
  }
}

/// Requests about the take.
public enum TakeRequest: Equatable, Codable, Sendable {
  /// Into the named folder, else the one on show at the request's origin. Whether a name is asked
  /// for at the end, if not as the settings say.
  case start(title: String? = nil, in: ItemID? = nil, asksForName: Bool? = nil)
  case stop
  case toggle
  case mark(name: String)
  case split
}

/// Requests about playing.
public enum DeckRequest: Equatable, Codable, Sendable {
  /// The named item, else the one a person selected, else the folder's oldest unheard one, else
  /// its newest.
  case play(ItemID?)
  /// Pauses, resumes, or plays as above.
  case toggle
  case pause
  case resume
  case stop
  case seek(Seek)
  case next
  case previous
  case nextMark
  case previousMark
  case volume(percent: Int)
  case volumeBy(steps: Int)
}

/// Where to go in a recording.
public enum Seek: Equatable, Codable, Sendable {
  case to(milliseconds: Int64)
  case by(milliseconds: Int64)
}

/// Requests about folders and recordings.
public enum ItemRequest: Equatable, Codable, Sendable {
  case makeFolder(name: String, in: ItemID?)
  case rename(ItemID?, to: String)
  case move(ItemID?, to: ItemID, at: Int?)
  case delete(ItemID?)
  /// The named item, else the selected one.
  case restore(ItemID?)
  case purge(Purge)
  case sort(ItemID?, Folder.SortOrder)
  case setHeard(ItemID, Bool)
  case mark(ItemID, MarkChange)
  /// Sets a text about a recording; an empty one removes it.
  case describe(ItemID, RecordingField, String)
  case search(String)
  /// Which recordings have no copy at a target.
  case copies(CopyQuery)
  /// What became of a copy.
  case noteCopy(CopyNote)
  /// Passes a recording's file to a client, to read.
  case openFile(FileRequest)
  /// Where the manifest of the card ends, and its files.
  case manifest(ManifestQuery)
  /// Without a format, as Opus.
  case importFile(OutsideFile, into: ItemID, format: String? = nil)
  case work(LongWork)
  /// Cancels long work.
  case cancel(ticket: Int)
  /// Reverses the newest change that can be undone.
  case undo
}

/// A change to one mark of a recording; marks are counted from 0.
public enum MarkChange: Equatable, Codable, Sendable {
  case rename(index: Int, to: String)
  case move(index: Int, toMilliseconds: Int64)
  case remove(index: Int)
  /// Removes one mark and adds another: how a change is undone.
  case replace(Mark?, by: Mark?)
}

/// The items to delete from the trash for good.
public enum Purge: Equatable, Codable, Sendable {
  case everything
  case item(ItemID)
  case olderThan(days: Int)
}

/// Work on existing items that takes long and reports its progress.
public enum LongWork: Equatable, Codable, Sendable {
  /// Without a track, all of them go into a WAV file, and the first into any other. Of a track that
  /// is repaired, what is clipped comes from the safety track.
  case export(
    ItemID, format: String, track: String? = nil, repairsClipping: Bool = false, to: OutsideFile)
  /// Parts of one take become one file. A single one stands for all parts of its take. Without a
  /// track, it is the first.
  case join([ItemID], format: String, track: String? = nil, to: OutsideFile)
  case verify(ItemID)
  /// The number of points must be in `Waveform.pointRange`.
  case waveform(ItemID, points: Int)
}

/// Requests about the place.
public enum BrowseRequest: Equatable, Codable, Sendable {
  case enter(ItemID)
  case up
  /// Enters the folder selected, or plays the recording selected.
  case open
  case select(ItemID)
  case selectBy(Int)
  /// Enters the next folder of the root; after the last, the root itself. Meant for one button.
  case nextFolder
  /// Reads a folder from the card unless it has been read, so that names in it can be looked up.
  case read(ItemID)
}

/// Requests about the recorder itself.
public enum SystemRequest: Equatable, Codable, Sendable {
  case acknowledge
  case lock(Bool)
  case reload
  case exportMode(Bool)
  /// What the program that copies recordings says of a target.
  case copying(CopyingReport)
  /// Asks for a code that pairs a browser.
  case askForCode
  /// What the program that serves the page says of that code.
  case pairing(PairingReport)
  case shutDown
}
