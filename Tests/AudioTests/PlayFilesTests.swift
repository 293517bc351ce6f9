// Files of every kind on speakers of every kind: other rates, channels and sample formats, Opus,
// and files that cannot be played, which give a sentence. On virtual time, on one thread.
import Realtime
import Tape
import Testing

@testable import Audio
@testable import Recorder

@Suite struct PlayFilesTests {
  @Test(
    "a file at 44.1 kHz has the right length at 48 kHz, and a seek changes no sample after it")
  func otherRate() throws {
    // Given a file at another rate than the speaker's
    let signal = PlaySignal.sweep(frames: 44_100)
    let folder = PlayFolder()
    try folder.record(signal, rate: 44_100)
    // When it is decoded from its beginning, and from other frames
    let whole = try decoded(folder, from: 0)
    // Then it is a second long, and every part is the same
    #expect(whole.count == 48_000)
    for start in [1, 300, 12_345, 47_999, 48_000, 60_000] {
      #expect(isSame(try decoded(folder, from: Int64(start)), whole.dropFirst(start)[...]))
    }
    #expect(
      scaledDown(scaledUp(44_099, from: 44_100, to: 48_000), from: 48_000, to: 44_100) == 44_099)
  }

  @Test("events count in the cue's frames, whatever the speaker's rate")
  func cueFrames() throws {
    // Given a file of one second at 44.1 kHz
    let bench = try PlayBench()
    try bench.folder.record(PlaySignal.sweep(frames: 44_100), rate: 44_100)
    // When it is played, and paused in between
    let cue = bench.load(at: 11_025, frames: 44_100, rate: 44_100)
    bench.run(milliseconds: 200)
    bench.perform(.pause(cue: cue))
    bench.run(milliseconds: 100)
    bench.perform(.resume(cue: cue))
    let end = try #require(bench.run(until: isEnd(cue)))
    // Then all is reported in its own frames, and the length is right
    let anchors = bench.anchors(of: cue)
    #expect(anchors.map(\.frame) == [11_025] + bench.pauses(of: cue))
    let rest = 44_100 - (bench.pauses(of: cue).first ?? 0)
    let due = (anchors.last?.instant.nanoseconds ?? 0) + rest * 1_000_000_000 / 44_100
    #expect(abs(end.at - due) < 3_000_000)
  }

  @Test("mono is heard on both sides, stereo in the middle")
  func channels() throws {
    // Given a mono and a stereo file
    let folder = PlayFolder()
    try folder.record([1, 2, 3, -7], "mono.wav")
    try folder.record([100, 200, -50, 50, 30_000, 30_000], "stereo.wav", channels: 2)
    // When each is decoded for the other channel count, then mono is doubled and stereo is mixed
    #expect(
      try decoded(folder, "mono.wav", from: 0, for: .int16(48_000, 2)) == [
        1, 1, 2, 2, 3, 3, -7, -7,
      ])
    #expect(try decoded(folder, "stereo.wav", from: 0) == [150, 0, 30_000])
    #expect(
      try decoded(folder, "stereo.wav", from: 1, for: .int16(48_000, 2)) == [
        -50, 50, 30_000, 30_000,
      ])
  }

  @Test("an Opus file plays to the frame")
  func opus() throws {
    // Given a recording made by Reel
    let bench = try PlayBench()
    try bench.folder.record(PlaySignal.sweep(frames: 48_000))
    try Import.run(
      from: bench.folder.path + "/take.wav", to: bench.folder.path + "/take.opus",
      as: .opus(OpusSettings()), serial: 7)
    // When it is played
    let cue = bench.load("take.opus", at: 0, frames: 48_000)
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 50)
    // Then it is what `SoundReader` decodes, within the rounding of a sample
    let expected = try bench.folder.samples("take.opus")
    let place = bench.index(of: try #require(bench.anchors(of: cue).first).instant)
    let heard = try bench.finish()
    #expect(expected.count == 48_000)
    let worst = zip(heard[place...], expected).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst ?? 99 <= 1)
  }

  @Test("a speaker that takes float gets the same sound")
  func float() throws {
    // Given a speaker that takes float
    let signal = PlaySignal.sweep(frames: 20_000)
    let bench = try PlayBench(
      StreamFormat(rate: 48_000, channels: 1, samples: .float, periodFrames: 480))
    try bench.folder.record(signal)
    // When a recording is played
    let cue = bench.load(frames: signal.count)
    _ = bench.run(until: isEnd(cue))
    bench.run(milliseconds: 50)
    // Then nothing is lost on the way
    #expect(isSame(try bench.finish().trimmed, signal[...]))
  }

  @Test("a file that cannot be played is reported in a sentence")
  func unreadable() throws {
    // Given a missing file, one that is not sound, and one cut in its header
    let bench = try PlayBench()
    try bench.folder.write([UInt8]("This is a letter, and a long one.".utf8), "letter.wav")
    try bench.folder.record([1, 2, 3])
    try bench.folder.write(Array(try bench.folder.bytes("take.wav").prefix(20)), "cut.wav")
    for name in ["none.wav", "letter.wav", "cut.wav"] {
      // When it is loaded
      let cue = bench.load(name, frames: 100)
      bench.run(milliseconds: 20)
      // Then that is reported, once
      let words = bench.failures(of: cue)
      #expect(words.count == 1 && words.first?.contains(name) == true)
      #expect(words.first?.hasSuffix(".") == true || words.first?.hasSuffix(".)") == true)
      #expect(!bench.isOpen)
    }
  }

  @Test("a file that ends too soon is heard to its end, and then that is reported")
  func truncated() throws {
    // Given a file of half a second that should have two
    let signal = PlaySignal.sweep(frames: 24_000)
    let bench = try PlayBench()
    try bench.folder.record(signal)
    // When it is played
    let cue = bench.load(frames: 96_000)
    bench.run(milliseconds: 800)
    // Then it was heard to where it ends
    #expect(bench.ends(of: cue).isEmpty)
    #expect(
      bench.failures(of: cue) == [
        "take.wav ends 1 s before its end: the rest of the file is missing."
      ])
    #expect(isSame(try bench.finish().trimmed, signal[...]))
  }

  /// Decodes a file from a frame on, without deck or mixer.
  private func decoded(
    _ folder: PlayFolder, _ name: String = "take.wav", from frame: Int64,
    for format: StreamFormat = .int16()
  ) throws -> ArraySlice<Int16> {
    var decoder = try PlayDecoder.open(try folder.toRead(CardPath(components: [name])))
    let sound = try ByteRing(capacity: 1 << 20)
    let blocks = try Ring<PlayBlock>(capacity: 1024)
    var feed = PlayFeed(sound: sound.producer, blocks: blocks.producer)
    var consumer = sound.consumer
    try decoder.begin(9, at: frame, for: format)
    while decoder.step(&feed) == .more {}
    let bytes = Buffer<UInt8>(count: 1 << 20)
    let count = consumer.read(into: UnsafeMutableRawBufferPointer(bytes.all))
    let samples = UnsafeRawBufferPointer(start: bytes.start, count: count)
      .bindMemory(to: Int16.self)
    return Array(samples)[...]
  }
}
