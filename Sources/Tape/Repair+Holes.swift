// Finds what a power cut tore out of the end of a recording: cards write pages in any order, so of
// the last second a page may be lost while one behind it is there. Reads the end of the file only
// and changes nothing. The file's owner calls it.

extension Repair {
  /// A range of a recording, at 48 kHz, that its file does not hold.
  public struct Hole: Equatable, Sendable {
    public let frame: Int64
    public let frames: Int64
  }

  /// How far from the end pages may be unsynced: after a stall, a card gets all waiting pages at
  /// once.
  public static let unsafeByteCount: Int64 = 4 << 20

  /// Returns the holes at the end of an examined file, in order of time; none if it is not Ogg
  /// Opus.
  public static func holes<File: TapeFile & ~Copyable>(
    atEndOf file: borrowing File, _ examination: Examination
  ) throws(TapeError) -> [Hole] {
    let (byteCount, start) = (try file.byteCount(), examination.startFrame)
    guard let headers = try OpusHeaders.read(from: file), start <= latestGranule else { return [] }
    let firstPlayed = start + Int64(headers.header.preSkip)
    var scanner = PageScanner(
      fileByteCount: byteCount, from: max(headers.end, byteCount - unsafeByteCount),
      countsTicks: true)
    var holes: [Hole] = []
    var expected: Int64?
    while let page = try scanner.next(in: file) {
      // A hostile file may have any times, or go backwards.
      guard page.serial == headers.serial, page.granule >= expected ?? 0,
        page.granule <= latestGranule
      else { continue }
      if let expected, expected >= start,
        let hole = hole(before: page, after: expected, firstPlayed: firstPlayed)
      {
        holes.append(hole)
      }
      // Nothing of a stream follows its last page, whose hole may reach beyond it.
      if page.isLast { break }
      expected = page.granule
    }
    return holes
  }

  /// Returns the sound that is missing between two pages; nil if none is. What was torn out of the
  /// lead-in of a split is no loss: a player discards it.
  /// - Parameters:
  ///   - granule: the time of the page before.
  ///   - firstPlayed: the time of the recording's frame 0.
  static func hole(before page: OggPage, after granule: Int64, firstPlayed: Int64) -> Hole? {
    let frame = granule - firstPlayed
    let end = frame + missing(before: page, after: granule)
    let start = max(0, frame)
    return end > start ? Hole(frame: start, frames: end - start) : nil
  }

  /// The last page's time lies within its last packet, so what is missing is rounded up to whole
  /// packets.
  private static func missing(before page: OggPage, after granule: Int64) -> Int64 {
    let missing = max(0, page.granule - granule - page.ticks)
    return page.isLast ? (missing + packetTicks - 1) / packetTicks * packetTicks : missing
  }

  /// A hostile page may claim a time so late that what is computed with it overflows. Pages later
  /// than this, some million years, are passed over.
  static let latestGranule = Int64.max / 2

  /// 20 ms, the usual length of a packet.
  private static let packetTicks: Int64 = 960
}
