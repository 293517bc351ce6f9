// Reads the string literals of a Swift file with their interpolations as numbered placeholders, so
// that they can be compared with the keys of the catalogue. Literals that are added up are one. It
// reads a file's text only; raw strings and multi-line strings are read, too.

/// One string literal of a source file.
struct SourceLiteral: Hashable {
  let path: String
  /// The text, with {1}, {2} and so on for its interpolations.
  let text: String
}

struct LiteralReader {
  private let text: [UInt8]
  private var at = 0
  private(set) var found: [String] = []
  /// Whether only blanks have come after the last literal, and whether a `+` has.
  private var wasLiteral = false
  private var joins = false

  /// Returns the literals of a file in the order of their ends.
  static func literals(of text: String) -> [String] {
    var reader = LiteralReader(text)
    while reader.at < reader.text.count { reader.step() }
    return reader.found
  }

  private init(_ text: String) { self.text = Array(text.utf8) }

  private func starts(_ prefix: String) -> Bool { text[at...].starts(with: prefix.utf8) }

  private mutating func step() {
    if starts("//") {
      while at < text.count, text[at] != 10 { at += 1 }
    } else if text[at] == UInt8(ascii: "\"") || starts("#\"") {
      let before = joins ? found.popLast() : nil
      add(readLiteral(), to: before)
    } else {
      switch text[at] {
      case 32, 10: break
      case UInt8(ascii: "+"): joins = !found.isEmpty && wasLiteral
      default: (joins, wasLiteral) = (false, false)
      }
      at += 1
    }
  }

  private mutating func add(_ literal: String, to before: String?) {
    (joins, wasLiteral) = (false, true)
    guard let before else { return found.append(literal) }
    let count = before.filter { $0 == "{" }.count
    var more = ""
    for part in literal.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard part.offset > 0 else {
        more += part.element
        continue
      }
      let rest = part.element.drop { $0.isNumber }
      more += "{\(count + part.offset)" + rest
    }
    found.append(before + more)
  }

  /// Reads a literal from its first quote or hash on.
  private mutating func readLiteral() -> String {
    let hashes = String(repeating: "#", count: text[at...].prefix { $0 == UInt8(ascii: "#") }.count)
    at += hashes.utf8.count
    let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
    at += quotes.utf8.count
    var bytes: [UInt8] = []
    var placeholders = 0
    while at < text.count, !starts(quotes + hashes) {
      if starts("\\" + hashes) {
        at += 1 + hashes.utf8.count
        readEscape(into: &bytes, &placeholders)
      } else {
        bytes.append(text[at])
        at += 1
      }
    }
    at += (quotes + hashes).utf8.count
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func readEscape(into bytes: inout [UInt8], _ placeholders: inout Int) {
    let escaped = text[at]
    switch escaped {
    case UInt8(ascii: "("):
      skipInterpolation()
      placeholders += 1
      bytes += Array("{\(placeholders)}".utf8)
      return
    case UInt8(ascii: "u"):
      let digits = text[at...].drop { $0 != UInt8(ascii: "{") }.dropFirst()
        .prefix { $0 != UInt8(ascii: "}") }
      let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        .flatMap(Unicode.Scalar.init)
      bytes += scalar.map { Array(String(Character($0)).utf8) } ?? []
      at += digits.count + 3
      return
    case UInt8(ascii: "n"): bytes.append(10)
    case 10: break
    default: bytes.append(escaped)
    }
    at += 1
  }

  /// Literals inside are found as well.
  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      if text[at] == UInt8(ascii: "\"") {
        found.append(readLiteral())
        continue
      }
      if text[at] == UInt8(ascii: "(") { depth += 1 }
      if text[at] == UInt8(ascii: ")") { depth -= 1 }
      at += 1
    } while depth > 0 && at < text.count
  }
}
