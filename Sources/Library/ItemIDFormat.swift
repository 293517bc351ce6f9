// Encodes and decodes identities as 36 bytes, without strings in between, because every entry has
// some. Pure functions.

import JSON
import Recorder

extension JSONWriter {
  mutating func member(_ name: String, id: ItemID) {
    key(name)
    self.id(id)
  }

  mutating func member(_ name: String, ids: [ItemID]) {
    key(name)
    array { list in for id in ids { list.id(id) } }
  }

  mutating func id(_ id: ItemID) {
    let quote = [UInt8(ascii: "\"")]
    verbatim(quote + Self.digits(of: id) + quote)
  }

  /// The bytes of `ItemID.description`.
  static func digits(of id: ItemID) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(ItemID.digitCount)
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 {
        digits.append(UInt8(ascii: "-"))
      }
      let word = place < 16 ? id.high : id.low
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - place % 16 * 4) & 15)
      digits.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
    return digits
  }
}

extension ItemID {
  static let digitCount = 36
}

extension JSONReader {
  mutating func id() -> ItemID {
    if let id = plainText(byteCount: ItemID.digitCount, { ItemID(digits: $0) }) { return id }
    if let id = ItemID(string()) { return id }
    fail()
    return .root
  }

  mutating func ids() -> [ItemID] {
    var ids: [ItemID] = []
    array { ids.append($0.id()) }
    return ids
  }
}

/// The value of eight lowercase hexadecimal digits, the first in the highest byte; nil if one is
/// none.
func valueOfHexadecimal(_ digits: UInt64) -> UInt64? {
  let ones: UInt64 = 0x0101_0101_0101_0101
  // All eight bytes at once. A byte below 0x80 plus 0x80 minus a limit has its top bit set exactly
  // if it is at or above that limit.
  guard digits & (ones << 7) == 0 else { return nil }
  func areAtLeast(_ limit: UInt64) -> UInt64 { (digits | ones << 7) &- ones &* limit }
  let tops = ones << 7
  let isDecimal = areAtLeast(0x30) & ~areAtLeast(0x3A) & tops
  let isLetter = areAtLeast(0x61) & ~areAtLeast(0x67) & tops
  guard isDecimal | isLetter == tops else { return nil }
  // 'a' is 0x61, whose low bits are 1: nine more make ten.
  var value = (digits & (ones &* 0x0F)) &+ (isLetter >> 7) &* 9
  value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
  value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
  return (value | value >> 16) & 0xFFFF_FFFF
}

extension ItemID {
  /// Nil unless it is 32 lowercase hexadecimal digits with four dashes between them.
  init?(digits: UnsafeRawBufferPointer) {
    let dash = UInt8(ascii: "-")
    guard digits.count == 36, digits[8] == dash, digits[13] == dash, digits[18] == dash,
      digits[23] == dash
    else { return nil }
    func word(_ start: Int) -> UInt64 {
      UInt64(bigEndian: digits.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    func half(_ start: Int) -> UInt64 {
      UInt64(UInt32(bigEndian: digits.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    }
    guard let first = valueOfHexadecimal(word(0)),
      let second = valueOfHexadecimal(half(9) << 32 | half(14)),
      let third = valueOfHexadecimal(half(19) << 32 | half(24)),
      let last = valueOfHexadecimal(word(28))
    else { return nil }
    self.init(high: first << 32 | second, low: third << 32 | last)
  }
}
