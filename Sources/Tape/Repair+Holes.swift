// What a power cut tore out of the end of a recording: cards write pages in any order, so of the
// last second a page may be lost and the one behind it be there. Reads the end of the file only and
// changes nothing. Whoever owns the file calls it.

extension Repair {
  /// A stretch of a recording that its file does not hold, at 48 kHz.
  public struct Hole: Equatable, Sendable {
    public let frame: Int64
    public let frames: Int64
  }

  /// How far back pages may be that were never made safe: a card that has stalled gets what waited
  /// in one go.
  public static let unsafeByteCount: Int64 = 4 << 20

  /// In the last bytes of a file that was examined, in the order of time; none if it is no Ogg Opus
  /// file.
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
      // A hostile file may tell any time, or go back in it.
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

  /// The last page tells a time within its last packet: what is missing before it, whole packets.
  private static func missing(before page: OggPage, after granule: Int64) -> Int64 {
    let missing = page.granule - granule - page.ticks
    guard page.isLast, missing > 0 else { return missing }
    return (missing + packetTicks - 1) / packetTicks * packetTicks
  }

  /// 20 ms, as packets usually are.
  private static let packetTicks: Int64 = 960
}
