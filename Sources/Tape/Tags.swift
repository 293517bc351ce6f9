// A recording's tags, which are in its own file: enough to rebuild a lost index from. A plain value
// for any thread; unknown tags are kept, in order.

/// The tags of an Opus file.
public struct Tags: Equatable, Sendable {
  /// How far the wall clock could be trusted when the recording began.
  public enum TimeQuality: String, Sendable, CaseIterable {
    case synchronised, unsynchronised, corrected
  }

  /// A named position, at 48 kHz. Files keep it to the millisecond.
  public struct Mark: Equatable, Sendable {
    public var frame: Int64
    public var name: String

    public init(frame: Int64, name: String) {
      self.frame = frame
      self.name = name
    }

    /// A mark at a frame of a file that plays at `rate`.
    public init(frame: Int64, rate: Int, name: String) {
      self.init(frame: Tape.scaled(frame, from: rate, to: 48_000), name: name)
    }

    /// Where it is in a file that plays at `rate`.
    public func frame(rate: Int) -> Int64 { Tape.scaled(frame, from: 48_000, to: rate) }
  }

  /// The time of a frame: so many frames after a time of the clock. All parts of a take count from
  /// the time of the first, so that they line up to the frame at the rate of their files.
  public struct Start: Equatable, Sendable {
    /// Since 1970. The clock's time is known no better.
    public var milliseconds: Int64
    public var frames: Int64
    public var rate: Int

    public init(milliseconds: Int64, frames: Int64 = 0, rate: Int = 48_000) {
      (self.milliseconds, self.frames, self.rate) = (milliseconds, frames, rate)
    }

    /// Returns the frames since midnight, UTC, at a rate: exact to the frame after that of the
    /// clock's time if it is the rate of `frames`.
    func framesSinceMidnight(rate other: Int) -> UInt64 {
      let day = Int64(86_400_000)
      let time = ((milliseconds % day) + day) % day
      // No take is longer; an index from outside may say anything.
      let known = min(max(0, frames), 1 << 48)
      let sum = time * Int64(other) / 1_000 + scaled(known, from: rate, to: other)
      return UInt64(sum % (86_400 * Int64(other)))
    }
  }

  public struct Comment: Equatable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The library that encoded the sound.
  public var vendor = "libopus"
  public var id: String?
  public var sequence: Int?
  public var bootID: String?
  public var monotonicNanoseconds: UInt64?
  public var device: String?
  public var sampleRate: Int?
  public var channels: Int?
  public var software: String?
  public var folder: String?
  /// ISO 8601.
  public var date: String?
  public var timeQuality: TimeQuality?
  public var title: String?
  public var place: String?
  public var speaker: String?
  public var notes: String?
  /// The gain with which it plays at -23 LUFS, in 1/256 dB (R128_TRACK_GAIN).
  public var trackGain: Int?
  /// When the first frame was recorded. Broadcast WAV only.
  public var start: Start?
  public var marks: [Mark] = []
  /// What else the recorder says about the recording, under keys that begin with REEL_. The tape
  /// keeps them and does not interpret them.
  public var facts: [Comment] = []
  public var others: [Comment] = []

  public init() {}
}
