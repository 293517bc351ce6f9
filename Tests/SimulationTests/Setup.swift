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
  let encoding: Encoding
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

  /// What a take's files hold.
  enum Encoding {
    /// Opus files whose packets list their frames instead of being encoded by libopus.
    case listed
    /// What libopus encodes: which frame went where cannot be told.
    case opus
    /// What libFLAC encodes, without loss, in that many tracks of the same channel.
    case flac(tracks: Int)
  }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9_97F4_A7C1 &+ 11)
    card = random.below(2) == 0 ? .fat : .journalling
    encoding = random.below(12) > 0 ? Self.encoding(seed) : .opus
    isCalm = random.below(3) == 0
    drift = isCalm ? 0 : Double(random.below(101) - 50) / 1e6
    let rates = if case .opus = encoding { [8000, 16_000, 11_025, 48_000] } else { [8000] }
    let rate = rates.count > 1 ? rates[random.below(4)] : rates[0]
    let milliseconds = [20, 20, 20, 40, 64][random.below(5)]
    format = StreamFormat(
      rate: rate, channels: 1, samples: .int16, periodFrames: rate * milliseconds / 1000)
    var settings = Self.settings(&random)
    settings.reserveBytes = 1 << 20
    self.settings = settings
    var record = RecordSettings()
    record.tracks = Self.tracks(encoding)
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

  /// From chance of its own, so that a seed's other features stay as they were.
  private static func encoding(_ seed: UInt64) -> Encoding {
    var random = SplitMix64(seed: seed &* 0xA24B_AED4_963E_E407 &+ 23)
    return random.below(8) == 0 ? .flac(tracks: 1 + random.below(2)) : .listed
  }

  private static func tracks(_ encoding: Encoding) -> [TrackSettings] {
    var track = TrackSettings()
    guard case .flac(let count) = encoding else {
      var opus = OpusSettings()
      (opus.complexity, opus.bitsPerSecond) = (0, 16_000)
      track.format = .opus(opus)
      return [track]
    }
    var flac = FlacSettings()
    flac.level = 0
    track.format = .flac(flac)
    return (1...count).map { number in
      track.name = number == 1 ? TrackPlan.usualName : "track \(number)"
      return track
    }
  }

  /// Whether each frame can be found in the file it went to.
  var countsFrames: Bool { if case .opus = encoding { false } else { true } }

  var listsFrames: Bool { if case .listed = encoding { true } else { false } }

  /// The rate at which the files of takes play.
  var fileRate: Int64 { Int64(record.format.adapted(rate: format.rate, channels: 1).fileRate) }

  /// The encoder's look-ahead, at the rate of the file.
  var lookaheadTicks: Int64 {
    guard case .opus(let opus) = record.format.adapted(rate: format.rate, channels: 1) else {
      return 0
    }
    let lookahead = Result { () throws(TapeError) in try OpusEncoder.open(opus).lookahead }
    switch lookahead {
    case .success(let frames): return Int64(frames) * 48_000 / Int64(opus.sampleRate)
    case .failure: return 0
    }
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
