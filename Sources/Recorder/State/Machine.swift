// The state of the things around the sound: devices, the card, the clock, the host, the panel. What
// they own (a PCM, a file, a line) is theirs; here is only what was last heard of them.

/// The sound device.
public struct Device: Equatable, Codable, Sendable {
  public internal(set) var capture: Capture = .absent(nil)
  public internal(set) var canPlay = false
  public internal(set) var canPlayWhileRecording = false
  public internal(set) var volumePercent = 80
  /// What the sound path was denied: a priority, locked memory. Shown, not acted upon.
  public internal(set) var denials: [String] = []

  public enum Capture: Equatable, Codable, Sendable {
    /// Not there, or it could not be opened and this is why.
    case absent(String?)
    /// There, and not open, because nothing is armed.
    case closed(CaptureInfo)
    case opening(CaptureInfo)
    case running(CaptureInfo)
  }

  public var captureInfo: CaptureInfo? {
    switch capture {
    case .absent: nil
    case .closed(let info), .opening(let info), .running(let info): info
    }
  }

  var isRunning: Bool {
    if case .running = capture { true } else { false }
  }
}

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

/// The card, as far as it matters for what can be asked of it.
public struct Card: Equatable, Codable, Sendable {
  public internal(set) var freeBytes: Int64?
  public internal(set) var totalBytes: Int64?
  public internal(set) var isReadOnly = false
  /// Recordings would not survive a restart: the root is in memory.
  public internal(set) var isVolatile = false
  /// How far what is on the card is behind what was recorded; nil while it keeps up.
  public internal(set) var behindMilliseconds: Int64?
  /// The card was asked for room by recycling, and has not answered yet.
  public internal(set) var isRecycling = false
  var recycledAtFreeBytes: Int64?
}

public struct Clock: Equatable, Codable, Sendable {
  public internal(set) var isSynchronised = false
  public internal(set) var utcOffsetSeconds = 0
  public internal(set) var boot = ItemID.root
}

/// The board below.
public struct Host: Equatable, Codable, Sendable {
  public internal(set) var phase: Phase = .starting
  public internal(set) var version = ""
  public internal(set) var root = ""
  public internal(set) var startedAt = Instant(nanoseconds: 0)
  public internal(set) var isUnderVoltage = false
  public internal(set) var isThrottled = false
  public internal(set) var temperatureCelsius: Int?
  /// What was last written to survive a restart, and when what has changed since will be.
  var remembered = Remembered()
  public internal(set) var rememberDue: Instant?

  public enum Phase: Equatable, Codable, Sendable {
    case starting
    case running
    /// Asked to end: takes are closed and written out, then it is over.
    case stopping(since: Instant)
    case stopped
  }

  var isEnding: Bool {
    switch phase {
    case .starting, .running: false
    case .stopping, .stopped: true
    }
  }

  /// A sound device may stall, too. What it has not handed out by then is silence.
  static let soundMilliseconds: Int64 = 500
  /// A card may stall for long. What it has not taken by then is mended at the next start.
  static let stopMilliseconds: Int64 = 60_000
  /// Whoever asks again after this long does not want to wait for the card.
  static let patienceMilliseconds: Int64 = 5000
}

/// The panel: where its buttons are, and whether they are locked.
public struct Panel: Equatable, Codable, Sendable {
  public internal(set) var isLocked = false
  public internal(set) var place = Place()
  /// What does not work of it, a sentence each.
  public internal(set) var faults: [String] = []
  /// The way from `place` to where the panel was before the restart, walked as folders are read.
  var wayBack: WayBack?
}

struct WayBack: Equatable, Codable, Sendable {
  var folders: [ItemID]
  let selection: ItemID?
}

/// Where somebody is in the library: a folder that exists, and maybe an item in it that exists.
public struct Place: Equatable, Codable, Sendable {
  public internal(set) var folder: ItemID = .root
  public internal(set) var selection: ItemID?
  /// The folders above when it was entered, the outermost first: the way back if it goes away.
  var trail: [ItemID] = []
}
