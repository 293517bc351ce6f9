// The energy of sound, weighted by ITU-R BS.1770: a shelf for the head, a high pass for the ear. It
// must cost next to nothing beside encoding. Four pieces of a recording are processed side by side,
// one in each lane of a vector. A filter's state decays fast: after a lead-in of 50 ms, a
// ten-thousandth of what came before is left. At high rates only the sum of each two frames is
// filtered. Nearly all energy of their difference is at high frequencies, where the weight is even,
// so it is weighted without a filter. That costs 0.05 LU for the worst of tones. A pure function;
// any thread.
import Glibc

struct KWeighting: Sendable {
  private let shelf: (b1: Float, b2: Float, a1: Float, a2: Float)
  private let highPass: (a1: Float, a2: Float)
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
    shelf = (
      b1: Float(2 * (k * k - high) / first), b2: Float((high - band * over + k * k) / first),
      a1: Float(2 * (k * k - 1) / whole), a2: Float((1 - over + k * k) / whole)
    )
    let divisor = { (rate: Double) in
      k = tan(.pi * 38.13547087602444 / rate)
      over = k / 0.5003270373238773
      return 1 + over + k * k
    }
    // The standard's high pass has a gain slightly above 1.
    let loud = divisor(Double(sampleRate))
    let here = divisor(rate)
    highPass = (a1: Float(2 * (k * k - 1) / here), a2: Float((1 - over + k * k) / here))
    let unit = (filtersSums ? 0.5 : 1) / (32_768.0 * 32_768.0) * loud * loud
    weight = (
      sums: Float(unit * (first / whole / here) * (first / whole / here)),
      differences: Float(unit * high * high)
    )
  }

  /// Computes the mean energy of 16 consecutive stretches, all channels added up. The lead-in lies
  /// before the first stretch.
  func energies(
    of samples: UnsafePointer<Int16>, channels: Int, leadIn: Int, stretch: Int,
    into energies: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(leadIn % 2 == 0 && stretch % 2 == 0 && energies.count == 16, "pairs, four by four")
    let lanes = Lanes(UnsafeRawPointer(samples), byteStride: 4 * stretch * channels * 2)
    var (left, right) = (Filter(), Filter())
    var next = 0
    for index in -1..<4 {
      let pairs = next..<next + (index < 0 ? leadIn : stretch) / 2
      let sum: SIMD4<Float>
      if !filtersSums {
        let words = pairs.lowerBound * channels..<pairs.upperBound * channels
        sum = everyFrame(lanes, words, isStereo: channels == 2, &left, &right)
      } else if channels == 1 {
        sum = mono(lanes, pairs, &left)
      } else {
        sum = stereo(lanes, pairs, &left, &right)
      }
      next = pairs.upperBound
      if index < 0 { continue }
      for lane in 0..<4 { energies[4 * lane + index] = sum[lane] / Float(stretch) }
    }
  }

  // Each loop is a function of its own: one for all would run out of registers.
  @inline(never)
  private func mono(
    _ lanes: Lanes, _ pairs: Range<Int>, _ filter: inout Filter
  ) -> SIMD4<Float> {
    var (sums, differences) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for index in pairs {
      let (one, other) = lanes.halves(index)
      sums += square(step(SIMD4(one &+ other), &filter))
      differences += square(SIMD4(one &- other))
    }
    return sums * weight.sums + differences * weight.differences
  }

  @inline(never)
  private func stereo(
    _ lanes: Lanes, _ pairs: Range<Int>, _ left: inout Filter, _ right: inout Filter
  ) -> SIMD4<Float> {
    var (sums, differences) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for index in pairs {
      let (one, other) = (lanes.halves(2 * index), lanes.halves(2 * index + 1))
      let low = (step(SIMD4(one.0 &+ other.0), &left), step(SIMD4(one.1 &+ other.1), &right))
      sums += square(low.0) + square(low.1)
      differences += square(SIMD4(one.0 &- other.0)) + square(SIMD4(one.1 &- other.1))
    }
    return sums * weight.sums + differences * weight.differences
  }

  @inline(never)
  private func everyFrame(
    _ lanes: Lanes, _ words: Range<Int>, isStereo: Bool, _ left: inout Filter, _ right: inout Filter
  ) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for index in words {
      let (one, other) = lanes.halves(index)
      sum += square(step(SIMD4(one), &left))
      sum += square(isStereo ? step(SIMD4(other), &right) : step(SIMD4(other), &left))
    }
    return sum * weight.sums
  }

  /// Applies both filters, in the form whose state stays small beside the signal.
  @inline(__always)
  private func step(_ input: SIMD4<Float>, _ filter: inout Filter) -> SIMD4<Float> {
    let bright = input + filter.shelf1
    filter.shelf1 = shelf.b1 * input + filter.shelf2 - shelf.a1 * bright
    filter.shelf2 = shelf.b2 * input - shelf.a2 * bright
    let output = bright + filter.pass1
    filter.pass1 = filter.pass2 - (bright + bright) - highPass.a1 * output
    filter.pass2 = bright - highPass.a2 * output
    return output
  }

  @inline(__always)
  private func square(_ values: SIMD4<Float>) -> SIMD4<Float> { values * values }

  /// The filters' state, one piece of the recording per lane.
  private struct Filter {
    var shelf1 = SIMD4<Float>.zero
    var shelf2 = SIMD4<Float>.zero
    var pass1 = SIMD4<Float>.zero
    var pass2 = SIMD4<Float>.zero
  }

  /// Where the four pieces lie. Samples are read in pairs, as one word.
  private struct Lanes {
    let start: UnsafeRawPointer
    let byteStride: Int

    init(_ start: UnsafeRawPointer, byteStride: Int) {
      self.start = start
      self.byteStride = byteStride
    }

    /// The two samples of a word of each piece.
    @inline(__always)
    func halves(_ index: Int) -> (SIMD4<Int32>, SIMD4<Int32>) {
      let place = start + 4 * index
      let words = SIMD4(
        place.loadUnaligned(as: Int32.self),
        (place + byteStride).loadUnaligned(as: Int32.self),
        (place + 2 * byteStride).loadUnaligned(as: Int32.self),
        (place + 3 * byteStride).loadUnaligned(as: Int32.self))
      return ((words &<< 16) &>> 16, words &>> 16)
    }
  }
}
