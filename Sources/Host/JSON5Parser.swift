// Reads JSON5: JSON with comments, trailing commas, bare keys, single quotes and numbers as people
// write them. Any bytes may come in; what comes out is values or one sentence on the first thing
// that could not be understood. Bounded in depth; touches no file.

public struct JSON5Error: Error, Equatable, Sendable {
  public let offset: Int
  public let sentence: String
}

public struct JSON5Parser {
  /// No configuration is that deep; a stack is not endless.
  private static let depthMaximum = 64

  private let text: [UInt8]
  private var at = 0
  private var depth = 0

  public static func parse(_ text: [UInt8]) throws(JSON5Error) -> JSON5 {
    if let bad = firstInvalid(in: text) {
      throw JSON5Error(offset: bad, sentence: "here is a byte that is no UTF-8 text")
    }
    var parser = JSON5Parser(text: text)
    try parser.skipBlanks()
    let value = try parser.item(of: nil)
    try parser.skipBlanks()
    guard parser.at == text.count else {
      throw parser.error("the file should end here, after its closing brace")
    }
    return value
  }

  private init(text: [UInt8]) { self.text = text }

  private static func firstInvalid(in text: [UInt8]) -> Int? {
    var decoder = UTF8()
    var bytes = text.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  // MARK: Values

  private mutating func item(of key: String?) throws(JSON5Error) -> JSON5 {
    let start = at
    return JSON5(value: try value(of: key), offset: start)
  }

  private mutating func value(of key: String?) throws(JSON5Error) -> JSON5.Value {
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSON5Error) in try parser.table() }
    case UInt8(ascii: "["): return try nested { parser throws(JSON5Error) in try parser.list() }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    case nil: throw error(key.map { "a value for '\($0)' is missing" } ?? "the file is empty")
    case .some(let byte) where isNumberStart(byte): return try number()
    default: return try word(of: key)
    }
  }

  private mutating func nested(
    _ body: (inout JSON5Parser) throws(JSON5Error) -> JSON5.Value
  ) throws(JSON5Error) -> JSON5.Value {
    guard depth < Self.depthMaximum else { throw error("this is nested too deeply") }
    depth += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func table() throws(JSON5Error) -> JSON5.Value {
    let start = at
    at += 1
    var members: [JSON5.Member] = []
    var keys: Set<String> = []
    try skipBlanks()
    while !take("}") {
      if next == nil { throw unclosed("{", start) }
      let keyOffset = at
      let key = try key()
      if !keys.insert(key).inserted {
        throw JSON5Error(offset: keyOffset, sentence: "'\(key)' is here a second time")
      }
      try skipBlanks()
      guard take(":") else { throw error("a ':' is missing after '\(key)'") }
      try skipBlanks()
      members.append(JSON5.Member(key: key, keyOffset: keyOffset, item: try item(of: key)))
      try skipBlanks()
      if next == nil { throw unclosed("{", start) }
      guard take(",") || next == UInt8(ascii: "}") else {
        throw error("a ',' is missing before this, after the value of '\(key)'")
      }
      try skipBlanks()
    }
    return .table(members)
  }

  private mutating func list() throws(JSON5Error) -> JSON5.Value {
    let start = at
    at += 1
    var items: [JSON5] = []
    try skipBlanks()
    while !take("]") {
      if next == nil { throw unclosed("[", start) }
      items.append(try item(of: nil))
      try skipBlanks()
      if next == nil { throw unclosed("[", start) }
      guard take(",") || next == UInt8(ascii: "]") else {
        throw error("a ',' is missing before this, in the list")
      }
      try skipBlanks()
    }
    return .list(items)
  }

  private func unclosed(_ bracket: String, _ offset: Int) -> JSON5Error {
    JSON5Error(offset: offset, sentence: "the '\(bracket)' here is never closed")
  }

  private mutating func key() throws(JSON5Error) -> String {
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try string() }
    if let byte = next, isDigit(byte) || !isWordByte(byte) {
      throw error("a key is expected here, such as 'device'")
    }
    return bareWord()
  }

  private mutating func word(of key: String?) throws(JSON5Error) -> JSON5.Value {
    let start = at
    switch bareWord() {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "Infinity": return .real(.infinity)
    case "NaN": return .real(.nan)
    case "": throw error("a value is expected here" + (key.map { ", for '\($0)'" } ?? ""))
    case let word:
      throw JSON5Error(offset: start, sentence: "'\(word)' is no value; text needs quotes: \"…\"")
    }
  }

  /// Letters, digits, `_`, `$`, and whatever is not ASCII.
  private mutating func bareWord() -> String {
    let start = at
    while let byte = next, isWordByte(byte), blankWidth() == 0 { at += 1 }
    return String(decoding: text[start..<at], as: UTF8.self)
  }

  // MARK: Numbers

  private mutating func number() throws(JSON5Error) -> JSON5.Value {
    let start = at
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { at += 1 }
    let digits = numberText()
    let bad = JSON5Error(
      offset: start,
      sentence: "'\(String(decoding: text[start..<at], as: UTF8.self))' is no number")
    if digits == "Infinity" { return .real(isNegative ? -.infinity : .infinity) }
    if digits == "NaN" { return .real(.nan) }
    let sign = isNegative ? "-" : ""
    if digits.lowercased().hasPrefix("0x") {
      guard let value = Int64(sign + digits.dropFirst(2), radix: 16) else { throw bad }
      return .integer(value)
    }
    if let value = Int64(sign + digits) {
      // What some would read as eight and some as ten.
      if digits.count > 1, digits.hasPrefix("0") { throw bad }
      return .integer(value)
    }
    guard digits.utf8.allSatisfy({ isDigit($0) || ".eE+-".utf8.contains($0) }),
      let value = Double(sign + completed(digits))
    else { throw bad }
    return .real(value)
  }

  private mutating func numberText() -> String {
    let start = at
    while let byte = next {
      let isExponentSign =
        (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && at > start
        && [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(text[at - 1])
      guard isWordByte(byte) || byte == UInt8(ascii: ".") || isExponentSign, byte < 0x80 else {
        break
      }
      at += 1
    }
    return String(decoding: text[start..<at], as: UTF8.self)
  }

  /// ".5" and "5." as Swift reads them.
  private func completed(_ digits: String) -> String {
    let leading = digits.hasPrefix(".") ? "0" + digits : digits
    guard let dot = leading.firstIndex(of: ".") else { return leading }
    let after = leading[leading.index(after: dot)...]
    if let first = after.utf8.first, isDigit(first) { return leading }
    return leading[..<dot] + ".0" + after
  }

  private func isNumberStart(_ byte: UInt8) -> Bool { isDigit(byte) || "+-.".utf8.contains(byte) }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  // MARK: Strings

  private mutating func string() throws(JSON5Error) -> String {
    let start = at
    let quote = text[at]
    at += 1
    var bytes: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case quote: return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &bytes)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        throw JSON5Error(offset: start, sentence: "the text that begins here has no closing quote")
      default: bytes.append(byte)
      }
    }
    throw JSON5Error(offset: start, sentence: "the text that begins here has no closing quote")
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSON5Error) {
    let start = at - 1
    guard let byte = next else { return }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "v"): bytes.append(0x0B)
    case UInt8(ascii: "0"): bytes.append(0)
    case UInt8(ascii: "\n"): break
    case UInt8(ascii: "\r"): _ = take("\n")
    case UInt8(ascii: "x"): try append(try hex(2, from: start), from: start, to: &bytes)
    case UInt8(ascii: "u"): try append(try unicode(from: start), from: start, to: &bytes)
    default: bytes.append(byte)
    }
  }

  private mutating func unicode(from start: Int) throws(JSON5Error) -> UInt32 {
    let high = try hex(4, from: start)
    guard (0xD800..<0xDC00).contains(high), next == UInt8(ascii: "\\"), at + 1 < text.count,
      text[at + 1] == UInt8(ascii: "u")
    else { return high }
    at += 2
    let low = try hex(4, from: start)
    guard (0xDC00..<0xE000).contains(low) else { return high }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hex(_ count: Int, from start: Int) throws(JSON5Error) -> UInt32 {
    let end = min(at + count, text.count)
    let digits = String(decoding: text[at..<end], as: UTF8.self)
    guard digits.utf8.count == count, digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let value = UInt32(digits, radix: 16)
    else {
      throw JSON5Error(offset: start, sentence: "\(count) hexadecimal digits are expected here")
    }
    at = end
    return value
  }

  private func append(
    _ value: UInt32, from start: Int, to bytes: inout [UInt8]
  ) throws(JSON5Error) {
    guard let scalar = Unicode.Scalar(value) else {
      throw JSON5Error(offset: start, sentence: "this is half a character; write it as it is")
    }
    bytes.append(contentsOf: Array(String(Character(scalar)).utf8))
  }

  // MARK: Between values

  private var next: UInt8? { at < text.count ? text[at] : nil }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    at += 1
    return true
  }

  private func error(_ sentence: String) -> JSON5Error {
    JSON5Error(offset: at, sentence: sentence)
  }

  private mutating func skipBlanks() throws(JSON5Error) {
    while true {
      let width = blankWidth()
      if width > 0 {
        at += width
      } else if next == UInt8(ascii: "/") {
        try skipComment()
      } else {
        return
      }
    }
  }

  /// How many bytes of blank stand here, counting the odd ones an editor may leave.
  private func blankWidth() -> Int {
    guard let byte = next else { return 0 }
    if [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20].contains(byte) { return 1 }
    let odd: [[UInt8]] = [
      [0xC2, 0xA0], [0xEF, 0xBB, 0xBF], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9],
    ]
    return odd.first { text[at...].starts(with: $0) }?.count ?? 0
  }

  private mutating func skipComment() throws(JSON5Error) {
    let start = at
    at += 1
    if take("/") {
      while let byte = next, byte != UInt8(ascii: "\n") { at += 1 }
    } else if take("*") {
      while !(next == UInt8(ascii: "*") && at + 1 < text.count && text[at + 1] == UInt8(ascii: "/"))
      {
        guard next != nil else {
          throw JSON5Error(offset: start, sentence: "the comment that begins here never ends")
        }
        at += 1
      }
      at += 2
    } else {
      throw JSON5Error(offset: start, sentence: "a comment begins with '//' or '/*'")
    }
  }
}
