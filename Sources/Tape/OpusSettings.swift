// How to encode a recording, and whether that can be done, in sentences for users. Any thread; it
// never calls a library.

/// Settings of the encoder.
public struct OpusSettings: Equatable, Sendable {
  public enum BitrateMode: Sendable { case variable, constrained, constant }
  public enum Application: Sendable { case audio, voice, lowDelay }

  /// Input rate in frames a second. Rates that Opus does not have are resampled.
  public var sampleRate = 48_000
  public var channels = 1
  /// Of Reel's Opus files; what is encoded from more is mixed.
  public static let mostChannels = 2
  public var bitsPerSecond = 64_000
  public var bitrateMode = BitrateMode.constrained
  /// 0 is cheapest, 10 is best.
  public var complexity = 10
  public var application = Application.audio
  public var frameMicroseconds = 20_000
  /// The most sound a page may hold, which is what a killed process can lose.
  public var pageMilliseconds = 200

  public init() {}

  static let opusRates = [8_000, 12_000, 16_000, 24_000, 48_000]
  static let frameLengthsMicroseconds = [2_500, 5_000, 10_000, 20_000, 40_000, 60_000]

  /// The rate the encoder runs at.
  public var encoderRate: Int { Self.opusRates.contains(sampleRate) ? sampleRate : 48_000 }

  var framesPerPacket: Int { encoderRate / 1_000 * frameMicroseconds / 1_000 }
  /// Length of a packet on Opus' own clock, which always runs at 48 kHz.
  var ticksPerPacket: Int { 48 * frameMicroseconds / 1_000 }
  var packetsPerPage: Int { max(1, pageMilliseconds * 1_000 / frameMicroseconds) }
  /// libopus splits longer packets into 20 ms frames of at most 1,275 bytes each.
  var largestPacketByteCount: Int { 1_275 * max(1, frameMicroseconds / 20_000) + 8 }

  /// Throws if a setting is out of range; the sentence says what is allowed.
  public func validate() throws(TapeError) {
    let limits: [(Bool, String)] = [
      ((4_000...384_000).contains(sampleRate), "a sample rate from 4000 to 384000 Hz"),
      ((1...2).contains(channels), "one or two channels"),
      ((6_000...510_000).contains(bitsPerSecond), "a bitrate from 6000 to 510000 bits a second"),
      ((0...10).contains(complexity), "a complexity from 0 to 10"),
      (
        Self.frameLengthsMicroseconds.contains(frameMicroseconds),
        "a frame length of 2.5, 5, 10, 20, 40 or 60 ms"
      ),
      (
        (1...200).contains(pageMilliseconds) && pageMilliseconds * 1_000 >= frameMicroseconds,
        "a page length of at most 200 ms and at least one frame"
      ),
    ]
    for (holds, wanted) in limits where !holds {
      throw TapeError(.badSettings, "Opus needs \(wanted); \(self) asks for something else.")
    }
  }
}

extension OpusSettings: CustomStringConvertible {
  public var description: String {
    "\(sampleRate) Hz, \(channels) channels, \(bitsPerSecond) bits a second, complexity "
      + "\(complexity), frames of \(Double(frameMicroseconds) / 1_000) ms, "
      + "pages of \(pageMilliseconds) ms"
  }
}

/// Converts a position at `rate` to Opus' 48 kHz clock. Always counted from the start of the
/// recording, so that rounding errors do not add up.
func ticks(_ frames: Int64, rate: Int) -> Int64 {
  (frames * 48_000 + Int64(rate / 2)) / Int64(rate)
}

/// Converts a position from one rate to another, to the nearest frame. A hostile file may have any.
public func scaled(_ frames: Int64, from rate: Int, to other: Int) -> Int64 {
  if rate == other || rate <= 0 { return frames }
  let (whole, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
  let (most, isTooMuch) = whole.multipliedReportingOverflow(by: Int64(other))
  return isTooMuch ? .max : most &+ (rest * Int64(other) + Int64(rate / 2)) / Int64(rate)
}
