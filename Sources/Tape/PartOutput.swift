// One part of a take, written to one file: its headers, its own clock, its end. Owned by the
// writer, on its thread; it allocates only while it is made.

import Realtime

struct PartOutput: ~Copyable, Sendable {
  let part: Int
  /// Where this part's first packet begins, on the take's clock at 48 kHz.
  let base: Int64
  let preSkip: Int
  /// Where this part ends, on the same clock, once that is known.
  var end: Int64?
  private(set) var isComplete = false

  private var stream: OggStream
  private let ticksPerPacket: Int64
  private let packetsPerPage: Int
  private var packetsOnPage = 0
  /// The packets that the present page lacks.
  var packetsToPage: Int { packetsPerPage - packetsOnPage }
  private let head: Buffer<UInt8>
  private let tags: Buffer<UInt8>

  init(
    _ settings: OpusSettings, part: Int, base: Int64, preSkip: Int, tags: Tags, serial: UInt32,
    tagSpace: Int
  ) throws(TapeError) {
    let packet = try tags.packet(padded: min(tagSpace, Tags.largestPacketByteCount))
    let stream = try OggStream(serial: serial)
    self.stream = stream
    self.part = part
    self.base = base
    self.preSkip = preSkip
    ticksPerPacket = Int64(settings.ticksPerPacket)
    packetsPerPage = settings.packetsPerPage
    head = Buffer(
      copying: OpusHeader(
        channels: settings.channels, preSkip: preSkip, sampleRate: settings.sampleRate
      ).bytes)
    self.tags = Buffer(copying: packet)
  }

  mutating func sendHeaders(to sink: PageSink) throws(TapeError) {
    try stream.put(head.all, granule: 0)
    try flush(isHeader: true, to: sink)
    try stream.put(tags.all, granule: 0)
    try flush(isHeader: true, to: sink)
  }

  /// Sends one packet of the take, trimmed if this part ends in it.
  mutating func put(
    _ history: borrowing PacketHistory, _ index: Int64, to sink: PageSink
  ) throws(TapeError) {
    precondition(!isComplete, "nothing follows a last page")
    let packetEnd = (index + 1) * ticksPerPacket
    if let end, end <= packetEnd {
      isComplete = true
      try stream.put(history[index], granule: end - base, last: true)
      return try flush(to: sink)
    }
    try stream.put(history[index], granule: packetEnd - base)
    packetsOnPage += 1
    if packetsOnPage == packetsPerPage { try flush(to: sink) }
  }

  private mutating func flush(isHeader: Bool = false, to sink: PageSink) throws(TapeError) {
    packetsOnPage = 0
    let (part, preSkip, isLast) = (part, Int64(preSkip), isComplete)
    try stream.flush { (bytes, granule) throws(TapeError) in
      try sink(
        PageOut(
          bytes: bytes, part: part,
          playableFrames: max(0, granule - preSkip), isLast: isLast, isHeader: isHeader))
    }
  }
}
