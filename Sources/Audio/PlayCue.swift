// The settings of the deck, and what it remembers of the loaded recording: plain values, for the
// deck's thread.
import Recorder

/// The settings of the player.
public struct PlaySettings: Sendable {
  /// Opens a recording for reading, on a thread that may wait.
  public var open: OpenRecording
  public var tones: ToneSettings
  /// Played before a recording; nil for none.
  public var greeting: String?
  /// The volume until a command changes it.
  public var volumePercent: Int
  /// Whether the device can play while it records; the heart is told so.
  public var playsWhileRecording: Bool
  /// If sound is late, give the speaker nothing rather than silence: for a virtual speaker that
  /// takes sound faster than it is heard.
  public var speakerWaits: Bool
  /// Priority of the playback thread, below that of the capture thread; nil for an ordinary one.
  public var realtimePriority: Int?

  public init(
    open: @escaping OpenRecording, tones: ToneSettings = ToneSettings(), volumePercent: Int = 80,
    playsWhileRecording: Bool = true, speakerWaits: Bool = false, realtimePriority: Int? = 40
  ) {
    self.open = open
    self.tones = tones
    self.volumePercent = volumePercent
    self.playsWhileRecording = playsWhileRecording
    self.speakerWaits = speakerWaits
    self.realtimePriority = realtimePriority
  }
}

struct LoadedCue: Sendable {
  /// A frame number and its rate. It is not converted: a number converted there and back may be
  /// another.
  struct Place: Equatable, Sendable {
    var frame: Int64
    var rate: Int

    func frame(atRate other: Int) -> Int64 { scaledUp(frame, from: rate, to: other) }
  }

  /// A frame at the speaker's rate, when it is heard, and when the heart was told so.
  struct Told: Equatable, Sendable {
    var frame: Int64
    var nanoseconds: Int64
    var toldAt: Int64
  }

  let cue: Cue
  let name: String
  var isPaused: Bool
  /// True until the mixer reports where it paused.
  var isPausing = false
  /// Where playback goes on.
  var place: Place
  var anchor: Told?
  /// When the last frame will have been heard.
  var endsAt: Int64?
  /// The take, if this is the greeting before one, which the heart does not know as a recording.
  var greets: ItemID?

  /// Returns the greeting in a file, whose length is unknown.
  static func greeting(_ take: ItemID, path: String, rate: Int) -> LoadedCue {
    let cue = Cue(id: take, item: take, startFrame: 0, lengthFrames: 0, rate: rate)
    var loaded = LoadedCue(cue, name: path, isPaused: false)
    loaded.greets = take
    return loaded
  }

  init(_ cue: Cue, name: String, isPaused: Bool) {
    self.cue = cue
    self.name = name
    self.isPaused = isPaused
    place = Place(frame: cue.startFrame, rate: max(1, cue.rate))
  }

  var rate: Int { max(1, cue.rate) }

  /// Where playback goes on, in the cue's own frames.
  var frame: Int64 { scaledDown(place.frame, from: place.rate, to: rate) }

  mutating func goTo(_ frame: Int64) {
    place = Place(frame: max(0, frame), rate: rate)
    (anchor, endsAt) = (nil, nil)
  }

  /// Returns what to report if the file had only `frames`; nil if less than a second is missing.
  func shortage(_ frames: Int64) -> String? {
    let missing = Frames.milliseconds(cue.lengthFrames - frames, rate: rate)
    if missing < 1_000 { return nil }
    return "\(name) ends \(missing / 1_000) s before its end: the rest of the file is missing."
  }
}
