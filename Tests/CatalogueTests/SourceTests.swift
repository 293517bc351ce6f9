// The sources and the catalogue agree: each sentence for people in the sources has an entry, and
// each entry is in the sources. Sentences are found textually, by their string literals.
import FoundationEssentials
import Testing

@testable import Catalogue

@Suite struct SourceTests {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  private static let literals: [SourceLiteral] = paths(below: "Sources").sorted().flatMap { path in
    guard path.hasSuffix(".swift"), !path.hasPrefix("Sources/Catalogue/"),
      let data = FileManager.default.contents(atPath: root + "/" + path)
    else { return [SourceLiteral]() }
    return LiteralReader.literals(of: String(decoding: data, as: UTF8.self))
      .map { SourceLiteral(path: path, text: $0) }
  }

  private static func paths(below folder: String) -> [String] {
    // A folder that cannot be read has nothing to check.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
    return names.flatMap { name -> [String] in
      let path = folder + "/" + name
      return name.contains(".") ? [path] : paths(below: path)
    }
  }

  /// An entry's key without the placeholders at its end, which the sources may add by themselves,
  /// and without blanks at its ends.
  private static func stem(_ text: String) -> String {
    var rest = Substring(text)
    while let first = rest.first, first == " " { rest.removeFirst() }
    while true {
      while rest.last == " " { rest.removeLast() }
      guard rest.last == "}", let open = rest.lastIndex(of: "{"), open > rest.startIndex else {
        return String(rest)
      }
      rest = rest[..<open]
    }
  }

  /// Whether a literal is words: two or more letters, and a blank.
  private static func isWords(_ text: String) -> Bool {
    text.contains(" ") && !text.contains("\n")
      && text.split { !$0.isASCII || !$0.isLetter }.contains { $0.count > 1 }
  }

  private static let stems = Set(Catalogue.entries.map { stem($0.key) })

  private static func hasEntry(_ text: String) -> Bool {
    stems.contains(stem(text)) || NotForPeople.texts.contains(text)
  }

  @Test("the literals of the sources are found")
  func found() {
    let texts = Set(Self.literals.map(\.text))
    #expect(texts.contains("Move “{1}” to the trash? y/n"))
    #expect(texts.contains("{1} is one of {2}, not “{3}”."))
    let split = "(The recorder opens it itself here: it reaches what its service and its user may,"
    #expect(texts.contains { $0.hasPrefix(split) && $0.hasSuffix("reelctl opens files for it.)") })
    #expect(LiteralReader.literals(of: #"f("a \(b("c")) d" + " \(e)")"#) == ["c", "a {1} d {2}"])
  }

  @Test("each sentence of the sources has an entry, or is listed as not for people")
  func covered() {
    for literal in Self.literals where Self.isWords(literal.text) {
      if NotForPeople.folders.contains(where: literal.path.hasPrefix) { continue }
      if Self.hasEntry(literal.text) { continue }
      Issue.record(
        """
        \(literal.path): give “\(literal.text)” an entry in Sources/Catalogue, or, if no person \
        reads it, a line in Tests/CatalogueTests/NotForPeople.swift
        """)
    }
  }

  @Test("each word that screens and answers say by itself has an entry")
  func words() {
    let views = ["Sources/Recorder/Views/", "Sources/Recorder/Language/AnswerText"]
    for literal in Self.literals where views.contains(where: literal.path.hasPrefix) {
      let letters = literal.text.filter { $0.isASCII && $0.isLetter }.count
      if letters < 2 || NotForPeople.marks.contains(literal.text) { continue }
      if !Self.hasEntry(literal.text) { Issue.record("\(literal.path): “\(literal.text)”") }
    }
  }

  @Test("each entry is used")
  func used() {
    let texts = Set(Self.literals.map(\.text)).union(Self.literals.map { Self.stem($0.text) })
    for entry in Catalogue.entries
    where !texts.contains(entry.key) && !texts.contains(Self.stem(entry.key))
      && !NotForPeople.composed.contains(entry.key)
    {
      Issue.record("take out “\(entry.key)”: the sources do not say it")
    }
  }

  @Test("the lists of exceptions name what there is")
  func exceptions() {
    let texts = Set(Self.literals.map(\.text))
    for text in NotForPeople.texts.subtracting(texts).sorted() {
      Issue.record("take out “\(text)”")
    }
    let keys = Set(Catalogue.entries.map(\.key))
    for key in NotForPeople.composed.subtracting(keys).sorted() {
      Issue.record("take out “\(key)”")
    }
  }
}
