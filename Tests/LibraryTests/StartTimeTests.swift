// Proves that the exported parts of a split take line up to the sample: the time reference of each
// is that of the first, and the frames of the parts between, at the rate of the files.

import FoundationEssentials
import Library
import Recorder
import Tape
import Testing

@Suite struct StartTimeTests {
  @Test(
    "a part's time reference is that of the first part and the frames before it",
    arguments: [44_100, 48_000, 96_000])
  func split(rate: Int) throws {
    // Given a take that began at an odd millisecond, in three parts of odd lengths
    let desk = try StoreDesk()
    desk.now = WallTime(milliseconds: 1_800_000_000_123)
    let lengths = [rate / 2 + 1, rate / 3 + 17, rate / 5]
    var parts: [Recording] = []
    for (index, frames) in lengths.enumerated() {
      let reason: StopReason = index + 1 < lengths.count ? .split : .pressed
      parts.append(try desk.keep(part: index + 1, of: frames, rate, after: parts.last, reason))
    }
    // When they are exported
    let references = try parts.map { part in
      let path = "\(desk.scratch.path)/.part\(part.part).wav"
      try desk.work(.long(.export(part.id, format: "wav24", to: "\(path)")))
      return try Self.timeReference(of: path)
    }
    // Then no sample is missing or counted twice
    let first = 1_800_000_000_123 % 86_400_000 * rate / 1_000
    #expect(references == [first, first + lengths[0], first + lengths[0] + lengths[1]])
  }

  private static func timeReference(of path: String) throws -> Int {
    let bytes = try PosixFile.open(path, .read).bytes(at: 0, count: 2_000)
    let name = Array("bext".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    return (0..<8).reduce(0) { $0 | Int(bytes[start + 8 + 338 + $1]) << (8 * $1) }
  }
}

extension StoreDesk {
  /// Makes a FLAC part that continues another.
  fileprivate func keep(
    part number: Int, of frames: Int, _ rate: Int, after before: Recording?, _ reason: StopReason
  ) throws -> Recording {
    let begun = recording("Part \(number)")
    func part(_ sound: Sound, _ integrity: Integrity) -> Recording {
      Recording(
        id: begun.id, folder: begun.folder, sequence: begun.sequence, title: begun.title,
        began: begun.began, sound: sound, integrity: integrity, continues: before?.id, part: number)
    }
    let path = try begin(
      Recording(
        id: begun.id, folder: begun.folder, sequence: begun.sequence, title: begun.title,
        began: begun.began, stage: .recording, continues: before?.id, part: number))
    let bytes = try write(frames: frames, rate, to: path)
    let finished = part(
      Sound(frames: Int64(frames), rate: rate, sizeBytes: bytes, bits: 16),
      Integrity(device: "Mic", stopReason: reason))
    give(.keep(finished))
    return finished
  }

  /// Writes a FLAC file; returns its length.
  private func write(frames: Int, _ rate: Int, to name: String) throws -> Int64 {
    var settings = FlacSettings()
    settings.sampleRate = rate
    var (bytes, seal): ([UInt8], FlacSeal?) = ([], nil)
    func add(_ page: PageOut) {
      bytes += page.bytes
      seal = page.seal ?? seal
    }
    var writer = try FlacWriter.begin(settings, float: false, tags: Tags(), serial: 7) {
      (page) throws(TapeError) in add(page)
    }
    try (0..<frames).map { Int16(truncatingIfNeeded: $0 % 999) }.withUnsafeBytes { samples in
      Result { () throws(TapeError) in
        try writer.write(samples) { (page) throws(TapeError) in add(page) }
      }
    }.get()
    try writer.finish { (page) throws(TapeError) in add(page) }
    try put(name, Data(bytes))
    let file = try PosixFile.open("\(scratch.path)/\(name)", .change)
    try seal?.write(into: file)
    return try file.byteCount()
  }
}
