// Proves that the parts of a split take, decoded and joined, equal the undivided take, by our own
// decoder and by others.

import Sounds
import Testing

@testable import Tape

@Suite struct SplitTests {
  struct Case: CustomTestStringConvertible {
    var settings: OpusSettings
    var splits: [Int]
    var testDescription: String { "\(settings), split at \(splits)" }

    static let all: [Case] =
      [8_000, 16_000, 24_000, 48_000, 44_100].flatMap { rate in
        [1, 2].map { Case(settings: .clear(rate, channels: $0), splits: [rate + 77, 2 * rate]) }
      }
      + [2_500, 5_000, 10_000, 40_000, 60_000].map { microseconds in
        var settings = OpusSettings.clear(48_000)
        settings.frameMicroseconds = microseconds
        return Case(settings: settings, splits: [30_000, 60_001])
      }
      + [0, 1].map { index in
        var settings = OpusSettings.clear(48_000)
        settings.application = [.voice, .lowDelay][index]
        settings.bitsPerSecond = [20_000, 64_000][index]
        return Case(settings: settings, splits: [50_000])
      }
  }

  @Test(arguments: Case.all)
  func partsJoinedEqualTheUndividedTake(_ example: Case) throws {
    // Given a take with clicks close to where it will be split
    let (settings, splits) = (example.settings, example.splits)
    let frames = 3 * settings.sampleRate + 5
    let clicks = splits.flatMap { [$0 - 300, $0 + 300] }
    var samples = Signals.sweep(
      frames: frames, rate: settings.sampleRate, channels: settings.channels, clicks: clicks)
    let noise = Signals.noise(count: samples.count, height: 500)
    for index in samples.indices { samples[index] += noise[index] }
    // When it is recorded once whole and once split
    let whole = try Take.record(samples, settings).parts[0]
    let parts = try Take.record(samples, settings, splits: splits).parts
    // Then each part is exactly as long as it should be
    let folder = Folder()
    let bounds = ([0] + splits + [frames]).map { ticks(Int64($0), rate: settings.sampleRate) }
    #expect(parts.count == splits.count + 1)
    var joined: [Int16] = []
    for (index, part) in parts.enumerated() {
      #expect(part.isComplete && part.frames == bounds[index + 1] - bounds[index])
      let path = try folder.put(part.bytes, "\(index).opus")
      Judges.accept(path, frames: part.frames, channels: settings.channels)
      joined += Judges.opusdec(path)
    }
    // And an independent decoder gives the whole take, sample for sample
    let heard = Judges.opusdec(try folder.put(whole.bytes, "whole.opus"))
    #expect(joined.count == heard.count)
    let differences = zip(joined, heard).map { abs(Int($0) - Int($1)) }
    if settings.application == .voice {
      // Voice coding predicts from one pitch period ago, and a sweep is all pitch: a rounding
      // difference may persist. It must not be audible where the parts meet.
      for split in splits { #expect(differences[split - 10..<split + 4_800].max() ?? 0 <= 32) }
    } else {
      #expect(differences.max() ?? 0 <= 2)
    }
  }

  @Test func aSplitRightAfterTheStartOrTheEndWorks() throws {
    let samples = Signals.sweep(frames: 20_000)
    for splits in [[1], [10, 2_000], [19_999], [18_000, 19_990]] {
      let parts = try Take.record(samples, splits: splits).parts
      let bounds: [Int] = [0] + splits + [20_000]
      let lengths = zip(bounds, bounds.dropFirst()).map { Int64($1 - $0) }
      #expect(parts.map(\.frames) == lengths)
      let folder = Folder()
      for part in parts {
        Judges.accept(try folder.put(part.bytes, "a.opus"), frames: part.frames)
      }
    }
  }

  @Test func aSplitBeforeTheLastOneIsFinishedIsRefused() throws {
    #expect(throws: TapeError.self) {
      _ = try Take.record(Signals.sweep(frames: 20_000), splits: [9_000, 9_001])
    }
  }

  @Test func theOutputOfASplitTakeIsTheSameWhateverTheBlocks() throws {
    let samples = Signals.sweep(frames: 60_000)
    let one = try Take.record(samples, blocks: [960], splits: [30_001])
    let other = try Take.record(samples, blocks: [1, 700, 4_096], splits: [30_001])
    #expect(one.parts.map(\.bytes) == other.parts.map(\.bytes))
  }
}
