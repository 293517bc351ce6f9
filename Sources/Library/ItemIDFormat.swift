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
    digits.reserveCapacity(36)
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

extension JSONReader {
  mutating func id() -> ItemID {
    if let id = plainText(byteCount: 36, { ItemID(digits: $0) }) { return id }
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

extension ItemID {
  /// Nil unless it is 32 lowercase hexadecimal digits with four dashes between them.
  fileprivate init?(digits: UnsafeRawBufferPointer) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (place, byte) in digits.enumerated() {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x57
      case UInt8(ascii: "-") where [8, 13, 18, 23].contains(place): continue
      default: return nil
      }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
    }
    self.init(high: high, low: low)
  }
}
