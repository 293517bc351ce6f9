// Proves that FLAC takes hold every sample at every depth, rate and number of channels, also across
// splits; that their headers say what they should; and that other programs agree.

import Glibc
import Sounds
import Testing

@testable import Tape

@Suite struct FlacTests {
  /// Noise of all bits over a wave, different in each channel.
  private static func sound(frames: Int, _ settings: FlacSettings) -> [Int32] {
    var random = Random(seed: UInt64(settings.sampleRate + settings.channels))
    let height = 1 << (settings.bits - 1)
    return (0..<frames * settings.channels).map { index in
      let channel = index % settings.channels + 1
      let wave = (index / settings.channels * channel * 37) % height - height / 2
      return Int32(max(-height, min(height - 1, wave + random.below(height / 16))))
    }
  }

  static let settings: [FlacSettings] = [
    FlacSettings(48_000), FlacSettings(48_000, channels: 2, bits: 24),
    FlacSettings(8_000, bits: 24), FlacSettings(44_100, channels: 2),
    FlacSettings(96_000, channels: 2, bits: 24), FlacSettings(192_000, bits: 24),
    FlacSettings(48_000, channels: 8, bits: 24), FlacSettings(11_025, channels: 3),
  ]

  @Test("Every sample is in the file, across splits", arguments: settings)
  func exact(settings: FlacSettings) throws {
    // Given two seconds of sound, in blocks of odd sizes
    let frames = settings.sampleRate * 2 + 77
    let samples = Self.sound(frames: frames, settings)
    let splits = [settings.sampleRate / 3, settings.sampleRate + 5]
    // When it is recorded and split twice
    let take = try Take.record(
      flac: samples, settings, blocks: [480, 1, 4_801], splits: splits)
    // Then the parts hold what lies between the splits
    let folder = Folder()
    #expect(take.parts.count == 3 && take.parts.allSatisfy(\.isComplete))
    let ends = [0] + splits + [frames]
    for (part, (start, end)) in zip(ends, ends.dropFirst()).enumerated() {
      let path = try folder.put(try take.closed(part), "\(part).flac")
      let expected = Array(samples[start * settings.channels..<end * settings.channels])
      Judges.flac(path, gives: expected, bits: settings.bits)
      let probe = run(
        "ffprobe -v error -show_entries stream=sample_rate,channels,duration_ts"
          + " -of csv=p=0 '\(path)' 2>&1")
      #expect(
        probe.text == "\(settings.sampleRate),\(settings.channels),\(end - start)\n", "\(probe)")
      #expect(try SoundReader.open(path).frames == Int64(end - start))
    }
  }

  @Test("A page is passed on at least each tenth of a second")
  func pages() throws {
    for settings in Self.settings {
      let samples = Self.sound(frames: settings.sampleRate, settings)
      let ends = try Take.record(flac: samples, settings).parts[0].pageEnds.map(\.frames)
      let steps = zip(ends, ends.dropFirst()).map { $1 - $0 }
      #expect(steps.allSatisfy { $0 <= Int64(settings.sampleRate / 10) }, "\(settings)")
    }
  }

  @Test("Tags and marks can be read by other programs, and changed in place")
  func tags() throws {
    // Given a closed file
    let settings = FlacSettings(44_100, channels: 2)
    let take = try Take.record(flac: Self.sound(frames: 441_000, settings), settings)
    var tags = Tags()
    (tags.id, tags.title, tags.sequence) = ("0123", "Küche", 41)
    tags.marks = [Tags.Mark(frame: 48_000, name: "here"), Tags.Mark(frame: 96_480, name: "there")]
    let bytes = try take.closed(0, tags)
    let folder = Folder()
    let path = try folder.put(bytes, "tagged.flac")
    // Then the title, and each mark at its frame, are there
    let listed = run("metaflac --show-tag=TITLE --show-tag=CHAPTER001NAME '\(path)' 2>&1").text
    #expect(listed == "TITLE=Küche\nCHAPTER001NAME=there\n")
    let cues = run("metaflac --export-cuesheet-to=- '\(path)' 2>&1").text
    #expect(cues.contains("TRACK 03") && cues.contains("lead-out 255 441000"), "\(cues)")
    #expect(cues.contains("INDEX 01 44100\n") && cues.contains("INDEX 01 88641\n"), "\(cues)")
    #expect(run("flac -t -s -w '\(path)' 2>&1").text.isEmpty)
    // And when they are changed, the file keeps its length, and all but the new is as before
    let file = try PosixFile.open(path, .change)
    #expect(try Tags.read(from: file)?.title == "Küche")
    var changed = try #require(try Tags.read(from: file))
    #expect(changed.marks == tags.marks)
    (changed.title, changed.marks, changed.notes) = ("Kitchen", [], "quiet")
    try changed.write(into: file)
    #expect(try Tags.read(from: file) == changed)
    #expect(try file.byteCount() == Int64(bytes.count))
    #expect(run("flac -t -s -w '\(path)' 2>&1").text.isEmpty)
    #expect(try SoundReader.open(path).tags.title == "Kitchen")
  }

  @Test("The seek table leads to its frames however long the take is")
  func seeking() throws {
    // Given a quiet take of an hour and a half
    let settings = FlacSettings(8_000)
    let take = try Take.record(
      flac: [Int32](repeating: 3, count: 8_000 * 5_400), settings, blocks: [8_000])
    let path = try Folder.kept.put(try take.closed(), "long.flac")
    // Then its points are in order, and each is where a frame begins
    let points = take.seals[0].seekPoints
    #expect((128...256).contains(points.count))
    let starts = zip(take.parts[0].pageEnds, take.parts[0].pageEnds.dropFirst()).map { $0.0 }
    let header = Int64(starts[0].byte)
    for point in points {
      #expect(
        starts.contains { $0.frames == point.firstFrame && Int64($0.byte) - header == point.offset }
      )
    }
    #expect(run("flac -t -s -w '\(path)' 2>&1").text.isEmpty)
  }

  @Test("What FLAC cannot record is refused with what it can")
  func refused() {
    for settings in [
      FlacSettings(7_999), FlacSettings(48_000, channels: 9), FlacSettings(48_000, bits: 20),
    ] {
      #expect(throws: TapeError.self) {
        try Take.record(flac: [], settings)
      }
    }
  }
}

extension Folder {
  fileprivate static let kept = Folder()
}
