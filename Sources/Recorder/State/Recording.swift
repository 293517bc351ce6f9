// One recording as the library knows it: its title and marks, what the sound path measured, and how
// far it can be trusted. Plain values; the sound itself is a file on the card.

/// A recording with its entry.
public struct Recording: Equatable, Codable, Sendable, Identifiable {
  public let id: ItemID
  public internal(set) var folder: ItemID
  public internal(set) var life: Life
  /// The valid sequence numbers.
  public static let sequences = 1...999_999_999
  public internal(set) var title: String
  /// The title was derived from the time, and changes when the time is corrected.
  public internal(set) var titleIsDefault: Bool
  public internal(set) var began: Moment
  /// That of its first track.
  public internal(set) var sound: Sound
  var trackBox = TrackBox.usual
  public internal(set) var isHeard: Bool
  public internal(set) var marks: [Mark]
  public internal(set) var details: Details
  public internal(set) var integrity: Integrity
  /// Those that were compared, one for each target.
  public internal(set) var copies: [RecordingCopy]
  /// The previous part of the same take, before a split, a lost device or a crash.
  public let continues: ItemID?
  /// The part number, from 1.
  public let part: Int
  /// The folder it was deleted from.
  public internal(set) var thrownFrom: ItemID?
  public internal(set) var revision: UInt64

  /// A take that has neither number nor file is one that the card knows nothing of yet.
  public init(
    id: ItemID, folder: ItemID, sequence: Int?, title: String, titleIsDefault: Bool = false,
    began: Moment, stage: Stage = .finished, file: String? = nil, sound: Sound = Sound(),
    isHeard: Bool = false, marks: [Mark] = [], details: Details = Details(),
    integrity: Integrity = Integrity(), continues: ItemID? = nil, part: Int = 1,
    thrownFrom: ItemID? = nil, copies: [RecordingCopy] = []
  ) {
    self.id = id
    self.folder = folder
    life = Life(stage, CardEntry(sequence: sequence, file: file))
    self.title = title
    self.titleIsDefault = titleIsDefault
    self.began = began
    self.sound = sound
    self.isHeard = isHeard
    self.marks = marks
    self.details = details
    self.integrity = integrity
    self.continues = continues
    self.part = part
    self.thrownFrom = thrownFrom
    self.copies = copies
    self.revision = 0
  }

  public var lengthMilliseconds: Int64 { Frames.milliseconds(sound.frames, rate: sound.rate) }
}

/// A place in a recording, marked by the user.
public struct Mark: Equatable, Codable, Sendable {
  public let frame: Int64
  public internal(set) var name: String

  public init(frame: Int64, name: String = "") {
    self.frame = frame
    self.name = name
  }
}

/// Where frames were lost and silence stands in for them.
public struct Gap: Equatable, Codable, Sendable {
  public enum Cause: String, Codable, Sendable {
    case overrun, suspended, stalled
    /// A power cut tore the frames out of the file: no silence replaces them.
    case cut
  }

  public let frame: Int64
  public let frames: Int64
  public let cause: Cause

  public init(frame: Int64, frames: Int64, cause: Cause) {
    self.frame = frame
    self.frames = frames
    self.cause = cause
  }
}

/// Why a take ended.
public enum StopReason: String, Codable, Sendable {
  case pressed
  /// The next part begins at the next frame.
  case split
  case deviceLost
  case cardFull
  case cardFailed
  case shutdown
  /// The power failed or the daemon died, so no reason was recorded.
  case cut
  /// Any other failure of the sound path.
  case failed

  /// Whether the take ended before the user wanted it to.
  public var isCutShort: Bool {
    switch self {
    case .pressed, .split, .shutdown: false
    case .deviceLost, .cardFull, .cardFailed, .cut, .failed: true
    }
  }
}

/// How far the recording can be trusted.
public struct Integrity: Equatable, Codable, Sendable {
  public var device: String
  public var gaps: [Gap]
  public var clippedFrames: Int64
  /// In hundredths of a decibel below full scale; nil when not measured.
  public var peakMillibels: Int?
  /// Integrated loudness in hundredths of LUFS; nil when not measured or too short.
  public var loudnessCentiLUFS: Int?
  public var microphoneSeemsDead: Bool
  /// The channel that was silent for a while, of several, counted from 1.
  public var deadChannel: Int?
  public var stopReason: StopReason?
  /// How many bytes a repair cut off, because they were no whole page; nil if never repaired.
  public var recoveredCutBytes: Int64?
  /// The card could not write the end of the file. The end is written when the card works again;
  /// until then the length is that of the written part.
  public var endIsOwed: Bool

  public init(
    device: String = "", gaps: [Gap] = [], clippedFrames: Int64 = 0, peakMillibels: Int? = nil,
    loudnessCentiLUFS: Int? = nil, microphoneSeemsDead: Bool = false, deadChannel: Int? = nil,
    stopReason: StopReason? = nil, recoveredCutBytes: Int64? = nil, endIsOwed: Bool = false
  ) {
    self.device = device
    self.gaps = gaps
    self.clippedFrames = clippedFrames
    self.peakMillibels = peakMillibels
    self.loudnessCentiLUFS = loudnessCentiLUFS
    self.microphoneSeemsDead = microphoneSeemsDead
    self.deadChannel = deadChannel
    self.stopReason = stopReason
    self.recoveredCutBytes = recoveredCutBytes
    self.endIsOwed = endIsOwed
  }
}
