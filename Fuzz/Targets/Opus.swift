// Sound files that a power cut or a bad card left: a repair keeps every whole page, a second repair
// changes nothing, libopusfile reads a repaired file with the length that we report, and tags are
// read and written without harm. If the first byte says so, page checksums are corrected first.

import Realtime

@testable import Tape

extension FuzzTarget {
  static let opus = FuzzTarget(
    name: "opus", limitBytes: 4096,
    seeds: {
      let whole = OpusSeeds.short
      let stereo = OpusSeeds.make(frames: 4000, channels: 2)
      let cuts = [whole.count - 1, whole.count - 200, whole.count / 2, 300, 100].map {
        Array(whole.prefix($0))
      }
      let garbage = [
        whole + [UInt8](repeating: 0, count: 300), whole + whole, Array(whole.dropFirst(10)),
      ]
      return ([whole, stereo] + cuts + garbage).flatMap { [[0] + $0, [1] + $0] }
    },
    run: { bytes in
      guard let kind = bytes.first else { return }
      let file = Array(bytes.dropFirst())
      try checkMending(of: kind & 1 == 0 ? file : OpusSeeds.sealed(file))
    })

  private static func checkMending(of bytes: [UInt8]) throws {
    let file = MemoryFile(bytes)
    let report = try Repair.repair(file)
    let repaired = file.bytes
    let examination = report.examination
    let operations = file.operations.count
    let second = try Repair.repair(file)
    let since = file.operations[operations...].filter { $0 != .sync }
    try prove(!second.changedAnything && since.isEmpty, "a second repairing changes it")
    guard examination.verdict == .repairable || examination.verdict == .whole else {
      return try prove(operations == 0, "\(examination.verdict) was touched")
    }
    try prove(second.examination.verdict == .whole, "repaired, it is \(second.examination.verdict)")
    try prove(second.examination.frames == examination.frames, "repaired, it has another length")
    let kept = Int(examination.wholeByteCount)
    try prove(
      report.repairedTags || repaired.prefix(kept) == bytes.prefix(kept), "whole pages were changed"
    )
    let damage = try Repair.measure(file) ?? Repair.Damage()
    try prove(
      damage.missingFrames >= 0 && damage.strayByteCount >= 0, "less than nothing is missing")
    var heard: Int64 = 0
    for hole in try Repair.holes(atEndOf: file, second.examination) {
      try prove(hole.frame >= heard && hole.frames > 0, "holes are not in order")
      heard = hole.frame + hole.frames
    }
    try checkTags(of: file)
    try withFile(repaired, checkReading)
  }

  private static func checkTags(of file: MemoryFile) throws {
    guard var tags = try Tags.read(from: file) else { return }
    let before = file.bytes
    tags.title = "Küche"
    do { try tags.write(into: file) } catch {
      try proveReadable(error.sentence)
      return try prove(file.bytes == before, "tags were refused, and the file changed")
    }
    try prove(try Tags.read(from: file)?.title == tags.title, "a title is written and not read")
    try prove(file.bytes.count == before.count, "tags changed the length of a file")
  }

  /// Reads the file with libopusfile, which refuses some files.
  private static func checkReading(of path: String) throws {
    var reader: OpusReader
    do throws(TapeError) { reader = try OpusReader.open(try PosixFile.open(path, .read)) } catch {
      return try proveReadable(error.sentence.replacing(path, with: "it"))
    }
    let block = Buffer<Int16>(count: 4_800 * reader.channels)
    var heard: Int64 = 0
    // If a file claims an absurd length, its beginning is enough.
    while heard < 480_000 {
      let count: Int
      do { count = try reader.read(into: block.all) } catch { return }
      if count == 0 { break }
      heard += Int64(count)
      try prove(reader.position == heard, "the place is not what was read")
    }
    try prove(heard <= max(reader.frames, 480_000 + 4_800), "more is heard than there is")
    if reader.frames > 0 {
      let middle = reader.frames / 2
      do { try reader.seek(to: middle) } catch { return }
      try prove(reader.position == middle, "a seek ends elsewhere")
    }
  }
}

/// Small files made by our own writer.
enum OpusSeeds {
  static let short = make(frames: 3000, channels: 1)

  /// Makes a fraction of a second at the lowest rate: the pages matter, not the sound.
  static func make(frames: Int, channels: Int, id: String? = nil) -> [UInt8] {
    var settings = OpusSettings()
    (settings.sampleRate, settings.channels, settings.bitsPerSecond) = (8000, channels, 6000)
    settings.complexity = 0
    var tags = Tags()
    (tags.title, tags.sequence, tags.date) = ("Kitchen", 42, "2026-11-20T14:03:22Z")
    tags.marks = [Tags.Mark(frame: 480, name: "here")]
    if let id {
      (tags.id, tags.notes) = (id, "one")
      tags.facts = [Tags.Comment(key: "REEL_GAPS", value: "9+4503599627370495 cut, 1+2 stalled")]
    }
    var bytes: [UInt8] = []
    let samples = (0..<frames * channels).map { Int16(truncatingIfNeeded: $0 &* 7919 % 5000) }
    do {
      var writer = try OggOpusWriter.begin(
        settings, tags: tags, serial: 7, tagSpace: id == nil ? 64 : 512
      ) {
        (page) throws(TapeError) in bytes += page.bytes
      }
      try samples.withUnsafeBufferPointer { samples in
        Result { () throws(TapeError) in
          try writer.write(samples) { (page) throws(TapeError) in bytes += page.bytes }
        }
      }.get()
      try writer.finish { (page) throws(TapeError) in bytes += page.bytes }
    } catch { return [] }
    return bytes
  }

  /// Gives everything that looks like a whole page its correct checksum.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var start = 0
    bytes.withUnsafeMutableBytes { bytes in
      while start + OggPage.headerByteCount <= bytes.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        guard let size = OggPage.size(of: UnsafeRawBufferPointer(rest)), size.total <= rest.count
        else {
          start += 1
          continue
        }
        OggPage.seal(
          UnsafeMutableRawBufferPointer(rebasing: rest[..<size.total]), headerByteCount: size.header
        )
        start += size.total
      }
    }
    return bytes
  }
}
