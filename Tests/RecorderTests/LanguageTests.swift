// The heart's screens and answers in each language, and what stays English: all that programs get.
import Catalogue
import JSON
import Testing

@testable import Recorder

@Suite struct LanguageTests {
  private func given(_ language: Language) -> Given {
    Given { $0.language = language }.booted().withDevice().withRecording("Küche")
      .withConsole(1).withConsole(2, .serial)
  }

  private func screen(_ language: Language, _ keys: [Key] = [], console: Int = 1) -> [String] {
    var given = given(language)
    for key in keys { given = given.key(key, on: console) }
    return ScreenView(console: console, in: given.state)?.rows.map(\.text) ?? []
  }

  @Test("the dashboard speaks the language of the settings")
  func dashboard() {
    let german = screen(.german).joined(separator: "\n")
    #expect(german.contains("Aufnahme ○") && german.contains("Lautstärke"))
    #expect(german.contains("? Hilfe") && !german.contains("help"))
    let chinese = screen(.chinese).joined(separator: "\n")
    #expect(chinese.contains("录音 ○") && chinese.contains("音量"))
    #expect(screen(.english).joined(separator: "\n").contains("? help"))
  }

  @Test("no row is wider than the screen, in any language", arguments: Language.allCases)
  func widths(language: Language) {
    for keys: [Key] in [[], [.character("?")], [.character("n")], [.character("d")]] {
      for row in screen(language, keys) { #expect(Text.columns(row) <= 80, "\(row)") }
    }
  }

  @Test("a refusal, a dialog and a command's answer are in the language")
  func answers() {
    let refused = screen(.german, [.character(",")]).joined(separator: "\n")
    #expect(refused.contains("Es läuft keine Wiedergabe."), "\(refused)")
    #expect(screen(.german, [.character("n")]).joined().contains("Name des neuen Ordners: "))
    let typed = given(.german).type("nonsense", on: 2).key(.enter, on: 2)
    let rows = ScreenView(console: 2, in: typed.state)?.rows.map(\.text) ?? []
    #expect(rows.joined().contains("„nonsense“ ist kein Befehl; siehe `help`."), "\(rows)")
  }

  @Test("a lamp is drawn where its sign is, also behind wide words", arguments: Language.allCases)
  func lamps(language: Language) throws {
    let view = try #require(ScreenView(console: 1, in: given(language).state))
    #expect(view.lamps.count == 3)
    for lamp in view.lamps {
      var column = 0
      let row = view.rows[lamp.row].text
      let before = row.prefix { character in
        defer { column += Text.columns(String(character)) }
        return column < lamp.column
      }
      #expect(row.dropFirst(before.count).hasPrefix(lamp.sign.text), "\(row)")
    }
  }

  @Test("what programs get is the same in each language")
  func programs() throws {
    let line = ["help", "play"]
    let answers = try Language.allCases.map { language in
      let asked = given(language).when(
        .console(.command(line, files: [], from: .client(2, request: 1))))
      return try asked.answers.map { try JSON.encode($0) } + [
        try JSON.encode(StatusView(asked.state))
      ]
    }
    #expect(answers[0].count > 1)
    #expect(answers.allSatisfy { $0 == answers[0] })
  }

  @Test("a notice with its detail is said whole")
  func notices() {
    let sentence = "A recording could not be made: the card failed."
    let phrase = Notice.phrase(.takeFailed, sentence: sentence)
    #expect(phrase.english == sentence)
    #expect(phrase.text(in: .german) == "Eine Aufnahme ist misslungen: die Karte ist ausgefallen.")
    #expect(phrase.text(in: .chinese) == "一条录音未能完成：存储卡故障。")
  }

  @Test(
    "all that help says of commands is said in each language",
    arguments: [Language.german, .chinese])
  func help(language: Language) {
    let commands = CommandTable.commands
    let texts =
      CommandTable.sections.map(\.title) + commands.flatMap { [$0.summary, $0.details] }
      + commands.flatMap { $0.options.map(\.help) }
    for text in texts where !text.isEmpty && language.translate(text) == text {
      Issue.record("“\(text)” has no entry")
    }
  }

  @Test("Chinese help is wrapped between characters, and no line begins with a stop")
  func wrapping() {
    let text = CommandTable.commands.map { HelpText.help(for: $0, in: .chinese) }
    for line in text.joined(separator: "\n").split(separator: "\n") {
      #expect(!"，。；：、）".contains(line.first ?? " "), "\(line)")
    }
    #expect(Text.wrapped("没有这个标记。Reel", columns: 6) == ["没有这", "个标", "记。", "Reel"])
    #expect(Text.wrapped("one two three", columns: 7) == ["one two", "three"])
  }
}
