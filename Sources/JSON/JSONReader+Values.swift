// Parses a whole text in either dialect into a tree of values, or throws the first mistake. Any
// thread.

extension JSONReader {
  /// Reads the whole text, to its end.
  mutating func document() throws(JSONError) -> JSONValue {
    try check()
    skipBlanks()
    let value = try item(of: nil)
    skipBlanks()
    try check()
    guard position == bytes.count else {
      let end = dialect == .json ? "the text should end here" : "the file should end here"
      throw error(.trailing, "\(end), after its closing brace")
    }
    return value
  }

  private mutating func item(of key: String?) throws(JSONError) -> JSONValue {
    let start = position
    return JSONValue(value: try value(of: key), offset: start)
  }

  private mutating func value(of key: String?) throws(JSONError) -> JSONValue.Kind {
    guard let byte = next else {
      try check()
      let what = dialect == .json ? "the text" : "the file"
      throw error(.syntax, key.map { "a value for '\($0)' is missing" } ?? "\(what) is empty")
    }
    let value: JSONValue.Kind
    switch byte {
    case UInt8(ascii: "{"): value = .table(try table())
    case UInt8(ascii: "["): value = .list(try list())
    case UInt8(ascii: "\""): value = .string(string())
    case UInt8(ascii: "'") where dialect == .json5: value = .string(string())
    case _ where isDigit(byte) || byte == UInt8(ascii: "-"): value = number()
    case UInt8(ascii: "+"), UInt8(ascii: "."): value = number()
    default: value = try word(of: key)
    }
    try check()
    return value
  }

  /// Reads the comma or the closing bracket after an item; true for the bracket.
  private mutating func isLast(
    _ bracket: UInt8, _ start: Int, _ place: @autoclosure () -> String
  ) throws(JSONError) -> Bool {
    skipBlanks()
    try check()
    if passes(bracket) { return true }
    if next == nil { throw unclosed(start) }
    guard passes(UInt8(ascii: ",")) else {
      throw error(.syntax, "a ',' is missing before this, \(place())")
    }
    skipBlanks()
    try check()
    if next == nil { throw unclosed(start) }
    return dialect == .json5 && passes(bracket)
  }

  private mutating func table() throws(JSONError) -> [JSONValue.Member] {
    let start = position
    guard deepen(at: start) else { throw error(.depth, "") }
    defer { depth -= 1 }
    position += 1
    skipBlanks()
    var members: [JSONValue.Member] = []
    var keys = SeenKeys()
    if passes(UInt8(ascii: "}")) { return members }
    var hasEnded = false
    while !hasEnded {
      if next == nil { throw unclosed(start) }
      let keyOffset = position
      let key = try memberName()
      if keys.contains(key, in: members) {
        throw JSONError(.duplicate, offset: keyOffset, "'\(key)' is here a second time")
      }
      skipBlanks()
      guard passes(UInt8(ascii: ":")) else {
        throw error(.syntax, "a ':' is missing after '\(key)'")
      }
      skipBlanks()
      let item = try item(of: key)
      members.append(JSONValue.Member(key: key, keyOffset: keyOffset, item: item))
      hasEnded = try isLast(UInt8(ascii: "}"), start, "after the value of '\(key)'")
    }
    return members
  }

  private mutating func list() throws(JSONError) -> [JSONValue] {
    let start = position
    guard deepen(at: start) else { throw error(.depth, "") }
    defer { depth -= 1 }
    position += 1
    skipBlanks()
    var items: [JSONValue] = []
    if passes(UInt8(ascii: "]")) { return items }
    if next == nil { throw unclosed(start) }
    var hasEnded = false
    while !hasEnded {
      items.append(try item(of: nil))
      hasEnded = try isLast(UInt8(ascii: "]"), start, "in the list")
    }
    return items
  }

  private func unclosed(_ offset: Int) -> JSONError {
    if let failure { return failure }
    return JSONError(
      .syntax, offset: offset, "the '\(text(offset..<offset + 1))' here is never closed")
  }

  private mutating func memberName() throws(JSONError) -> String {
    try check()
    let start = position
    let isQuoted = next == UInt8(ascii: "\"") || (dialect == .json5 && next == UInt8(ascii: "'"))
    if isQuoted {
      let key = string()
      try check()
      if dialect == .json, key.utf8.contains(0) {
        throw JSONError(.encoding, offset: start, "a key may hold no zero character")
      }
      return key
    }
    guard dialect == .json5, let byte = next, !isDigit(byte), isWordByte(byte) else {
      throw error(.syntax, "a key is expected here, such as \(sampleKey)")
    }
    return bareWord()
  }

  private var sampleKey: String { dialect == .json ? "\"id\"" : "'device'" }

  private mutating func word(of key: String?) throws(JSONError) -> JSONValue.Kind {
    let start = position
    switch bareWord() {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "Infinity" where dialect == .json5: return .real(.infinity)
    case "NaN" where dialect == .json5: return .real(.nan)
    case "":
      throw error(.syntax, "a value is expected here" + (key.map { ", for '\($0)'" } ?? ""))
    case let word:
      throw JSONError(
        .syntax, offset: start, "'\(word)' is no value; text needs quotes: \"…\"")
    }
  }

  /// The reader's first mistake, or else a new one at this position.
  private func error(_ code: JSONError.Code, _ sentence: String) -> JSONError {
    failure ?? JSONError(code, offset: position, sentence)
  }

  private func check() throws(JSONError) {
    if let failure { throw failure }
  }
}

/// The keys of one group. A few are compared one by one; many are kept in a set.
private struct SeenKeys {
  private var many: Set<String> = []

  /// Whether a key was seen before; marks it as seen.
  mutating func contains(_ key: String, in members: [JSONValue.Member]) -> Bool {
    if members.count < 16 { return members.contains { $0.key == key } }
    if many.isEmpty { many = Set(members.map(\.key)) }
    return !many.insert(key).inserted
  }
}
