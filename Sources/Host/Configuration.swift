// The configuration file as one checked value. Its defaults are those of a recorder with one USB
// microphone and no wiring. Plain values, for any thread; read by ConfigurationReader and applied
// by the daemon, which assembles the rooms.
import Catalogue
import Recorder
import Tape

/// The configuration, read and checked.
public struct Configuration: Equatable, Sendable {
  public var settings = Settings()
  /// The ALSA names of the microphone and the speaker.
  public var device = "auto"
  public var output = "auto"
  public var channels = 1
  public var sampleRate = 48_000
  /// Which of the device's channels are recorded, counted from 0; if empty, the first ones.
  public var pick: [Int] = []
  public var opus = OpusSettings()
  /// What a take is made of; if empty, one Opus track.
  public var tracks: [TrackConfiguration] = []
  public var syncMilliseconds: Int64 = 1000
  /// How much sound is kept in memory while the card stalls.
  public var stallMilliseconds: Int64 = 600_000
  public var panel = PanelConfiguration()
  public var console = SerialConfiguration()
  public var socket = SocketConfiguration()
  public var hooks = HookConfiguration()
  public var metrics = MetricsConfiguration()
  /// The bindings in the file; the settings have them merged with the defaults.
  var bindingLines: [BindingLine] = []
  /// The language of the screens; `auto` is that of the environment.
  public var language = LanguageChoice.auto

  public init() {}

  /// Updates what depends on several keys.
  mutating func settle() {
    settings.bindings = BindingLine.bindings(
      bindingLines, seekMilliseconds: settings.seekMilliseconds)
    settings.bitsPerSecond = Int64(formats.reduce(0) { $0 + $1.bitsPerSecond })
  }

  /// Set in the settings as well, which compute the remaining time from it.
  var bitsPerSecond: Int {
    get { opus.bitsPerSecond }
    set {
      opus.bitsPerSecond = newValue
      settings.bitsPerSecond = Int64(newValue)
    }
  }
}

/// The serial console in the configuration.
public struct SerialConfiguration: Equatable, Sendable {
  public enum Access: String, CaseIterable, Sendable { case off, status, control }

  /// Nil for none.
  public var port: String? = "/dev/ttyGS0"
  public var access = Access.control

  public init() {}
}

/// The control socket in the configuration.
public struct SocketConfiguration: Equatable, Sendable {
  public var group = "reel"
  public var access = SerialConfiguration.Access.control

  public init() {}
}

/// Programs that are run on events.
public struct HookConfiguration: Equatable, Sendable {
  public var directory: String? = "/etc/reel/hooks"
  public var limitMilliseconds: Int64 = 60_000

  public init() {}
}

/// The file for metrics, if any, and how often it is written.
public struct MetricsConfiguration: Equatable, Sendable {
  public var file: String?
  public var everyMilliseconds: Int64 = 15_000

  public init() {}
}
