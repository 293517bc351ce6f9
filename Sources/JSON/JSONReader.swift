// Reads JSON from bytes without making a tree of values: the caller knows what to expect. The first
// mistake breaks the reader, which then reads nothing more; the caller checks `failure` or
// `isAtEnd` afterwards. It must never trust a length or read out of bounds. The bytes must stay in
// place while the reader is used. Any thread.

/// A bounded, validating reader of JSON and, by its dialect, of JSON5.
public struct JSONReader {
  public enum Dialect: Sendable {
    case json
    /// With comments, trailing commas, bare keys, single quotes, and numbers as people write them.
    case json5
  }

  /// The default limit of nesting.
  public static let depthLimit = 32

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var position = 0
  @usableFromInline var depth = 0
  @usableFromInline let dialect: Dialect
  private let depthLimit: Int
  /// Whether a mistake was found.
  public private(set) var isBroken = false
  /// The first mistake.
  public private(set) var failure: JSONError?

  /// Begins at the first byte. Checks that all bytes are UTF-8 at once, which is faster than string
  /// by string.
  public init(
    _ bytes: UnsafeRawBufferPointer, dialect: Dialect = .json, depthLimit: Int = depthLimit
  ) {
    self.bytes = bytes
    self.dialect = dialect
    self.depthLimit = depthLimit
    if let offset = firstInvalidUTF8(in: bytes) {
      fail(.encoding, at: offset, "here is a byte that is no UTF-8 text")
    }
  }

