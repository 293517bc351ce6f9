// Writes JSON without blanks, with keys in the given order. Simple and fast, because the card's
// index has tens of thousands of entries. Any thread.

/// A writer of JSON onto one line.
public struct JSONWriter {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private let hasShortEscapes: Bool

  /// Begins with no bytes. With `hasShortEscapes`, control characters that have a short escape get
  /// it, `\n`; otherwise all of them are numbers, `\u000a`.
  public init(hasShortEscapes: Bool = false) { self.hasShortEscapes = hasShortEscapes }

  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    body(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes a key; a value follows.
  public mutating func key(_ key: String) { self.key(key, colon: ":") }

  mutating func key(_ key: String, colon: StaticString) {
    string(key)
    bytes += UnsafeBufferPointer(start: colon.utf8Start, count: colon.utf8CodeUnitCount)
    needsComma = false
  }

  public mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  public mutating func member(_ name: String, _ value: some BinaryInteger) {
    key(name)
    number(value)
  }

  /// Writes a flag only if it is true; an absent flag is false.
  public mutating func flag(_ name: String, _ value: Bool) {
    guard value else { return }
    key(name)
    verbatim("true".utf8)
  }

  public mutating func number(_ value: some BinaryInteger) { verbatim(String(value).utf8) }

  public mutating func string(_ text: String) {
    separate()
    bytes.append(Self.quote)
    var text = text
    text.withUTF8 { text in
      if text.allSatisfy({ $0 >= 0x20 && $0 != Self.quote && $0 != Self.backslash }) {
        bytes += text
      } else {
        escape(text)
      }
    }
    bytes.append(Self.quote)
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      switch byte {
      case Self.quote, Self.backslash: bytes += [Self.backslash, byte]
      case 8, 9, 10, 12, 13:
        if hasShortEscapes {
          bytes += [Self.backslash, Self.letters[Int(byte) - 8]]
        } else {
          number(ofControl: byte)
        }
      case 0..<0x20: number(ofControl: byte)
      default: bytes.append(byte)
      }
    }
  }

  private mutating func number(ofControl byte: UInt8) {
    bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
  }

  /// Writes a value on a line of its own, for human readers.
  public mutating func lineBreak(_ value: (inout JSONWriter) -> Void) {
    breakLine(indent: 0)
    value(&self)
  }

  /// Starts a line for the next value.
  mutating func breakLine(indent: Int) {
    separate()
    needsComma = false
    endLine(indent: indent, isEmpty: false)
  }

  /// Ends the line before a closing bracket. An empty pair has an empty line between its brackets.
  mutating func endLine(indent: Int, isEmpty: Bool) {
    bytes += isEmpty ? [10, 10] : [10]
    bytes += repeatElement(32, count: 2 * indent)
  }

  /// Writes blanks, as room for a number that is not known yet.
  public mutating func blanks(_ count: Int) { verbatim([UInt8](repeating: 32, count: count)) }

  /// Writes a value that is already JSON.
  public mutating func verbatim(_ value: some Collection<UInt8>) {
    separate()
    bytes += value
  }

  mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// The escape letters of characters 8 to 13; 11 has none.
  private static let letters = Array("btn?fr".utf8)
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}
