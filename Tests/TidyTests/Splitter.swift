// Separates code, comments and strings, byte by byte. Pure; never fails: after text that does not
// parse the next line is code again, and the compiler reports the rest.

struct Splitter {
  private let text: [UInt8]
  private(set) var code: [UInt8]
  private(set) var comments: [UInt8]
  private var at = 0
  private var literals: [Literal] = []

  /// A string literal that contains the present position.
  private struct Literal {
    let hashes: Int
    let isMultiline: Bool
    /// Open parentheses of the present interpolation; 0 in the text of the string.
    var parentheses = 0

    var end: String { (isMultiline ? "\"\"\"" : "\"") + String(repeating: "#", count: hashes) }
  }

  /// Until `split()`, all is code.
  init(_ text: [UInt8]) {
    self.text = text
    code = text
    comments = []
  }

  mutating func split() {
    let blank = text.map { $0 == newline ? newline : space }
    code = blank
    comments = blank
    while at < text.count {
      if let literal = literals.last, literal.parentheses == 0 {
        stepString(literal)
      } else {
        stepCode()
      }
    }
  }

  private mutating func stepCode() {
    switch text[at] {
    case UInt8(ascii: "/") where starts("//"):
      while at < text.count, text[at] != newline { comment(1) }
    case UInt8(ascii: "/") where starts("/*"):
      skipBlockComment()
    case UInt8(ascii: "\""), UInt8(ascii: "#"):
      let opened = literalStart()
      if let opened { literals.append(opened.literal) }
      keep(opened?.length ?? 1)
    case UInt8(ascii: "(") where !literals.isEmpty:
      literals[literals.count - 1].parentheses += 1
      keep(1)
    case UInt8(ascii: ")") where !literals.isEmpty:
      literals[literals.count - 1].parentheses -= 1
      keep(1)
    default:
      keep(1)
    }
  }

  private mutating func stepString(_ literal: Literal) {
    switch text[at] {
    case UInt8(ascii: "\\"):
      stepEscape(literal)
    case UInt8(ascii: "\"") where starts(literal.end):
      keep(literal.end.utf8.count)
      literals.removeLast()
    case newline where !literal.isMultiline:
      literals.removeLast()
      at += 1
    default:
      at += 1
    }
  }

  private mutating func stepEscape(_ literal: Literal) {
    let hashes = String(repeating: "#", count: literal.hashes)
    if starts("\\" + hashes + "(") {
      at += 1 + literal.hashes
      literals[literals.count - 1].parentheses = 1
      keep(1)
    } else {
      at += starts("\\" + hashes) ? 2 + literal.hashes : 1
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        comment(2)
      } else if starts("*/") {
        depth -= 1
        comment(2)
      } else {
        comment(1)
      }
    } while depth > 0 && at < text.count
  }

  private func literalStart() -> (literal: Literal, length: Int)? {
    let hashes = text[at...].prefix { $0 == UInt8(ascii: "#") }.count
    let quotes = text[(at + hashes)...].prefix(3).prefix { $0 == UInt8(ascii: "\"") }.count
    if quotes == 0 { return nil }
    let isMultiline = quotes == 3
    return (Literal(hashes: hashes, isMultiline: isMultiline), hashes + (isMultiline ? 3 : 1))
  }

  private func starts(_ prefix: String) -> Bool {
    text[at...].starts(with: prefix.utf8)
  }

  private mutating func keep(_ count: Int) {
    for _ in 0..<count where at < text.count {
      code[at] = text[at]
      at += 1
    }
  }

  private mutating func comment(_ count: Int) {
    for _ in 0..<count where at < text.count {
      comments[at] = text[at]
      at += 1
    }
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
