// The first packet of an Ogg Opus stream, "OpusHead" (RFC 7845, 5.1), as a value.
// Any thread; it knows channel mapping 0 only, which is mono and stereo.

struct OpusHeader: Equatable {
  static let byteCount = 19
  private static let magic = Array("OpusHead".utf8)

  var channels: Int
  /// Frames that a decoder discards at the start, at 48 kHz.
  var preSkip: Int
  /// The original sample rate; Opus itself always plays at 48 kHz.
  var sampleRate: Int

  var bytes: [UInt8] {
    precondition((1...2).contains(channels) && (0...65_535).contains(preSkip), "a header's limits")
    var bytes = Self.magic
    bytes += [1, UInt8(channels)]
    bytes += littleEndian(UInt16(preSkip))
    bytes += littleEndian(UInt32(sampleRate))
    bytes += [0, 0, 0]
    return bytes
  }

  init(channels: Int, preSkip: Int, sampleRate: Int) {
    self.channels = channels
    self.preSkip = preSkip
    self.sampleRate = sampleRate
  }

  /// Nil unless it is a header that this version understands.
  init?(_ packet: UnsafeRawBufferPointer) {
    guard packet.count >= Self.byteCount, packet.starts(with: Self.magic) else { return nil }
    guard packet[8] & 0xF0 == 0, (1...2).contains(packet[9]), packet[18] == 0 else { return nil }
    channels = Int(packet[9])
    preSkip = Int(UInt16(littleEndian: packet.loadUnaligned(fromByteOffset: 10, as: UInt16.self)))
    sampleRate = Int(
      UInt32(littleEndian: packet.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
  }
}

func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
