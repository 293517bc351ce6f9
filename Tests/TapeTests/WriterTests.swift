// Proves that the writer's files are as long as their input, to the frame, with every click in
// place, for blocks of any size.

import Sounds
import Testing

@testable import Tape

@Suite struct WriterTests {
  private static let rates = [8_000, 12_000, 16_000, 24_000, 48_000, 44_100, 96_000]

  @Test(arguments: rates, [1, 2])
  func clicksComeOutAtTheirFramesAndTheLengthIsExact(rate: Int, channels: Int) throws {
    // Given a sweep with clicks, whose length is not a multiple of any packet
    let frames = rate * 2 + 777
    let clicks = [rate / 4, rate, frames - 400]
    let samples = Signals.sweep(frames: frames, rate: rate, channels: channels, clicks: clicks)
    // When it is recorded
    let take = try Take.record(samples, .clear(rate, channels: channels))
    // Then our reader and opusdec both find all of it, each click where it was
    let folder = Folder()
    let path = try folder.put(take.parts[0].bytes, "a.opus")
    let expected = Int(ticks(Int64(frames), rate: rate))
    for heard in [try decoded(path), Judges.opusdec(path)] {
      #expect(heard.count == expected * channels)
      for click in clicks {
        let place = Int(ticks(Int64(click), rate: rate))
        let found = Signals.peak(in: heard, near: place, channels: channels)
        // One frame at the lowest rate is six at 48 kHz.
        #expect(abs(found - place) <= max(1, 48_000 / rate), "click at \(place) heard at \(found)")
      }
    }
    Judges.accept(path, frames: Int64(expected), channels: channels)
  }

  @Test(arguments: [2_500, 5_000, 10_000, 20_000, 40_000, 60_000])
  func everyFrameLengthMakesPagesOfAtMostTwoHundredMilliseconds(microseconds: Int) throws {
    var settings = OpusSettings.clear(48_000)
    settings.frameMicroseconds = microseconds
    let take = try Take.record(Signals.sweep(frames: 50_001), settings)
    let sound = take.parts[0].pageEnds.dropFirst(2).map(\.frames)
    #expect(sound.last == 50_001)
    for (earlier, later) in zip([0] + sound, sound) { #expect(later - earlier <= 9_600) }
    let folder = Folder()
    Judges.accept(try folder.put(take.parts[0].bytes, "a.opus"), frames: 50_001)
  }

  @Test(arguments: [44_100, 48_000])
  func theOutputIsTheSameWhateverTheBlocks(rate: Int) throws {
    let samples = Signals.sweep(frames: rate + 123, rate: rate, channels: 2, clicks: [9_999])
    let settings = OpusSettings.clear(rate, channels: 2)
    let whole = try Take.record(samples, settings, blocks: [samples.count])
    for blocks in [[1, 2, 3, 959, 961], [960], [64], [4_096, 17], [1_024]] {
      let take = try Take.record(samples, settings, blocks: blocks)
      #expect(take.parts[0].bytes == whole.parts[0].bytes, "blocks of \(blocks)")
    }
  }

  @Test func everyPageIsPlayableOnceItIsWritten() throws {
    let part = try Take.record(Signals.sweep(frames: 48_000)).parts[0]
    let folder = Folder()
    for end in part.pageEnds where end.frames > 0 {
      let path = try folder.put(Array(part.bytes[..<end.byte]), "a.opus")
      #expect(try SoundReader.open(path).frames == end.frames)
      #expect(Judges.opusdec(path).count == Int(end.frames))
    }
  }

  @Test(arguments: [0, 1, 959, 960, 961])
  func evenTheShortestTakeHasItsExactLength(frames: Int) throws {
    let part = try Take.record(Signals.sweep(frames: frames)).parts[0]
    #expect(part.isComplete && part.frames == Int64(frames))
    let folder = Folder()
    if frames > 0 { Judges.accept(try folder.put(part.bytes, "a.opus"), frames: Int64(frames)) }
  }

  @Test func silenceCountsAsFramesGivenInBlocks() throws {
    let samples = Signals.sweep(frames: 3_000)
    let expected = try Take.record(samples + [Int16](repeating: 0, count: 5_000) + samples)
    var take = Take()
    var writer = try OggOpusWriter.begin(OpusSettings(), tags: Tags(), serial: 7) {
      (page) throws(TapeError) in take.append(page)
    }
    for isSilent in [false, true, false] {
      let result = samples.withUnsafeBufferPointer { samples in
        Result { () throws(TapeError) in
          if isSilent {
            try writer.writeSilence(frames: 5_000) { (page) throws(TapeError) in
              take.append(page)
            }
          } else {
            try writer.write(samples) { (page) throws(TapeError) in take.append(page) }
          }
        }
      }
      try result.get()
    }
    try writer.finish { (page) throws(TapeError) in take.append(page) }
    #expect(take.parts[0].bytes == expected.parts[0].bytes)
  }

  @Test func floatIsTakenAsWell() throws {
    let samples = Signals.sweep(frames: 10_000, clicks: [5_000]).map { Float($0) / 32_768 }
    var take = Take()
    var writer = try OggOpusWriter.begin(.clear(48_000), float: true, tags: Tags(), serial: 7) {
      (page) throws(TapeError) in take.append(page)
    }
    let result = samples.withUnsafeBufferPointer { samples in
      Result { () throws(TapeError) in
        try writer.write(samples) { (page) throws(TapeError) in take.append(page) }
      }
    }
    try result.get()
    try writer.finish { (page) throws(TapeError) in take.append(page) }
    let folder = Folder()
    let heard = try decoded(try folder.put(take.parts[0].bytes, "a.opus"))
    #expect(heard.count == 10_000 && abs(Signals.peak(in: heard, near: 5_000) - 5_000) <= 1)
  }

  @Test func aSinkThatFailsStopsTheWriterWithItsError() throws {
    let full = TapeError(.diskFull, "The disk is full.")
    #expect(throws: full) {
      let writer = try OggOpusWriter.begin(OpusSettings(), tags: Tags(), serial: 7) {
        (_) throws(TapeError) in throw full
      }
      _ = writer.framesTaken
    }
  }

  @Test func settingsOutOfRangeAreRefusedInASentence() {
    let wrongs: [(inout OpusSettings) -> Void] = [
      { $0.channels = 3 }, { $0.channels = 0 }, { $0.sampleRate = 1 }, { $0.complexity = 11 },
      { $0.bitsPerSecond = 5 }, { $0.frameMicroseconds = 15_000 }, { $0.pageMilliseconds = 10 },
    ]
    for wrong in wrongs {
      var settings = OpusSettings()
      wrong(&settings)
      #expect(throws: TapeError.self) { try settings.validate() }
    }
  }
}
