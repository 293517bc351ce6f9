// JSON5 as values that know where in the text they stood, so that whoever finds one wrong later can
// point at it. Pure values; made by JSON5Parser, on any thread.

/// A value and where it begins.
public struct JSON5: Equatable, Sendable {
  public enum Value: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case list([JSON5])
    case table([Member])
  }

  public struct Member: Equatable, Sendable {
    public let key: String
    public let keyOffset: Int
    public let item: JSON5
  }

  public let value: Value
  /// In bytes from the beginning of the text.
  public let offset: Int

  /// What a person would call it.
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let number): "the number \(number)"
    case .real(let number): "the number \(number)"
    case .string(let text): "\"\(text.prefix(40))\""
    case .list(let items) where items.count > 4: "a list of \(items.count)"
    case .list(let items): "[" + items.map(\.kind).joined(separator: ", ") + "]"
    case .table: "a group of keys"
    }
  }
}

/// Where something is in a text, as editors count: both from 1, columns in characters.
public struct TextPlace: Equatable, Comparable, Sendable {
  public let line: Int
  public let column: Int

  init(of offset: Int, in text: [UInt8]) {
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
