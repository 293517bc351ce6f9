// Splits a line into words as a shell does: blanks separate words, quotes keep them together, and a
// backslash makes the next character literal. Nothing is ever expanded. Pure.

extension Array where Element == String {
  /// Returns the words with an option added before `--`, because after it the option is a name.
  public func addingOption(_ option: String...) -> [String] {
    let end = firstIndex(of: "--") ?? endIndex
    return Array(self[..<end]) + option + Array(self[end...])
  }

  /// Returns the words with an option in place of one with the same name.
  public func replacingOption(_ name: String, with value: String) -> [String] {
    var words = self
    let options = prefix { $0 != "--" }
    if let index = options.firstIndex(where: { $0.hasPrefix(name + "=") }) {
      words.remove(at: index)
    } else if let index = options.firstIndex(of: name) {
      words.removeSubrange(index..<Swift.min(index + 2, options.endIndex))
    }
    return words.addingOption(name, value)
  }

  /// Whether the words have an option, with its value as the next word or after a `=`.
  public func hasOption(_ name: String) -> Bool {
    prefix { $0 != "--" }.contains { $0 == name || $0.hasPrefix(name + "=") }
  }
}

/// The words of a line.
public struct Words: Equatable, Sendable {
  public private(set) var words: [String] = []
  /// Where the last word begins in the line, and the quote that is still open in it.
  public private(set) var lastStart: String.Index
  public private(set) var openQuote: Character?
  /// Whether the line ends within its last word.
  public private(set) var endsInWord = false

  public init(_ line: String) {
    lastStart = line.endIndex
    var word: String?
    var isEscaped = false
    for index in line.indices {
      let character = line[index]
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if openQuote == nil, character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        if word == nil { lastStart = index }
        word = word ?? ""
        isEscaped = append(character, into: &word)
      }
    }
    endsInWord = word != nil
    if let last = word { words.append(last) } else { lastStart = line.endIndex }
  }

  /// Adds one character of a word. Returns true if the next one is literal.
  private mutating func append(_ character: Character, into word: inout String?) -> Bool {
    switch (character, openQuote) {
    case ("\\", nil), ("\\", "\""): return true
    case ("\"", nil), ("'", nil): openQuote = character
    case (let closing, let opening?) where closing == opening: openQuote = nil
    default: word?.append(character)
    }
    return false
  }

  /// Returns a word as it must be typed, in quotes if needed.
  public static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_", ":", "+", ",", "@", "%": true
      default: scalar.value > 0x7F && !scalar.properties.isWhitespace
      }
    }
    if isPlain, !word.isEmpty { return word }
    var escaped = ""
    for character in word {
      if "\"\\$`".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return "\"" + escaped + "\""
  }
}

/// Why a command cannot be parsed.
public struct ParseError: Error, Equatable, Sendable {
  public let code: Code
  public let sentence: String

  public enum Code: String, Sendable {
    case unknownCommand, usage, notHere
  }

  init(_ sentence: String, _ code: Code = .usage) {
    self.code = code
    self.sentence = sentence
  }
}
