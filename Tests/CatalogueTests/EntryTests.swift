// Every entry of the catalogue is complete, and its placeholders agree. Pure.
import Testing

@testable import Catalogue

/// The numbers of the placeholders in a text, in order.
private func placeholders(_ text: some StringProtocol) -> [Int] {
  text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { part in
    Int(part.prefix { $0 != "}" && $0 != "*" && $0 != "#" }) ?? -1
  }.sorted()
}

@Suite struct EntryTests {
  @Test("each entry has a text in every language")
  func complete() {
    #expect(Catalogue.entries.count > 500)
    for entry in Catalogue.entries {
      for language in Language.allCases where entry.texts[language]?.isEmpty ?? true {
        Issue.record("“\(entry.english)” has no text in \(language)")
      }
    }
  }

  @Test("no phrase has two entries")
  func once() {
    let keys = Catalogue.entries.map(\.key)
    for (key, count) in Dictionary(grouping: keys, by: \.self).mapValues(\.count) where count > 1 {
      Issue.record("“\(key)” has \(count) entries")
    }
  }

  @Test("a translation has each placeholder once, in each of its forms, and no other")
  func placeholdersAgree() {
    for entry in Catalogue.entries {
      let wanted = placeholders(entry.key)
      #expect(wanted == Array(1..<wanted.count + 1), "“\(entry.english)”")
      for language in Language.allCases where language != .english {
        for form in (entry.texts[language] ?? "").split(separator: "|") {
          if placeholders(form) != wanted {
            Issue.record("“\(form)” has other placeholders than “\(entry.english)”")
          }
        }
      }
    }
  }

  @Test("a form for one stands only where a number is counted")
  func forms() {
    for entry in Catalogue.entries {
      #expect(!entry.english.contains("|"), "English is the key: “\(entry.english)”")
      for (language, text) in entry.texts where text.contains("|") {
        #expect(language != .chinese && entry.key.contains("{1}"), "“\(text)”")
        #expect(text.split(separator: "|").count == 2, "“\(text)”")
      }
    }
  }

  @Test("every sentence with arguments is known again from its English text")
  func knownAgain() {
    for entry in Catalogue.entries where entry.isSentence {
      let count = placeholders(entry.key).count
      let isNumbered = entry.english.contains("#}")
      let arguments = (0..<count).map { Phrase.Argument.text(isNumbered ? "7\($0)" : "x\($0)y") }
      let phrase = Phrase(key: entry.key, arguments)
      for language in [Language.german, .chinese] {
        let said = language.translate(phrase.english)
        if said != phrase.text(in: language) {
          Issue.record("“\(phrase.english)” becomes “\(said)”, not “\(phrase.text(in: language))”")
        }
      }
    }
  }
}
