// Proves that a track's signal is the channels it asks for, louder or without low frequencies as it
// asks for, and otherwise the device's to the bit.

import Glibc
import Sounds
import Testing

@testable import Tape

@Suite struct TrackFilterTests {
  private func apply<Element: BitwiseCopyable>(
    _ filter: inout TrackFilter, to samples: [Element], blockSamples: Int = .max
  ) -> [Element] {
    var result: [Element] = []
    var rest = samples[...]
    while !rest.isEmpty {
      Array(rest.prefix(blockSamples)).withUnsafeBytes { block in
        filter.apply(to: block) { result += $0.bindMemory(to: Element.self) }
      }
      rest = rest.dropFirst(blockSamples)
    }
    return result
  }

  @Test("all channels in order, without gain or low cut, are the device's own bytes")
  func identity() {
    let samples = Signals.noise(count: 6_000, height: 32_767)
    var filter = TrackFilter(channels: [0, 1, 2], of: 3, float: false, sampleRate: 48_000)
    let isIdentity = filter.isIdentity
    #expect(isIdentity)
    samples.withUnsafeBytes { bytes in
      var passed: [UnsafeRawBufferPointer] = []
      filter.apply(to: bytes) { passed.append($0) }
      // The same memory, in one piece
      #expect(passed.count == 1 && passed[0].baseAddress == bytes.baseAddress)
      #expect(passed[0].count == bytes.count)
    }
  }

  @Test("channels come in the order of the track, bit for bit", arguments: [1, 8, 1_000, 1 << 20])
  func order(blockFrames: Int) {
    let whole = Signals.noise(count: 8 * 5_000, height: 32_767)
    let floats = whole.map { Float($0) * 1.3 }
    for channels in [[0], [7], [1, 0], [6, 2, 2], Array((0..<8).reversed()), Array(0..<7)] {
      var one = TrackFilter(channels: channels, of: 8, float: false, sampleRate: 48_000)
      var other = TrackFilter(channels: channels, of: 8, float: true, sampleRate: 48_000)
      let isIdentity = one.isIdentity || other.isIdentity
      #expect(!isIdentity)
      let expected = (0..<5_000).flatMap { frame in channels.map { whole[frame * 8 + $0] } }
      let heard = apply(&one, to: whole, blockSamples: 8 * blockFrames)
      #expect(heard == expected)
      let expectedFloats = (0..<5_000).flatMap { frame in channels.map { floats[frame * 8 + $0] } }
      let heardFloats = apply(&other, to: floats, blockSamples: 8 * blockFrames)
      #expect(heardFloats == expectedFloats)
    }
  }

  @Test("a gain is rounded to the nearest step, and saturates instead of wrapping")
  func gain() {
    var louder = TrackFilter(
      channels: [0], of: 1, float: false, sampleRate: 48_000, gainMillibels: 2_000)
    let samples: [Int16] = [0, 1, -1, 3_276, 3_277, -3_276, -3_277, .max, .min]
    let loud = apply(&louder, to: samples)
    #expect(loud == [0, 10, -10, 32_760, 32_767, -32_760, -32_768, .max, .min])
    var quieter = TrackFilter(
      channels: [0], of: 1, float: false, sampleRate: 48_000, gainMillibels: -2_000)
    let quiet = apply(&quieter, to: [4, 6, -4, -6, 26] as [Int16])
    #expect(quiet == [0, 1, 0, -1, 3])
    var float = TrackFilter(
      channels: [1], of: 2, float: true, sampleRate: 48_000, gainMillibels: 2_000)
    let unlimited = apply(&float, to: [9, 0.25, 9, -2] as [Float])
    #expect(unlimited == [2.5, -20])
  }

  /// The gain of Butterworth's high-pass of the second order, as the bilinear transform has it.
  private func analytic(_ hertz: Double, cut: Int, rate: Int) -> Double {
    let ratio = tan(.pi * Double(cut) / Double(rate)) / tan(.pi * hertz / Double(rate))
    return 1 / (1 + pow(ratio, 4)).squareRoot()
  }

