// Reads the packets of an Ogg Opus file one after another, each with its place on the file's clock.
// The file's owner calls it, on a thread that may block on the disk. It changes nothing, and must
// check every length and time: the file may be damaged or made by another program.

import COpus
import Realtime

/// A packet of sound.
struct TapePacket: Equatable {
  var bytes: [UInt8]
  /// Where it ends on the file's clock at 48 kHz, before the end of the file is trimmed.
  var end: Int64
  var ticks: Int64
  var endsPage: Bool

  var start: Int64 { end - ticks }
}

struct PacketReader<File: TapeFile & ~Copyable>: ~Copyable {
  let headers: OpusHeaders
  /// Where the sound of the pages read so far ends; at the end of the file it is trimmed exactly.
  private(set) var soundEnd: Int64 = 0

  private let file: File
  private var scanner: PageScanner
  private var waiting: ArraySlice<TapePacket> = []
  /// The beginning of a packet that goes on, on the next page.
  private var begun: [UInt8] = []
  /// Where the last packet ended, before any trimming; nil before the first page that is read.
  private var clock: Int64?

  /// Times beyond this are no times of a recording; sums of two must not overflow.
  private static var latest: Int64 { 1 << 60 }

  /// Reads from the first packet, or from the first page that lies in the last `endByteCount`
  /// bytes.
  /// Not an initializer: Swift 6.0 ends on one that throws while it owns the file.
  static func open(
    _ file: consuming File, endByteCount: Int64 = .max
  ) throws(TapeError) -> PacketReader {
    let (headers, byteCount) = try beginning(of: file)
    return PacketReader(file, headers, byteCount: byteCount, endByteCount: endByteCount)
  }

  private init(
    _ file: consuming File, _ headers: OpusHeaders, byteCount: Int64, endByteCount: Int64
  ) {
    let start = max(headers.end, byteCount - min(endByteCount, byteCount))
    self.headers = headers
    scanner = PageScanner(fileByteCount: byteCount, from: start)
    if start == headers.end { clock = 0 }
    self.file = file
  }

  private static func beginning(
    of file: borrowing File
  ) throws(TapeError) -> (OpusHeaders, byteCount: Int64) {
    guard let headers = try OpusHeaders.read(from: file) else {
      throw TapeError(.notSound, "This is not an Ogg Opus file in mono or stereo.")
    }
    return (headers, try file.byteCount())
  }

  /// Returns the next packet; nil at the end.
  mutating func next() throws(TapeError) -> TapePacket? {
    while waiting.isEmpty {
      guard let page = try scanner.next(in: file) else { return nil }
      guard page.serial == headers.serial, page.granule <= Self.latest else { continue }
      try read(page)
    }
    return waiting.popFirst()
  }

  private mutating func read(_ page: OggPage) throws(TapeError) {
    let bytes = try file.bytes(at: page.offset, count: page.byteCount)
    guard bytes.count == page.byteCount else { return }
    var packets = packets(on: bytes, body: page.bodyOffset)
    guard page.granule >= 0, !packets.isEmpty else { return }
    let total = packets.reduce(0) { $0 + $1.ticks }
    var end = max(page.granule - total, start(of: page, total, packets))
    for index in packets.indices {
      end += packets[index].ticks
      packets[index].end = end
    }
    packets[packets.count - 1].endsPage = true
    (clock, soundEnd) = (end, page.granule)
    waiting = packets[...]
  }

  /// Returns where the packets of a page begin. The time of the last page may lie before the end of
  /// its last packet; if pages are missing before it, whole packets are missing.
  private func start(of page: OggPage, _ total: Int64, _ packets: [TapePacket]) -> Int64 {
    let start = page.granule - total
    guard page.isLast, let clock else { return start }
    let missing = max(0, start - clock)
    let packet = max(1, packets[packets.count - 1].ticks)
    return clock + (missing + packet - 1) / packet * packet
  }

  /// Divides a page into the packets that end on it.
  private mutating func packets(on page: [UInt8], body: Int) -> [TapePacket] {
    var found: [TapePacket] = []
    // Without its beginning, a packet that was continued is dropped.
    var isTorn = page[5] & 1 != 0 && begun.isEmpty
    if page[5] & 1 == 0 { begun = [] }
    var position = body
    for index in OggPage.headerByteCount..<body {
      let length = Int(page[index])
      begun += page[position..<position + length]
      position += length
      if length == 255 { continue }
      if !isTorn, !begun.isEmpty {
        found.append(
          TapePacket(bytes: begun, end: 0, ticks: Self.ticks(of: begun), endsPage: false))
      }
      (begun, isTorn) = ([], false)
    }
    if isTorn { begun = [] }
    return found
  }

  private static func ticks(of packet: [UInt8]) -> Int64 {
    Int64(max(0, opus_packet_get_nb_samples(packet, opus_int32(packet.count), 48_000)))
  }
}
