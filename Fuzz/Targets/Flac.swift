// FLAC takes that a power cut or a bad card left: a repair keeps every whole frame, a second repair
// changes nothing, and tags are read and written without harm, whatever the bytes.

@testable import Tape

extension FuzzTarget {
  static let flac = FuzzTarget(
    name: "flac", limitBytes: 24_576,
    seeds: {
      let (open, closed) = (try FlacSeeds.open(), try FlacSeeds.closed())
      let cuts = [open.count - 1, open.count - 200, FlacSeeds.headerBytes + 100, 5_000, 60].map {
        Array(open.prefix($0))
      }
      return [open, closed, closed + [UInt8](repeating: 0, count: 300)] + cuts
    },
    run: { bytes in try checkFlac(bytes) })

  private static func checkFlac(_ bytes: [UInt8]) throws {
    let file = MemoryFile(bytes)
    guard try FlacLayout.read(from: file) != nil else { return }
    let report = try Repair.repair(file)
    let examination = report.examination
    let (repaired, operations) = (file.bytes, file.operations.count)
    let second = try Repair.repair(file)
    let since = file.operations[operations...].filter { $0 != .sync }
    try prove(!second.changedAnything && since.isEmpty, "a second repairing changes it")
    guard examination.verdict == .repairable || examination.verdict == .whole else {
      return try prove(operations == 0, "\(examination.verdict) was touched")
    }
    try prove(second.examination.verdict == .whole, "repaired, it is \(second.examination.verdict)")
    try prove(second.examination.frames == examination.frames, "repaired, it has another length")
    let (start, end) = (Int(try soundStart(of: file)), Int(examination.wholeByteCount))
    try prove(repaired.count == end, "it does not end with its last frame")
    try prove(start <= end && repaired[start...] == bytes[start..<end], "frames were changed")
    let damage = try Repair.measure(file) ?? Repair.Damage()
    try prove(
      damage.missingFrames >= 0 && damage.strayByteCount >= 0, "less than nothing is missing")
    try checkTags(of: file)
  }

  private static func soundStart(of file: MemoryFile) throws -> Int64 {
    guard let layout = try FlacLayout.read(from: file) else {
      throw Broken("repaired, it is no FLAC any more")
    }
    return layout.end
  }

  private static func checkTags(of file: MemoryFile) throws {
    guard var tags = try Tags.read(from: file) else { return }
    let before = file.bytes
    (tags.title, tags.marks) = ("Küche", [Tags.Mark(frame: 960, name: "here")])
    do { try tags.write(into: file) } catch {
      try proveReadable(error.sentence)
      return try prove(file.bytes == before, "tags were refused, and the file changed")
    }
    try prove(try Tags.read(from: file)?.title == tags.title, "a title is written and not read")
    try prove(file.bytes.count == before.count, "tags changed the length of a file")
    try prove(try Repair.examine(file).verdict == .whole, "tags made a whole file another")
  }
}

/// A small take made by our own writer.
enum FlacSeeds {
  static let headerBytes = 13_000

  static func open() throws -> [UInt8] { try made().bytes }

  static func closed() throws -> [UInt8] {
    let (bytes, seal) = try made()
    let file = MemoryFile(bytes)
    try seal?.write(into: file)
    return file.bytes
  }

  private static func made() throws -> (bytes: [UInt8], seal: FlacSeal?) {
    var settings = FlacSettings()
    settings.sampleRate = 8000
    var tags = Tags()
    (tags.id, tags.title, tags.sequence) = ("00ff", "Kitchen", 42)
    tags.marks = [Tags.Mark(frame: 480, name: "here")]
    var (bytes, seal): ([UInt8], FlacSeal?) = ([], nil)
    let samples = (0..<4_000).map { Int16(truncatingIfNeeded: $0 &* 7919 % 700) }
    var writer = try FlacWriter.begin(settings, float: false, tags: tags, serial: 7) {
      (page) throws(TapeError) in bytes += page.bytes
    }
    try samples.withUnsafeBytes { samples in
      Result { () throws(TapeError) in
        try writer.write(samples) { (page) throws(TapeError) in bytes += page.bytes }
      }
    }.get()
    try writer.finish { (page) throws(TapeError) in
      bytes += page.bytes
      seal = page.seal ?? seal
    }
    return (bytes, seal)
  }
}
