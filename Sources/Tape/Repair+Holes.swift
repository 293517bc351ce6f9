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
    guard let headers = try OpusHeaders.read(from: file) else { return [] }
    let (byteCount, start) = (try file.byteCount(), examination.startFrame)
    var scanner = PageScanner(
      fileByteCount: byteCount, from: max(headers.end, byteCount - unsafeByteCount),
      countsTicks: true)
    var holes: [Hole] = []
    var expected: Int64?
    while let page = try scanner.next(in: file) {
      // A hostile file may have any times, or go backwards.
      guard page.serial == headers.serial, page.granule >= expected ?? 0 else { continue }
      if let expected, expected >= start {
        let missing = missing(before: page, after: expected)
        let frame = expected - start - Int64(headers.header.preSkip)
        if missing > 0, frame >= 0 { holes.append(Hole(frame: frame, frames: missing)) }
      }
      expected = page.granule
    }
    return holes
  }

  /// The last page's time lies within its last packet, so what is missing is rounded up to whole
  /// packets.
  private static func missing(before page: OggPage, after granule: Int64) -> Int64 {
    let missing = page.granule - granule - page.ticks
    guard page.isLast, missing > 0 else { return missing }
    return (missing + packetTicks - 1) / packetTicks * packetTicks
  }

  /// 20 ms, the usual length of a packet.
  private static let packetTicks: Int64 = 960
}
