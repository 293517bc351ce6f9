// libogg's page maker for one Opus stream, with one owner: packets in, whole pages out. The owning
// thread calls it; `flush` must leave no packet waiting.
import COgg
import Glibc
import Realtime

// Sendable: noncopyable, and libogg ties a stream to no thread.
struct OggStream: ~Copyable, @unchecked Sendable {
  private let state: UnsafeMutablePointer<ogg_stream_state>
  // A page in one piece, because a ring or a `write` needs that.
  private let page = Buffer<UInt8>(count: OggPage.largestByteCount)
  private var packetCount: Int64 = 0

  init(serial: UInt32) throws(TapeError) {
    state = .allocate(capacity: 1)
    state.initialize(to: ogg_stream_state())
    guard ogg_stream_init(state, Int32(bitPattern: serial)) == 0 else {
      throw TapeError(.outOfMemory, "There is no memory for another recording.")
    }
  }

  deinit {
    ogg_stream_clear(state)
    state.deallocate()
  }

  mutating func put(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, granule: Int64, last: Bool = false
  ) throws(TapeError) {
    var packet = ogg_packet()
    packet.packet = bytes.baseAddress
    packet.bytes = bytes.count
    packet.b_o_s = packetCount == 0 ? 1 : 0
    packet.e_o_s = last ? 1 : 0
    packet.granulepos = granule
    packet.packetno = packetCount
    packetCount += 1
    guard ogg_stream_packetin(state, &packet) == 0 else {
      throw TapeError(.outOfMemory, "There is no memory for the next page.")
    }
  }

  /// Passes everything put so far as whole pages, each valid during its call only.
  func flush(
    _ sink: (_ page: UnsafeRawBufferPointer, _ granule: Int64) throws(TapeError) -> Void
  ) throws(TapeError) {
    var made = ogg_page()
    while ogg_stream_flush(state, &made) != 0 {
      let byteCount = made.header_len + made.body_len
      precondition(byteCount <= page.count, "an Ogg page has a largest size")
      memcpy(page.start, made.header, made.header_len)
      memcpy(page.start + made.header_len, made.body, made.body_len)
      try sink(
        UnsafeRawBufferPointer(rebasing: page.raw[..<byteCount]), ogg_page_granulepos(&made))
    }
  }
}
