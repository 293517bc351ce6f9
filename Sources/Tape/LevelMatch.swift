// Measures how one channel of a safety track is to be amplified so that it is the same channel of
// the main track. The thread that examines a recording calls it; memory is fixed.
//
// Frames are chosen by the main track's value, far below full scale, where a preamplifier is still
// linear. The regression is that of the safety track on the main one: choosing frames by the
// independent value and noise of the dependent one do not bias its slope. Windows are sorted by
// their power in classes of 6 dB, and the loudest ones are used, in which the safety track lies
// highest above its noise.

import Glibc

/// How a channel of the safety track becomes one of the main track: `gain * sample + offset`.
struct LevelMatch: Equatable, Sendable {
  /// Negative if one of the two is wired with the other polarity.
  var gain: Float
  /// Converters have small offsets of their own, which `gain` makes larger.
  var offset: Float

  /// How much higher the safety track is recorded, in hundredths of a decibel: below 0 if all is
  /// as it should be.
  var levelMillibels: Int { Int((-2_000 * log10(Double(abs(gain)))).rounded()) }
}

/// Sums from which the match of one channel is computed.
struct LevelMeasure: Sendable {
  /// Frames above these are left out.
  private static let mostMain: Float = 0.7
  private static let mostSafety: Float = 0.9
  /// The quietest class begins at -60 dBFS.
  private static let classes = 10
  /// What has less in common than this is not the same sound.
  static let leastCorrelation = 0.9

  private var classes = Array(repeating: Sums(), count: Self.classes)
  private let sampleRate: Int

  private struct Sums: Sendable {
    var count = 0.0
    var main = 0.0
    var safety = 0.0
    var mainSquares = 0.0
    var safetySquares = 0.0
    var products = 0.0

    var mainVariance: Double { mainSquares - main * main / count }
    var safetyVariance: Double { safetySquares - safety * safety / count }
    var covariance: Double { products - main * safety / count }

    mutating func add(_ other: Sums) {
      count += other.count
      main += other.main
      safety += other.safety
      mainSquares += other.mainSquares
      safetySquares += other.safetySquares
      products += other.products
    }
  }

  enum Outcome: Equatable {
    case match(LevelMatch)
    case tooLittle, unlike
  }

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Adds a window of both tracks, of some milliseconds; samples are finite.
  mutating func add(
    _ main: UnsafePointer<Float>, _ safety: UnsafePointer<Float>, frames: Int, stride: Int
  ) {
    var sums = Sums()
    for frame in 0..<frames {
      let (one, other) = (main[frame &* stride], safety[frame &* stride])
      guard abs(one) <= Self.mostMain, abs(other) <= Self.mostSafety else { continue }
      let (x, y) = (Double(one), Double(other))
      sums.count += 1
      sums.main += x
      sums.safety += y
      sums.mainSquares += x * x
      sums.safetySquares += y * y
      sums.products += x * y
    }
    guard sums.count > 0, sums.mainVariance > 0 else { return }
    // A class is 6 dB: the exponent of the power counts 3 dB.
    let number = max(0, -(sums.mainVariance / sums.count).exponent / 2)
    if number < classes.count { classes[number].add(sums) }
  }

  /// The match from the loudest second, or from what there is if it is less.
  var outcome: Outcome {
    var sums = Sums()
    for next in classes where sums.count < Double(sampleRate) { sums.add(next) }
    guard sums.count >= Double(sampleRate) / 50, sums.mainVariance > 0 else { return .tooLittle }
    guard sums.safetyVariance > 0 else { return .unlike }
    let correlation =
      sums.covariance / (sums.mainVariance.squareRoot() * sums.safetyVariance.squareRoot())
    guard abs(correlation) >= Self.leastCorrelation else { return .unlike }
    let gain = sums.mainVariance / sums.covariance
    let offset = (sums.main - gain * sums.safety) / sums.count
    guard abs(gain) <= 1e4, offset.isFinite else { return .unlike }
    return .match(LevelMatch(gain: Float(gain), offset: Float(offset)))
  }
}
