// CRC-32 as in Ethernet and PNG. It tells a whole line or snapshot from one that a power cut tore.
// The processor computes it, where it can; tables do the rest, eight bytes at a time. Pure
// functions for any thread.

import CChecksum

enum Checksum {
  /// Returns the checksum of data with the checksum `before`, followed by these bytes.
  static func of(_ bytes: UnsafeRawBufferPointer, after before: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress else { return before }
    var sum = ~before
    let done = reel_checksum_advance(&sum, start, bytes.count)
    return ~advanced(sum, over: UnsafeRawBufferPointer(rebasing: bytes[done...]))
  }

  /// Advances a checksum, before its final inversion, by tables.
  static func advanced(_ before: UInt32, over bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var sum = before
      var position = 0
      while bytes.count - position >= 8 {
        let low = sum ^ word(bytes, position)
        let high = word(bytes, position + 4)
        // Four expressions, because Swift 6.0 cannot type-check them as one.
        let first = tables[0x700 + Int(low & 0xFF)] ^ tables[0x600 + Int(low >> 8 & 0xFF)]
        let second = tables[0x500 + Int(low >> 16 & 0xFF)] ^ tables[0x400 + Int(low >> 24)]
        let third = tables[0x300 + Int(high & 0xFF)] ^ tables[0x200 + Int(high >> 8 & 0xFF)]
        let fourth = tables[0x100 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
        sum = first ^ second ^ third ^ fourth
        position += 8
      }
      while position < bytes.count {
        sum = sum >> 8 ^ tables[Int((sum ^ UInt32(bytes[position])) & 0xFF)]
        position += 1
      }
      return sum
    }
  }

  /// Eight lowercase hexadecimal digits.
  static func digits(_ sum: UInt32) -> [UInt8] {
    (0..<8).map { hexadecimal[Int(sum >> (28 - 4 * UInt32($0)) & 0xF)] }
  }

  /// Nil unless there are eight lowercase hexadecimal digits.
  static func value(ofDigits digits: UnsafeRawBufferPointer) -> UInt32? {
    guard digits.count == 8 else { return nil }
    let word = UInt64(bigEndian: digits.loadUnaligned(as: UInt64.self))
    return valueOfHexadecimal(word).map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// Eight tables in a row: each advances one byte further than the one before.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for index in 0..<256 {
      var sum = UInt32(index)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
      tables[index] = sum
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()
}
