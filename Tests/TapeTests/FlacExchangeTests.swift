// Proves that FLAC takes are exported and joined like others: bit for bit where the target keeps
// every bit, and as Opus of the same length.

import Glibc
import Sounds
import Testing

@testable import Tape

@Suite struct FlacExchangeTests {
  private static let settings = FlacSettings(44_100, channels: 2, bits: 24)
  private static let samples = Signals.noise(count: 176_402, height: 30_000).map { Int32($0) * 256 }
  private static let cut = 44_117

  /// The two parts of a take of two seconds.
  private func parts(in folder: Folder) throws -> [String] {
    var tags = Tags()
    (tags.title, tags.marks) = ("Noise", [Tags.Mark(frame: 48_000, name: "here")])
    let take = try Take.record(
      flac: Self.samples, Self.settings, tags: tags, blocks: [441], splits: [Self.cut])
    return try [0, 1].map { try folder.put(try take.closed($0, tags), "part \($0).flac") }
  }

  @Test("Export keeps every bit of 24, and the tags", arguments: ["wav", "flac"])
  func exact(ending: String) throws {
    let folder = Folder()
    let (source, target) = (try parts(in: folder)[0], "\(folder.path)/out.\(ending)")
    let format: Export.Format = ending == "wav" ? .wav(.bits24) : .flac(.bits24)
    try Export.run(from: try PosixFile.open(source, .read), to: target, as: format)
    let decoded = run("sox '\(target)' -t raw -e signed -b 32 -L -").bytes
    let heard = decoded.withUnsafeBytes { $0.bindMemory(to: Int32.self).map { $0 >> 8 } }
    #expect(heard == Array(Self.samples[..<(2 * Self.cut)]))
    #expect(try SoundReader.open(target).tags.title == "Noise")
  }

