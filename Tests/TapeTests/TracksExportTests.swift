// Proves that all tracks of a take become one WAV file: each channel has the samples that its track
// alone is exported with, the channels are named, and a track that would not fit is refused.

import Glibc
import Realtime
import Sounds
import Testing

@testable import Tape

@Suite struct TracksExportTests {
  private let folder = Folder()

  private func export(
    _ names: [String], from paths: [String], to target: String, as depth: Export.Depth, tags: Tags,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) {
    var export = TracksExport()
    for (name, path) in zip(names, paths) {
      export.add(try PosixFile.open(path, .read), named: name)
    }
    try export.run(to: target, as: depth, tags: tags, progress: progress)
  }

  /// A FLAC file of noise.
  private func flac(
    _ name: String, _ rate: Int = 48_000, channels: Int = 1, bits: Int = 16, frames: Int = 100_003,
    seed: UInt64 = 1
  ) throws -> String {
    let samples = Signals.noise(count: frames * channels, height: 30_000, seed: seed).map {
      Int32($0) * (bits == 24 ? 256 : 1) + (bits == 24 ? 77 : 0)
    }
    return try flac(name, samples, FlacSettings(rate, channels: channels, bits: bits))
  }

  private func flac(_ name: String, _ samples: [Int32], _ settings: FlacSettings) throws -> String {
    let take = try Take.record(flac: samples, settings, blocks: [settings.sampleRate / 100])
    return try folder.put(try take.closed(), name)
  }

  private func opus(_ name: String, frames: Int = 100_003) throws -> String {
    let samples = Signals.sweep(frames: frames, channels: 2)
    return try folder.put(
      try Take.record(samples, .clear(48_000, channels: 2)).parts[0].bytes, name)
  }

  @Test(
    "each channel has the samples that its track alone is exported with",
    arguments: [Export.Depth.bits16, .bits24, .float])
  func channelsOfTracks(depth: Export.Depth) throws {
    // Given tracks of two channels in 24 bits, of one in 16 bits, and of two in Opus
    let paths = [
      try flac("a.flac", channels: 2, bits: 24, seed: 2), try flac("b.flac", seed: 3),
      try opus("c.opus"),
    ]
    // When they are exported together, and one by one
    let whole = "\(folder.path)/whole.wav"
    try export(
      ["both", "voice", "room"], from: paths, to: whole, as: depth, tags: Tags())
    let single = try paths.enumerated().flatMap { index, path in
      let copy = "\(folder.path)/\(index).wav"
      try Export.run(from: path, to: copy, as: .wav(depth))
      return try Judges.channels(of: copy)
    }
    // Then the samples are the same
    let heard = try Judges.channels(of: whole)
    #expect(heard.count == 5 && heard == single)
  }

  @Test("sixteen and 24 bits of FLAC come back bit for bit")
  func bitExact() throws {
    let deep = Signals.noise(count: 40_001, height: 30_000, seed: 4).map { Int32($0) * 256 + 99 }
    let plain = Signals.noise(count: 40_001, height: 30_000, seed: 5).map { Int32($0) }
    let paths = [
      try flac("a.flac", plain, FlacSettings(48_000)),
      try flac("b.flac", deep, FlacSettings(48_000, bits: 24)),
    ]
    let whole = "\(folder.path)/whole.wav"
    try export(
      ["a", "b"], from: paths, to: whole, as: .bits24, tags: Tags())
    #expect(try Judges.channels(of: whole) == [plain.map { $0 << 16 }, deep.map { $0 << 8 }])
    let narrow = "\(folder.path)/narrow.wav"
    try export(
      ["a", "a"], from: [paths[0], paths[0]], to: narrow, as: .bits16, tags: Tags())
    #expect(try Judges.channels(of: narrow) == [plain.map { $0 << 16 }, plain.map { $0 << 16 }])
  }

