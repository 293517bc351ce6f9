// File names made from any title: valid on every computer, and unique on every one of them.

import Testing

@testable import Library
@testable import Recorder

@Suite struct FormatNameTests {
  @Test(
    "titles become file names that are valid on any computer",
    arguments: [
      ("Kitchen", "Kitchen"), ("", "Untitled"), ("...", "Untitled"), (" a ", "a"),
      ("a/b\\c:d|e", "a-b-c-d-e"), ("a\"*<>?b", "ab"), ("a\u{0}\u{7}\nb", "ab"),
      ("CON", "_CON"), ("con.txt", "_con.txt"), ("COM1", "_COM1"), ("lpt¹", "_lpt¹"),
      ("CONSOLE", "CONSOLE"), ("trailing. . ", "trailing"), (".hidden", "hidden"),
      ("folder.journal", "_folder.journal"), ("Folder.0.JSON", "_Folder.0.JSON"),
      ("abc\u{202E}gpj", "abcgpj"), ("\u{200F}a\u{FEFF}", "a"), ("Ku\u{308}che", "K\u{FC}che"),
      ("👩‍👩‍👧", "👩‍👩‍👧"), (".\u{301}a", "\u{301}a"), ("a\u{600}.", "a\u{600}"),
      ("CON.\u{301}", "_CON.\u{301}"),
    ])
  func directory(title: String, name: String) {
    let made = FileName.directory(title: title)
    #expect(Array(made.unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test("the name of any title fits, and is cut between characters")
  func long() {
    for title in [
      String(repeating: "a", count: 4000), String(repeating: "ü", count: 4000),
      String(repeating: "👩‍👩‍👧", count: 500), "x" + String(repeating: "\u{301}", count: 4000),
      "b" + String(repeating: "👩‍👩‍👧", count: 500),
    ] {
      for number in [1, 2, 1000] {
        let name = FileName.recording(
          sequence: 41, title: title, ending: ".opus", number: number)
        #expect(name.utf8.count <= 255)
        #expect(name.hasPrefix("0041 ") && name.hasSuffix(number > 1 ? " \(number).opus" : ".opus"))
        #expect(String(name.dropFirst(5)).first?.unicodeScalars.first == title.unicodeScalars.first)
        #expect(FileName.directory(title: title, number: number).utf8.count <= 255)
      }
    }
  }

  @Test("a reserved name is changed at its beginning, never at its end")
  func longReserved() {
    // Given a title that leaves no room for the underscore
    let title = "LPT1." + String(repeating: "a", count: 4000)
    // When
    let name = FileName.recording(sequence: nil, title: title, ending: ".opus", number: 2)
    // Then
    #expect(name.hasPrefix("_LPT1.a") && name.hasSuffix("a 2.opus") && name.utf8.count == 255)
  }

  @Test("a recording's name holds its number and its title, and both are read back from it")
  func parts() {
    let name = FileName.recording(sequence: 41, title: "Küche. 3", ending: ".opus")
    #expect(name == "0041 Küche. 3.opus")
    #expect(FileName.parts(name) == (41, "Küche. 3", ".opus"))
    #expect(FileName.parts("123456 x.wav") == (123_456, "x", ".wav"))
    #expect(FileName.parts("0042 \u{302E}x.opus") == (42, "\u{302E}x", ".opus"))
    #expect(FileName.parts("12 x.wav") == (nil, "12 x", ".wav"))
    #expect(FileName.parts("no ending") == (nil, "no ending", ""))
    #expect(FileName.parts(".hidden") == (nil, ".hidden", ""))
    #expect(FileName.parts("a\u{600}.wav") == (nil, "a\u{600}", ".wav"))
    let long = "a." + String(repeating: "b", count: 40)
    #expect(FileName.parts(long) == (nil, long, ""))
  }

  @Test("names that are equal on some card are folded to the same")
  func folded() {
    #expect(FileName.folded("KÜCHE.opus") == FileName.folded("ku\u{308}che.OPUS"))
    #expect(FileName.folded("a") != FileName.folded("b"))
  }
}
