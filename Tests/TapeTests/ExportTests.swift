// Proves that other programs can read exported files, which are written whole or not at all, and
// that files of other programs can be imported.

import Glibc
import Realtime
import Sounds
import Testing

@testable import Tape

@Suite struct ExportTests {
  /// A take of two channels with title, marks and a date, on disk; and its decoded samples.
  private func take(_ folder: borrowing Folder) throws -> (path: String, samples: [Int16]) {
    let samples = Signals.sweep(frames: 100_003, channels: 2, clicks: [48_000])
    let take = try Take.record(samples, .clear(48_000, channels: 2), tags: TagsTests.full)
    let path = try folder.put(take.parts[0].bytes, "take.opus")
    return (path, try decoded(path))
  }

  @Test(arguments: [("wav", Export.Format.wav(.bits16)), ("flac", .flac(.bits16))])
  func sixteenBitsComeBackBitForBit(name: String, format: Export.Format) throws {
    let folder = Folder()
    let (path, samples) = try take(folder)
    let copy = "\(folder.path)/copy.\(name)"
    try Export.run(from: path, to: copy, as: format)
    Judges.same(try decoded(copy), samples)
    let raw = run("sox '\(copy)' -t raw -e signed -b 16 -").bytes
    Judges.same(raw.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }, samples)
    let probe = run("ffprobe -v error -show_format '\(copy)'").text
    #expect(probe.contains("title=Küche") || probe.contains("TITLE=Küche"))
    #expect(folder.names == ["copy.\(name)", "take.opus"])
  }

  @Test(arguments: [
    ("wav", "pcm_s24le", Export.Format.wav(.bits24)), ("wav", "pcm_f32le", .wav(.float)),
    ("flac", "flac", .flac(.bits24)), ("mp3", "mp3", .mp3),
  ])
  func otherDepthsAndMP3AreReadByFfprobe(name: String, codec: String, format: Export.Format) throws
  {
    let folder = Folder()
    let (path, samples) = try take(folder)
    let copy = "\(folder.path)/copy.\(name)"
    try Export.run(from: path, to: copy, as: format)
    let fields = "stream=codec_name,duration:format=duration"
    let probe = run("ffprobe -v error -show_entries \(fields) '\(copy)'").text
    #expect(probe.contains("codec_name=\(codec)"))
    let heard = try decoded(copy)
    guard format != .mp3 else { return #expect(abs(heard.count - samples.count) < 5_000) }
    let difference = zip(heard, samples).map { abs(Int($0) - Int($1)) }.max() ?? 99
    #expect(heard.count == samples.count && difference <= 1)
  }

  @Test func aWAVSaysWhatTheRecordingSaid() throws {
    let folder = Folder()
    let (path, _) = try take(folder)
    let copy = "\(folder.path)/copy.wav"
    var tags = TagsTests.full
    tags.marks = ["Anfang ä", "odd", "even", "", "last"].enumerated().map {
      .init(frame: Int64(24_000 + 9_600 * $0), name: $1)
    }
    try Export.run(from: path, to: copy, as: .wav(.bits24), tags: tags)
    // Names and places of marks, and the broadcast extension, as other programs read them
    let probe = run("ffprobe -v error -show_format -show_chapters '\(copy)'").text
    for mark in tags.marks {
      #expect(probe.contains("start=\(mark.frame)\n"))
      #expect(mark.name.isEmpty || probe.contains("TAG:title=\(mark.name)\n"))
    }
    #expect(probe.contains("TAG:originator_reference=7c3f4f0e-0000-4000-8000-00000000"))
    #expect(probe.contains("TAG:date=2026-11-20") && probe.contains("creation_time=14:03:22"))
    let midnight = (14 * 3_600 + 3 * 60 + 22) * 48_000
    #expect(probe.contains("time_reference=\(midnight)"))
    #expect(try SoundReader.open(copy).tags.marks == tags.marks)
    #expect(try PosixFile.open(copy, .read).bytes(at: 0, count: 4) == Array("RIFF".utf8))
  }

  @Test(
    "an exported file has the speaker, the number, the notes and the facts",
    arguments: [("wav", Export.Format.wav(.bits16)), ("flac", .flac(.bits16)), ("mp3", .mp3)])
  func facts(name: String, format: Export.Format) throws {
    let folder = Folder()
    let (path, _) = try take(folder)
    let copy = "\(folder.path)/copy.\(name)"
    try Export.run(from: path, to: copy, as: format)
    let probe = run("ffprobe -v error -show_format '\(copy)'").text
    let lower = probe.lowercased()
    #expect(lower.contains("tag:artist=käthe") && lower.contains("tag:track=42"))
    #expect(probe.contains("one\ntwo"))
    for fact in ["REEL_STOP", "REEL_GAPS", "LOCATION"] { #expect(probe.contains(fact), "\(fact)") }
    #expect(probe.contains("1+2 stalled") && probe.contains("Кухня"))
    if format != .mp3 { #expect(try SoundReader.open(copy).tags.speaker == "Käthe") }
  }

  @Test func aWAVSaysHowLoudItIsAndWhenItBeganToTheFrame() throws {
    let folder = Folder()
    let (path, _) = try take(folder)
    var tags = TagsTests.full
    for (gain, loudness) in [(nil, 0x7FFF), (0, -2300), (-1024, -1900), (2575, -3306)] {
      // Given its loudness or none, and a part that begins 17 frames after midnight
      tags.trackGain = gain
      tags.start = Tags.Start(milliseconds: 20_000 * 86_400_000, frames: 17)
      // When it is exported
      let copy = "\(folder.path)/\(gain ?? 1).wav"
      try Export.run(from: path, to: copy, as: .wav(.bits16), tags: tags)
      // Then the broadcast extension has it, as in EBU 3285, and the other fields are unset
      let bytes = try PosixFile.open(copy, .read).bytes(at: 0, count: 2000)
      let name = Array("bext".utf8)
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + 8
      func word(_ offset: Int) -> Int {
        Int(
          Int16(bitPattern: UInt16(bytes[start + offset]) | UInt16(bytes[start + offset + 1]) << 8))
      }
      #expect(word(412) == loudness)
      #expect((1...4).allSatisfy { word(412 + 2 * $0) == 0x7FFF })
      #expect((word(338), word(340), word(342)) == (17, 0, 0))
    }
  }

  @Test(arguments: [("opus", Export.Format.opus), ("flac", .flac(.bits16))])
  func anOpusOrFLACCopyKeepsTheSoundAndTakesAnyTags(name: String, format: Export.Format) throws {
    let folder = Folder()
    let (path, samples) = try take(folder)
    var tags = TagsTests.full
    tags.marks = (0..<900).map { .init(frame: Int64($0) * 4_800, name: "a mark") }
    let copy = "\(folder.path)/copy.\(name)"
    try Export.run(from: path, to: copy, as: format, tags: tags)
    if name == "opus" { Judges.accept(copy, frames: 100_003, channels: 2) }
    Judges.same(try decoded(copy), samples)
    var told = try SoundReader.open(copy).tags
    told.vendor = tags.vendor
    #expect(told == tags)
  }

  @Test func cancellingLeavesNothingAndNoFileIsReplacedUnasked() throws {
    let folder = Folder()
    let (path, _) = try take(folder)
    let copy = "\(folder.path)/copy"
    for format in [Export.Format.wav(.bits24), .flac(.bits16), .mp3, .opus] {
      let cancelled = TapeError(.cancelled, "Cancelled.")
      #expect(throws: cancelled) {
        try Export.run(from: path, to: copy, as: format) { progress in
          progress.done > 1_000 ? .cancel : .goOn
        }
      }
      #expect(folder.names == ["take.opus"])
    }
    try Export.run(from: path, to: copy, as: .opus)
    #expect(throws: TapeError.self) { try Export.run(from: path, to: copy, as: .opus) }
    try Export.run(from: path, to: copy, as: .opus, replacing: true)
    #expect(throws: TapeError.self) {
      try Export.run(from: path, to: "/nowhere/copy", as: .opus)
    }
  }

  @Test func aFullDiskIsSaidToBeFull() throws {
    let full = try PosixFile.open("/dev/full", .change)
    let shape = Export.Shape(rate: 48_000, channels: 1, opusBitsPerSecond: 64_000, serial: 1)
    for format in [Export.Format.wav(.bits16), .flac(.bits16), .opus] {
      let error = failure { () throws(TapeError) in
        let output = try Export.output(format, shape, tags: Tags(), to: full, named: "copy")
        let block = Buffer<Int16>(count: 48_000)
        for _ in 0..<10 { try output.write(UnsafeRawBufferPointer(block.raw), to: full) }
        try output.finish(to: full)
      }
      #expect(error?.code == .diskFull && error?.sentence.contains("the disk is full") == true)
    }
    let other = failure { () throws(TapeError) in try full.write([1, 2, 3], at: 0) }
    #expect(other?.code == .diskFull)
  }

  private func failure(_ body: () throws(TapeError) -> Void) -> TapeError? {
    do throws(TapeError) { try body() } catch { return error }
    return nil
  }

  @Test(arguments: [
    ("wav", 44_100, 2), ("flac", 48_000, 1), ("mp3", 32_000, 2), ("ogg", 96_000, 1),
  ])
  func importsKeepLengthTitleAndSound(name: String, rate: Int, channels: Int) throws {
    let folder = Folder()
    let source = "\(folder.path)/source.\(name)"
    run(
      "ffmpeg -v error -f lavfi -i sine=500:r=\(rate):d=2 -ac \(channels) "
        + "-metadata title='Ein Titel' '\(source)'")
    let original = try SoundReader.open(source)
    let copy = "\(folder.path)/copy.opus"
    let frames = try Import.run(from: source, to: copy, as: .opus(OpusSettings()), serial: 5)
    let heard = try decoded(copy)
    let length = Int64(heard.count / channels)
    #expect(frames == length && length == ticks(original.frames ?? 0, rate: rate))
    #expect(run("opusinfo '\(copy)'").status == 0)
    #expect(try SoundReader.open(copy).tags.title == original.tags.title)
    let loud = heard[(heard.count / 2)...].map { abs(Int($0)) }.max() ?? 0
    #expect((2_500...6_000).contains(loud))
  }

  @Test(arguments: ["opus", "mp3"])
  func moreThanTwoChannelsAreMixed(ending: String) throws {
    // Given eight channels, of which the odd ones have 400 Hz and the even ones 900
    let folder = Folder()
    let source = "\(folder.path)/source.flac"
    let tones = (0..<4).map { _ in "sine 400 sine 900" }.joined(separator: " ")
    run("sox -n -r 48000 -c 8 -b 16 '\(source)' synth 2 \(tones) vol 0.5")
    // When they are exported to a format of one or two channels
    let copy = "\(folder.path)/copy.\(ending)"
    let format = ending == "opus" ? Export.Format.opus : .mp3
    try Export.run(from: try PosixFile.open(source, .read), to: copy, as: format)
    // Then the odd ones are left, as loud as they were, and the even ones are right
    let judged = "\(folder.path)/judged.wav"
    run("ffmpeg -v error -i '\(copy)' '\(judged)'")
    for (channel, hertz) in [(1, 400), (2, 900)] {
      let stat = run("sox '\(judged)' -n remix \(channel) trim 0.5 1 stat 2>&1").text
      func value(_ name: String) -> Double {
        let line = stat.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
      }
      #expect(abs(value("Rough") - Double(hertz)) < 10, "\(stat)")
      #expect(abs(value("RMS     amplitude") - 0.354) < 0.02, "\(stat)")
    }
  }

  @Test func aWAVOfMoreThan4GiBKeepsItsLengthAndASmallOneIsPlain() throws {
    // Given a little silence, and in the long mode 5 GiB of it
    let folder = Folder()
    let isLong = getenv("REEL_LONG") != nil
    for (count, start) in [(1, "RIFF")] + (isLong ? [(680, "RF64")] : []) {
      let path = "\(folder.path)/\(start).wav"
      let file = try PosixFile.open(path, .create)
      var writer = try SndfileWriter.open(
        file.descriptor, name: "a", .wav(.bits16), channels: 2, sampleRate: 48_000, tags: Tags())
      let block = Buffer<Int16>(count: 4_000_000)
      for index in 0..<count {
        try writer.write(UnsafeBufferPointer(block.all))
        // Written zeros become a hole in the file, so that the test needs little space.
        if index % 50 == 49 { run("fallocate --dig-holes '\(path)'") }
      }
      try writer.finish()
      #expect(try file.bytes(at: 0, count: 4) == Array(start.utf8))
      #expect(try SoundReader.open(path).frames == Int64(count) * 2_000_000)
      let probe = run("ffprobe -v error -show_entries format=duration -of csv=p=0 '\(path)'").text
      let seconds = Double(probe.prefix { $0 != "\n" }) ?? 0
      #expect(abs(seconds - Double(count) * 2_000_000 / 48_000) < 0.01)
    }
  }

  @Test func whatAnMP3SaysOfItselfIsReadByOthersInAnyScript() throws {
    // Given a recording whose title is not ASCII
    let folder = Folder()
    var tags = Tags()
    tags.title = "Käthe 日本語 🎙️ \"x\""
    tags.date = "2026-11-20T14:03:22Z"
    tags.id = "0123"
    let file = try PosixFile.open("\(folder.path)/a.opus", .create)
    var output = FileEnd()
    var writer = try OggOpusWriter.begin(OpusSettings(), tags: tags, serial: 1) {
      (page) throws(TapeError) in try output.append(page, to: file)
    }
    let samples = Signals.sweep(frames: 48_000)
    let result = samples.withUnsafeBufferPointer { samples in
      Result { () throws(TapeError) in
        try writer.write(samples) { (page) throws(TapeError) in try output.append(page, to: file) }
      }
    }
    try result.get()
    try writer.finish { (page) throws(TapeError) in try output.append(page, to: file) }
    // When it is exported as MP3
    let path = "\(folder.path)/a.mp3"
    try Export.run(from: file.path, to: path, as: .mp3)
    // Then another program reads its tags and its sound
    let told = run("ffprobe -v warning -show_entries format_tags -of default=nw=1 '\(path)' 2>&1")
    let lines = told.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("TAG:title=\(tags.title ?? "")"), "\(told.text)")
    #expect(lines.contains { $0.hasPrefix("TAG:date=2026") }, "\(told.text)")
    #expect(lines.contains("TAG:REEL_ID=0123"), "\(told.text)")
    #expect(run("ffmpeg -v warning -i '\(path)' -f null - 2>&1").text.isEmpty)
    let reader = try SoundReader.open(path)
    #expect(reader.tags.title == tags.title)
  }

  @Test("a mark with an absurd position is exported, at the beginning or the end")
  func absurdMarks() throws {
    // Given marks as a damaged index may have them
    let folder = Folder()
    let (path, _) = try take(folder)
    var tags = Tags()
    tags.marks = [.init(frame: .max, name: "late"), .init(frame: .min, name: "early")]
    // When the recording is exported
    let copy = "\(folder.path)/copy.wav"
    try Export.run(from: path, to: copy, as: .wav(.bits16), tags: tags)
    // Then both are there
    #expect(try SoundReader.open(copy).tags.marks.map(\.name) == ["late", "early"])
  }

  @Test("a WAV keeps its sound and its first marks, however much is to be said of it")
  func crowded() throws {
    // libsndfile left out the beginning of the sound where a header was longer than it can be
    let folder = Folder()
    let (path, samples) = try take(folder)
    let copy = "\(folder.path)/copy.wav"
    try Export.run(from: path, to: copy, as: .wav(.bits16), tags: .crowded)
    Judges.same(try decoded(copy), samples)
    let marks = try SoundReader.open(copy).tags.marks
    #expect(marks.count > 200 && marks == Array(Tags.crowded.marks.prefix(marks.count)))
  }
}

extension Tags {
  /// As many marks as there may be, with long names, long notes and countless gaps.
  static var crowded: Tags {
    var tags = Tags()
    tags.marks = (0..<1_000).map { index in
      Mark(frame: Int64(index) * 48, name: String(repeating: "m", count: 60) + "\(index)")
    }
    tags.notes = String(repeating: "&", count: 4_000)
    tags.facts = [
      Comment(key: "REEL_GAPS", value: String(repeating: "1+2 stalled, ", count: 9_000))
    ]
    return tags
  }
}
