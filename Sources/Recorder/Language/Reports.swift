// What programs receive about folders, recordings, notices and the panel. Keys may be added but
// never change, even if internal types do. docs/protocol.md explains each. Plain values; any
// thread.

import Catalogue

/// A folder or a recording.
public struct ItemReport: Equatable, Codable, Sendable {
  public enum Kind: String, Codable, Sendable { case folder, recording }

  public let kind: Kind
  public let id: ItemID
  public let title: String
  /// "/Interviews/Kitchen".
  public let path: String
  /// The folder it is in, as a path, and its id; nil for the root and the trash.
  public let folder: String?
  public let folderID: ItemID?
  public let thrownFrom: ItemID?

  // Of a folder.
  public var recordings: Int?
  public var unheard: Int?
  /// How many of the recordings have a copy elsewhere.
  public var copied: Int?
  /// When the newest recording below began; nil if there is none whose clock was set.
  public var latest: DateReport?
  public var order: Folder.SortOrder?
  /// The path of its directory below the folder of recordings on the card.
  public var directory: String?

  // Of a recording.
  public var sequence: Int?
  /// The path below the folder of recordings on the card.
  public var file: String?
  public var began: BeganReport?
  public var lengthMilliseconds: Int64?
  public var frames: Int64?
  public var rate: Int?
  public var channels: Int?
  /// Of all its files.
  public var sizeBytes: Int64?
  /// Each of its files; only `info` tells them.
  public var tracks: [TrackReport]?
  public var heard: Bool?
  /// Copies elsewhere, and what became of attempts to make them; nil if there is nothing to say.
  public var copies: [CopyReport]?
  /// The checksum of what people typed about it, and whether it is in the trash; only `copies`
  /// tells them.
  public var texts: String?
  public var deleted: Bool?
  public var marks: [MarkReport]?
  /// What people typed about it; nil if nothing was.
  public var notes: String?
  public var place: String?
  public var speaker: String?
  public var stage: Recording.Stage?
  public var part: Int?
  public var continues: ItemID?
  public var integrity: IntegrityReport?
}

/// A time of the calendar: in milliseconds since 1970, in UTC and in the appliance's time zone.
public struct DateReport: Equatable, Codable, Sendable {
  public let wall: Int64
  public let utc: String
  public let local: String
}

/// When a recording began, and how reliable that time is.
public struct BeganReport: Equatable, Codable, Sendable {
  /// In milliseconds since 1970, and written out in UTC.
  public let wall: Int64
  public let utc: String
  /// In the appliance's time zone.
  public let local: String
  public let synchronised: Bool
  public let quality: ClockQuality
  public let boot: ItemID
  public let monotonicNanoseconds: Int64
}

/// A mark of a recording.
public struct MarkReport: Equatable, Codable, Sendable {
  public let frame: Int64
  public let milliseconds: Int64
  public let name: String
}

/// One of a recording's files.
public struct TrackReport: Equatable, Codable, Sendable {
  public let name: String
  /// The path below the folder of recordings on the card.
  public let file: String
  /// "opus", "flac", or that of a file that Reel did not record.
  public let format: String
  public let channels: Int
  /// Of a sample in a file without loss.
  public let bits: Int?
  public let rate: Int
  public internal(set) var frames: Int64
  public let sizeBytes: Int64
  /// The SHA-256 of its sound, in hexadecimal digits, and the byte at which the sound begins.
  public let sha256: String?
  public let soundFrom: UInt32?
}

/// What is known about defects in a recording.
public struct IntegrityReport: Equatable, Codable, Sendable {
  public let device: String
  public let recovered: Bool
  public let recoveredCutBytes: Int64?
  public let gaps: [Gap]
  /// Frames at full scale.
  public let clipped: Int64
  public let peakDecibels: Double?
  public let loudnessLUFS: Double?
  public let microphoneSeemsDead: Bool
  /// Of several channels, the one that was silent, counted from 1.
  public let deadChannel: Int?
  public let stopReason: StopReason?
}

