// Repairs a recording that was cut short or has garbage at its end. Of an Ogg Opus file: cuts it to
// its last whole page and appends an end mark. `FlacRepair` does the same for FLAC. The file's
// owner calls it, on a thread that may block on the disk. It must delete nothing else, leave alone
// what it does not know and what has no sound, and touch no byte of a whole page.
//
// The end mark is a page of its own, not a bit in the last one: what was synced is never written
// again, so power may fail at any point here and the next run finds the same whole pages. It holds
// one packet of 2.5 ms, which its granule position trims away entirely: an end page without any
// packet is legal too, but opusinfo complains of one that has a time.

/// Mends a file of sound that a cut has torn.
public enum Repair {
  public enum Verdict: Equatable, Sendable {
    /// Nothing to do.
    case whole
    case repairable
    /// It has headers, but not one whole page of sound.
    case noSound
    /// Neither Ogg Opus in mono or stereo nor FLAC that Reel recorded, or its first page is lost.
    case foreign
    /// Another stream follows the first. Reel makes none of these and leaves them alone.
    case chained
  }

  public struct Examination: Equatable, Sendable {
    public var verdict: Verdict
    public var byteCount: Int64
    /// Up to the end of the last whole page.
    public var wholeByteCount: Int64
    /// The rate at which it plays, and its channels.
    public var rate = 48_000
    public var channels = 1
    /// Of a sample in a file without loss.
    public var bits: Int?
    /// Length of the sound at the rate of the file, including anything missing in the middle.
    public var frames: Int64 = 0
    /// Where its first page begins. Not 0 if the beginning was torn out of a recording, or the file
    /// was cut out of a longer one.
    public var startFrame: Int64 = 0
    public var isEndMarked = false
    public var tagsAreDamaged = false

    public var strayByteCount: Int64 { byteCount - wholeByteCount }
    /// Whether it is a recording that is whole, or can be made so.
    public var hasSound: Bool { verdict == .whole || verdict == .repairable }
  }

  public struct Report: Equatable, Sendable {
    public var examination: Examination
    public var cutByteCount: Int64 = 0
    public var addedByteCount: Int64 = 0
    public var repairedTags = false
    /// The length was written into a FLAC file's header.
    public var sealed = false

    public var changedAnything: Bool {
      cutByteCount > 0 || addedByteCount > 0 || repairedTags || sealed
    }
  }

  /// Examines a file. Reads its headers and its end only, however long it is.
  public static func examine<File: TapeFile & ~Copyable>(
    _ file: borrowing File
  ) throws(TapeError) -> Examination {
    if let flac = try FlacRepair.examine(file, of: nil) { return flac.examination }
    return try findings(file).examination
  }

  /// Repairs and syncs the file. A second run changes nothing. Its modification time is kept. After
  /// a failed sync, bytes at the end can be read, but no later sync makes them safe: so the last
  /// `endByteCount` bytes are written again. With a serial number, a file of any other stream is
  /// foreign.
  public static func repair<File: TapeFile & ~Copyable>(
    _ file: borrowing File, of serial: UInt32? = nil, distrusting endByteCount: Int64 = 0
  ) throws(TapeError) -> Report {
    let flac = try FlacRepair.examine(file, of: serial)
    let findings =
      if let flac { Findings(examination: flac.examination) } else {
        try findings(file, of: serial)
      }
    let examination = findings.examination
    var report = Report(examination: examination)
    guard examination.hasSound else { return report }
    let modified = try file.modified()
    let end = examination.wholeByteCount
    try writeAgain(max(0, end - endByteCount)..<end, of: file)
    if examination.verdict == .whole {
      // An earlier run may have ended, or failed, before its sync.
      try file.setModified(modified)
      try file.sync()
      return report
    }
    if let flac {
      try FlacRepair.repair(file, flac, &report)
    } else {
      try repair(file, findings, &report)
    }
    try file.setModified(modified)
    return report
  }

  private static func repair<File: TapeFile & ~Copyable>(
    _ file: borrowing File, _ findings: Findings, _ report: inout Report
  ) throws(TapeError) {
    guard let headers = findings.headers, let last = findings.last else { return }
    let examination = findings.examination
    if examination.tagsAreDamaged {
      try sealTags(headers, in: file)
      report.repairedTags = true
    }
    try cut(file, examination, &report)
    if !examination.isEndMarked {
      let mark = endMark(after: last, granule: findings.granule, channels: headers.header.channels)
      try file.write(mark, at: examination.wholeByteCount)
      try file.sync()
      report.addedByteCount = Int64(mark.count)
    }
  }

