// The energy of sound, weighted by ITU-R BS.1770: a shelf for the head, a high pass for the ear. It
// must cost next to nothing beside encoding. Pieces of a recording, or its channels, are processed
// side by side, one in each lane of a vector. A filter's state decays fast: after a lead-in of 50
// ms there is only a ten-thousandth left of what came before. At high rates only the sum of each
// two frames is filtered. Nearly all energy of their difference is at high frequencies, where the
// weight is even, so it is weighted without a filter. That costs 0.05 LU for the worst of tones. A
// pure function; any thread.
import CWeighting
import Glibc

struct KWeighting: Sendable {
  private let filters: reel_filters
  /// Factors for the energies of sums and differences of 16-bit samples.
  private let weight: (sums: Float, differences: Float)

  /// False below 40 kHz: there, too much of a difference is where the weight is not even.
  private let filtersSums: Bool

  init(sampleRate: Int) {
    filtersSums = sampleRate >= 40_000
    let rate = Double(sampleRate) / (filtersSums ? 2 : 1)
    // The filters' analogue models, converted to that rate. Their first factors are taken out, and
    // are in `weight` instead.
    let high = 1.584864701130855
    let band = 1.258720930232562
    var k = tan(.pi * 1681.974450955533 / rate)
    var over = k / 0.7071752369554196
    let whole = 1 + over + k * k
    let first = high + band * over + k * k
    let shelf = (
      b1: 2 * (k * k - high) / first, b2: (high - band * over + k * k) / first,
      a1: 2 * (k * k - 1) / whole, a2: (1 - over + k * k) / whole
    )
    let divisor = { (rate: Double) in
      k = tan(.pi * 38.13547087602444 / rate)
      over = k / 0.5003270373238773
      return 1 + over + k * k
    }
    // The standard's high pass has a gain slightly above 1.
    let loud = divisor(Double(sampleRate))
    let here = divisor(rate)
    filters = reel_filters(
      shelf_b1: Float(shelf.b1), shelf_b2: Float(shelf.b2), shelf_a1: Float(shelf.a1),
      shelf_a2: Float(shelf.a2), pass_a1: Float(2 * (k * k - 1) / here),
      pass_a2: Float((1 - over + k * k) / here))
    let unit = (filtersSums ? 0.5 : 1) / (32_768.0 * 32_768.0) * loud * loud
    weight = (
      sums: Float(unit * (first / whole / here) * (first / whole / here)),
      differences: Float(unit * high * high)
    )
  }

  /// So many samples behind the last one must be readable: frames fill whole vectors.
  static let spareSamples = Int(reel_lanes)

  /// Computes the mean energy of 16 consecutive stretches, all channels added up. The lead-in lies
  /// before the first stretch.
  func energies(
    of samples: UnsafePointer<Int16>, channels: Int, leadIn: Int, stretch: Int,
    into energies: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(leadIn % 2 == 0 && stretch % 2 == 0 && energies.count == 16, "pairs, all sixteen")
    precondition((1...8).contains(channels), "as many channels as lanes")
    let pieces = channels == 1 ? 8 : channels == 2 ? 4 : channels <= 4 ? 2 : 1
    let each = 16 / pieces
    var (next, weighing) = (samples, reel_weighing())
    func weigh(_ frames: Int) -> SIMD8<Float> {
      let place = reel_pieces(
        first: next, stride_samples: each * stretch * channels, channels: CInt(channels))
      next += frames * channels
      return self.weigh(place, frames * channels, &weighing)
    }
    _ = weigh(leadIn)
    for index in 0..<each {
      let sums = weigh(stretch)
      for piece in 0..<pieces {
        var sum: Float = 0
        for channel in 0..<channels {
          sum += sums[channels == 2 ? 4 * channel + piece : 8 / pieces * piece + channel]
        }
        energies[each * piece + index] = sum / Float(stretch)
      }
    }
  }

  private func weigh(
    _ pieces: reel_pieces, _ samples: Int, _ weighing: inout reel_weighing
  ) -> SIMD8<Float> {
    let none = reel_weighing()
    (weighing.sums, weighing.differences) = (none.sums, none.differences)
    withUnsafePointer(to: filters) {
      reel_weigh($0, pieces, samples, filtersSums, &weighing)
    }
    let (sums, differences) = (Self.lanes(weighing.sums), Self.lanes(weighing.differences))
    return sums * weight.sums + differences * weight.differences
  }

  private static func lanes(_ all: (Float, Float, Float, Float, Float, Float, Float, Float))
    -> SIMD8<Float>
  {
    SIMD8(all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7)
  }
}
