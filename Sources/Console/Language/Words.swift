// A line taken apart into words, the way a shell does it: blanks part words, quotes keep them
// together, a backslash takes the next character as it is. Nothing is ever expanded. Pure.

public struct Words: Equatable, Sendable {
  public private(set) var words: [String] = []
  /// Where the last word begins in the line, and whether a quote is still open in it.
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
        isEscaped = take(character, into: &word)
      }
    }
    endsInWord = word != nil
    if let last = word { words.append(last) } else { lastStart = line.endIndex }
  }

  /// One character of a word; true when it takes the next one as it is.
  private mutating func take(_ character: Character, into word: inout String?) -> Bool {
    switch (character, openQuote) {
    case ("\\", nil), ("\\", "\""): return true
    case ("\"", nil), ("'", nil): openQuote = character
    case (let closing, let opening?) where closing == opening: openQuote = nil
    default: word?.append(character)
    }
    return false
  }

  /// A word as it has to be typed.
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

/// A command that cannot be understood, and the sentence about it.
public struct Mistake: Error, Equatable, Sendable {
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
