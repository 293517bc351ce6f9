// Settings of the sound besides the recording: the appliance's tones and greeting, and the levels
// of the sound card's mixer. Plain values; the sound room applies them.

/// Settings of tones, greeting and mixer levels.
public struct SoundSettings: Equatable, Codable, Sendable {
  /// No start tone by default: the microphone would record it.
  public var tones = ToneSettings(started: .off)
  /// A sound file that is played before a recording begins; nil for none.
  public var greeting: String?
  /// Applied when a device is opened: a sound card forgets them when it loses power.
  public var levels: [MixerLevel] = []

  public init() {}
}

/// The sound played for each tone.
public struct ToneSettings: Equatable, Codable, Sendable {
  public enum Choice: Equatable, Codable, Sendable {
    case builtIn, off
    /// Any playable file. It is kept in memory, decoded.
    case file(String)
  }

  public var started: Choice
  public var stopped: Choice
  public var refused: Choice

  public init(
    started: Choice = .builtIn, stopped: Choice = .builtIn, refused: Choice = .builtIn
  ) {
    self.started = started
    self.stopped = stopped
    self.refused = refused
  }

  public subscript(tone: Tone) -> Choice {
    switch tone {
    case .started: started
    case .stopped: stopped
    case .refused: refused
    }
  }
}

/// One control of a sound card's mixer and its setting.
public struct MixerLevel: Equatable, Codable, Sendable {
  public enum Value: Equatable, Codable, Sendable {
    /// Of the control's range.
    case percent(Double)
    case decibels(Double)
  }

  public enum Direction: String, Codable, Sendable { case capture, playback }

  /// As `amixer scontrols` shows it, for example "Mic" or "Capture".
  public var control: String
  public var index = 0
  public var direction: Direction
  /// Empty: unchanged; one: for all channels; two: left and right.
  public var values: [Value] = []
  /// Nil: unchanged.
  public var isOn: Bool?

  public init(_ control: String, _ direction: Direction) {
    self.control = control
    self.direction = direction
  }
}
