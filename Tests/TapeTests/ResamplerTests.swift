// What resampling does to single tones: how loud they are afterwards, and how much there is that
// was not in the sound.
import Glibc
import Testing

@testable import Tape

struct ResamplerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rates: (from: Int, to: Int)
    let quality: Resampler.Quality
    /// Tones that are to stay as they were, in hertz.
    let passed: [Int]

    var testDescription: String { "\(rates.from) to \(rates.to) Hz, \(quality)" }
  }

  private static let cases = [
    Case(rates: (44_100, 48_000), quality: .listening, passed: [50, 1_000, 10_000, 19_000]),
    Case(rates: (96_000, 48_000), quality: .listening, passed: [50, 1_000, 10_000, 20_000]),
    Case(rates: (48_000, 44_100), quality: .listening, passed: [50, 1_000, 10_000, 18_900]),
    Case(rates: (44_100, 48_000), quality: .archive, passed: [50, 1_000, 10_000, 20_000]),
    Case(rates: (48_000, 44_100), quality: .archive, passed: [50, 1_000, 10_000, 19_800]),
  ]

  @Test(arguments: cases)
  func tonesStayAsTheyWere(of it: Case) throws {
    for hertz in it.passed {
      let tone = try Self.resampled(hertz, it)
      #expect(abs(tone.decibels) < 0.1, "\(hertz) Hz: \(tone)")
      #expect(tone.elseDecibels < -98, "\(hertz) Hz: \(tone)")
    }
  }

  /// Given a tone that the new rate cannot hold, when the rate is lowered, then 16 bits cannot hold
  /// what is left of it.
  @Test(arguments: [Resampler.Quality.listening, .archive])
  func whatTheNewRateCannotHoldIsGone(at quality: Resampler.Quality) throws {
    let it = Case(rates: (96_000, 48_000), quality: quality, passed: [])
    #expect(try Self.resampled(25_200, it).elseDecibels < -98)
  }

  @Test func forListeningTheHighestPitchesAreLittleQuieter() throws {
    let it = Case(rates: (44_100, 48_000), quality: .listening, passed: [])
    #expect(try (-1 ... -0.5).contains(Self.resampled(20_000, it).decibels))
  }

  // MARK: Measuring

  struct Measured {
    /// Of the tone, beside what it was.
    let decibels: Double
    /// Of all else, beside what the tone was.
    let elseDecibels: Double
  }

  /// Resamples two seconds of a tone, and measures one of them, away from both ends.
  private static func resampled(_ hertz: Int, _ it: Case) throws -> Measured {
    let input = (0..<2 * it.rates.from).map {
      Float(sin(2 * .pi * Double(hertz * $0) / Double(it.rates.from)))
    }
    var output = [Float](repeating: 0, count: 2 * it.rates.to)
    let resampler = try Resampler.open(
      channels: 1, from: it.rates.from, to: it.rates.to, quality: it.quality)
    let done = output.withUnsafeMutableBufferPointer { target in
      input.withUnsafeBufferPointer { source -> (taken: Int, made: Int) in
        guard let from = source.baseAddress, let to = target.baseAddress else { return (0, 0) }
        return resampler.convert(
          from, frames: source.count, into: to, capacity: target.count)
      }
    }
    try #require(done.made > it.rates.to * 3 / 2)
    return measure(output, hertz, rate: it.rates.to)
  }

  private static func measure(_ samples: [Float], _ hertz: Int, rate: Int) -> Measured {
    let angles = (rate / 2..<rate * 3 / 2).map {
      (2 * .pi * Double(hertz * $0) / Double(rate), Double(samples[$0]))
    }
    let sine = 2 * angles.reduce(0) { $0 + sin($1.0) * $1.1 } / Double(rate)
    let cosine = 2 * angles.reduce(0) { $0 + cos($1.0) * $1.1 } / Double(rate)
    // A tone above half the rate is not in these samples: all of them are something else.
    let isHeld = 2 * hertz < rate
    let rest = angles.map { $1 - (isHeld ? sine * sin($0) + cosine * cos($0) : 0) }
    let power = rest.reduce(0) { $0 + $1 * $1 } / Double(rate)
    return Measured(
      decibels: 10 * log10(sine * sine + cosine * cosine), elseDecibels: 10 * log10(2 * power))
  }
}