  /// The gain of a filter for a tone, once it has settled.
  private func measured(_ hertz: Double, cut: Int, rate: Int, channel: Int) -> Double {
    var filter = TrackFilter(
      channels: [channel], of: 2, float: true, sampleRate: rate, lowCutHertz: cut)
    let frames = 2 * rate
    let samples = (0..<frames).flatMap { frame -> [Float] in
      let tone = Float(0.5 * sin(2 * .pi * hertz * Double(frame) / Double(rate)))
      return channel == 0 ? [tone, 0.1] : [0.1, tone]
    }
    let heard = apply(&filter, to: samples, blockSamples: 2 * 777)
    // Over the last second, which is a whole number of periods
    var (sine, cosine) = (0.0, 0.0)
    for frame in rate..<frames {
      let angle = 2 * .pi * hertz * Double(frame) / Double(rate)
      sine += Double(heard[frame]) * sin(angle)
      cosine += Double(heard[frame]) * cos(angle)
    }
    return (sine * sine + cosine * cosine).squareRoot() / (0.25 * Double(rate))
  }

  @Test("a low cut attenuates as Butterworth's does", arguments: [16_000, 48_000, 192_000])
  func response(rate: Int) {
    for cut in [20, 80, 300] {
      for hertz in [10.0, 20, 40, 80, 150, 300, 1_000, 7_000] {
        let (ours, theirs) = (
          measured(hertz, cut: cut, rate: rate, channel: cut == 80 ? 1 : 0),
          analytic(hertz, cut: cut, rate: rate)
        )
        #expect(abs(20 * log10(ours / theirs)) < 0.02, "\(cut) Hz at \(hertz): \(ours), \(theirs)")
      }
    }
    #expect(abs(20 * log10(analytic(80, cut: 80, rate: 48_000)) + 3.01) < 0.01)
  }

  @Test("an offset is filtered out, whatever the blocks, and each channel by itself")
  func blocks() {
    let noise = Signals.noise(count: 40_000, height: 3_000)
    let samples = noise.enumerated().map { $1 + ($0 % 2 == 0 ? 5_000 : -9_000) }
    var whole = TrackFilter(
      channels: [0, 1], of: 2, float: false, sampleRate: 48_000, lowCutHertz: 100)
    let expected = apply(&whole, to: samples)
    for frames in [1, 7, 1_024, 1_025] {
      var filter = TrackFilter(
        channels: [0, 1], of: 2, float: false, sampleRate: 48_000, lowCutHertz: 100)
      let heard = apply(&filter, to: samples, blockSamples: 2 * frames)
      #expect(heard == expected, "\(frames) frames at a time")
    }
    for channel in [0, 1] {
      var alone = TrackFilter(
        channels: [channel], of: 2, float: false, sampleRate: 48_000, lowCutHertz: 100)
      let heard = apply(&alone, to: samples)
      #expect(heard == stride(from: channel, to: expected.count, by: 2).map { expected[$0] })
      let mean = heard.suffix(10_000).reduce(0) { $0 + Int($1) } / 10_000
      #expect(abs(mean) < 20, "\(mean)")
    }
  }

  @Test("a broken sample is forgotten, and so is sound that has faded")
  func settling() {
    var filter = TrackFilter(
      channels: [0], of: 1, float: true, sampleRate: 48_000, lowCutHertz: 100)
    _ = apply(&filter, to: [0.5, .greatestFiniteMagnitude, .infinity, .nan] as [Float])
    let silence = apply(&filter, to: [Float](repeating: 0, count: 10))
    #expect(silence == [Float](repeating: 0, count: 10))
    _ = apply(&filter, to: [1e-35] as [Float])
    let faded = apply(&filter, to: [0] as [Float])
    #expect(faded == [0])
  }
}
