// Proves that titles are as people expect them: cleaned, in natural order, and in columns. Pure
// functions.

import Testing

@testable import Recorder

@Suite struct TextTests {
  @Test("Titles are ordered as a person would: numbers by value, letters without case")
  func naturalOrder() {
    let sorted = ["take 10", "Take 2", "take 1", "Äpfel", "apfel"].sorted(by: Text.comesBefore)
    #expect(sorted == ["apfel", "take 1", "Take 2", "take 10", "Äpfel"])
    #expect(Text.comesBefore("99999999999999999999998", "99999999999999999999999"))
    #expect(Text.comesBefore("a", "a1") && !Text.comesBefore("a", "a"))
  }

  @Test("It is a total order: of two different titles one comes first, and there are no cycles")
  func totalOrder() {
    let titles =
      Nonsense.titles + ["é", "e", "f", "E\u{301}", "01", "1", "001", "1a", "a01", "a1", "Z", "z"]
    for one in titles {
      for other in titles {
        #expect(Text.order(one, other).signum() == -Text.order(other, one).signum())
        let isSame = one.unicodeScalars.elementsEqual(other.unicodeScalars)
        #expect((Text.order(one, other) == 0) == isSame)
        for third in titles where Text.comesBefore(one, other) && Text.comesBefore(other, third) {
          #expect(Text.comesBefore(one, third), "\([one, other, third].map(Text.printable))")
        }
      }
    }
  }

  @Test(
    "A title is the typed text without controls and outer blanks",
    arguments: [
      ("  Kitchen ", "Kitchen"), ("a\u{7}b\u{1B}[0m", "ab[0m"), ("\u{202E}evil\u{2066}", "evil"),
      ("\n\t ", nil), ("", nil), ("日本", "日本"), ("\u{2028}x", "x"), ("e\u{301}", "e\u{301}"),
    ])
  func titles(typed: String, kept: String?) { #expect(Text.title(typed) == kept) }

  @Test("A title has its limit in bytes")
  func titleLimit() {
    #expect(Text.title(String(repeating: "x", count: 1000)) != nil)
    #expect(Text.title(String(repeating: "é", count: 501)) == nil)
  }

  @Test(
    "Notes keep their lines and nothing else that controls; a place has one line",
    arguments: [
      (RecordingField.notes, "a\r\nb\rc\n\nd\n", "a\nb\nc\n\nd"),
      (.notes, "\t\u{1B}[2Ja\tb ", "[2Ja b"),
      (.notes, " \n ", ""), (.place, " Küche\n2 ", "Küche2"), (.speaker, "\u{202E}Käthe", "Käthe"),
    ])
  func details(field: RecordingField, typed: String, kept: String) {
    #expect(field.cleaned(typed) == kept)
  }

  @Test(
    "Each text about a recording has its limit in bytes",
    arguments: [(RecordingField.notes, 4000), (.place, 200), (.speaker, 200)])
  func detailsLimit(field: RecordingField, limit: Int) {
    #expect(field.cleaned(String(repeating: "x", count: limit)) != nil)
    #expect(field.cleaned(String(repeating: "x", count: limit + 1)) == nil)
    #expect(field.cleaned(String(repeating: "é", count: limit / 2 + 1)) == nil)
  }

  @Test(
    "Columns are counted as a terminal does",
    arguments: [
      ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("❤️", 2), ("ｗ", 2), ("", 0), ("한국", 4),
      ("a\u{200B}b", 2), ("─", 1),
    ])
  func columns(text: String, columns: Int) { #expect(Text.columns(text) == columns) }

  @Test("Text is cut to fit, with an ellipsis where something is missing", arguments: 0...12)
  func fitted(limit: Int) {
    for text in ["Interviews", "日本語のタイトル", "e\u{301}e\u{301}e\u{301}", ""] {
      let fitted = Text.fitted(text, columns: limit)
      #expect(Text.columns(fitted) <= limit)
      #expect(fitted == text || limit == 0 || fitted.hasSuffix("…"))
    }
  }
}
