// Phrases: literals with arguments, forms for one and many, and English sentences that become
// phrases again. Pure.
import Testing

@testable import Catalogue

@Suite struct PhraseTests {
  @Test("a literal's key numbers its arguments, and in English it is as it is written")
  func literals() {
    let phrase: Phrase = "Move “\("Kitchen")” to the trash? y/n"
    #expect(phrase.key == "Move “{1}” to the trash? y/n")
    #expect(phrase.english == "Move “Kitchen” to the trash? y/n")
    #expect(phrase.text(in: .german) == "„Kitchen“ in den Papierkorb legen? y/n")
    #expect(phrase.text(in: .chinese) == "将“Kitchen”移到回收站？y/n")
  }

  @Test("braces in an argument stay braces")
  func braces() {
    let phrase: Phrase = "New in \("{2}"): “\("{1}")”"
    #expect(phrase.text(in: .german) == "Neu in {2}: „{1}“")
  }

  @Test("German has a form for one")
  func forms() {
    #expect(
      [0, 1, 2].map { Language.german.say("\($0) marked") } == [
        "0 Marken", "1 Marke", "2 Marken",
      ])
    #expect(
      [0, 1, 2].map { Language.english.say("\($0) marked") } == [
        "0 marked", "1 marked", "2 marked",
      ])
  }

  @Test("phrases stand in phrases")
  func nested() {
    let phrase: Phrase = "undo \("rename" as Phrase)"
    #expect(phrase.text(in: .german) == "rückgängig: umbenennen")
    #expect(phrase.english == "undo rename")
  }

  @Test("English sentences are said in each language, also several, with reasons and arguments")
  func translated() {
    let german = [
      "Nothing is playing.": "Es läuft keine Wiedergabe.",
      "There is no “x” in /; did you mean y?": "In / gibt es kein „x“; war y gemeint?",
      "2 done, then: The root folder and the trash stay as they are.":
        "2 erledigt, dann: Der oberste Ordner und der Papierkorb bleiben, wie sie sind.",
      "Moved 41 “Kitchen”, 12:31, in /Interviews.":
        "Verschoben 41 „Kitchen“, 12:31, in /Interviews.",
      "a/b.opus cannot be read: the disk failed to read or write (I/O error).":
        "a/b.opus ist nicht lesbar: der Datenträger versagte beim Lesen oder Schreiben"
        + " (E/A-Fehler).",
      "This sentence is unknown.": "This sentence is unknown.",
      "Nothing was done.": "Es wurde nichts getan.",
      "Joined 3 parts into a.opus, without encoding again.":
        "3 Teile zu a.opus verbunden, ohne neu zu kodieren.",
      "Box cannot be read: it is a folder. It holds 2 recordings.":
        "Box ist nicht lesbar: es ist ein Ordner. Er enthält 2 Aufnahmen.",
      "Using the sound card B (C): USB cards come first, this one by its name."
        + " Of no use to record: D.":
        "Verwendet wird die Soundkarte B (C): USB-Karten haben Vorrang, diese nach ihrem Namen."
        + " Zum Aufnehmen nicht geeignet: D.",
      "No sound card can play. There is: A, records; B (C), of no use here.":
        "Keine Soundkarte kann wiedergeben. Vorhanden: A, nimmt auf; B (C), hier nicht zu"
        + " gebrauchen.",
      "blinking slowly": "blinkt langsam", "3 winks every 4000 ms": "3 Blitze alle 4000 ms",
      "reel.json:3:12: preroll: expected a time from 0 s to 1 min, such as \"2 s\", not \"2\";"
        + " give it a unit: \"2 s\" or \"2 min\"":
        "reel.json:3:12: preroll: erwartet wird eine Zeit von 0 s bis 1 min, wie \"2 s\", nicht"
        + " \"2\"; eine Einheit angeben: \"2 s\" oder \"2 min\"",
      "reel.json:3:12: whenFull: expected \"stop\" or \"recycle\", not \"x\"":
        "reel.json:3:12: whenFull: erwartet wird \"stop\" oder \"recycle\", nicht \"x\"",
      "reel.json: panel.lights: expected a list of lights: [ { … }, … ], not the number 5":
        "reel.json: panel.lights: erwartet wird eine Liste von Leuchten: [ { … }, … ], nicht"
        + " die Zahl 5",
      "Undone: delete “Kitchen”.": "Rückgängig gemacht: „Kitchen“ löschen.",
    ]
    for (english, wanted) in german {
      #expect(Language.german.translate(english) == wanted)
      #expect(Language.english.translate(english) == english)
    }
    #expect(
      Language.chinese.translate("Nothing is playing.\nDeleted for good.") == """
        没有正在播放的内容。
        已永久删除。
        """)
  }

  @Test(
    "the environment's language is that of the first variable that is set",
    arguments: [
      (["LANG": "de_DE.UTF-8"], Language.german), (["LANG": "zh_CN.UTF-8"], .chinese),
      (["LANG": "zh"], .chinese), (["LANG": "C"], .english), ([:], .english),
      (["LANG": "fr_FR"], .english), (["LC_ALL": "C", "LANG": "de_DE"], .english),
      (["LC_ALL": "", "LC_MESSAGES": "de", "LANG": "zh_CN"], .german),
    ])
  func environment(variables: [String: String], language: Language) {
    #expect(Language.ofEnvironment { variables[$0] } == language)
    #expect(LanguageChoice.auto.language(environment: language) == language)
    #expect(LanguageChoice.zh.language(environment: language) == .chinese)
  }
}
