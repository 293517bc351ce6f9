// Reads JSON that is laid out exactly as the caller expects, as `JSONWriter` wrote it: keys in a
// known order, no blanks, no escapes. Faster than `JSONReader`, which has to expect everything. It
// reads a subset of what `JSONReader` reads, with the same values; after anything else it reads
// nothing more, and the caller reads the same bytes again with `JSONReader`. It must never read out
// of bounds. The bytes must stay in place while the cursor is used. Any thread.

/// A reader of JSON whose layout is known.
public struct JSONCursor {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  @usableFromInline var position: Int
  /// Whether everything so far was laid out as expected.
  public private(set) var isExact = true

  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Stops reading. At the end of the bytes nothing matches, so no other function has to ask.
  @inline(never)
  public mutating func stop() {
    isExact = false
    position = bytes.count
  }

  public var isAtEnd: Bool { isExact && position == bytes.count }

  /// The bytes not read yet.
  public var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  /// Skips the text if it comes next; returns whether it did.
  @inlinable @inline(__always)
  public mutating func skips(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count, let start = bytes.baseAddress,
      Self.areEqual(start + position, UnsafeRawPointer(text.utf8Start), count)
    else { return false }
    position += count
    return true
  }

  /// Compares words: the compiler knows one side and its length, and leaves one to three
  /// comparisons with constants.
  @inlinable @inline(__always)
  static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    func differ<Word: FixedWidthInteger & BitwiseCopyable>(_: Word.Type, _ offset: Int) -> Bool {
      left.loadUnaligned(fromByteOffset: offset, as: Word.self)
        != right.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }
    var place = 0
    while count - place >= 8 {
      if differ(UInt64.self, place) { return false }
      place += 8
    }
    // The last word may overlap the one before.
    if place > 0, place < count { return !differ(UInt64.self, count - 8) }
    while place < count {
      if differ(UInt8.self, place) { return false }
      place += 1
    }
    return true
  }

  /// Skips the text, or stops.
  @inlinable @inline(__always)
  public mutating func expect(_ text: StaticString) { if !skips(text) { stop() } }

  /// Reads an integer of at most 18 digits, which always fits into an `Int64`.
  public mutating func integer() -> Int64 {
    let isNegative = skips("-")
    let start = position
    var (count, value) = (0, UInt64(0))
    // Most numbers have less than eight digits, all of which are found at once.
    if bytes.count - start >= 8 {
      let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      (count, value) = Self.leadingDigits(UInt64(littleEndian: word))
    }
    if count == 8 || bytes.count - start < 8 {
      let end = min(bytes.count - start, 19)
      while count < end, case let digit = bytes[start + count] &- 0x30, digit < 10 {
        value = value &* 10 &+ UInt64(digit)
        count += 1
      }
    }
    guard count > 0, count <= 18, bytes[start] != 0x30 || count == 1 else {
      stop()
      return 0
    }
    position = start + count
    return isNegative ? -Int64(value) : Int64(value)
  }

  /// How many of a word's first bytes are digits, and their value.
  @inline(__always)
  static func leadingDigits(_ word: UInt64) -> (count: Int, value: UInt64) {
    // Subtracts "0" from each byte. The top bit is set of one that is above 9 then; a carry may
    // set those above it, too, so only the lowest counts.
    let values = word ^ 0x3030_3030_3030_3030
    let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    let count = others == 0 ? 8 : others.trailingZeroBitCount / 8
    // As if zeros were in front; then tens and ones, hundreds, and so on are added up in pairs.
    var sum = count == 0 ? 0 : values &<< UInt64(64 - 8 * count)
    sum = (sum &* 10 &+ sum &>> 8) & 0x00FF_00FF_00FF_00FF
    sum = (sum &* 100 &+ sum &>> 16) & 0x0000_FFFF_0000_FFFF
    return (count, (sum &* 10_000 &+ sum &>> 32) & 0xFFFF_FFFF)
  }

  /// Reads an integer, clamped to what an `Int` can hold.
  public mutating func count() -> Int { Int(clamping: integer()) }

  /// Reads an integer, clamped like `JSONReader.size`.
  public mutating func size() -> Int { JSONReader.bounded(count()) }

  /// Reads a text without escapes.
  public mutating func string() -> String {
    guard skips("\"") else {
      stop()
      return ""
    }
    let (end, isASCII) = plainText()
    let range = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    // `String(validating:)` would do both, but in Swift 6 it looks its generic types up each time.
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\""),
      isASCII || firstInvalidUTF8(in: range) == nil
    else {
      stop()
      return ""
    }
    position = end + 1
    return String(decoding: range, as: UTF8.self)
  }

  /// Reads a text without escapes. If it is `known`, that is returned, which allocates nothing.
  public mutating func string(orSame known: String) -> String {
    let end = position + 1 + known.utf8.count
    guard end < bytes.count, bytes[position] == UInt8(ascii: "\""),
      bytes[end] == UInt8(ascii: "\""), let start = bytes.baseAddress
    else { return string() }
    let isSame = known.utf8.withContiguousStorageIfAvailable {
      guard let known = $0.baseAddress else { return true }
      return Self.areEqual(start + position + 1, known, $0.count)
    }
    guard isSame == true else { return string() }
    position = end + 1
    return known
  }

  /// The offset of the next quote, backslash or control character, and whether only ASCII precedes
  /// it, as far as that costs nothing to know.
  private func plainText() -> (end: Int, isASCII: Bool) {
    var at = position
    var all: UInt64 = 0
    while bytes.count - at >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let count = JSONReader.plainCount(word, UInt8(ascii: "\""))
      all |= JSONKey.kept(word, count)
      at += count
      if count < 8 { return (at, all & 0x8080_8080_8080_8080 == 0) }
    }
    return (JSONReader.plainEnd(in: bytes, from: at, quote: UInt8(ascii: "\"")), false)
  }

  /// Reads a raw value of an enum; stops at any other text.
  @inlinable
  public mutating func name<Name: RawRepresentable>(_ standard: Name) -> Name
  where Name.RawValue == String {
    if let name = Name(rawValue: string()) { return name }
    stop()
    return standard
  }

  /// Reads a text of exactly `byteCount` bytes, for which `make` returns a value.
  @inlinable @inline(__always)
  public mutating func plainText<Value>(
    byteCount: Int, _ make: (UnsafeRawBufferPointer) -> Value?
  ) -> Value? {
    let end = position + 1 + byteCount
    guard end < bytes.count, bytes[position] == UInt8(ascii: "\""),
      bytes[end] == UInt8(ascii: "\""),
      let value = make(UnsafeRawBufferPointer(rebasing: bytes[position + 1..<end]))
    else {
      stop()
      return nil
    }
    position = end + 1
    return value
  }

  /// Calls `item` for each item of a list; it must read it.
  @inlinable @inline(__always)
  public mutating func array(_ item: (inout JSONCursor) -> Void) {
    expect("[")
    if skips("]") { return }
    repeat { item(&self) } while skips(",")
    expect("]")
  }
}

extension JSONReader {
  /// Reads a value with a cursor, if that finds it laid out as expected and returns it. Otherwise
  /// reads nothing and returns nil.
  @inlinable @inline(__always)
  public mutating func exactly<Value>(_ read: (inout JSONCursor) -> Value?) -> Value? {
    skipBlanks()
    guard !isBroken, dialect == .json else { return nil }
    var cursor = JSONCursor(bytes, at: position)
    guard let value = read(&cursor), cursor.isExact else { return nil }
    position = cursor.position
    return value
  }
}