  /// Cuts off what is behind the last whole page or frame.
  static func cut<File: TapeFile & ~Copyable>(
    _ file: borrowing File, _ examination: Examination, _ report: inout Report
  ) throws(TapeError) {
    guard examination.strayByteCount > 0 else { return }
    try file.truncate(to: examination.wholeByteCount)
    try file.sync()
    report.cutByteCount = examination.strayByteCount
  }

  private static func writeAgain<File: TapeFile & ~Copyable>(
    _ range: Range<Int64>, of file: borrowing File
  ) throws(TapeError) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 65_536) {
      let count = min(65_536, range.upperBound - start)
      try file.write(try file.bytes(at: start, count: Int(count)), at: start)
    }
  }

  private struct Findings {
    var examination: Examination
    var headers: OpusHeaders?
    var last: OggPage?
    var granule: Int64 = 0
  }

  private static func findings<File: TapeFile & ~Copyable>(
    _ file: borrowing File, of serial: UInt32? = nil
  ) throws(TapeError) -> Findings {
    let byteCount = try file.byteCount()
    let unknown = Examination(verdict: .foreign, byteCount: byteCount, wholeByteCount: byteCount)
    var findings = Findings(examination: unknown)
    guard let headers = try OpusHeaders.read(from: file), headers.serial == serial ?? headers.serial
    else { return findings }
    findings.headers = headers
    findings.examination.channels = headers.header.channels
    findings.examination.verdict = .noSound
    guard
      let end = try PageScanner.last(
        in: file, serial: headers.serial, from: headers.end, to: byteCount),
      let timed = end.timed,
      let first = try firstPage(headers, in: file, byteCount: byteCount)
    else { return findings }
    let start = max(0, first.granule - first.ticks)
    let frames = timed.granule - start - Int64(headers.header.preSkip)
    if let stranger = end.stranger, stranger.isFirst, end.page.isLast,
      stranger.offset == end.page.end
    {
      findings.examination.verdict = .chained
      return findings
    }
    guard frames > 0 || end.page.isLast else { return findings }
    findings.last = end.page
    findings.granule = timed.granule
    findings.examination.startFrame = start
    findings.examination.frames = max(0, frames)
    findings.examination.wholeByteCount = end.page.end
    findings.examination.isEndMarked = end.page.isLast
    findings.examination.tagsAreDamaged = headers.tagsAreDamaged
    let isWhole = end.page.isLast && end.page.end == byteCount && !headers.tagsAreDamaged
    findings.examination.verdict = isWhole ? .whole : .repairable
    return findings
  }

  private static func firstPage<File: TapeFile & ~Copyable>(
    _ headers: OpusHeaders, in file: borrowing File, byteCount: Int64
  ) throws(TapeError) -> OggPage? {
    var scanner = PageScanner(
      fileByteCount: byteCount, from: headers.end, countsTicks: true)
    while let page = try scanner.next(in: file) {
      if page.serial == headers.serial && page.granule >= 0 { return page }
    }
    return nil
  }

  /// Rewrites the tags page with the comments that can still be read, and a valid checksum.
  private static func sealTags<File: TapeFile & ~Copyable>(
    _ headers: OpusHeaders, in file: borrowing File
  ) throws(TapeError) {
    guard let page = headers.tagsPage else { return }
    var new = try file.bytes(at: page.offset, count: page.byteCount)
    new.withUnsafeMutableBytes { bytes in
      Tags.trim(packet: UnsafeMutableRawBufferPointer(rebasing: bytes[page.bodyOffset...]))
      OggPage.seal(bytes, headerByteCount: page.bodyOffset)
    }
    try file.write(new, at: page.offset)
    try file.sync()
  }

  static func endMark(after last: OggPage, granule: Int64, channels: Int) -> [UInt8] {
    // One segment of one byte: 2.5 ms of silence, in as many channels as the rest.
    let silentPacket: UInt8 = channels == 2 ? 0x84 : 0x80
    var page = Array("OggS".utf8) + [0, OggPage.lastFlag] + littleEndian(granule)
    page += littleEndian(last.serial) + littleEndian(last.sequence &+ 1) + [0, 0, 0, 0]
    page += [1, 1, silentPacket]
    page.withUnsafeMutableBytes { OggPage.seal($0, headerByteCount: OggPage.headerByteCount + 1) }
    return page
  }
}