  /// Whether the whole text was read without a mistake.
  public var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return !isBroken && position == bytes.count
    }
  }

  /// Rejects the text for a reason of the caller's.
  public mutating func fail() {
    fail(.syntax, at: position, "this makes no sense here")
  }

  @inline(never) @usableFromInline
  mutating func fail(
    _ code: JSONError.Code, at offset: Int, _ sentence: @autoclosure () -> String
  ) {
    guard !isBroken else { return }
    isBroken = true
    failure = JSONError(code, offset: offset, sentence())
  }

  @inline(never) @usableFromInline
  mutating func fail(expecting byte: UInt8) {
    fail(.syntax, at: position, "a '\(Character(Unicode.Scalar(byte)))' is expected here")
  }

  // MARK: Objects and lists

  /// Calls `member` for each key; it must read or `skip` the value.
  @inlinable @inline(__always)
  public mutating func object(_ member: (inout JSONReader, JSONKey) -> Void) {
    guard begin(UInt8(ascii: "{")) else { return }
    if !ends(UInt8(ascii: "}")) {
      repeat {
        let key = key()
        if isBroken { break }
        member(&self, key)
      } while goesOn(to: UInt8(ascii: "}"))
    }
    depth -= 1
  }

  /// Calls `item` for each item; it must read or `skip` it.
  @inlinable @inline(__always)
  public mutating func array(_ item: (inout JSONReader) -> Void) {
    guard begin(UInt8(ascii: "[")) else { return }
    if !ends(UInt8(ascii: "]")) {
      repeat { item(&self) } while goesOn(to: UInt8(ascii: "]"))
    }
    depth -= 1
  }

  @usableFromInline
  mutating func begin(_ bracket: UInt8) -> Bool {
    expect(bracket)
    if isBroken { return false }
    return deepen(at: position - 1)
  }

  /// Enters a level, which the caller leaves by decrementing `depth`; false at the limit.
  mutating func deepen(at bracket: Int) -> Bool {
    if depth < depthLimit {
      depth += 1
      return true
    }
    fail(.depth, at: bracket, "this is nested too deeply")
    return false
  }

  @inlinable @inline(__always)
  mutating func ends(_ bracket: UInt8) -> Bool { isBroken || passes(bracket) }

  /// Reads a comma, or the closing bracket; true for a comma.
  @usableFromInline
  mutating func goesOn(to bracket: UInt8) -> Bool {
    if isBroken { return false }
    if passes(UInt8(ascii: ",")) { return true }
    expect(bracket)
    return false
  }

  /// Reads a member's name and the colon behind it.
  @usableFromInline
  mutating func key() -> JSONKey {
    expect(UInt8(ascii: "\""))
    if let key = shortKey() { return key }
    let start = position
    let end = plainEnd(quote: UInt8(ascii: "\""))
    let key: JSONKey
    if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
      key = JSONKey(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      position = end + 1
    } else {
      key = Array(restOfString(from: start, quote: UInt8(ascii: "\"")).utf8).withUnsafeBytes {
        JSONKey($0)
      }
    }
    expect(UInt8(ascii: ":"))
    return key
  }

  /// The fast path for most names: at most sixteen bytes without an escape, and a colon behind.
  private mutating func shortKey() -> JSONKey? {
    guard bytes.count - position > 18, !isBroken else { return nil }
    let quote = UInt8(ascii: "\"")
    let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    var count = Self.plainCount(first, quote)
    let key: JSONKey
    if count < 8 {
      key = JSONKey(first: first, count: count)
    } else {
      let second = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self))
      count += Self.plainCount(second, quote)
      key = JSONKey(first: first, second: second, count: count)
    }
    let end = position + count
    guard bytes[end] == quote, bytes[end + 1] == UInt8(ascii: ":") else { return nil }
    position = end + 2
    return key
  }

  // MARK: Values

  /// Reads an integer.
  public mutating func integer() -> Int64 {
    skipBlanks()
    var at = position
    let isNegative = at < bytes.count && bytes[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    let start = at
    var value: Int64 = 0
    // 18 digits always fit into an `Int64`.
    let sureEnd = min(bytes.count, start + 18)
    while at < sureEnd, case let digit = bytes[at] &- 0x30, digit < 10 {
      value = value &* 10 &- Int64(digit)
      at += 1
    }
    var isTooLarge = false
    while at < bytes.count, case let digit = bytes[at] &- 0x30, digit < 10 {
      let (tens, one) = value.multipliedReportingOverflow(by: 10)
      let (sum, other) = tens.subtractingReportingOverflow(Int64(digit))
      (value, isTooLarge) = (sum, isTooLarge || one || other)
      at += 1
    }
    // The value is counted downwards, because `Int64.min` has no positive counterpart.
    if at == start || (at > start + 1 && bytes[start] == 0x30) {
      fail(.syntax, at: position, "a number is expected here")
    } else if isTooLarge || (!isNegative && value == .min) {
      fail(.number, at: position, "this number is too large")
    }
    if isBroken { return 0 }
    position = at
    return isNegative ? value : -value
  }

  /// Reads an integer, clamped to what an `Int` can hold.
  public mutating func count() -> Int { Int(clamping: integer()) }

  /// Reads an integer, clamped to 0...2^40, so that sums do not overflow.
  public mutating func size() -> Int { Self.bounded(count()) }

  static func bounded(_ size: Int) -> Int { min(max(size, 0), 1 << 40) }

  /// Reads true or false.
  public mutating func flag() -> Bool {
    if matches("true") { return true }
    if !matches("false") { fail(.syntax, at: position, "true or false is expected here") }
    return false
  }

  /// Reads a raw value of an enum. Any other text is a mistake, and `standard` is returned.
  public mutating func name<Name: RawRepresentable>(_ standard: Name) -> Name
  where Name.RawValue == String {
    let start = position
    if let name = Name(rawValue: string()) { return name }
    fail(.type, at: start, "this is none of the words that may stand here")
    return standard
  }

  /// Skips a value of any kind.
  public mutating func skip() {
    skipBlanks()
    guard !isBroken, position < bytes.count else {
      return fail(.syntax, at: position, "a value is expected here")
    }
    switch bytes[position] {
    case UInt8(ascii: "{"): object { reader, _ in reader.skip() }
    case UInt8(ascii: "["): array { $0.skip() }
    case UInt8(ascii: "\""): _ = string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = flag()
    case UInt8(ascii: "n"):
      if !matches("null") { fail(.syntax, at: position, "a value is expected here") }
    default: _ = number()
    }
  }

  // MARK: The pieces

  @usableFromInline
  mutating func expect(_ byte: UInt8) { if !passes(byte) { fail(expecting: byte) } }

  /// Skips the byte if it comes next; returns whether it did.
  @inlinable @inline(__always)
  mutating func passes(_ byte: UInt8) -> Bool {
    if position < bytes.count, bytes[position] == byte, !isBroken {
      position += 1
      return true
    }
    return passesAfterBlanks(byte)
  }

  @usableFromInline
  mutating func passesAfterBlanks(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard !isBroken, position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips the word if it comes next; returns whether it did.
  mutating func matches(_ word: StaticString) -> Bool {
    skipBlanks()
    let count = word.utf8CodeUnitCount
    guard !isBroken, bytes.count - position >= count else { return false }
    for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] {
      return false
    }
    position += count
    return true
  }

  /// Most values follow their colon or comma at once.
  @inlinable @inline(__always)
  mutating func skipBlanks() {
    if dialect == .json, position < bytes.count, bytes[position] > 0x20 { return }
    skipAnyBlanks()
  }

  @usableFromInline
  mutating func skipAnyBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default:
        if dialect == .json || !skipsOddBlank() { return }
      }
    }
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
