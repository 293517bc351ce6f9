// The state of the hardware around the sound: devices, the card, the clock, the host, the panel.
// The rooms own the PCM, the files and the lines; these values hold only what they last reported.

/// The sound device.
public struct Device: Equatable, Codable, Sendable {
  public internal(set) var capture: Capture = .unknown
  public internal(set) var canPlay = false
  public internal(set) var canPlayWhileRecording = false
  public internal(set) var volumePercent = 80
  /// What the sound path was denied: a priority, locked memory. Shown, not acted upon.
  public internal(set) var denials: [String] = []
  /// What encoding costs; nil until it was measured.
  public internal(set) var encoding: EncodingLoad?

  /// Whether the microphone is there, and open.
  public enum Capture: Equatable, Codable, Sendable {
    /// Nothing was reported yet: the recorder has just started. A press waits for the report.
    case unknown
    /// Not present, or present but not openable; with the reason if known.
    case absent(String?)
    /// Present but not open, because nothing is armed.
    case closed(CaptureInfo)
    case opening(CaptureInfo, since: Instant)
    case running(CaptureInfo)
    /// Open, but delivering no frames.
    case silent(CaptureInfo)
  }

  public var captureInfo: CaptureInfo? {
    switch capture {
    case .unknown, .absent: nil
    case .closed(let info), .opening(let info, _), .running(let info), .silent(let info): info
    }
  }

  var isRunning: Bool {
    if case .running = capture { true } else { isSilent }
  }

  /// Open, but delivering no frames.
  public var isSilent: Bool {
    if case .silent = capture { true } else { false }
  }

  /// A device that takes longer to open counts as lost, and opening it is tried again.
  static let openMilliseconds: Int64 = 5000
}

/// A microphone as it was opened or found.
public struct CaptureInfo: Equatable, Codable, Sendable {
  public let name: String
  public let rate: Int
  public let channels: Int

  public init(name: String, rate: Int, channels: Int) {
    self.name = name
    self.rate = rate
    self.channels = channels
  }
}

/// The card's condition, as far as requests depend on it.
public struct Card: Equatable, Codable, Sendable {
  public internal(set) var freeBytes: Int64?
  public internal(set) var totalBytes: Int64?
  public internal(set) var isReadOnly = false
  /// Recordings would not survive a restart: the root is in memory.
  public internal(set) var isVolatile = false
  /// How far the card is behind the recording; nil while it keeps up.
  public internal(set) var behindMilliseconds: Int64?
  /// A recycle command has been sent and not answered yet.
  public internal(set) var isRecycling = false
  var recycledAtFreeBytes: Int64?
}

/// The clock, the time zone, and this boot.
public struct Clock: Equatable, Codable, Sendable {
  public internal(set) var isSynchronised = false
  public internal(set) var zone = ZoneOffsets()
  public internal(set) var boot = ItemID.root
}

/// The board, and the life cycle of the daemon on it.
public struct Host: Equatable, Codable, Sendable {
  public internal(set) var phase: Phase = .starting
  public internal(set) var version = ""
  public internal(set) var root = ""
  public internal(set) var startedAt = Instant(nanoseconds: 0)
  public internal(set) var isUnderVoltage = false
  public internal(set) var isThrottled = false
  public internal(set) var temperatureCelsius: Int?
  /// How often the configuration was read, with or without success.
  public internal(set) var configurationsRead = 0
  /// The state last saved for the next run; `rememberDue` is when later changes are saved.
  var remembered = Remembered()
  public internal(set) var rememberDue: Instant?

  public enum Phase: Equatable, Codable, Sendable {
    case starting
    case running
    /// Shutting down: takes are closed and written out first.
    case stopping(since: Instant)
    case stopped
  }

  var isEnding: Bool {
    switch phase {
    case .starting, .running: false
    case .stopping, .stopped: true
    }
  }

  /// How long a shutdown waits for a stalled sound device. Frames not delivered by then are
  /// silence.
  static let soundMilliseconds: Int64 = 500
  /// How long a shutdown waits for a stalled card. A file not finished by then is repaired at the
  /// next start.
  static let stopMilliseconds: Int64 = 60_000
  /// A second shutdown request after this delay exits without waiting for the card.
  static let patienceMilliseconds: Int64 = 5000
}

/// The panel: its place in the library, its lock and its faults.
public struct Panel: Equatable, Codable, Sendable {
  public internal(set) var isLocked = false
  public internal(set) var place = Place()
  /// Its present faults, a sentence each.
  public internal(set) var faults: [String] = []
  /// The rest of the path to the panel's place before the restart, followed as folders are read.
  var placeToRestore: PlaceToRestore?
}

struct PlaceToRestore: Equatable, Codable, Sendable {
  var folders: [ItemID]
  let selection: ItemID?
}

/// A place in the library: a folder that exists, and possibly an item in it that exists.
public struct Place: Equatable, Codable, Sendable {
  public internal(set) var folder: ItemID = .root
  private(set) var selected: Selected?
  /// The ancestors when the folder was entered, the outermost first; fallbacks if it is removed.
  var trail: [ItemID] = []

  init(folder: ItemID = .root, trail: [ItemID] = []) {
    self.folder = folder
    self.trail = trail
  }

  struct Selected: Equatable, Codable, Sendable {
    let item: ItemID
    /// A person selected it; else the recorder did, because it is new.
    let isChosen: Bool
  }

  public var selection: ItemID? { selected?.item }

  /// The item that a person selected.
  var chosen: ItemID? { selected?.isChosen == true ? selection : nil }

  mutating func choose(_ item: ItemID?) {
    selected = item.map { Selected(item: $0, isChosen: true) }
  }

  /// Selects an item, unless a person has selected another.
  mutating func offer(_ item: ItemID) {
    if chosen == nil { selected = Selected(item: item, isChosen: false) }
  }

  /// Selects an item in place of one that is gone.
  mutating func replaceSelection(by item: ItemID?) {
    selected = item.map { Selected(item: $0, isChosen: false) }
  }

  /// A person's selection has been played: it stays, but the next play is not bound to it.
  mutating func release(_ item: ItemID) {
    if chosen == item { replaceSelection(by: item) }
  }
}
