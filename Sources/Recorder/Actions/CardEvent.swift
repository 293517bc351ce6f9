// Events from the card: what it holds, the results of its work, its space and its condition. Plain
// values.

/// What happened on the card.
public enum CardEvent: Equatable, Codable, Sendable {
  case opened(CardReport)
  case failed(String)
  case listed(ItemID, Listing)
  case unreadable(ItemID, why: String)
  case take(ItemID, TakeFileEvent)
  case work(ticket: Int, WorkEvent)
  case found(CardFinding)
  case space(freeBytes: Int64, totalBytes: Int64)
  case condition(CardCondition)
  /// The recordings deleted to make room; empty if there were none to delete.
  case recycled([Whereabouts])
}

/// What opening the card brought.
public struct CardReport: Equatable, Codable, Sendable {
  public let nextSequence: Int
  public let root: Tally
  public let trash: Tally

  public init(nextSequence: Int, root: Tally = Tally(), trash: Tally = Tally()) {
    self.nextSequence = nextSequence
    self.root = root
    self.trash = trash
  }
}

/// What happened to a take's file.
public enum TakeFileEvent: Equatable, Codable, Sendable {
  /// The file exists and can be written.
  case made(file: String)
  /// The file was made in another folder, because its own folder is not writable.
  case madeElsewhere(ItemID, file: String)
  case failed(String)
  /// The recording's entry is durable.
  case kept
}

/// What happened to work under a ticket.
public enum WorkEvent: Equatable, Codable, Sendable {
  case progress(permille: Int)
  case done(WorkResult)
  case failed(String)
}

/// What work on the card has changed.
public enum WorkResult: Equatable, Codable, Sendable {
  case made(Folder)
  case renamed(ItemID, name: String, file: String)
  /// Moved into the last folder of the path, which begins at the root, under a free name.
  case moved(ItemID, path: [ItemID], at: Int?, name: String, file: String)
  /// `newName` is set if the trash already had an item of that name.
  case thrown(ItemID, file: String, newName: String? = nil)
  case purged([ItemID], left: Tally)
  case sorted(ItemID, Folder.SortOrder)
  case searched([Hit])
  case uncopied(CopyPage)
  case copied(CopyResult)
  case opened(ClientFile)
  case manifest(ManifestQuery, ManifestFacts)
  case imported(Recording)
  case told(String)
  case verified(VerifyReport)
  case waveform(Waveform)
  case exportMode(Bool)
}

/// An item that a search found, in any folder.
public struct Hit: Equatable, Codable, Sendable {
  public let id: ItemID
  public let folder: ItemID
  public let title: String

  public init(id: ItemID, folder: ItemID, title: String) {
    self.id = id
    self.folder = folder
    self.title = title
  }
}

/// The loudness of a recording from beginning to end, all channels combined. Each point has the
/// peak and the RMS of the samples up to the next point, from 0 to 32767. There are as many points
/// as requested, or as the recording has frames if that is fewer.
public struct Waveform: Equatable, Codable, Sendable {
  public static let pointRange = 1...10_000
  public static let sentenceOnPoints = "A waveform can have 1 to 10,000 points."

  /// Frames a second.
  public let rate: Int
  public let frames: Int64
  public let peaks: [Int]
  public let rms: [Int]

  public init(rate: Int, frames: Int64, peaks: [Int], rms: [Int]) {
    precondition(peaks.count == rms.count, "each point has both")
    self.rate = rate
    self.frames = frames
    self.peaks = peaks
    self.rms = rms
  }
}

/// A change or a defect that the card found by itself.
public enum CardFinding: Equatable, Codable, Sendable {
  /// A take that was cut short and has been repaired.
  case recovered(Recording, path: [ItemID])
  /// A sound file that no index listed.
  case adopted(Recording, path: [ItemID])
  case vanished([Whereabouts])
  /// The missing end of the file (`endIsOwed`) has been written, or a hash that was missing has
  /// been computed: this is the true sound.
  case closed(Recording)
  /// An interrupted move has been completed: the recording is in this folder.
  case arrived(Recording, path: [ItemID])
  case rebuilt(folder: ItemID)
  /// A journal line that a power cut tore was dropped.
  case tornLine(folder: ItemID, bytes: Int64)
  /// A directory that no index listed, or that was listed elsewhere.
  case folder(Folder, path: [ItemID])
  /// An interrupted deletion was withdrawn, because the name now belongs to something else.
  case left(folder: ItemID, why: String)
  /// A folder's summary in its parent was wrong: the tally is the difference, `latest` the date.
  case miscounted(Whereabouts, latest: WallTime?)
}

/// An item that the library may not have read: the folders it was in, from the root down, and its
/// share of their counts.
public struct Whereabouts: Equatable, Codable, Sendable {
  public let id: ItemID
  public let path: [ItemID]
  public let tally: Tally

  public init(id: ItemID, path: [ItemID], tally: Tally) {
    self.id = id
    self.path = path
    self.tally = tally
  }
}

/// Whether the card can be written and keeps what is written.
public enum CardCondition: Equatable, Codable, Sendable {
  case writable
  case readOnly
  case volatile(Bool)
}
