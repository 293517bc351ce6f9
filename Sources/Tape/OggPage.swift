// One Ogg page found among bytes: where it is, what it says, and whether its checksum is valid. Any
// thread; it must never trust a length before checking that the bytes are there.
import COgg
import COpus

struct OggPage: Equatable {
  static let headerByteCount = 27
  static let largestByteCount = 27 + 255 + 255 * 255
  static let firstFlag: UInt8 = 2
  static let lastFlag: UInt8 = 4

  enum Found: Equatable {
    case page(OggPage)
    /// A page may begin here, but needs more bytes than there are.
    case needs(byteCount: Int)
    case nothing
  }

  var offset: Int64
  var byteCount: Int
  var bodyOffset: Int
  var flags: UInt8
  var granule: Int64
  var serial: UInt32
  var sequence: UInt32
  /// Length of the packets that begin on this page, at 48 kHz, if it was counted.
  var ticks: Int64 = 0
  /// Whether the last packet continues on the next page.
  var isOpenEnded = false

  var end: Int64 { offset + Int64(byteCount) }
  var isFirst: Bool { flags & Self.firstFlag != 0 }
  var isLast: Bool { flags & Self.lastFlag != 0 }

  /// Looks for a page at the first byte. It writes to the bytes to compute the checksum, and
  /// restores them.
  static func find(
    in bytes: UnsafeMutableRawBufferPointer, offset: Int64, countsTicks: Bool = false
  ) -> Found {
    guard let size = size(of: UnsafeRawBufferPointer(bytes)) else { return .nothing }
    guard size.total <= bytes.count else { return .needs(byteCount: size.total) }
    let whole = UnsafeMutableRawBufferPointer(rebasing: bytes[..<size.total])
    guard hasTrueChecksum(whole, headerByteCount: size.header) else { return .nothing }
    var page = OggPage(UnsafeRawBufferPointer(whole), headerByteCount: size.header, at: offset)
    if countsTicks { page.ticks = ticks(on: UnsafeRawBufferPointer(whole), body: size.header) }
    return .page(page)
  }

  /// The sizes that a header claims; nil if it is not one. With too few bytes to tell, the minimum.
  static func size(of bytes: UnsafeRawBufferPointer) -> (header: Int, total: Int)? {
    guard bytes.count >= headerByteCount else { return (headerByteCount, headerByteCount) }
    let magic = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
    guard magic == 0x4F67_6753, bytes[4] == 0 else { return nil }  // "OggS", version 0
    let header = headerByteCount + Int(bytes[26])
    guard bytes.count >= header else { return (header, header) }
    var body = 0
    for index in headerByteCount..<header { body += Int(bytes[index]) }
    return (header, header + body)
  }

  private static func hasTrueChecksum(
    _ page: UnsafeMutableRawBufferPointer, headerByteCount: Int
  ) -> Bool {
    let stored = page.loadUnaligned(fromByteOffset: 22, as: UInt32.self)
    seal(page, headerByteCount: headerByteCount)
    let computed = page.loadUnaligned(fromByteOffset: 22, as: UInt32.self)
    page.storeBytes(of: stored, toByteOffset: 22, as: UInt32.self)
    return stored == computed
  }

  /// Writes a page's checksum into it.
  static func seal(_ page: UnsafeMutableRawBufferPointer, headerByteCount: Int) {
    guard let start = page.baseAddress else { return }
    let bytes = start.assumingMemoryBound(to: UInt8.self)
    var view = ogg_page(
      header: bytes, header_len: headerByteCount,
      body: bytes + headerByteCount, body_len: page.count - headerByteCount)
    ogg_page_checksum_set(&view)
  }

  private init(_ bytes: UnsafeRawBufferPointer, headerByteCount: Int, at offset: Int64) {
    self.offset = offset
    byteCount = bytes.count
    bodyOffset = headerByteCount
    flags = bytes[5]
    granule = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: Int64.self))
    serial = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 14, as: UInt32.self))
    sequence = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 18, as: UInt32.self))
    isOpenEnded = headerByteCount > Self.headerByteCount && bytes[headerByteCount - 1] == 255
  }

  private static func ticks(on page: UnsafeRawBufferPointer, body: Int) -> Int64 {
    var sum: Int64 = 0
    var packetStart = body
    var position = body
    // A packet that begins on the page before counts there.
    var counts = page[5] & 1 == 0
    for index in headerByteCount..<body {
      position += Int(page[index])
      guard page[index] < 255 || index == body - 1 else { continue }
      if counts { sum += packetTicks(page, packetStart..<position) }
      counts = true
      packetStart = position
    }
    return sum
  }

  private static func packetTicks(_ page: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64 {
    guard !range.isEmpty, let start = page.baseAddress else { return 0 }
    let packet = (start + range.lowerBound).assumingMemoryBound(to: UInt8.self)
    return Int64(max(0, opus_packet_get_nb_samples(packet, opus_int32(range.count), 48_000)))
  }
}