/// A folder with some of its items.
public struct FolderListing: Equatable, Codable, Sendable {
  public let folder: ItemReport
  public let order: Folder.SortOrder
  /// The number of items in the folder, and how many of them come before these.
  public let total: Int
  public let from: Int
  public let items: [ItemReport]

  public init(
    folder: ItemReport, order: Folder.SortOrder, total: Int, from: Int, items: [ItemReport]
  ) {
    self.folder = folder
    self.order = order
    self.total = total
    self.from = from
    self.items = items
  }
}

/// A folder or recording that a search found.
public struct FoundReport: Equatable, Codable, Sendable {
  public let id: ItemID
  public let title: String
  public let folderID: ItemID
  /// Nil if that folder has not been read yet.
  public let path: String?
}

/// A notice in an answer.
public struct NoticeReport: Equatable, Codable, Sendable {
  public let id: Int
  public let code: Notice.Kind
  /// note, warning or fault.
  public let severity: String
  public let sentence: String
  public let item: ItemID?
  public let wall: Int64
  public let local: String
  public let acknowledged: Bool
}

/// A change that can be undone.
public struct ChangeReport: Equatable, Codable, Sendable {
  public let kind: UndoStep.Kind
  /// The item, the first of several, as it was called before.
  public let title: String
  public let items: Int

  public init(_ step: UndoStep) {
    kind = step.kind
    title = step.title
    items = step.count
  }

  /// "delete “Kitchen”", "move 3 items".
  public var name: String { phrase.english }

  /// The name for people.
  var phrase: Phrase {
    items == 1 ? "\(kind.word) “\(title)”" : "\(kind.word) \(items) items"
  }
}

/// The loudness over the length of a recording.
public struct WaveformReport: Equatable, Codable, Sendable {
  public let id: ItemID
  public let title: String
  public let rate: Int
  public let frames: Int64
  /// 0 to 32767, from the beginning to the end in equal steps.
  public let peaks: [Int]
  public let rms: [Int]

  public init(id: ItemID, title: String, _ waveform: Waveform) {
    self.id = id
    self.title = title
    rate = waveform.rate
    frames = waveform.frames
    peaks = waveform.peaks
    rms = waveform.rms
  }
}

/// The state of the panel's buttons and lights.
public struct PanelReport: Equatable, Codable, Sendable {
  public struct Button: Equatable, Codable, Sendable {
    public let name: String
    /// "GPIO17 (gpiochip0 17)".
    public let source: String
    public let isActive: Bool
    public let isDown: Bool
    public let edges: Int
    public let strays: Int

    public init(
      name: String, source: String, isActive: Bool, isDown: Bool, edges: Int, strays: Int
    ) {
      self.name = name
      self.source = source
      self.isActive = isActive
      self.isDown = isDown
      self.edges = edges
      self.strays = strays
    }
  }

  public struct Light: Equatable, Codable, Sendable {
    public let name: String
    public let isOn: Bool
    public let pattern: String

    public init(name: String, isOn: Bool, pattern: String) {
      self.name = name
      self.isOn = isOn
      self.pattern = pattern
    }
  }

  public let buttons: [Button]
  public let lights: [Light]
  /// The last events in words, the oldest first.
  public let recent: [String]
  /// What is wrong with the wiring, in sentences.
  public let faults: [String]

  public init(buttons: [Button], lights: [Light], recent: [String], faults: [String]) {
    self.buttons = buttons
    self.lights = lights
    self.recent = recent
    self.faults = faults
  }
}

/// A line that moved while `panel identify` was listening.
public struct LineReport: Equatable, Codable, Sendable {
  public let chip: String
  public let offset: Int
  public let name: String
  public let isActive: Bool

  public init(chip: String, offset: Int, name: String, isActive: Bool) {
    self.chip = chip
    self.offset = offset
    self.name = name
    self.isActive = isActive
  }
}
