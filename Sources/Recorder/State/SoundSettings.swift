// What the configuration says of the sound that is not the recording: what is heard of the
// appliance itself, and how the sound card's own controls are set. Plain values; the sound room
// carries them out.

public struct SoundSettings: Equatable, Codable, Sendable {
  public var tones = ToneSettings()
  /// A sound file that is played before a recording begins; nil for none.
  public var greeting: String?
  /// Set when a device is opened: a card forgets them when it loses power.
  public var levels: [MixerLevel] = []

  public init() {}
}

/// What is heard for each tone.
public struct ToneSettings: Equatable, Codable, Sendable {
  public enum Choice: Equatable, Codable, Sendable {
    case builtIn, off
    /// Anything that can be played. It is kept in memory, decoded.
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

/// One control of a sound card's mixer and what it should be.
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
  /// None to leave it, one for all channels, or left and right.
  public var values: [Value] = []
  /// On or off; nil to leave it.
  public var isOn: Bool?

  public init(_ control: String, _ direction: Direction) {
    self.control = control
    self.direction = direction
  }
}
