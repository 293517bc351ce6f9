// JSON values with their offsets in the text, so that a mistake found later can be located. Plain
// values, for any thread.

/// A value and where it begins.
public struct JSONValue: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer too large for `integer`.
    case natural(UInt64)
    case real(Double)
    case string(String)
    case list([JSONValue])
    case table([Member])
  }

  public struct Member: Equatable, Sendable {
    public let key: String
    public let keyOffset: Int
    public let item: JSONValue

    public init(key: String, keyOffset: Int, item: JSONValue) {
      self.key = key
      self.keyOffset = keyOffset
      self.item = item
    }
  }

  public let value: Kind
  /// In bytes from the beginning of the text.
  public let offset: Int

  public init(value: Kind, offset: Int) {
    self.value = value
    self.offset = offset
  }

  /// A description for people.
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let number): "the number \(number)"
    case .natural(let number): "the number \(number)"
    case .real(let number): "the number \(number)"
    case .string(let text): "\"\(text.prefix(40))\""
    case .list(let items) where items.count > 4: "a list of \(items.count)"
    case .list(let items): "[" + items.map(\.kind).joined(separator: ", ") + "]"
    case .table: "a group of keys"
    }
  }
}

/// A position in a text as editors count it: both from 1, columns in characters.
public struct TextPlace: Equatable, Comparable, Sendable {
  public let line: Int
  public let column: Int

  public init(of offset: Int, in text: [UInt8]) {
    let before = text[..<min(max(offset, 0), text.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    // Bytes that continue a character begin with the bits 10.
    column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
  }

  public static func < (left: TextPlace, right: TextPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
