// Reads quoted texts of JSON and JSON5. Their bytes were checked to be UTF-8 before; an escape that
// is half of a surrogate pair is refused. Any thread.

extension JSONReader {
  /// Reads a text. It may hold a zero character if it is escaped; a key may not.
  public mutating func string() -> String {
    skipBlanks()
    guard !isBroken, let quote = next,
      quote == UInt8(ascii: "\"") || (dialect == .json5 && quote == UInt8(ascii: "'"))
    else {
      fail(.type, at: position, "a text is expected here")
      return ""
    }
    position += 1
    let start = position
    let end = plainEnd(quote: quote)
    guard end < bytes.count, bytes[end] == quote else {
      return restOfString(from: start, quote: quote)
    }
    position = end + 1
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Reads a text of exactly `byteCount` bytes between double quotes, if `make` returns a value for
  /// them. Otherwise reads nothing and returns nil.
  @inlinable @inline(__always)
  public mutating func plainText<Value>(
    byteCount: Int, _ make: (UnsafeRawBufferPointer) -> Value?
  ) -> Value? {
    skipBlanks()
    let end = position + 1 + byteCount
    guard !isBroken, end < bytes.count, bytes[position] == UInt8(ascii: "\""),
      bytes[end] == UInt8(ascii: "\""),
      let value = make(UnsafeRawBufferPointer(rebasing: bytes[position + 1..<end]))
    else { return nil }
    position = end + 1
    return value
  }

  /// The offset of the next quote, backslash or control character.
  @usableFromInline
  func plainEnd(quote: UInt8) -> Int { Self.plainEnd(in: bytes, from: position, quote: quote) }

  /// The offset of the next quote, backslash or control character at or behind `start`.
  static func plainEnd(in bytes: UnsafeRawBufferPointer, from start: Int, quote: UInt8) -> Int {
    var at = start
    while bytes.count - at >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let count = plainCount(word, quote)
      if count < 8 { return at + count }
      at += 8
    }
    while at < bytes.count, case let byte = bytes[at], byte != quote, byte != 0x5C, byte >= 0x20 {
      at += 1
    }
    return at
  }

  /// How many bytes of a word come before a quote, a backslash or a control character.
  @inline(__always)
  static func plainCount(_ word: UInt64, _ quote: UInt8) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let isQuote = word ^ (ones &* UInt64(quote))
    let isBackslash = word ^ (ones &* 0x5C)
    // The top bit of each matching byte is set. Borrows may set higher ones, so only the lowest
    // counts.
    var found = (isQuote &- ones) & ~isQuote
    found |= (isBackslash &- ones) & ~isBackslash
    found |= (word &- (ones &* 0x20)) & ~word
    found &= ones << 7
    return found == 0 ? 8 : found.trailingZeroBitCount / 8
  }

  /// Reads a text that has escapes or control characters.
  @usableFromInline
  mutating func restOfString(from start: Int, quote: UInt8) -> String {
    position = start
    var text: [UInt8] = []
    while !isBroken {
      let end = plainEnd(quote: quote)
      text += bytes[position..<end]
      position = end
      guard let byte = next else { break }
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        escape(into: &text)
      } else if byte == 10 || byte == 13 {
        break
      } else if dialect == .json {
        fail(.syntax, at: end, "a control character must be written as an escape")
      } else {
        text.append(byte)
      }
    }
    fail(.syntax, at: start - 1, "the text that begins here has no closing quote")
    return ""
  }

  private mutating func escape(into text: inout [UInt8]) {
    let start = position - 1
    guard let byte = next else { return }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"): append(unicode(from: start), from: start, to: &text)
    default:
      if dialect == .json {
        fail(.syntax, at: start, "this is no escape that JSON knows")
      } else {
        oddEscape(byte, from: start, into: &text)
      }
    }
  }

  /// Reads an escape that only JSON5 has.
  private mutating func oddEscape(_ byte: UInt8, from start: Int, into text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "v"): text.append(11)
    case UInt8(ascii: "0"): text.append(0)
    case 10: break
    case 13: if next == 10 { position += 1 }
    case UInt8(ascii: "x"): append(hexadecimal(2, from: start), from: start, to: &text)
    default: text.append(byte)
    }
  }

  private mutating func unicode(from start: Int) -> UInt32 {
    let high = hexadecimal(4, from: start)
    guard (0xD800..<0xDC00).contains(high), next == UInt8(ascii: "\\"),
      position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u")
    else { return high }
    position += 2
    let low = hexadecimal(4, from: start)
    guard (0xDC00..<0xE000).contains(low) else { return high }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hexadecimal(_ count: Int, from start: Int) -> UInt32 {
    let end = position + count
    var value: UInt32 = 0
    var isWhole = end <= bytes.count
    for byte in bytes[position..<min(end, bytes.count)] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt32((byte | 0x20) - 0x57)
      default: isWhole = false
      }
    }
    if isWhole {
      position = end
    } else {
      fail(.syntax, at: start, "\(count) hexadecimal digits are expected here")
    }
    return value
  }

  private mutating func append(_ value: UInt32, from start: Int, to text: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value) else {
      return fail(.encoding, at: start, "this is half a character; write it as it is")
    }
    text += UTF8.encode(scalar).map(Array.init) ?? []
  }
}
