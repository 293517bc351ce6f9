// A sentence, or a part of one, before it is put into a language: the English text with numbered
// placeholders, which is its key in the catalogue, and what stands in their places. A literal makes
// one: `"\(count) unheard"` has the key "{1} unheard". Plain values; any thread, but none that
// captures or plays sound, because a phrase allocates.

/// A sentence that can be said in each language.
public struct Phrase: Equatable, Sendable {
  /// Stands in the place of a placeholder.
  enum Argument: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case phrase(Phrase)
    /// An English sentence that was made elsewhere, and is looked up when it is said.
    case english(String)
  }

  /// The English text, with {1}, {2} and so on.
  let key: String
  let arguments: [Argument]

  init(key: String, _ arguments: [Argument]) {
    (self.key, self.arguments) = (key, arguments)
  }

  /// A text that is the same in each language, such as a title.
  public static func verbatim(_ text: String) -> Phrase { Phrase(key: "{1}", [.text(text)]) }

  /// An English sentence that was made elsewhere.
  public static func english(_ sentence: String) -> Phrase {
    Phrase(key: "{1}", [.english(sentence)])
  }

  /// The English text, for programs and logs.
  public var english: String { text(in: .english) }

  public func text(in language: Language) -> String {
    if arguments.isEmpty, language == .english { return key }
    let pattern = language == .english ? key : Catalogue.pattern(of: key, in: language)
    return Self.filled(pattern, with: arguments, in: language)
  }

  /// Fills a pattern. Of two forms, "one|many", the first is for the number 1.
  static func filled(_ pattern: String, with arguments: [Argument], in language: Language) -> String
  {
    let form = Self.form(of: pattern, for: arguments)
    var text = ""
    var rest = form[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let number = Int(rest[rest.index(after: open)..<close]) ?? 0
      if arguments.indices.contains(number - 1) {
        text += Self.text(of: arguments[number - 1], in: language)
      } else {
        text += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  private static func form(of pattern: String, for arguments: [Argument]) -> Substring {
    guard let bar = pattern.firstIndex(of: "|") else { return pattern[...] }
    let number = arguments.lazy.compactMap(\.number).first
    return number == 1 ? pattern[..<bar] : pattern[pattern.index(after: bar)...]
  }

  private static func text(of argument: Argument, in language: Language) -> String {
    switch argument {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .phrase(let phrase): phrase.text(in: language)
    case .english(let sentence): language.translate(sentence)
    }
  }
}

extension Phrase.Argument {
  /// Nil if it is no number.
  fileprivate var number: Int64? {
    switch self {
    case .number(let number): number
    case .text(let text): text.utf8.count <= 18 ? Int64(text) : nil
    case .phrase, .english: nil
    }
  }
}

extension Phrase: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(key: value, []) }

  public init(stringInterpolation: StringInterpolation) {
    self.init(key: stringInterpolation.key, stringInterpolation.arguments)
  }

  /// Collects the key and the arguments of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var arguments: [Argument] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      key.reserveCapacity(literalCapacity + interpolationCount * 3)
    }

    public mutating func appendLiteral(_ literal: String) { key += literal }

    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      append(.number(Int64(clamping: number)))
    }

    public mutating func appendInterpolation(_ text: String) { append(.text(text)) }

    public mutating func appendInterpolation(_ phrase: Phrase) { append(.phrase(phrase)) }

    private mutating func append(_ argument: Argument) {
      arguments.append(argument)
      key += "{\(arguments.count)}"
    }
  }
}
