// The setup of a history: the kind of card, the sound device, the configuration. All of it follows
// from the seed. Plain values.

@testable import Audio
@testable import Library
@testable import Recorder
@testable import Tape

struct Setup {
  let card: MemoryCard.Kind
  /// Whether stamps are exact to the nanosecond and nothing jitters: then frames are checked
  /// exactly.
  let isCalm: Bool
  /// Whether packets list their frames instead of being encoded by libopus.
  let countsFrames: Bool
  let format: StreamFormat
  let record: RecordSettings
  let settings: Settings
  let playsWhileRecording: Bool
  /// Whether the board keeps the time while it is off.
  let hasClock: Bool
  /// Whether a service manager starts the daemon again after a crash.
  let isService: Bool
  let drift: Double
  /// One operation of the card in this many is slow; 0: none.
  let slowOneIn: Int
  /// Whether long waits may be shortened.
  let shortensWaits: Bool
  let keepsFlight: Bool

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9_97F4_A7C1 &+ 11)
    card = random.below(2) == 0 ? .fat : .journalling
    countsFrames = random.below(12) > 0
    isCalm = random.below(3) == 0
    drift = isCalm ? 0 : Double(random.below(101) - 50) / 1e6
    let rate = countsFrames ? 8000 : [8000, 16_000, 11_025, 48_000][random.below(4)]
    let milliseconds = [20, 20, 20, 40, 64][random.below(5)]
    format = StreamFormat(
      rate: rate, channels: 1, samples: .int16, periodFrames: rate * milliseconds / 1000)
    var settings = Self.settings(&random)
    settings.reserveBytes = 1 << 20
    self.settings = settings
    var record = RecordSettings()
    var opus = OpusSettings()
    (opus.complexity, opus.bitsPerSecond) = (0, 16_000)
    record.format = .opus(opus)
    record.prerollMilliseconds = 2000
    record.residency = .onDemand
    self.record = record
    playsWhileRecording = random.below(2) == 0
    hasClock = random.below(2) == 0
    isService = random.below(4) > 0
    slowOneIn = [0, 40, 400][random.below(3)]
    shortensWaits = random.below(8) > 0
    keepsFlight = random.below(6) == 0
  }

  /// Returns one of the ways in which users configure it.
  static func settings(_ random: inout SplitMix64) -> Settings {
    var settings = Settings()
    settings.isArmed = random.below(4) > 0
    settings.prerollMilliseconds = [2000, 2000, 500, 0][random.below(4)]
    settings.splitEveryMilliseconds = [0, 0, 0, 60_000, 600_000][random.below(5)]
    settings.reconnectMilliseconds = [300_000, 300_000, 5000, 0][random.below(4)]
    settings.whenFull = random.below(4) == 0 ? .recycleOldestHeard : .stop
    settings.bitsPerSecond = 16_000
    return settings
  }
}
