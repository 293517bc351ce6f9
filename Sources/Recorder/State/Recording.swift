// One recording as the library knows it: what people typed, what the sound path measured, and how
// much of it can be believed. Plain values; the sound itself is a file that the card knows.

public struct Recording: Equatable, Codable, Sendable, Identifiable {
  public let id: ItemID
  public internal(set) var folder: ItemID
  /// Never repeats on a card, whatever the clock says. A take that begins while the card is being
  /// opened has none until then.
  public internal(set) var sequence: Int
  public internal(set) var title: String
  /// The title was made of the time, and follows when the time is put right.
  public internal(set) var titleIsDefault: Bool
  public internal(set) var began: Moment
  public internal(set) var stage: Stage
  /// Its file's name within its folder, chosen by the card; nil until the card has made it.
  public internal(set) var file: String?
  public internal(set) var sound: Sound
  public internal(set) var isHeard: Bool
  public internal(set) var marks: [Mark]
  public internal(set) var integrity: Integrity
  /// The part of the same take that came before: a split, or the device was away.
  public let continues: ItemID?
  /// The part number, from 1.
  public let part: Int
  /// Where it was before it was thrown away.
  public internal(set) var thrownFrom: ItemID?
  public internal(set) var revision: UInt64

  public init(
    id: ItemID, folder: ItemID, sequence: Int, title: String, titleIsDefault: Bool = false,
    began: Moment, stage: Stage = .finished, file: String? = nil, sound: Sound = Sound(),
    isHeard: Bool = false, marks: [Mark] = [], integrity: Integrity = Integrity(),
    continues: ItemID? = nil, part: Int = 1, thrownFrom: ItemID? = nil
  ) {
    self.id = id
    self.folder = folder
    self.sequence = sequence
    self.title = title
    self.titleIsDefault = titleIsDefault
    self.began = began
    self.stage = stage
    self.file = file
    self.sound = sound
    self.isHeard = isHeard
    self.marks = marks
    self.integrity = integrity
    self.continues = continues
    self.part = part
    self.thrownFrom = thrownFrom
    self.revision = 0
  }

  public enum Stage: String, Codable, Sendable {
    /// Being recorded.
    case recording
    /// The take has ended; its last pages are on their way to the card.
    case closing
    case finished
    /// A take that was cut short by a power cut or a crash, and mended.
    case recovered
  }

  public var lengthMilliseconds: Int64 { Frames.milliseconds(sound.frames, rate: sound.rate) }

  /// Finished one way or the other: it can be played, moved and thrown away.
  public var isSettled: Bool { stage == .finished || stage == .recovered }

  /// A take that the card does not know of, because it is not open yet.
  var waitsForCard: Bool { sequence == 0 && !isSettled }
}

/// The measures of the sound.
public struct Sound: Equatable, Codable, Sendable {
  public var frames: Int64
  public let rate: Int
  public let channels: Int
  public var sizeBytes: Int64

  /// Every Opus file plays at 48 kHz, whatever its device ran at.
  public static let fileRate = 48_000

  public init(frames: Int64 = 0, rate: Int = fileRate, channels: Int = 1, sizeBytes: Int64 = 0) {
    self.frames = max(0, frames)
    self.rate = rate
    self.channels = channels
    self.sizeBytes = sizeBytes
  }
}

/// A place in a recording that somebody pointed at.
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
    /// A power cut tore it out of the file: nothing stands in its place.
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
  /// The next part goes on at the next frame.
  case split
  case deviceLost
  case cardFull
  case cardFailed
  case shutdown
  /// Nobody could say: the power went, or the daemon died.
  case cut
  /// The sound path failed in a way it has no better word for.
  case failed

  /// Whether the person at the panel would say that the take was cut short.
  public var isCutShort: Bool {
    switch self {
    case .pressed, .split, .shutdown: false
    case .deviceLost, .cardFull, .cardFailed, .cut, .failed: true
    }
  }
}

/// What the recorder vouches for, and what it does not.
public struct Integrity: Equatable, Codable, Sendable {
  public var device: String
  public var gaps: [Gap]
  public var clippedFrames: Int64
  /// In hundredths of a decibel below full scale; nil when not measured.
  public var peakCentibels: Int?
  /// Integrated loudness in hundredths of LUFS; nil when not measured or too short.
  public var loudnessCentiLUFS: Int?
  public var microphoneSeemsDead: Bool
  public var stopReason: StopReason?
  /// Mended after it was cut short: how much of its file was no whole page and had to go.
  public var recoveredCutBytes: Int64?
  /// The card did not take the end of its file. It is given to it when the card works again; until
  /// then the length is what was written.
  public var endIsOwed: Bool

  public init(
    device: String = "", gaps: [Gap] = [], clippedFrames: Int64 = 0, peakCentibels: Int? = nil,
    loudnessCentiLUFS: Int? = nil, microphoneSeemsDead: Bool = false,
    stopReason: StopReason? = nil, recoveredCutBytes: Int64? = nil, endIsOwed: Bool = false
  ) {
    self.device = device
    self.gaps = gaps
    self.clippedFrames = clippedFrames
    self.peakCentibels = peakCentibels
    self.loudnessCentiLUFS = loudnessCentiLUFS
    self.microphoneSeemsDead = microphoneSeemsDead
    self.stopReason = stopReason
    self.recoveredCutBytes = recoveredCutBytes
    self.endIsOwed = endIsOwed
  }
}
