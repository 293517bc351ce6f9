// Reads numbers of JSON and JSON5. One that fits into none of `JSONValue`'s types is refused. Any
// thread.

extension JSONReader {
  /// Reads a number; in JSON5 also Infinity and NaN.
  mutating func number() -> JSONValue.Kind {
    skipBlanks()
    if let value = shortInteger() { return .integer(value) }
    let start = position
    let value = dialect == .json ? strictNumber() : freeNumber()
    if let value { return value }
    let token = text(start..<position)
    if token.isEmpty {
      fail(.syntax, at: start, "a value is expected here")
    } else {
      fail(.number, at: start, "'\(token)' is no number")
    }
    return .null
  }

  /// The fast path for most numbers: an integer of at most 18 digits.
  private mutating func shortInteger() -> Int64? {
    var at = position
    let isNegative = at < bytes.count && bytes[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    let start = at
    var value: Int64 = 0
    while at < bytes.count, at - start < 18, case let digit = bytes[at] &- 0x30, digit < 10 {
      value = value &* 10 &+ Int64(digit)
      at += 1
    }
    // A leading zero and -0 take the slow path.
    guard at > start, bytes[start] != 0x30 || (at == start + 1 && !isNegative) else { return nil }
    if at < bytes.count, isWordByte(bytes[at]) || ".+-".utf8.contains(bytes[at]) { return nil }
    position = at
    return isNegative ? -value : value
  }

  private mutating func strictNumber() -> JSONValue.Kind? {
    let token = numberToken(from: position)
    guard Self.isNumber(token) else { return nil }
    if token == "-0" { return .real(-0.0) }
    if let value = Int64(token) { return .integer(value) }
    if let value = UInt64(token) { return .natural(value) }
    // A number too large for a `Double` is refused.
    guard let value = Double(token), value.isFinite else { return nil }
    return .real(value)
  }

  /// Whether the token has the grammar of RFC 8259.
  private static func isNumber(_ token: String) -> Bool {
    var rest = Substring(token).utf8
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    func passes(_ signs: String) -> Bool {
      guard let byte = rest.first, signs.utf8.contains(byte) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = passes("-")
    let hasZero = rest.first == 0x30
    let count = digits()
    if count == 0 || (hasZero && count > 1) { return false }
    if passes("."), digits() == 0 { return false }
    if passes("eE") {
      _ = passes("+-")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private mutating func freeNumber() -> JSONValue.Kind? {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { position += 1 }
    let digits = numberToken(from: position)
    if digits == "Infinity" { return .real(isNegative ? -.infinity : .infinity) }
    if digits == "NaN" { return .real(.nan) }
    let sign = isNegative ? "-" : ""
    if digits.lowercased().hasPrefix("0x") {
      return Int64(sign + digits.dropFirst(2), radix: 16).map { .integer($0) }
    }
    if let value = Int64(sign + digits) {
      // A leading zero could mean octal or decimal, so it is refused.
      return digits.utf8.count > 1 && digits.hasPrefix("0") ? nil : .integer(value)
    }
    guard digits.utf8.allSatisfy({ isDigit($0) || ".eE+-".utf8.contains($0) }) else { return nil }
    return Double(sign + completed(digits)).map { .real($0) }
  }

  private mutating func numberToken(from start: Int) -> String {
    while let byte = next {
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        // A sign belongs to a number in front of it, or in its exponent.
        let isOfNumber = position == start ? dialect == .json : bytes[position - 1] | 0x20 == 0x65
        guard isOfNumber else { break }
      } else if byte >= 0x80 || !(isWordByte(byte) || byte == UInt8(ascii: ".")) {
        break
      }
      position += 1
    }
    return text(start..<position)
  }

  /// Adds the zeros that Swift needs to read ".5" and "5.".
  private func completed(_ digits: String) -> String {
    let leading = digits.hasPrefix(".") ? "0" + digits : digits
    guard let dot = leading.firstIndex(of: ".") else { return leading }
    let after = leading[leading.index(after: dot)...]
    if let first = after.utf8.first, isDigit(first) { return leading }
    return leading[..<dot] + ".0" + after
  }

  func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Letters, digits, `_`, `$`, and all that is not ASCII.
  func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "$") || byte >= 0x80
  }
}
