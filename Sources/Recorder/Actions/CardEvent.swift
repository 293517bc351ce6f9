// News from the card: what it holds, what became of the work it was given, how it is.

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
  /// What was deleted to make room; empty when there was nothing to be had.
  case recycled([Whereabouts])
}

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

public enum TakeFileEvent: Equatable, Codable, Sendable {
  /// The file is there to be written to.
  case made(file: String)
  /// The same, in another folder: its own cannot be written into.
  case madeElsewhere(ItemID, file: String)
  case failed(String)
  /// The recording's entry is on the card for good.
  case kept
}

public enum WorkEvent: Equatable, Codable, Sendable {
  case progress(permille: Int)
  case done(WorkResult)
  case failed(String)
}

public enum WorkResult: Equatable, Codable, Sendable {
  case made(Folder)
  case renamed(ItemID, name: String, file: String)
  /// Put into the last folder of the path, which begins at the root, under a name that was free.
  case moved(ItemID, path: [ItemID], at: Int?, name: String, file: String)
  /// Under a new name, where the trash had one of its name already.
  case thrown(ItemID, file: String, newName: String? = nil)
  case purged([ItemID], left: Tally)
  case sorted(ItemID, Folder.Order)
  case searched([Hit])
  case imported(Recording)
  case told(String)
  case waveform(Waveform)
  case exportMode(Bool)
}

/// Something a search found, wherever it is.
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

/// How loud a recording is from its beginning to its end, of all channels together: for each point
/// the largest sample and the root of the mean square until the next, from 0 to 32767. It has as
/// many points as were asked for, or as the recording has frames.
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

/// What the card came across by itself.
public enum CardFinding: Equatable, Codable, Sendable {
  /// Mended after it was cut short.
  case recovered(Recording, path: [ItemID])
  /// Nobody had indexed it.
  case adopted(Recording, path: [ItemID])
  case vanished([Whereabouts])
  /// The end its file was owed is there: this is its true length.
  case closed(Recording)
  /// It had been on its way when the power went, and is there now.
  case arrived(Recording, path: [ItemID])
  case rebuilt(folder: ItemID)
  /// A change that power cut short was taken back: its bytes made no sense.
  case tornLine(folder: ItemID, bytes: Int64)
  /// A directory nobody had indexed, or that was elsewhere.
  case folder(Folder, path: [ItemID])
  /// There is more or less in a folder than its index had it: by so much.
  case miscounted(Whereabouts)
}

/// A recording that the library may not have read: the folders it was in, from the root down, and
/// what it counted for in them.
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

public enum CardCondition: Equatable, Codable, Sendable {
  case writable
  case readOnly
  case volatile(Bool)
}
