// The catalogue of all sentences for people, in each language. It is read once, from the entries
// beside this file, when the first sentence in another language than English is asked for. Constant
// after that; any thread that may allocate.

/// One phrase in all languages.
public struct CatalogueEntry: Sendable {
  /// The English text with its placeholders; {1*} stands for a sentence, {1#} for a number.
  public let english: String
  public let texts: [Language: String]
  /// Whether English text from elsewhere is compared with it. A word on a screen is not: a title
  /// may be the same word.
  public let isSentence: Bool

  /// The key by which a phrase finds it.
  public var key: String { english.replacing("*}", with: "}").replacing("#}", with: "}") }
}

/// All sentences for people.
public enum Catalogue {
  public static let entries: [CatalogueEntry] =
    words.flatMap { read($0, areSentences: false) }
    + sentences.flatMap { read($0, areSentences: true) }

  /// Words and parts of sentences, which only screens and lines of text put together.
  private static let words = [
    screenWords, answerWords, spectatorWords, exchangeWords, copyWords, manifestWords,
  ]
  /// Whole sentences, which also come as English text.
  private static let sentences = [
    refusalSentences, noticeSentences, commandSentences, helpSentences, programSentences,
    doctorSentences, abilitySentences, soundSentences, cardSentences, panelSentences,
    configurationSentences, spectatorSentences, exchangeSentences, soundCardSentences,
    mistakeSentences, clippingSentences, copySentences, linkSentences, manifestSentences,
    webSentences,
  ]

  private static let byKey: [String: CatalogueEntry] = Dictionary(
    entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

  /// Those with placeholders, the heaviest first.
  private static let templates: [Template] =
    entries.filter(\.isSentence).map { Template($0.english) }
    .filter { $0.hasPlaceholders && $0.isTelling }.sorted { $0.weight > $1.weight }

  /// Returns the pattern of a phrase; its English one if the catalogue does not have it.
  static func pattern(of key: String, in language: Language) -> String {
    byKey[key]?.texts[language] ?? key
  }

  // MARK: Sentences that come as English text

  static func translate(_ english: String, into language: Language) -> String {
    if english.contains("\n") {
      return english.split(separator: "\n", omittingEmptySubsequences: false)
        .map { translate(String($0), into: language) }.joined(separator: "\n")
    }
    return whole(english, into: language) ?? capitalised(english, into: language)
      ?? parts(of: english, into: language)
  }

  private static func whole(_ english: String, into language: Language) -> String? {
    if let found = filled(english, language) { return found }
    // The same sentence is a part of a longer one, without its full stop, or stands by itself.
    if english.hasSuffix(".") {
      return filled(String(english.dropLast()), language).map { $0 + fullStop(of: language) }
    }
    return filled(english + ".", language, weightMinimum: 16).map {
      $0.hasSuffix(fullStop(of: language)) ? String($0.dropLast()) : $0
    }
  }

  /// A sentence that begins with a capital because it stands by itself.
  private static func capitalised(_ english: String, into language: Language) -> String? {
    guard let first = english.first, first.isUppercase else { return nil }
    let said = whole(first.lowercased() + english.dropFirst(), into: language)
    return said.map { $0.prefix(1).uppercased() + $0.dropFirst() }
  }

  private static func filled(
    _ sentence: String, _ language: Language, weightMinimum: Int = 0
  ) -> String? {
    if let entry = byKey[sentence], entry.isSentence { return entry.texts[language] }
    let bytes = Array(sentence.utf8)
    for template in templates where template.weight >= weightMinimum {
      guard let arguments = template.arguments(of: bytes) else { continue }
      let pattern = pattern(of: template.key, in: language)
      return Phrase.filled(pattern, with: arguments, in: language)
    }
    return nil
  }

  /// Several sentences in a row, each by itself.
  private static func parts(of english: String, into language: Language) -> String {
    guard let stop = english.range(of: ". ") else { return clauses(of: english, into: language) }
    let first = String(english[..<stop.lowerBound]) + "."
    let rest = translate(String(english[stop.upperBound...]), into: language)
    let said = whole(first, into: language) ?? clauses(of: first, into: language)
    return said + (language == .chinese && said.hasSuffix("。") ? "" : " ") + rest
  }

  /// What stands before and behind a colon, each by itself: "FILE cannot be read: it is a folder."
  private static func clauses(of english: String, into language: Language) -> String {
    guard let colon = english.range(of: ": ") else { return english }
    let rest = String(english[colon.upperBound...])
    return
      (whole(String(english[..<colon.lowerBound]), into: language)
      ?? String(english[..<colon.lowerBound]))
      + (language == .chinese ? "：" : ": ")
      + (whole(rest, into: language) ?? clauses(of: rest, into: language))
  }

  private static func fullStop(of language: Language) -> String {
    language == .chinese ? "。" : "."
  }

  // MARK: Reading

  /// Reads entries of three lines each, which begin with "en ", "de " and "zh "; a blank line ends
  /// one.
  private static func read(_ text: String, areSentences: Bool) -> [CatalogueEntry] {
    text.split(separator: "\n\n").map { block in
      var texts: [Language: String] = [:]
      for line in block.split(separator: "\n") {
        guard let language = Language(rawValue: String(line.prefix(2))) else { continue }
        texts[language] = String(line.dropFirst(3))
      }
      return CatalogueEntry(
        english: texts[.english] ?? "", texts: texts, isSentence: areSentences)
    }
  }
}

extension String {
  /// Returns the first place of a text of ASCII.
  fileprivate func range(of text: StaticString) -> Range<Index>? {
    let wanted = "\(text)"
    return indices.first { self[$0...].hasPrefix(wanted) }
      .map { $0..<index($0, offsetBy: wanted.count) }
  }
}
