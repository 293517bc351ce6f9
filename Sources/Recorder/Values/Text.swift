// Text as people see it: titles sorted naturally ("Take 2" before "Take 10", ignoring case), and
// columns counted as a terminal does. Pure functions.

/// The order, the width and the lines of text.
public enum Text {
  /// A longer title is refused.
  public static let titleLimitBytes = 1000

  /// Returns a title without control characters, and without blanks at either end; nil if nothing
  /// is left, or more than `titleLimitBytes`.
  public static func title(_ typed: String) -> String? {
    let kept = cleaned(typed)
    return kept.isEmpty || kept.utf8.count > titleLimitBytes ? nil : kept
  }

  /// Returns a text without control characters, and without blanks at either end. If it keeps its
  /// lines, a line feed ends each, and a tab becomes a blank.
  static func cleaned(_ typed: String, keepingLines: Bool = false) -> String {
    var visible = String.UnicodeScalarView()
    var last: Unicode.Scalar = " "
    for scalar in typed.unicodeScalars {
      switch scalar {
      case "\n" where keepingLines && last == "\r": break
      case "\n" where keepingLines, "\r" where keepingLines: visible.append("\n")
      case "\t" where keepingLines: visible.append(" ")
      default: if !isControl(scalar) { visible.append(scalar) }
      }
      last = scalar
    }
    var kept = Substring(String(visible))
    while kept.first?.isWhitespace == true { kept.removeFirst() }
    while kept.last?.isWhitespace == true { kept.removeLast() }
    return String(kept)
  }

  /// Controls, line separators, and the overrides of writing direction, which can disguise a name.
  /// The marks that right-to-left writing needs are not among them.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns whether one title comes before another: digits by value, letters without case, and
  /// equal titles by their code points.
  public static func comesBefore(_ left: String, _ right: String) -> Bool {
    order(left, right) < 0
  }

  /// Returns a number below, at or above zero; zero only for the same code points. If two spellings
  /// of a letter were equal here but differed beside a third title, the order would be
  /// inconsistent.
  static func order(_ left: String, _ right: String) -> Int {
    let natural = compare(left.unicodeScalars, right.unicodeScalars)
    if natural != 0 || left.unicodeScalars.elementsEqual(right.unicodeScalars) { return natural }
    return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars) ? -1 : 1
  }

  private static func compare(
    _ left: String.UnicodeScalarView, _ right: String.UnicodeScalarView
  ) -> Int {
    var first = left[...]
    var second = right[...]
    while let one = first.first, let other = second.first {
      if isDigit(one), isDigit(other) {
        let order = compareNumbers(&first, &second)
        if order != 0 { return order }
        continue
      }
      let (small, large) = (folded(one), folded(other))
      if small != large { return small < large ? -1 : 1 }
      first.removeFirst()
      second.removeFirst()
    }
    return first.isEmpty ? (second.isEmpty ? 0 : -1) : 1
  }

  /// Compares the leading numbers of both, of any length, and removes them.
  private static func compareNumbers(
    _ left: inout Substring.UnicodeScalarView, _ right: inout Substring.UnicodeScalarView
  ) -> Int {
    let first = readDigits(&left)
    let second = readDigits(&right)
    if first.count != second.count { return first.count < second.count ? -1 : 1 }
    for (one, other) in zip(first, second) where one != other { return one < other ? -1 : 1 }
    return 0
  }

  private static func readDigits(
    _ text: inout Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.drop { $0 == "0" }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func folded(_ scalar: Unicode.Scalar) -> UInt32 {
    if scalar.isASCII { return ("A"..."Z").contains(scalar) ? scalar.value + 32 : scalar.value }
    return scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value
  }

  /// Returns how many columns a terminal needs for the text.
  public static func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// Terminals differ in the width of a composed character: the sum of its parts is the most that
  /// any of them uses.
  private static func columns(_ character: Character) -> Int {
    let sum = character.unicodeScalars.reduce(0) { $0 + columns($1) }
    let isPicture = sum == 1 && character.unicodeScalars.contains { $0.value == 0xFE0F }
    return isPicture ? 2 : sum
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x300: return 1
    case 0x1160...0x11FF, 0x200B...0x200F, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF: return 0
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  /// The East Asian wide ranges, rounded to blocks.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Returns the text cut to `limit` columns, with an ellipsis if something is missing.
  public static func fitted(_ text: String, columns limit: Int) -> String {
    if columns(text) <= limit { return text }
    guard limit > 0 else { return "" }
    var kept = ""
    var used = 1
    for character in text {
      used += columns(character)
      if used > limit { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

extension Text {
  /// Wraps a text between words, and between wide characters, which languages write without
  /// blanks. A line is longer than `columns` only if it is a single word.
  public static func wrapped(_ text: String, columns limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for piece in pieces(of: text) {
      let width = columns(piece.text)
      let blank = piece.followsBlank && !line.isEmpty ? 1 : 0
      if !line.isEmpty, used + blank + width > limit {
        lines.append(line)
        (line, used) = (piece.text, width)
      } else {
        line += (blank == 1 ? " " : "") + piece.text
        used += blank + width
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Words, and wide characters each by itself. No line begins with a stop or a closing bracket.
  private static func pieces(of text: String) -> [(text: String, followsBlank: Bool)] {
    var pieces: [(text: String, followsBlank: Bool)] = []
    for word in text.split(separator: " ") {
      if word.utf8.allSatisfy({ $0 < 0x80 }) {
        pieces.append((String(word), true))
        continue
      }
      var wasWide = true
      for (index, character) in word.enumerated() {
        let isWide = columns(character) == 2
        if index > 0, !isWide && !wasWide || "，。；：？！、）”".contains(character) {
          pieces[pieces.count - 1].text.append(character)
        } else {
          pieces.append((String(character), index == 0))
        }
        wasWide = isWide
      }
    }
    return pieces
  }
}

extension Text {
  /// Returns a text for a row of a terminal. One with letters that are written from right to left
  /// is isolated, so that a terminal that reorders them leaves the columns beside it in place.
  public static func isolated(_ text: String) -> String {
    text.unicodeScalars.contains { isRightToLeft($0.value) }
      ? "\u{2068}\(text)\u{2069}" : text
  }

  /// Hebrew, Arabic and the scripts beside them, with their presentation forms.
  private static func isRightToLeft(_ value: UInt32) -> Bool {
    switch value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}

extension Text {
  /// Escapes text for man(7): dashes and quotes stay as they are, and no line begins with a point
  /// by accident.
  public static func roff(_ text: some StringProtocol) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let safe = line.map { roffNames[$0] ?? String($0) }.joined()
      return safe.hasPrefix(".") ? "\\&" + safe : safe
    }.joined(separator: "\n")
  }

  private static let roffNames: [Character: String] = [
    "\\": "\\(rs", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "~": "\\(ti",
    "^": "\\(ha",
  ]
}
