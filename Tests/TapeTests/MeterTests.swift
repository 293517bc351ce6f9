// Proves that the meters measure the sound right in blocks of any size, and that the outline equals
// plain sums.

import CEbur128
import Sounds
import Testing

@testable import Tape

@Suite struct MeterTests {
  private func inBlocks<Element>(
    _ samples: [Element], of count: Int, _ body: (UnsafeBufferPointer<Element>) -> Void
  ) {
    samples.withUnsafeBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: count) {
        body(UnsafeBufferPointer(rebasing: all[start..<min(all.count, start + count)]))
      }
    }
  }

  @Test func theOutlineIsTheSameWhateverTheBlocks() {
    // Given two channels of sound with a click, when they are added in blocks of any size
    let samples = Signals.sweep(frames: 100_000, channels: 2, clicks: [70_000])
    for block in [2, 222, 960, 200_000] {
      var outline = Outline(frames: 100_000, channels: 2, points: 64)
      inBlocks(samples, of: block) { outline.add($0) }
      // Then each point equals plain sums, and the click shows where it is
      #expect(outline.largest.count == 64 && outline.addedFrames == 100_000)
      for point in 0..<64 {
        let part = samples[2 * (point * 100_000 / 64)..<2 * ((point + 1) * 100_000 / 64)]
        let sum = part.reduce(0.0) { $0 + Double($1) * Double($1) }
        #expect(outline.largest[point] == part.reduce(0) { max($0, abs(Int($1))) })
        #expect(outline.effective[point] == Int((sum / Double(part.count)).squareRoot().rounded()))
      }
      #expect(outline.largest[70_000 * 64 / 100_000] == Int(Signals.clickHeight))
    }
  }

  @Test func anOutlineHasNoMorePointsThanFramesAndTakesSoundThatIsLongerOrShorterThanSaid() {
    var outline = Outline(frames: 3, channels: 1, points: 10)
    inBlocks([Int16](arrayLiteral: -32_768, 2, 3, -4, 5), of: 2) { outline.add($0) }
    #expect(outline.largest == [32_767, 2, 5] && outline.effective == [32_767, 2, 4])
    var short = Outline(frames: 1_000, channels: 1, points: 2)
    inBlocks([Int16](repeating: 7, count: 600), of: 100) { short.add($0) }
    #expect(short.largest == [7, 7] && short.effective == [7, 7])
    #expect(Outline(frames: 0, channels: 1, points: 5).largest == [0])
  }

  /// Measures the same with libebur128.
  private func reference(_ samples: [Int16], channels: Int, rate: Int) -> Double? {
    let mode = Int32(EBUR128_MODE_I.rawValue)
    var state = ebur128_init(UInt32(channels), UInt(rate), mode)
    guard let meter = state else { return nil }
    // Inputs of a recorder, of which none is a surround channel.
    for channel in 0..<UInt32(channels > 2 ? channels : 0) {
      ebur128_set_channel(meter, channel, Int32(EBUR128_LEFT.rawValue))
    }
    ebur128_add_frames_short(meter, samples, samples.count / channels)
    var loudness = 0.0
    ebur128_loudness_global(meter, &loudness)
    ebur128_destroy(&state)
    return loudness.isFinite ? loudness : nil
  }

  private func measured(_ samples: [Int16], channels: Int, rate: Int, blocks: Int) throws -> Double?
  {
    var meter = try Loudness.open(channels: channels, sampleRate: rate)
    inBlocks(samples, of: blocks) { meter.add($0) }
    return meter.integrated
  }

  @Test(arguments: [8_000, 11_025, 16_000, 44_100, 48_000, 96_000], [1, 2, 3, 4, 5, 8])
  func loudnessIsWhatLibebur128Measures(rate: Int, channels: Int) throws {
    let samples = Signals.voice(seconds: 21, rate: rate, channels: channels)
    let ours = try #require(
      try measured(samples, channels: channels, rate: rate, blocks: 222 * channels))
    let theirs = try #require(reference(samples, channels: channels, rate: rate))
    #expect(abs(ours - theirs) < 0.1)
  }

  @Test(arguments: [8_000, 24_000, 44_100, 48_000])
  func aToneIsAsLoudAsLibebur128HasIt(rate: Int) throws {
    for hertz in [30, 60, 200, 1_000, 1_500, 2_000, 3_000, 3_900, 5_000, 9_000, 14_000, 21_000]
    where 2 * hertz < rate {
      let samples = Signals.tone(hertz: hertz, frames: rate * 3, rate: rate)
      let ours = try #require(try measured(samples, channels: 1, rate: rate, blocks: 960))
      let theirs = try #require(reference(samples, channels: 1, rate: rate))
      #expect(abs(ours - theirs) < 0.1, "\(hertz) Hz: \(ours), not \(theirs)")
    }
  }

  @Test func loudnessCanBeAskedForAtAnyTimeAndSilenceHasNone() throws {
    let samples = Signals.voice(seconds: 8, rate: 48_000, channels: 2)
    var meter = try Loudness.open(channels: 2, sampleRate: 48_000)
    var asked = meter.integrated
    #expect(asked == nil)
    let silence = [Int16](repeating: 0, count: 96_000)
    inBlocks(silence, of: 960) { meter.add($0) }
    asked = meter.integrated
    #expect(asked == nil)
    // When it is read after every block, then nothing changes
    inBlocks(samples, of: 40_000) {
      meter.add($0)
      asked = meter.integrated
    }
    let gain = meter.trackGain
    let theirs = try #require(reference(silence + samples, channels: 2, rate: 48_000))
    let ours = try #require(asked)
    #expect(abs(ours - theirs) < 0.1 && gain == Int((256 * (-23 - ours)).rounded()))
  }

  @Test func levelsTellPeakMeanAndClipping() {
    var levels = Levels(channels: 2, sampleRate: 48_000)
    var samples = [Int16](repeating: 0, count: 9_600)
    for frame in 0..<4_800 { samples[2 * frame] = frame % 2 == 0 ? 16_384 : -16_384 }
    samples[1_001] = .min
    samples[1_003] = .max
    inBlocks(samples, of: 100) { levels.add($0) }
    let reading = levels.read()
    #expect(reading.left.peak == 0.5 && abs(reading.left.rms - 0.5) < 0.0001)
    #expect(reading.right.peak == 1 && reading.clippedFrames == 2 && reading.highestPeak == 1)
    let next = levels.read()
    #expect(next.left.peak == 0 && next.left.rms == 0 && next.clippedFrames == 2)
  }

  @Test func aMicrophoneThatHearsNothingSeemsDeadUntilItDoes() {
    var levels = Levels(channels: 2, sampleRate: 8_000)
    let noise = Signals.noise(count: 8_000 * 6, height: 40)
    // Given noise on the left, and on the right the last bit of a converter around an offset
    let still = noise.map { 900 + $0 % 2 }
    let frames = zip(noise, still).flatMap { [$0, $1] }
    inBlocks(frames, of: 800) { levels.add($0) }
    var reading = levels.read()
    #expect(!reading.left.seemsDead && reading.right.seemsDead)
    // When the right side gets sound, then it is alive
    inBlocks(zip(noise, noise).flatMap { [$0, $1] }.map { Float($0) / 32_768 }, of: 800) {
      levels.add($0)
    }
    reading = levels.read()
    #expect(!reading.left.seemsDead && !reading.right.seemsDead)
  }

  @Test(arguments: [3, 4, 5, 7, 8])
  func theChannelsOfManyCountAlike(channels: Int) throws {
    // Given sound in one channel only, then its loudness is that of mono, whichever it is
    let mono = Signals.voice(seconds: 6, rate: 48_000, channels: 1)
    let alone = try #require(try measured(mono, channels: 1, rate: 48_000, blocks: 4_800))
    for channel in 0..<channels {
      let samples = Signals.placed(mono, in: channel, of: channels)
      let ours = try #require(
        try measured(samples, channels: channels, rate: 48_000, blocks: 960 * channels))
      #expect(abs(ours - alone) < 0.001, "channel \(channel): \(ours), not \(alone)")
    }
  }

  @Test(arguments: [2, 3, 8])
  func ofManyChannelsTheSilentOneIsFoundAndClippingInAnyIsCounted(channels: Int) {
    for silent in 0..<channels {
      var levels = Levels(channels: channels, sampleRate: 8_000)
      let noise = Signals.noise(count: 48_000 * channels, height: 3_000)
      var samples = noise.enumerated().map { $0 % channels == silent ? 0 : $1 }
      // Given one frame that clips in the channel after it
      let loud = (silent + 1) % channels
      samples[24_000 * channels + loud] = .min
      inBlocks(samples, of: 800 * channels) { levels.add($0) }
      let reading = levels.read()
      #expect(reading.deadChannel == silent && !reading.seemsDead)
      #expect(reading.left.seemsDead == (silent == 0) && reading.right.seemsDead == (silent == 1))
      #expect(reading.clippedFrames == 1 && reading.highestPeak == 1)
      #expect((reading.left.peak == 1) == (loud == 0) && (reading.right.peak == 1) == (loud == 1))
      #expect((reading.left.rms == 0) == (silent == 0) && (reading.right.rms == 0) == (silent == 1))
      // When all are silent, then it is the microphone
      inBlocks([Int16](repeating: 0, count: 48_000 * channels), of: 800 * channels) {
        levels.add($0)
      }
      let dead = levels.read()
      #expect(dead.seemsDead && dead.deadChannel == nil)
    }
  }
}
