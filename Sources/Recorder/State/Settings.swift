// The settings that can change while the appliance runs. The configuration file is read elsewhere
// and arrives here as one value; nothing is ever half applied.

import Catalogue

/// Settings of the heart, from the configuration.
public struct Settings: Equatable, Codable, Sendable {
  /// The device stays open between takes, so that a press costs no start-up.
  public var isArmed = true
  /// How far before the press a recording begins.
  public var prerollMilliseconds: Int64 = 2000
  /// A long take goes on in a new file after this long; 0: never.
  public var splitEveryMilliseconds: Int64 = 0
  /// How long a take waits for an unplugged device before it is given up.
  public var reconnectMilliseconds: Int64 = 300_000
  /// The bit rate of one recording, used to compute the time left.
  public var bitsPerSecond: Int64 = 64_000
  /// If less time than this is left, the record light shows it.
  public var warnMilliseconds: Int64 = 600_000
  /// The space left free when a full card ends a recording.
  public var reserveBytes: Int64 = 32 << 20
  public var whenFull = WhenFull.stop
  /// What the player does when a recording has been played to its end.
  public var afterPlaying = AfterPlaying.next
  public var seekMilliseconds: Int64 = 10_000
  public var volumeStepPercent = 5
  /// Whether consoles ask for a recording's name when a person has ended it.
  public var asksForName = true
  public var refusalMilliseconds: Int64 = 2000
  public var itemsPerFolder = 10_000
  public var marksPerRecording = 1000
  public var folderDepth = 16
  public var noticesKept = 50
  public var bindings = Binding.defaults
  public var sound = SoundSettings()
  /// The language of all that people read.
  public var language = Language.english

  public init() {}

  /// Returns how much sound fits into the space; nil if the bit rate is not known.
  func milliseconds(in freeBytes: Int64) -> Int64? {
    guard bitsPerSecond > 0 else { return nil }
    let bytes = max(0, freeBytes.clampedSubtracting(reserveBytes))
    return bytes.clampedMultiplied(by: 8000) / bitsPerSecond
  }

  /// The settings, with every number clamped so that nothing overflows and nothing stops working.
  var withinBounds: Settings {
    var bounded = self
    let day: Int64 = 86_400_000
    bounded.prerollMilliseconds = min(max(prerollMilliseconds, 0), day)
    bounded.splitEveryMilliseconds = min(max(splitEveryMilliseconds, 0), 366 * day)
    bounded.reconnectMilliseconds = min(max(reconnectMilliseconds, 0), 366 * day)
    bounded.bitsPerSecond = min(max(bitsPerSecond, 0), 1 << 40)
    bounded.warnMilliseconds = min(max(warnMilliseconds, 0), 366 * day)
    bounded.reserveBytes = max(reserveBytes, 0)
    bounded.seekMilliseconds = min(max(seekMilliseconds, 0), day)
    bounded.volumeStepPercent = min(max(volumeStepPercent, 1), 100)
    bounded.refusalMilliseconds = min(max(refusalMilliseconds, 0), day)
    bounded.itemsPerFolder = max(itemsPerFolder, 1)
    bounded.marksPerRecording = max(marksPerRecording, 0)
    bounded.folderDepth = max(folderDepth, 1)
    bounded.noticesKept = min(max(noticesKept, 1), 1000)
    return bounded
  }

  public enum WhenFull: String, Codable, CaseIterable, Sendable {
    case stop
    case recycleOldestHeard = "recycle-oldest-heard"
    case recycleOldestCopied = "recycle-oldest-copied"

    /// Which recordings may be deleted to make room; nil: none.
    public var recyclable: Recyclable? {
      switch self {
      case .stop: nil
      case .recycleOldestHeard: .heard
      case .recycleOldestCopied: .copied
      }
    }
  }

  public enum AfterPlaying: String, Codable, CaseIterable, Sendable { case stop, next }
}

/// The request that a gesture on a button makes.
public struct Binding: Equatable, Codable, Sendable {
  public let control: Control
  public let gesture: Gesture
  public let request: Request

  public init(_ control: Control, _ gesture: Gesture, _ request: Request) {
    self.control = control
    self.gesture = gesture
    self.request = request
  }

  /// A panel with any of these buttons works without a line of configuration.
  public static let defaults: [Binding] = [
    Binding(.record, .press, .take(.toggle)),
    Binding(.mark, .press, .take(.mark(name: ""))),
    Binding(.split, .press, .take(.split)),
    Binding(.play, .press, .deck(.toggle)),
    Binding(.play, .hold, .deck(.stop)),
    Binding(.next, .press, .deck(.next)),
    Binding(.previous, .press, .deck(.previous)),
    Binding(.folder, .press, .browse(.nextFolder)),
    Binding(.folder, .hold, .browse(.enter(.trash))),
    Binding(.delete, .hold, .item(.delete(nil))),
    Binding(.delete, .doublePress, .item(.undo)),
    Binding(.volumeUp, .press, .deck(.volumeBy(steps: 1))),
    Binding(.volumeDown, .press, .deck(.volumeBy(steps: -1))),
    Binding(.acknowledge, .press, .system(.acknowledge)),
  ]
}

/// The buttons a panel may have. Others are named by the configuration.
public enum Control: Hashable, Sendable {
  case record, play, next, previous, folder, mark, split, delete, volumeUp, volumeDown
  case acknowledge
  case named(String)
}

extension Control: Codable {
  private static let known: [Control] = [
    .record, .play, .next, .previous, .folder, .mark, .split, .delete, .volumeUp, .volumeDown,
    .acknowledge,
  ]

  public var name: String {
    if case .named(let name) = self { name } else { "\(self)" }
  }

  public init(named name: String) {
    self = Self.known.first { $0.name == name } ?? .named(name)
  }

  public init(from decoder: any Decoder) throws {
    self.init(named: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// What a person did with a button. The panel makes gestures of edges.
public enum Gesture: String, Codable, CaseIterable, Sendable {
  case press, release, hold, doublePress
}
