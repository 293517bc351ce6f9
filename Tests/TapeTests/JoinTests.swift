// Proves that the parts of a split take, joined, are the undivided take: packet by packet in Opus,
// sample by sample in every other format; and that parts that do not fit are not copied.

import Sounds
import Testing

@testable import Tape

@Suite struct JoinTests {
  struct Case: CustomTestStringConvertible {
    var settings: OpusSettings
    var splits: [Int]
    var frames: Int
    var testDescription: String { "\(settings), split at \(splits) of \(frames)" }

    static let all: [Case] =
      [8_000, 16_000, 24_000, 48_000, 44_100].flatMap { rate in
        [1, 2].map { channels in
          Case(
            settings: .clear(rate, channels: channels),
            splits: [rate / 2 + 77, 2 * rate, 2 * rate + rate / 3],
            frames: 3 * rate + 5)
        }
      }
      + [2_500, 5_000, 10_000, 40_000, 60_000].map { microseconds in
        var settings = OpusSettings.clear(48_000)
        settings.frameMicroseconds = microseconds
        return Case(settings: settings, splits: [30_000, 60_001], frames: 144_005)
      }
      // Voice coding predicts from one pitch period ago: a decoder that begins at a part may never
      // agree with one of the whole take. One that reads the joined packets does.
      + [1, 2].map { channels in
        var settings = OpusSettings.clear(48_000, channels: channels)
        settings.application = .voice
        settings.bitsPerSecond = 20_000
        return Case(settings: settings, splits: [50_000, 100_000], frames: 144_005)
      }
      // Right behind the beginning, right before the end, at the edge of a packet, and again.
      + [[1], [960], [10, 3_900], [19_999], [16_000, 19_990], [648, 648 + 3_840]].map { splits in
        Case(settings: .clear(48_000), splits: splits, frames: 20_000)
      }
  }

  @Test(
    "joined Opus has the undivided take's packets, and decodes to its samples", arguments: Case.all)
  func copied(_ example: Case) throws {
    let folder = Folder()
    let (whole, parts) = try Self.record(example, in: folder)
    let path = folder.path + "/joined.opus"
    let manner = try Join.run(
      parts.count, opening: Self.opening(parts), to: path, as: .opus, tags: Tags())
    #expect(manner == .copied)
    Judges.accept(
      path, frames: Int64(try decoded(whole).count / example.settings.channels),
      channels: example.settings.channels)
    try Judges.same(Self.packets(path), Self.packets(whole))
    try Judges.same(decoded(path), decoded(whole))
    Judges.same(Judges.opusdec(path), Judges.opusdec(whole))
  }

  @Test("joined WAV and FLAC are those of the undivided take", arguments: Case.all)
  func decodedToo(_ example: Case) throws {
    let folder = Folder()
    let (whole, parts) = try Self.record(example, in: folder)
    for (format, ending) in [(Export.Format.wav(.float), "wav"), (.flac(.bits16), "flac")] {
      let expected = folder.path + "/expected.\(ending)"
      try Export.run(from: whole, to: expected, as: format, tags: Tags())
      let path = folder.path + "/joined.\(ending)"
      let manner = try Join.run(
        parts.count, opening: Self.opening(parts), to: path, as: format, tags: Tags())
      #expect(manner == .decoded)
      try Judges.same(floats(path), floats(expected))
    }
  }

