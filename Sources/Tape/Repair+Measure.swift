// Measures what is missing in the middle of a recording, from its pages, and changes nothing. Reads
// the whole file, so it belongs on a thread that has the time, and can be cancelled.

extension Repair {
  public struct Damage: Equatable, Sendable {
    /// Bytes between the first and the last page that belong to no whole page.
    public var strayByteCount: Int64 = 0
    /// Frames missing between pages, at the rate of the file, of the sound that is played.
    public var missingFrames: Int64 = 0
    /// Whether a page is missing, also at the beginning, or of a lead-in, which is not played.
    public var hasLostPages = false

    public init(
      strayByteCount: Int64 = 0, missingFrames: Int64 = 0, hasLostPages: Bool = false
    ) {
      self.strayByteCount = strayByteCount
      self.missingFrames = missingFrames
      self.hasLostPages = hasLostPages
    }
  }

  /// Whether the samples of a FLAC file are those that its header has the sum of; nil if it has no
  /// sum, or is not FLAC. Decodes the whole file.
  public static func sumMatches<File: TapeFile & ~Copyable>(
    _ file: borrowing File, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Bool? {
    guard let layout = try FlacLayout.read(from: file) else { return nil }
    return try FlacSum.matches(file, layout, progress: progress)
  }

  /// Nil if the file is neither Ogg Opus nor FLAC that Reel recorded.
  public static func measure<File: TapeFile & ~Copyable>(
    _ file: borrowing File, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Damage? {
    if let layout = try FlacLayout.read(from: file), layout.serial != nil {
      return try FlacWalk.across(file, layout, progress: progress).damage
    }
    guard let headers = try OpusHeaders.read(from: file) else { return nil }
    let byteCount = try file.byteCount()
    var scanner = PageScanner(
      fileByteCount: byteCount, from: headers.end, countsTicks: true)
    var damage = Damage()
    var expected: Int64?
    var firstPlayed: Int64 = 0
    var reported: Int64 = 0
    while let page = try scanner.next(in: file) {
      // Bytes before a page count; those behind the last one belong to the end, not the middle.
      damage.strayByteCount = scanner.strayByteCount
      guard page.serial == headers.serial, (0...latestGranule).contains(page.granule) else {
        continue
      }
      if let expected {
        if page.granule - expected > page.ticks { damage.hasLostPages = true }
        // A hostile file may claim huge gaps again and again, so the sum may overflow.
        let hole = hole(before: page, after: expected, firstPlayed: firstPlayed)
        let (sum, isTooMuch) = damage.missingFrames.addingReportingOverflow(hole?.frames ?? 0)
        damage.missingFrames = isTooMuch ? .max : sum
      } else {
        let start = max(0, page.granule - page.ticks)
        if start > 0 { damage.hasLostPages = true }
        firstPlayed = start + Int64(headers.header.preSkip)
      }
      expected = page.granule
      if page.offset - reported > 1 << 20 {
        reported = page.offset
        try progress(Progress(done: page.offset, of: byteCount)).check()
      }
    }
    return damage
  }
}
