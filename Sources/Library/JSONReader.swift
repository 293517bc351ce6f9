// Reads JSON straight from bytes, without a tree of values in between: whoever calls it knows what
// should come. What makes no sense breaks the reader for good, and from then on it gives nothing
// more; ask `isBroken` at the end. It believes no length and leaves no bounds. Any thread.

import Recorder

struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var depth = 0
  private(set) var isBroken = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all was read, and made sense.
  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return !isBroken && position == bytes.count
    }
  }

  mutating func fail() { isBroken = true }

  /// Calls `member` for each key; it must read or `skip` the value.
  mutating func object(_ member: (inout JSONReader, JSONKey) -> Void) {
    items(UInt8(ascii: "{"), UInt8(ascii: "}")) { reader in
      let key = reader.key()
      reader.expect(UInt8(ascii: ":"))
      if !reader.isBroken { member(&reader, key) }
    }
  }

  /// Calls `item` for each item; it must read or `skip` it.
  mutating func array(_ item: (inout JSONReader) -> Void) {
    items(UInt8(ascii: "["), UInt8(ascii: "]"), item)
  }

  private mutating func key() -> JSONKey {
    expect(Self.quote)
    let start = position
    while position < bytes.count, case let byte = bytes[position], byte != Self.quote {
      if byte == Self.backslash { return JSONKey(escapedString(from: start).utf8) }
      position += 1
    }
    if position == bytes.count { fail() }
    defer { position += 1 }
    return JSONKey(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
  }

  mutating func string() -> String {
    expect(Self.quote)
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.quote {
        position += 1
        return String(
          decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1]), as: UTF8.self)
      }
      if byte == Self.backslash { return escapedString(from: start) }
      position += 1
    }
    fail()
    return ""
  }

  mutating func integer() -> Int64 {
    skipBlanks()
    let start = position
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
    var value: Int64 = 0
    var isTooMuch = false
    let firstDigit = position
    // So many digits fit, whatever they are.
    let sureEnd = min(bytes.count, firstDigit + 18)
    while position < sureEnd, case let digit = bytes[position], (0x30...0x39).contains(digit) {
      value = value &* 10 &- Int64(digit - 0x30)
      position += 1
    }
    while position < bytes.count, case let digit = bytes[position], (0x30...0x39).contains(digit) {
      let (tens, one) = value.multipliedReportingOverflow(by: 10)
      let (sum, other) = tens.subtractingReportingOverflow(Int64(digit - 0x30))
      (value, isTooMuch) = (sum, isTooMuch || one || other)
      position += 1
    }
    // Counted downwards, because there is one more number below zero than above.
    let isNegative = firstDigit > start
    if position == firstDigit || isTooMuch || (!isNegative && value == .min) { fail() }
    return isBroken ? 0 : isNegative ? value : -value
  }

  mutating func count() -> Int { Int(clamping: integer()) }

  /// A count that can be added to others without end.
  mutating func size() -> Int { min(max(count(), 0), 1 << 40) }

  mutating func flag() -> Bool {
    if take("true") { return true }
    if !take("false") { fail() }
    return false
  }

  mutating func id() -> ItemID {
    if let id = plainID() { return id }
    if let id = ItemID(string()) { return id }
    fail()
    return .root
  }

  /// As we write it: 32 small hexadecimal digits with four dashes between them. Nil, and nothing
  /// read, for anything else. There are some in every entry.
  private mutating func plainID() -> ItemID? {
    skipBlanks()
    guard bytes.count - position >= 38, bytes[position] == Self.quote,
      bytes[position + 37] == Self.quote
    else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    var digits = 0
    for offset in position + 1..<position + 37 {
      let byte = bytes[offset]
      switch byte {
      case 0x30...0x39: (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(byte - 0x30))
      case 0x61...0x66: (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(byte - 0x57))
      case UInt8(ascii: "-") where [9, 14, 19, 24].contains(offset - position): continue
      default: return nil
      }
      digits += 1
    }
    guard digits == 32 else { return nil }
    position += 38
    return ItemID(high: high, low: low)
  }

  mutating func ids() -> [ItemID] {
    var ids: [ItemID] = []
    array { ids.append($0.id()) }
    return ids
  }

  /// One of the names an enum has.
  mutating func name<Name: RawRepresentable>(_ standard: Name) -> Name
  where Name.RawValue == String {
    if let name = Name(rawValue: string()) { return name }
    fail()
    return standard
  }

  /// Passes over a value, whatever it is.
  mutating func skip() {
    skipBlanks()
    guard position < bytes.count else { return fail() }
    switch bytes[position] {
    case UInt8(ascii: "{"): object { reader, _ in reader.skip() }
    case UInt8(ascii: "["): array { $0.skip() }
    case Self.quote: _ = string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = flag()
    case UInt8(ascii: "n"): if !take("null") { fail() }
    default: skipNumber()
    }
  }

  // MARK: The pieces

  private mutating func items(
    _ opening: UInt8, _ closing: UInt8, _ item: (inout JSONReader) -> Void
  ) {
    expect(opening)
    depth += 1
    defer { depth -= 1 }
    if depth > 32 { return fail() }
    if takeByte(closing) { return }
    while !isBroken {
      item(&self)
      if takeByte(closing) { return }
      expect(UInt8(ascii: ","))
    }
  }

  private mutating func skipNumber() {
    let start = position
    while position < bytes.count, "+-.0123456789Ee".utf8.contains(bytes[position]) { position += 1 }
    if position == start { fail() }
  }

  private mutating func escapedString(from start: Int) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == Self.quote { return String(decoding: text, as: UTF8.self) }
      guard byte == Self.backslash else {
        text.append(byte)
        continue
      }
      guard position < bytes.count else { break }
      let escape = bytes[position]
      position += 1
      switch escape {
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "r"): text.append(13)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "b"): text.append(8)
      case UInt8(ascii: "f"): text.append(12)
      case UInt8(ascii: "u"): text += Array(String(unicodeEscape()).utf8)
      case Self.quote, Self.backslash, UInt8(ascii: "/"): text.append(escape)
      default: fail()
      }
      if isBroken { break }
    }
    fail()
    return ""
  }

  private mutating func unicodeEscape() -> Unicode.Scalar {
    let high = fourDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800...0xDBFF).contains(high), take("\\u") else { return "\u{FFFD}" }
    let low = fourDigits()
    guard (0xDC00...0xDFFF).contains(low) else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + low - 0xDC00) ?? "\u{FFFD}"
  }

  private mutating func fourDigits() -> UInt32 {
    guard bytes.count - position >= 4 else {
      fail()
      return 0
    }
    let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
    position += 4
    if let value = UInt32(digits, radix: 16), !digits.hasPrefix("+") { return value }
    fail()
    return 0
  }

  private mutating func expect(_ byte: UInt8) { if !takeByte(byte) { fail() } }

  private mutating func takeByte(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard !isBroken, position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    skipBlanks()
    guard bytes.count - position >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount
    where bytes[position + offset] != word.utf8Start[offset] {
      return false
    }
    position += word.utf8CodeUnitCount
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] <= 32 { position += 1 }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}
