// Writes JSON as the store has it on the card: one line, no blanks, keys in the order they are
// given. Small and plain, because it writes tens of thousands of entries in a row. Any thread.

import Recorder

struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func array(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    body(&self)
    close(UInt8(ascii: "]"))
  }

  /// A value follows.
  mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: some BinaryInteger) {
    key(name)
    number(value)
  }

  mutating func member(_ name: String, id: ItemID) {
    key(name)
    self.id(id)
  }

  mutating func member(_ name: String, ids: [ItemID]) {
    key(name)
    array { list in for id in ids { list.id(id) } }
  }

  mutating func id(_ id: ItemID) {
    separate()
    bytes.append(Self.quote)
    bytes += Self.digits(of: id)
    bytes.append(Self.quote)
  }

  /// As `ItemID` describes itself, without the strings in between: there are some in every entry.
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

  /// Written only when it is true: to be absent is to be false.
  mutating func flag(_ name: String, _ value: Bool) {
    guard value else { return }
    key(name)
    separate()
    bytes += "true".utf8
  }

  mutating func number(_ value: some BinaryInteger) {
    separate()
    bytes += String(value).utf8
  }

  mutating func string(_ text: String) {
    separate()
    bytes.append(Self.quote)
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != Self.quote && $0 != Self.backslash }) {
      bytes += text.utf8
    } else {
      escaped(text)
    }
    bytes.append(Self.quote)
  }

  private mutating func escaped(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case Self.quote, Self.backslash: bytes += [Self.backslash, byte]
      case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
  }

  /// A value on a line of its own, for readers that are people.
  mutating func lineBreak(_ value: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(10)
    needsComma = false
    value(&self)
  }

  /// Room for a number that is not known yet.
  mutating func blanks(_ count: Int) {
    separate()
    bytes += [UInt8](repeating: 32, count: count)
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}
