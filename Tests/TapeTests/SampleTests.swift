// Proves that samples are converted and compared as plain loops do it, whatever the number of
// channels and the length of a block.

import Sounds
import Testing

@testable import Tape

@Suite struct SampleTests {
  /// Whole numbers and halves at that scale, on both sides of full scale, and what is no sample.
  private func steps(_ fullScale: Float) -> [Float] {
    let near: [Float] = [-2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3]
    let wholes: [Float] = [0, 1_000, 1_001, fullScale / 2, fullScale / 2 + 1, fullScale]
    var steps: [Float] = [1e10, 1e38, .greatestFiniteMagnitude, .infinity]
    for whole in wholes { steps += near.map { (whole + $0) / fullScale } }
    return steps + steps.map { -$0 } + [Float.nan, -Float.nan]
  }

  /// The same in another way.
  private func rounded(_ sample: Float, _ fullScale: Double) -> Int32 {
    if sample.isNaN { return Int32(fullScale) - 1 }
    let whole = (Double(sample) * fullScale).rounded(.toNearestOrEven)
    return Int32(max(-fullScale, min(fullScale - 1, whole)))
  }

  @Test func floatsAreRoundedToTheNearestAndLimited() {
    let noise = Signals.noise(count: 100_000, height: 32_767).map { Float($0) / 30_001 }
    for sample in noise + steps(32_768) + steps(8_388_608) {
      #expect(Int32(sample.bits16) == rounded(sample, 32_768), "\(sample)")
      #expect(sample.whole(fullScale: 32_768) == rounded(sample, 32_768), "\(sample)")
      #expect(sample.whole(fullScale: 8_388_608) == rounded(sample, 8_388_608), "\(sample)")
    }
  }

  @Test(arguments: 1...8)
  func theExtremesOfEachChannelAreThoseOfAPlainLoop(channels: Int) {
    let noise = Signals.noise(count: 64 * channels, height: 9_000)
    for frames in 1...40 {
      for first in 0..<8 {
        let samples = Array(noise[first * channels..<(first + frames) * channels])
        expectExtremes(samples, channels)
        expectExtremes(samples.map { Float($0) / 7_001 }, channels)
      }
    }
  }

  private func expectExtremes<S: Sample>(_ samples: [S], _ channels: Int) {
    let extremes = samples.withUnsafeBufferPointer { S.extremes(of: $0, channels: channels) }
    for channel in 0..<channels {
      let own = stride(from: channel, to: samples.count, by: channels).map { samples[$0].unit }
      let range = extremes.range(of: channel)
      #expect(range.lowest == own.min() && range.highest == own.max())
    }
  }
}
