// The pages of several parts of a take as those of one Ogg Opus stream, made one after another. The
// packets are those of the parts, bit for bit. The owner calls it, on a thread that may block on
// the disk. It must neither lose nor repeat a packet where two parts meet.
//
// `OggOpusWriter` never stops its encoder at a split: the next part begins with the packets of the
// last 0.4 s before it, and the ending part has the packets that hold its last frames. So a packet
// near the split is in both files. The joined stream has it once, and then decodes to the samples
// of the undivided take, because it has the same packets. `Seam` checks that it may be made.

import Realtime

struct JoinedPages<File: TapeFile & ~Copyable>: ~Copyable {
  typealias Opening = (Int) throws(TapeError) -> File

  private let parts: Range<Int>
  private let open: Opening
  private var part: Int
  private var reader: PacketReader<File>
  private var stream: OggStream
  private var pages: ArraySlice<[UInt8]> = []

  /// Where the present part's clock begins on the joined one.
  private var shift: Int64 = 0
  /// Where the packets so far end, before trimming.
  private var packetsEnd: Int64 = 0
  /// The last packet, until it is known whether another follows.
  private var held: TapePacket?
  private var isAtEnd = false

  /// Opens each part when it is read.
  static func open(
    _ parts: Range<Int>, tags: Tags, opening open: @escaping Opening
  ) throws(TapeError) -> JoinedPages {
    precondition(!parts.isEmpty, "a take has a part")
    let reader = try PacketReader.open(try open(parts.lowerBound))
    let headers = [reader.headers.header.bytes, try tags.packet()]
    let stream = try OggStream(serial: reader.headers.serial)
    var joined = JoinedPages(parts, open, consume reader, consume stream)
    for bytes in headers {
      let packet = Buffer(copying: bytes)
      try joined.stream.put(packet.all, granule: 0)
      try joined.flush()
    }
    return joined
  }

  private init(
    _ parts: Range<Int>, _ open: @escaping Opening, _ reader: consuming PacketReader<File>,
    _ stream: consuming OggStream
  ) {
    self.parts = parts
    self.open = open
    self.reader = reader
    self.stream = stream
    part = parts.lowerBound
  }

  /// Returns the next page; nil at the end.
  mutating func next() throws(TapeError) -> [UInt8]? {
    while pages.isEmpty {
      if isAtEnd { return nil }
      try step()
    }
    return pages.popFirst()
  }

  private mutating func step() throws(TapeError) {
    guard var packet = try reader.next() else { return try endPart() }
    packet.end += shift
    // The part before has it already.
    if packet.end <= packetsEnd { return }
    try put(isLast: false)
    packetsEnd = packet.end
    held = packet
  }

  private mutating func endPart() throws(TapeError) {
    let end = shift + reader.soundEnd
    part += 1
    guard part < parts.upperBound else {
      held?.end = end
      isAtEnd = true
      return try put(isLast: true)
    }
    reader = try PacketReader.open(try open(part))
    shift = end - Int64(reader.headers.header.preSkip)
  }

  private mutating func put(isLast: Bool) throws(TapeError) {
    guard let packet = held else { return }
    let bytes = Buffer(copying: packet.bytes)
    try stream.put(bytes.all, granule: packet.end, last: isLast)
    if packet.endsPage || isLast { try flush() }
  }

  private mutating func flush() throws(TapeError) {
    var made: [[UInt8]] = []
    try stream.flush { (bytes, _) throws(TapeError) in made.append(Array(bytes)) }
    pages += made
  }
}

/// Where two parts meet.
enum Seam {
  /// Enough for the packets of two seconds at the highest bitrate.
  private static let endByteCount: Int64 = 256 << 10

  /// Whether one encoder made both parts without stopping, and every packet around the seam is
  /// there: the second part repeats the last packets of the first, bit for bit.
  static func isExact<File: TapeFile & ~Copyable>(
    _ first: consuming File, _ second: consuming File
  ) throws(TapeError) -> Bool {
    var before = try PacketReader.open(first, endByteCount: endByteCount)
    var after = try PacketReader.open(second)
    let (one, other) = (before.headers.header, after.headers.header)
    guard one.channels == other.channels, one.sampleRate == other.sampleRate else { return false }
    var known: [Int64: [UInt8]] = [:]
    var packetsEnd: Int64 = 0
    while let packet = try before.next() {
      known[packet.end] = packet.bytes
      packetsEnd = packet.end
    }
    let shift = before.soundEnd - Int64(other.preSkip)
    var isFirst = true
    while let packet = try after.next() {
      // Behind the repeated packets, the next one must follow at once.
      if packet.end + shift > packetsEnd { return !isFirst && packet.start + shift == packetsEnd }
      guard known[packet.end + shift] == packet.bytes else { return false }
      isFirst = false
    }
    return !isFirst
  }
}
