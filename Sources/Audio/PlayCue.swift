// What the deck remembers of the recording that is on it, and what it may be told from outside:
// plain values, for the deck's thread.
import Recorder

/// What is set before playing begins.
public struct PlaySettings: Sendable {
  /// Where the recordings are.
  public var directory: String
  public var tones: ToneSettings
  /// Played before a recording; nil for none.
  public var greeting: String?
  /// Until a command says otherwise.
  public var volumePercent: Int
  /// What the device can, as the heart is told.
  public var playsWhileRecording: Bool
  /// Where sound is not there in time, give the speaker nothing rather than silence: for one that
  /// takes sound faster than it is heard.
  public var speakerWaits: Bool
  /// Of the playback thread, below that of the capture thread; nil for an ordinary one.
  public var realtimePriority: Int?

  public init(
    directory: String, tones: ToneSettings = ToneSettings(), volumePercent: Int = 80,
    playsWhileRecording: Bool = true, speakerWaits: Bool = false, realtimePriority: Int? = 40
  ) {
    self.directory = directory
    self.tones = tones
    self.volumePercent = volumePercent
    self.playsWhileRecording = playsWhileRecording
    self.speakerWaits = speakerWaits
    self.realtimePriority = realtimePriority
  }
}

struct LoadedCue: Sendable {
  /// A frame number at the rate it was counted at: kept so, because a number that was converted
  /// there and back may be another.
  struct Place: Equatable, Sendable {
    var frame: Int64
    var rate: Int

    func frame(atRate other: Int) -> Int64 { scaledUp(frame, from: rate, to: other) }
  }

  /// A frame at the speaker's rate and when it is heard, as the heart was told.
  struct Told: Equatable, Sendable {
    var frame: Int64
    var nanoseconds: Int64
    var toldAt: Int64
  }

  let cue: Cue
  let name: String
  var isPaused: Bool
  /// The mixer has not said yet where it paused.
  var isPausing = false
  /// Where it goes on.
  var place: Place
  var anchor: Told?
  /// When the last frame has been heard.
  var endsAt: Int64?
  /// It is the greeting before this take, not a recording that the heart knows of.
  var greets: ItemID?

  /// The greeting in this file, whose length nobody has told.
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

  /// Where it goes on, in the cue's own frames.
  var frame: Int64 { scaledDown(place.frame, from: place.rate, to: rate) }

  mutating func goTo(_ frame: Int64) {
    place = Place(frame: max(0, frame), rate: rate)
    (anchor, endsAt) = (nil, nil)
  }

  /// What to say if so many frames were all there was.
  func shortage(_ frames: Int64) -> String? {
    let missing = Frames.milliseconds(cue.lengthFrames - frames, rate: rate)
    if missing < 1_000 { return nil }
    return "\(name) ends \(missing / 1_000) s before its end: the rest of the file is missing."
  }
}