  /// The ids of a WAV file's chunks up to its sound, and where the content of each begins.
  private func chunks(_ path: String) throws -> [(id: String, start: Int64, count: Int)] {
    let file = try PosixFile.open(path, .read)
    var (found, place): ([(id: String, start: Int64, count: Int)], Int64) = ([], 12)
    while found.last?.id != "data", found.count < 20 {
      let head = try file.bytes(at: place, count: 8)
      try #require(head.count == 8)
      let count = (0..<4).reduce(0) { $0 | Int(head[4 + $1]) << (8 * $1) }
      found.append((String(decoding: head[..<4], as: UTF8.self), place + 8, count))
      place += 8 + Int64(count + count % 2)
    }
    return found
  }

  private func text(_ id: String, of path: String) throws -> String {
    let chunk = try #require(try chunks(path).first { $0.id == id })
    return String(
      decoding: try PosixFile.open(path, .read).bytes(at: chunk.start, count: chunk.count),
      as: UTF8.self)
  }

  @Test("the iXML chunk names every channel, and says what is known of the take")
  func chunk() throws {
    var tags = Tags()
    (tags.id, tags.sequence) = ("0123-abc", 41)
    (tags.title, tags.notes) = ("Käthe & <\"Söhne'>\u{1}", "one\ntwo\r")
    tags.start = Tags.Start(milliseconds: 20_000 * 86_400_000 + 86_399_000, frames: 7)
    let paths = [try flac("a.flac", channels: 2), try flac("b.flac")]
    let path = "\(folder.path)/whole.wav"
    try export(
      ["drums", "voice & choir"], from: paths, to: path, as: .bits24, tags: tags)
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <BWFXML>
      <IXML_VERSION>1.61</IXML_VERSION>
      <SCENE>Käthe &amp; &lt;&quot;Söhne&apos;&gt;</SCENE>
      <TAKE>41</TAKE>
      <NOTE>one
      two&#13;</NOTE>
      <FILE_UID>0123-abc</FILE_UID>
      <SPEED>
      <FILE_SAMPLE_RATE>48000</FILE_SAMPLE_RATE>
      <AUDIO_BIT_DEPTH>24</AUDIO_BIT_DEPTH>
      <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>0</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>
      <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>4147152007</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>
      <TIMESTAMP_SAMPLE_RATE>48000</TIMESTAMP_SAMPLE_RATE>
      </SPEED>
      <FILE_SET>
      <TOTAL_FILES>1</TOTAL_FILES>
      <FAMILY_UID>0123-abc</FAMILY_UID>
      <FAMILY_NAME>Käthe &amp; &lt;&quot;Söhne&apos;&gt;</FAMILY_NAME>
      </FILE_SET>
      <TRACK_LIST>
      <TRACK_COUNT>3</TRACK_COUNT>
      <TRACK>
      <CHANNEL_INDEX>1</CHANNEL_INDEX>
      <INTERLEAVE_INDEX>1</INTERLEAVE_INDEX>
      <NAME>drums 1</NAME>
      </TRACK>
      <TRACK>
      <CHANNEL_INDEX>2</CHANNEL_INDEX>
      <INTERLEAVE_INDEX>2</INTERLEAVE_INDEX>
      <NAME>drums 2</NAME>
      </TRACK>
      <TRACK>
      <CHANNEL_INDEX>3</CHANNEL_INDEX>
      <INTERLEAVE_INDEX>3</INTERLEAVE_INDEX>
      <NAME>voice &amp; choir</NAME>
      </TRACK>
      </TRACK_LIST>
      </BWFXML>

      """
    let found = try text("iXML", of: path)
    #expect(found.prefix(expected.count) == expected)
    #expect(found.dropFirst(expected.count).allSatisfy { $0 == "\n" })
    // And the broadcast extension has the same time
    let probe = run("ffprobe -v warning -show_format -show_streams '\(path)' 2>&1").text
    #expect(probe.contains("time_reference=4147152007") && probe.contains("channels=3"), "\(probe)")
  }

  @Test("no channel is said to belong to a speaker")
  func speakers() throws {
    let paths = try (0..<4).map { try flac("\($0).flac", frames: 4_800) }
    let path = "\(folder.path)/whole.wav"
    try export(
      ["a", "b", "c", "d"], from: paths, to: path, as: .bits24, tags: Tags())
    let format = try #require(try chunks(path).first { $0.id == "fmt " })
    let bytes = try PosixFile.open(path, .read).bytes(at: format.start, count: 24)
    #expect(Array(bytes[20...]) == [0, 0, 0, 0] && bytes[2] == 4)
    // Without speakers, ffmpeg has to guess them, and says so in words that differ by release
    let told = run("ffmpeg -v warning -i '\(path)' -f null - 2>&1").text
    #expect(told.split(separator: "\n").allSatisfy { $0.contains("Guessed Channel Layout") })
  }

  @Test("a file of one track is as it was before tracks could be put together")
  func single() throws {
    var tags = Tags()
    (tags.title, tags.marks) = ("One", [Tags.Mark(frame: 48_000, name: "here")])
    let path = "\(folder.path)/one.wav"
    try Export.run(
      from: try flac("a.flac"), to: path, as: .wav(.bits24), tags: tags)
    #expect(
      try chunks(path).map(\.id)
        == ["JUNK", "fmt ", "fact", "bext", "LIST", "cue ", "LIST", "data"])
  }

  /// A sine that is the same at any rate.
  private static func sine(_ rate: Int, frames: Int) -> [Int32] {
    let step = 2 * Double.pi * 997 / Double(rate)
    return (0..<frames).map { Int32(8_000 * sin(step * Double($0))) * 256 }
  }

  @Test(
    "a track of another rate is converted to that of the first, and stays in time",
    arguments: [(44_100, 48_000), (96_000, 48_000), (48_000, 96_000), (44_100, 96_000)],
    [Export.Depth.bits16, .bits24])
  func rates(rates: (first: Int, second: Int), depth: Export.Depth) throws {
    // Given the same sine in two tracks
    let seconds = 2
    let paths = try [rates.first, rates.second].map { rate in
      try flac(
        "\(rate).flac", Self.sine(rate, frames: seconds * rate), FlacSettings(rate, bits: 24))
    }
    // When they are exported together
    let path = "\(folder.path)/whole.wav"
    try export(["a", "b"], from: paths, to: path, as: depth, tags: Tags())
    // Then both are equal from the beginning to the end, as close as the resampler comes; at the
    // ends it hears silence beside the sine
    let heard = try Judges.channels(of: path)
    #expect(try SoundReader.open(path).sampleRate == rates.first)
    #expect(heard.map(\.count) == [seconds * rates.first, seconds * rates.first])
    let edge = 500
    let worst = zip(heard[0], heard[1]).dropFirst(edge).dropLast(edge).map {
      abs($0 >> 8 - $1 >> 8)
    }
    #expect(worst.max() ?? .max < 8_000, "\(worst.max() ?? 0) of 8388607")
  }

  @Test("a track that is shorter ends in silence")
  func short() throws {
    let paths = [try flac("a.flac", frames: 20_000), try flac("b.flac", frames: 20_011)]
    let path = "\(folder.path)/whole.wav"
    try export(["a", "b"], from: paths, to: path, as: .bits16, tags: Tags())
    let heard = try Judges.channels(of: path)
    #expect(heard.map(\.count) == [20_011, 20_011])
    #expect(heard[0].suffix(11).allSatisfy { $0 == 0 } && heard[0][19_999] != 0)
  }

  @Test(
    "a damaged track is refused by its name, and nothing is left",
    arguments: ["cut", "changed", "foreign", "empty"])
  func damaged(how: String) throws {
    // Given a take whose second track is damaged
    let paths = [try flac("a.flac"), try flac("b.flac", bits: 24, seed: 9)]
    let file = try PosixFile.open(paths[1], .change)
    let half = try file.byteCount() / 2
    switch how {
    case "cut": try file.truncate(to: half)
    case "changed": try file.write([UInt8](repeating: 0x55, count: 40), at: half)
    case "foreign": try file.write([UInt8](repeating: 0x55, count: 4_000), at: 0)
    default: try file.truncate(to: 0)
    }
    for depth in [Export.Depth.bits16, .bits24] {
      // When it is exported, then the sentence names the track
      do throws(TapeError) {
        try export(
          ["voice", "guitar"], from: paths, to: "\(folder.path)/whole.wav", as: depth,
          tags: Tags())
        Issue.record("a damaged track was exported")
      } catch { #expect(error.sentence.hasPrefix("The track “guitar” is not whole")) }
      #expect(folder.names == ["a.flac", "b.flac"])
    }
  }

  @Test("cancelling leaves nothing, and progress reaches the end")
  func cancelled() throws {
    let paths = [try flac("a.flac"), try flac("b.flac")]
    let path = "\(folder.path)/whole.wav"
    #expect(throws: TapeError(.cancelled, "Cancelled.")) {
      try export(
        ["a", "b"], from: paths, to: path, as: .bits16, tags: Tags()
      ) { $0.done > 20_000 ? .cancel : .goOn }
    }
    #expect(folder.names == ["a.flac", "b.flac"])
    var last = Progress(done: 0, of: nil)
    try export(
      ["a", "b"], from: paths, to: path, as: .bits16, tags: Tags()
    ) { progress in
      last = progress
      return .goOn
    }
    #expect(last == Progress(done: 100_003, of: 100_003))
  }

  @Test("the names are written before the sound, also in a file of more than 4 GiB")
  func long() throws {
    // Given a little silence in eight channels, and in the long mode 5 GiB of it
    let names = (1...8).map { "channel \($0)" }
    for (count, start) in [(1, "RIFF")] + (getenv("REEL_LONG") != nil ? [(680, "RF64")] : []) {
      let path = "\(folder.path)/\(start).wav"
      let file = try PosixFile.open(path, .create)
      var writer = try SndfileWriter.open(
        file.descriptor, name: "a", .wav(.bits16), channels: 8, sampleRate: 48_000, tags: Tags(),
        channelNames: names)
      let block = Buffer<Int16>(count: 4_000_000)
      for index in 0..<count {
        try writer.write(UnsafeBufferPointer(block.all))
        if index % 50 == 49 { run("fallocate --dig-holes '\(path)'") }
      }
      try writer.finish()
      #expect(try file.bytes(at: 0, count: 4) == Array(start.utf8))
      let ids = try chunks(path).map(\.id)
      #expect(ids.contains("iXML") && ids.last == "data", "\(ids)")
      #expect(try text("iXML", of: path).contains("<NAME>channel 8</NAME>"))
      #expect(try SoundReader.open(path).frames == Int64(count) * 500_000)
    }
  }

  @Test("the names are kept, however much else is to be said of the take")
  func crowded() throws {
    let paths = [try flac("a.flac"), try flac("b.flac")]
    let path = "\(folder.path)/whole.wav"
    try export(
      ["a", "b"], from: paths, to: path, as: .bits16, tags: .crowded)
    let reader = try SoundReader.open(path)
    #expect(reader.frames == 100_003 && reader.tags.marks.count > 200)
    #expect(try text("iXML", of: path).contains("<NAME>b</NAME>"))
  }

  @Test(
    "the time of a part is that of the first and the frames between, at every rate",
    arguments: [44_100, 48_000, 88_200, 96_000, 192_000])
  func timeReference(rate: Int) {
    let day: Int64 = 20_000 * 86_400_000
    for milliseconds in [0, 1, 333, 86_399_999] as [Int64] {
      let first = Tags.Start(milliseconds: day + milliseconds, rate: rate)
      let reference = first.framesSinceMidnight(rate: rate)
      #expect(reference == UInt64(milliseconds) * UInt64(rate) / 1_000)
      for frames in [1, 17, 96_001, 1_234_567] as [Int64] {
        let later = Tags.Start(milliseconds: day + milliseconds, frames: frames, rate: rate)
        let sum = reference + UInt64(frames)
        #expect(later.framesSinceMidnight(rate: rate) == sum % (86_400 * UInt64(rate)))
      }
    }
    let absurd = Tags.Start(milliseconds: .min, frames: .max, rate: rate)
    #expect(absurd.framesSinceMidnight(rate: 48_000) < 86_400 * 48_000)
  }
}
