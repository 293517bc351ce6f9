// The kinds of values a configuration has: switches, numbers, words, texts, files and lists. Each
// says what it expects, reads it and writes it. Pure.

import JSON

extension Kind {
  /// A kind that reads a value as a whole, without reporting errors within it.
  init(
    _ expected: String, write: @escaping (Value) -> String,
    hint: @escaping (JSONValue) -> String = { _ in "" }, read: @escaping (JSONValue) -> Value?
  ) {
    self.expected = expected
    self.write = write
    self.read = { item, reading in
      if let value = read(item) { return value }
      reading.wrong(item, expected: expected, hint: hint(item))
      return nil
    }
  }
}

func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case "\n": result += "\\n"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

extension Kind where Value == Bool {
  static var flag: Kind {
    Kind(
      "true or false", write: { "\($0)" }, hint: flagHint,
      read: { item in
        if case .bool(let value) = item.value { value } else { nil }
      })
  }

  private static func flagHint(_ item: JSONValue) -> String {
    switch item.value {
    case .string("true"), .string("false"): "take off the quotes"
    case .string(let word) where ["yes", "on", "1"].contains(word.lowercased()): "write true"
    case .string(let word) where ["no", "off", "0"].contains(word.lowercased()): "write false"
    case .integer(1): "write true"
    case .integer(0): "write false"
    default: ""
    }
  }
}

extension Kind where Value == Int {
  static func number(_ range: ClosedRange<Int>, _ unit: String = "") -> Kind {
    let of = unit.isEmpty ? "" : " \(unit)"
    return Kind(
      "a whole number from \(range.lowerBound) to \(range.upperBound)\(of)", write: { "\($0)" },
      hint: numberHint,
      read: { item in
        guard case .integer(let number) = item.value, let value = Int(exactly: number) else {
          return nil
        }
        return range.contains(value) ? value : nil
      })
  }

  private static func numberHint(_ item: JSONValue) -> String {
    guard case .string(let text) = item.value, Int(text) != nil else { return "" }
    return "take off the quotes"
  }
}

extension Kind where Value == [Int] {
  static func numbers(_ range: ClosedRange<Int>, atMost count: Int) -> Kind {
    Kind(
      "a list of at most \(count) numbers from \(range.lowerBound) to \(range.upperBound), "
        + "each once",
      write: { "[\($0.map { "\($0)" }.joined(separator: ", "))]" },
      read: { item in
        guard case .list(let items) = item.value, items.count <= count else { return nil }
        let numbers = items.compactMap { item in
          if case .integer(let number) = item.value { Int(exactly: number) } else { nil }
        }
        let isGood = numbers.count == items.count && numbers.allSatisfy(range.contains)
        return isGood && Set(numbers).count == numbers.count ? numbers : nil
      })
  }
}

extension Kind {
  /// One of several words or numbers; `written` is how it appears in the file.
  static func choice(_ choices: [(written: String, value: Value)]) -> Kind {
    let plain = choices.map { $0.written.filter { $0 != "\"" } }
    return Kind(
      listed(choices.map(\.written)),
      write: { value in choices.first { $0.value == value }?.written ?? "" },
      hint: { item in
        guard case .string(let word) = item.value else { return "" }
        return Reading.suggestion(for: word, among: plain)
      },
      read: { item in
        let given: String
        switch item.value {
        case .string(let word): given = quoted(word)
        case .integer(let number): given = "\(number)"
        case .real(let number): given = "\(number)"
        default: return nil
        }
        return choices.first { $0.written == given }?.value
      })
  }

  private static func listed(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }
}

extension Kind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  static var word: Kind {
    choice(Value.allCases.map { (quoted($0.rawValue), $0) })
  }
}

extension Kind where Value == String {
  static func text(_ expected: String) -> Kind {
    Kind("\(expected), in quotes", write: quoted) { item in
      guard case .string(let text) = item.value else { return nil }
      return isPrintable(text) ? text : nil
    }
  }
}

extension Kind where Value == String? {
  static func text(_ expected: String) -> Kind {
    Kind(
      "\(expected), in quotes", write: { quoted($0 ?? "none") },
      read: { item in
        guard case .string(let text) = item.value else { return nil }
        return isPrintable(text) ? .some(.some(text)) : .none
      })
  }

  /// A file or a directory, or none.
  static var path: Kind {
    Kind(
      "a path that begins with \"/\", or \"none\"", write: { quoted($0 ?? "none") },
      read: { item in
        guard case .string(let text) = item.value else { return nil }
        if text == "none" { return .some(.none) }
        return isPath(text) ? .some(.some(text)) : .none
      })
  }
}

/// Whether a text can name a file or a device: not empty, not too long, no control characters.
func isPrintable(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.count <= 1000 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
}

func isPath(_ text: String) -> Bool { text.hasPrefix("/") && isPrintable(text) }

extension Kind {
  /// Items between brackets, each with the keys of a group.
  static func list<Item: Equatable>(
    of group: Group<Item>, called name: String, standard: Item, atMost limit: Int? = nil
  ) -> Kind where Value == [Item] {
    let most = limit.map { ", at most \($0)" } ?? ""
    let expected = "a list of \(name)\(most): [ { … }, … ]"
    return Kind(
      expected: expected,
      read: { item, reading in
        guard case .list(let items) = item.value, items.count <= limit ?? .max else {
          reading.wrong(item, expected: expected)
          return nil
        }
        return items.enumerated().map { index, item in
          reading.below("[\(index)]") { reading in
            var value = standard
            group.read(item, into: &value, &reading)
            return value
          }
        }
      },
      write: { items in
        let written = items.map { group.write($0, beside: standard) }
        return "[" + written.joined(separator: ", ") + "]"
      },
      inner: group.descriptions(of: standard))
  }
}