  @Test("Exported and joined FLAC has marks, seek points and the sum of its samples, as a take has")
  func header() throws {
    // Given the parts of a take with a mark
    let folder = Folder()
    let (paths, part, whole) = (
      try parts(in: folder), "\(folder.path)/out.flac", "\(folder.path)/whole.flac"
    )
    let tags = try SoundReader.open(paths[0]).tags
    // When one is exported, and both are joined
    try Export.run(from: paths[0], to: part, as: .flac(.bits24))
    _ = try Join.run(
      2, opening: { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) },
      to: whole, as: .flac(.bits24), tags: tags)
    // Then others find them
    for path in [part, whole] {
      #expect(run("flac -s -t '\(path)'").status == 0)
      #expect(run("metaflac --show-md5sum '\(path)'").text.contains { $0 != "0" && $0 != "\n" })
      let told = run("metaflac --list '\(path)'").text
      for fact in ["CHAPTER000=00:00:01.000", "CHAPTER000NAME=here", "point 0: sample_number=0"] {
        #expect(told.contains(fact), "\(told)")
      }
      let cues = run("metaflac --export-cuesheet-to=- '\(path)'").text
      #expect(cues.contains("INDEX 01 44100\n"), "\(cues)")
    }
  }

  @Test("Exported as it is, FLAC keeps the hash of its sound, even if that is damaged")
  func copied() throws {
    // Given a part of a take, as it was and with a byte of its sound changed
    let folder = Folder()
    let path = try parts(in: folder)[0]
    var bytes = try Array(PosixFile.open(path, .read).bytes(at: 0, count: 1 << 22))
    for isDamaged in [false, true] {
      if isDamaged { bytes[bytes.count - 1_000] ^= 4 }
      let source = try folder.put(bytes, "source \(isDamaged).flac")
      let target = "\(folder.path)/copy \(isDamaged).flac"
      // When it is exported with other tags
      var tags = Tags()
      (tags.title, tags.notes) = ("Other", String(repeating: "n", count: 20_000))
      tags.marks = (0..<300).map { Tags.Mark(frame: $0 * 480, name: "") }
      try Export.run(from: source, to: target, as: .flac(.bits24), tags: tags)
      // Then the sound is the same byte for byte, and damage is noticed as before
      let copy = try PosixFile.open(target, .read)
      let begins = try #require(try FlacLayout.read(from: copy)?.end)
      let sound = try copy.bytes(at: begins, count: bytes.count)
      #expect(sound == Array(bytes[Int(FlacHeader.byteCount)...]))
      #expect((run("flac -s -t '\(target)'").status == 0) == !isDamaged)
      let told = try #require(try Tags.read(from: copy))
      #expect(told.title == "Other" && told.notes == tags.notes && told.marks == tags.marks)
      let cues = run("metaflac --export-cuesheet-to=- '\(target)'").text
      #expect(cues.contains("lead-out 255 \(Self.cut)"), "\(cues)")
    }
  }

  @Test("Export to Opus encodes, with the tags and the length")
  func opus() throws {
    let folder = Folder()
    let (source, target) = (try parts(in: folder)[1], "\(folder.path)/out.opus")
    try Export.run(from: try PosixFile.open(source, .read), to: target, as: .opus)
    let frames = Int64(Self.samples.count / 2 - Self.cut)
    Judges.accept(target, frames: scaled(frames, from: 44_100, to: 48_000), channels: 2)
    let tags = try SoundReader.open(target).tags
    #expect(tags.title == "Noise" && tags.marks.map(\.name) == ["here"])
  }

  @Test(
    "MP3 of a rate that it does not know is converted, whole and parts alike",
    arguments: [(96_000, 48_000), (88_200, 44_100), (192_000, 48_000)])
  func highRates(_ rate: Int, _ known: Int) throws {
    // Given the parts of a take of a tone
    let folder = Folder()
    let tone = (0..<rate * 2).map { Int32(4e6 * sin(2 * .pi * 1_000 * Double($0) / Double(rate))) }
    let take = try Take.record(
      flac: tone, FlacSettings(rate, channels: 1, bits: 24), tags: Tags(), blocks: [480],
      splits: [rate / 2 + 77])
    let paths = try [0, 1].map { try folder.put(try take.closed($0, Tags()), "part \($0).flac") }
    let (part, whole) = ("\(folder.path)/part.mp3", "\(folder.path)/whole.mp3")
    // When one is exported, and both are joined
    try Export.run(from: paths[0], to: part, as: .mp3, tags: Tags())
    _ = try Join.run(
      2, opening: { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) },
      to: whole, as: .mp3, tags: Tags())
    // Then the tone is as long as it was
    #expect(try SoundReader.open(part).sampleRate == known)
    let heard = run("ffmpeg -v error -i '\(whole)' -f f32le -").bytes.withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    #expect(abs(heard.count - 2 * known) <= 1_152 * 2)
    // And it goes on through the seam: each sample follows from the two before
    let middle = heard[known / 4..<known * 7 / 4]
    let turn = Float(2 * cos(2 * .pi * 1_000 / Double(known)))
    let steps = zip(middle, zip(middle.dropFirst(), middle.dropFirst(2)))
    let most = steps.map { abs($0 + $1.1 - turn * $1.0) }.max() ?? 1
    #expect(most < 0.01)
  }

  @Test(
    "Joined parts of more channels are mixed like the undivided take", arguments: ["opus", "mp3"])
  func mixedDown(ending: String) throws {
    // Given the parts of a take of four channels
    let folder = Folder()
    let take = try Take.record(
      flac: Self.samples, FlacSettings(44_100, channels: 4, bits: 24), tags: Tags(),
      blocks: [441], splits: [Self.cut / 2])
    let paths = try [0, 1].map {
      try folder.put(try take.closed($0, Tags()), "part \($0).flac")
    }
    let opening: Join.Opening = { (index) throws(TapeError) in
      try PosixFile.open(paths[index], .read)
    }
    let format: Export.Format = ending == "opus" ? .opus : .mp3
    // When they are joined, and when they are joined without loss and exported
    let (target, whole) = ("\(folder.path)/joined.\(ending)", "\(folder.path)/whole.flac")
    _ = try Join.run(2, opening: opening, to: target, as: format, tags: Tags())
    _ = try Join.run(2, opening: opening, to: whole, as: .flac(.bits24), tags: Tags())
    let other = "\(folder.path)/exported.\(ending)"
    try Export.run(from: whole, to: other, as: format, tags: Tags())
    // Then both have the same sound
    #expect(try SoundReader.open(target).channels == 2)
    let decoded = [target, other].map { run("ffmpeg -v error -i '\($0)' -f f32le -").bytes }
    #expect(decoded[0].count > 8 * 44_000 && decoded[0] == decoded[1])
  }

  @Test("Joined parts are the undivided take", arguments: ["wav", "flac", "opus"])
  func joined(ending: String) throws {
    // Given the parts of a take
    let folder = Folder()
    let (paths, target) = (try parts(in: folder), "\(folder.path)/whole.\(ending)")
    let formats: [String: Export.Format] = ["wav": .wav(.bits24), "flac": .flac(.bits24)]
    // When they are joined
    let manner = try Join.run(
      2, opening: { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) },
      to: target, as: formats[ending] ?? .opus, tags: Tags())
    // Then nothing is said to be encoded anew, and what is heard is the whole
    #expect(manner == .decoded)
    if ending == "opus" {
      let frames = scaled(Int64(Self.samples.count / 2), from: 44_100, to: 48_000)
      return Judges.accept(target, frames: frames, channels: 2)
    }
    let decoded = run("sox '\(target)' -t raw -e signed -b 32 -L -").bytes
    let heard = decoded.withUnsafeBytes { $0.bindMemory(to: Int32.self).map { $0 >> 8 } }
    #expect(heard == Self.samples)
  }

  @Test("Import to FLAC keeps every sample, at every depth and number of channels")
  func imported() throws {
    let folder = Folder()
    for (bits, channels, rate) in [
      (16, 1, 44_100), (24, 3, 48_000), (24, 8, 96_000), (16, 2, 8_000),
    ] {
      // Given a WAV file
      let (wave, file) = ("\(folder.path)/\(rate).wav", "\(folder.path)/\(rate).flac")
      let made = run("sox -R -n -r \(rate) -b \(bits) -c \(channels) '\(wave)' synth 2 pinknoise")
      #expect(made.status == 0)
      // When it is imported
      let result = try Import.run(
        try SoundReader.open(wave), into: try PosixFile.open(file, .create),
        as: .flac(FlacSettings()), serial: 7)
      // Then others find the same samples, and the sum that its header has
      #expect(result.frames == Int64(2 * rate) && result.format.bits == bits)
      let raw = [wave, file].map { run("sox '\($0)' -t raw -e signed -b 24 -L -").bytes }
      #expect(raw[0] == raw[1] && raw[0].count == 6 * rate * channels)
      #expect(run("flac -s -t '\(file)'").status == 0)
      #expect(run("metaflac --show-md5sum '\(file)'").text.contains { $0 != "0" && $0 != "\n" })
    }
  }

  @Test("Parts of two formats are refused with the reason")
  func mixed() throws {
    let folder = Folder()
    var paths = try parts(in: folder)
    var stereo = OpusSettings()
    stereo.channels = 2
    let opus = try Take.record([Int16](repeating: 9, count: 96_000), stereo).parts[0].bytes
    paths[1] = try folder.put(opus, "part.opus")
    do throws(TapeError) {
      _ = try Join.run(
        2, opening: { (index) throws(TapeError) in try PosixFile.open(paths[index], .read) },
        to: "\(folder.path)/whole.wav", as: .wav(.bits16), tags: Tags())
      Issue.record("parts of two formats were joined")
    } catch {
      #expect(error.sentence.contains("another format than the first"))
    }
  }

  @Test("a comment of a foreign file whose key is not valid is left behind, and all others kept")
  func foreignKeys() throws {
    let folder = Folder()
    var tags = Tags()
    tags.title = "Kitchen"
    tags.facts = [
      Tags.Comment(key: "T\u{12}ACK", value: "1"), Tags.Comment(key: "MOOD", value: "calm"),
    ]
    let samples = Signals.sweep(frames: 48_000, channels: 1)
    let source = try folder.put(try Take.record(samples, tags: tags).parts[0].bytes, "in.opus")
    for format in [TapeFormat.flac(FlacSettings()), .opus(OpusSettings())] {
      let target = "\(folder.path)/out\(format.ending)"
      _ = try Import.run(from: source, to: target, as: format, serial: 7)
      let file = try PosixFile.open(target, .read)
      #expect(try Repair.examine(file).verdict == .whole)
      let found = try #require(try Tags.read(from: file))
      #expect(found.title == "Kitchen")
      #expect((found.facts + found.others).map(\.key) == ["MOOD"])
    }
  }
}
