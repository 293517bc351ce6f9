// The last packets of an encoder, with which the next part of a split recording begins. Owned by
// the writer, on its thread; it holds a fixed number of packets and drops the oldest.

import Realtime

struct PacketHistory: ~Copyable, Sendable {
  private let bytes: Buffer<UInt8>
  private let lengths: Buffer<Int>
  private let largestPacketByteCount: Int

  /// Number of packets so far.
  private(set) var count: Int64 = 0
  var oldest: Int64 { max(0, count - Int64(lengths.count)) }

  init(packets: Int, largestPacketByteCount: Int) {
    bytes = Buffer(count: packets * largestPacketByteCount)
    lengths = Buffer(count: packets)
    self.largestPacketByteCount = largestPacketByteCount
  }

  /// Where the next packet is to be written; `commit` then adds it.
  var next: UnsafeMutableBufferPointer<UInt8> {
    let start = slot(count) * largestPacketByteCount
    return bytes.slice(start..<start + largestPacketByteCount)
  }

  mutating func commit(byteCount: Int) {
    precondition((1...largestPacketByteCount).contains(byteCount), "a packet fits its slot")
    lengths.all[slot(count)] = byteCount
    count += 1
  }

  subscript(index: Int64) -> UnsafeMutableBufferPointer<UInt8> {
    precondition(index >= oldest && index < count, "only recent packets are kept")
    let start = slot(index) * largestPacketByteCount
    return bytes.slice(start..<start + lengths.all[slot(index)])
  }

  private func slot(_ index: Int64) -> Int { Int(index % Int64(lengths.count)) }
}