  @Test("a later part and those after it are joined without those before")
  func middle() throws {
    let folder = Folder()
    let example = Case(settings: .clear(48_000), splits: [30_000, 60_000, 90_000], frames: 120_000)
    let parts = Array(try Self.record(example, in: folder).parts[1...2])
    let path = folder.path + "/joined.opus"
    #expect(
      try Join.run(2, opening: Self.opening(parts), to: path, as: .opus, tags: Tags()) == .copied)
    Judges.accept(path, frames: 60_000)
    let second = try decoded(parts[0])
    Judges.same(Array(try decoded(path).prefix(second.count)), second)
  }

  @Test("parts of two encoders are decoded, one directly after the other")
  func pieced() throws {
    let folder = Folder()
    let settings = OpusSettings.clear(48_000, channels: 2)
    let sounds = [(70_001, 1), (50_000, 2)].map { frames, seed in
      Signals.noise(count: frames * 2, height: 3_000, seed: UInt64(seed))
    }
    let first = try Take.record(sounds[0], settings, splits: [30_000]).parts
    let second = try Take.record(sounds[1], settings, serial: 9).parts
    let parts = try (first + second).enumerated().map { try folder.put($1.bytes, "\($0).opus") }
    let wave = folder.path + "/joined.wav"
    #expect(
      try Join.run(3, opening: Self.opening(parts), to: wave, as: .wav(.bits16), tags: Tags())
        == .pieced(before: [2]))
    let undivided = try folder.put(try Take.record(sounds[0], settings).parts[0].bytes, "u.opus")
    try Judges.same(decoded(wave), decoded(undivided) + decoded(parts[2]))
    let opus = folder.path + "/joined.opus"
    #expect(
      try Join.run(3, opening: Self.opening(parts), to: opus, as: .opus, tags: Tags())
        == .pieced(before: [2]))
    Judges.accept(opus, frames: 120_001, channels: 2)
  }

  @Test("without the packets right behind the seam, parts are not taken for exact")
  func tornSeam() throws {
    let folder = Folder()
    let example = Case(settings: .clear(48_000), splits: [48_000], frames: 96_000)
    let parts = try Self.record(example, in: folder).parts
    let bytes = try PosixFile.open(parts[1], .read).bytes(at: 0, count: 1 << 20)
    let file = MemoryFile(bytes)
    let headers = try #require(try OpusHeaders.read(from: file))
    var scanner = PageScanner(fileByteCount: Int64(bytes.count), from: headers.end)
    // Two pages hold packets that the first part has too; the third reaches beyond them.
    for isNeeded in [false, false, true] {
      let page = try #require(try scanner.next(in: file))
      let torn = Array(bytes[..<Int(page.offset)] + bytes[Int(page.end)...])
      let path = try folder.put(torn, "torn.opus")
      let isExact = try Seam.isExact(PosixFile.open(parts[0], .read), PosixFile.open(path, .read))
      #expect(isExact != isNeeded)
    }
  }

  @Test("mono and stereo parts, and files that are no sound, are refused, and nothing is left")
  func refused() throws {
    let folder = Folder()
    let mono = try folder.put(
      try Take.record(Signals.sweep(frames: 9_000)).parts[0].bytes, "m.opus")
    let stereo = try folder.put(
      try Take.record(Signals.sweep(frames: 9_000, channels: 2), .clear(48_000, channels: 2))
        .parts[0].bytes, "s.opus")
    let text = try folder.put(Array("no sound".utf8), "t.opus")
    for parts in [[mono, stereo], [mono, text]] {
      let path = folder.path + "/joined.opus"
      #expect(throws: TapeError.self) {
        try Join.run(2, opening: Self.opening(parts), to: path, as: .opus, tags: Tags())
      }
      #expect(throws: TapeError.self) { _ = try PosixFile.open(path, .read) }
    }
  }

  @Test("joining can be cancelled, and leaves nothing")
  func cancelled() throws {
    let folder = Folder()
    let example = Case(settings: .clear(48_000), splits: [48_000], frames: 96_000)
    let parts = try Self.record(example, in: folder).parts
    let path = folder.path + "/joined.opus"
    #expect(throws: TapeError(.cancelled, "Cancelled.")) {
      try Join.run(2, opening: Self.opening(parts), to: path, as: .opus, tags: Tags()) { _ in
        .cancel
      }
    }
    #expect(throws: TapeError.self) { _ = try PosixFile.open(path, .read) }
  }

  // MARK: Making parts

  /// Returns the undivided take and the parts of the split one, as files.
  private static func record(
    _ example: Case, in folder: borrowing Folder
  ) throws -> (whole: String, parts: [String]) {
    let settings = example.settings
    var samples = Signals.sweep(
      frames: example.frames, rate: settings.sampleRate, channels: settings.channels)
    let noise = Signals.noise(count: samples.count, height: 500)
    for index in samples.indices { samples[index] += noise[index] }
    let whole = try folder.put(try Take.record(samples, settings).parts[0].bytes, "whole.opus")
    let parts = try Take.record(samples, settings, splits: example.splits).parts
    #expect(parts.count == example.splits.count + 1)
    return (whole, try parts.enumerated().map { try folder.put($1.bytes, "\($0).opus") })
  }

  private static func opening(_ paths: [String]) -> Join.Opening {
    { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) }
  }

  /// Returns the packets of a file, with where each ends.
  private static func packets(_ path: String) throws -> [TapePacket] {
    var reader = try PacketReader.open(try PosixFile.open(path, .read))
    var packets: [TapePacket] = []
    while var packet = try reader.next() {
      // Pages may be divided otherwise where two parts meet.
      packet.endsPage = false
      packets.append(packet)
    }
    return packets
  }
}

private func floats(_ path: String) throws -> [Float] {
  var reader = try SoundReader.open(path)
  var samples: [Float] = []
  var block = [Float](repeating: 0, count: 4_001 * reader.channels)
  while true {
    let result = block.withUnsafeMutableBufferPointer { block in
      Result { () throws(TapeError) in try reader.read(into: block) }
    }
    let count = try result.get()
    if count == 0 { return samples }
    samples += block[..<(count * reader.channels)]
  }
}
