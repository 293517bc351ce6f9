// Proves that the sum of a file's sound, computed page by page while it is written, is that of the
// bytes behind the header, as `sha256sum` counts them; and that neither new tags nor the end of a
// take change it.

import Digest
import Sounds
import Testing

@testable import Tape

@Suite struct SoundSumTests {
  /// A part as it was written, and its sum.
  private struct Written {
    var bytes: [UInt8] = []
    var hasher = SoundHasher()
    var seal: FlacSeal?
    /// The sum after each page, and where that page ends.
    var sums: [(byte: Int, sum: SoundSum)] = []

    mutating func add(_ page: PageOut) {
      bytes += page.bytes
      hasher.add(page)
      seal = page.seal
      sums.append((bytes.count, hasher.sum))
    }
  }

  private final class Parts {
    var all: [Written] = []

    func add(_ page: PageOut) {
      if page.part == all.count { all.append(Written()) }
      all[page.part].add(page)
    }
  }

  /// A take with a loss in it, and a split.
  private func record(_ format: TapeFormat, channels: Int = 1) throws -> [Written] {
    let parts = Parts()
    let sink: PageSink = { (page) throws(TapeError) in parts.add(page) }
    let samples = Signals.sweep(frames: 96_000, channels: channels)
    let writer = try format.begin(float: false, tags: Self.tags, serial: 7, to: sink)
    func write(_ range: Range<Int>) throws {
      let piece = Array(samples[range.lowerBound * channels..<range.upperBound * channels])
      try piece.withUnsafeBytes { bytes in
        Result { () throws(TapeError) in try writer.write(bytes, to: sink) }
      }.get()
    }
    try write(0..<20_000)
    try writer.writeSilence(frames: 7_777, to: sink)
    try write(20_000..<41_111)
    try writer.split(tags: Self.tags, serial: 8)
    try write(41_111..<96_000)
    try writer.finish(to: sink)
    return parts.all
  }

  private static var tags: Tags {
    var tags = Tags()
    tags.title = "Before"
    return tags
  }

  private static let formats: [TapeFormat] = [
    .opus(OpusSettings()), .opus(.clear(44_100, channels: 2)), .flac(FlacSettings(48_000)),
    .flac(FlacSettings(96_000, channels: 2)),
  ]

  /// Where the sound begins, found by the marks that the formats have there.
  private func soundFrom(_ bytes: [UInt8]) -> Int {
    if bytes.starts(with: FlacHeader.magic) { return Int(FlacHeader.byteCount) }
    let pages = bytes.indices.filter { bytes[$0...].starts(with: Array("OggS".utf8)) }
    return pages[2]
  }

  @Test(
    "each part's sum, computed while it is written, is that of the bytes behind its header",
    arguments: formats)
  func written(format: TapeFormat) throws {
    let folder = Folder()
    let parts = try record(format, channels: format.channels)
    #expect(parts.count == 2)
    for part in parts {
      let sum = part.hasher.sum
      #expect(sum.soundFrom == Int64(soundFrom(part.bytes)))
      #expect(part.hasher.byteCount == Int64(part.bytes.count))
      #expect(try SoundHasher.reading(MemoryFile(part.bytes)).sum == sum)
      let path = try folder.put(part.bytes, "part")
      let command = "tail -c +$((\(sum.soundFrom) + 1)) '\(path)' | sha256sum"
      #expect(run(command).text.prefix(64) == sum.sha256.description)
    }
    #expect(parts[0].hasher.sum != parts[1].hasher.sum)
  }

  @Test("what is written into the header at the end and later changes no sum", arguments: formats)
  func tagged(format: TapeFormat) throws {
    for part in try record(format, channels: format.channels) {
      let file = MemoryFile(part.bytes)
      try part.seal?.write(into: file)
      var tags = Self.tags
      for notes in ["short", String(repeating: "long ", count: 600), ""] {
        (tags.title, tags.notes) = ("After \(notes.count)", notes)
        tags.marks = (0..<notes.count / 100).map { Tags.Mark(frame: Int64($0), name: "mark") }
        try tags.write(into: file)
        #expect(file.bytes != part.bytes)
        #expect(try SoundHasher.reading(file).sum == part.hasher.sum)
        #expect(try Repair.repair(file).examination.verdict == .whole)
        #expect(try SoundHasher.reading(file).sum == part.hasher.sum)
      }
    }
  }

  @Test("of a torn file, the repaired sound has the sum of its whole pages and what was appended")
  func torn() throws {
    var random = Random(seed: 3)
    for format in Self.formats {
      let part = try record(format, channels: format.channels)[0]
      for _ in 0..<40 {
        let cut = part.bytes.count / 2 + random.below(part.bytes.count / 2)
        let file = MemoryFile(part.bytes, cutAt: cut)
        let whole = Int(try Repair.repair(file).examination.wholeByteCount)
        // The sum of the pages that were whole, and of what a repair appends
        #expect(part.sums.contains { $0.byte == whole })
        var hash = SHA256()
        hash.update(Array(file.bytes[soundFrom(part.bytes)...]))
        let read = try SoundHasher.reading(file).sum
        #expect(read.sha256 == hash.sum && read.soundFrom == part.hasher.sum.soundFrom)
        if whole == file.bytes.count {
          #expect(part.sums.contains { $0.byte == whole && $0.sum == read })
        }
      }
    }
  }

  @Test("a repair that tears the tags themselves moves no sound")
  func tornTags() throws {
    for format in Self.formats {
      let part = try record(format, channels: format.channels)[0]
      var bytes = part.bytes
      let from = soundFrom(bytes)
      for place in [from - 1, from - 700, from - 3_000] {
        bytes[place] ^= 0x55
        let file = MemoryFile(bytes)
        try part.seal?.write(into: file)
        _ = try Repair.repair(file)
        #expect(try SoundHasher.reading(file).sum == part.hasher.sum)
      }
    }
  }

  @Test("of other files, all bytes count as sound")
  func others() throws {
    let bytes = Array("RIFF and something else".utf8)
    let sum = try SoundHasher.reading(MemoryFile(bytes)).sum
    var hash = SHA256()
    hash.update(bytes)
    #expect(sum == SoundSum(sha256: hash.sum, soundFrom: 0))
  }

  @Test("an imported file has its sum as soon as it is made")
  func imported() throws {
    let folder = Folder()
    let source = "\(folder.path)/source.wav"
    run("ffmpeg -v error -f lavfi -i sine=500:r=44100:d=2 '\(source)'")
    let file = try PosixFile.open("\(folder.path)/copy.opus", .create)
    let made = try Import.run(
      try SoundReader.open(source), into: file, as: .opus(OpusSettings()), serial: 5)
    #expect(made.frames == 96_000)
    #expect(try SoundHasher.reading(file).sum == made.sum && made.sum.soundFrom > 4_000)
  }
}

extension TapeFormat {
  fileprivate var channels: Int {
    switch self {
    case .opus(let settings): settings.channels
    case .flac(let settings): settings.channels
    }
  }
}
