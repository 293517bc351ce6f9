// Lines into words, words into parsed commands, and the errors when that fails.

import Testing

@testable import Recorder

@Suite struct WordsTests {
  @Test(
    "lines are split into words as a shell does it",
    arguments: [
      ("ls", ["ls"]), ("  ls   /a ", ["ls", "/a"]), ("rename a \"b c\"", ["rename", "a", "b c"]),
      ("x 'a \"b' c\\ d", ["x", "a \"b", "c d"]), ("a\"b\"c", ["abc"]), ("x \"\"", ["x", ""]),
      ("x \"a\\\"b\"", ["x", "a\"b"]), ("x '\\'", ["x", "\\"]), ("", []),
      ("Küche 漢", ["Küche", "漢"]),
    ])
  func split(_ line: String, _ words: [String]) {
    #expect(Words(line).words == words)
  }

  @Test("a quoted word is read back as it was")
  func quoted() {
    for word in [
      "plain", "with blank", "a\"b", "back\\slash", "$HOME `x`", "", "漢字", "a'b", "/x/y.z",
    ] {
      #expect(Words(Words.quoted(word)).words == [word], "\(word)")
    }
  }

  @Test("any line at all is split without harm")
  func anything() {
    var generator = Seeded(41)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...40, using: &generator)
      let line = String(decoding: awkwardBytes(count, using: &generator), as: UTF8.self)
      let words = Words(line)
      #expect(words.words.count <= line.count)
      do throws(ParseError) { _ = try ParsedCommand(words.words, on: .serial) } catch {
        #expect(!error.sentence.isEmpty)
      }
    }
  }

  @Test(
    "times and volumes",
    arguments: [
      ("90", Seek.to(milliseconds: 90_000)), ("1:02:03", .to(milliseconds: 3_723_000)),
      ("2:05", .to(milliseconds: 125_000)), ("1.5", .to(milliseconds: 1500)),
      ("+10", .by(milliseconds: 10_000)), ("-10", .by(milliseconds: -10_000)),
      ("-1:00", .by(milliseconds: -60_000)),
    ])
  func seeking(_ word: String, _ seek: Seek) throws {
    #expect(try ParsedCommand(["seek", word], on: .serial) == .request(.seek, .deck(.seek(seek))))
  }

  @Test(
    "an invalid time is refused in a sentence",
    arguments: [
      "", "x", "1:", ":1", "1:2:3:4", "1:99", "99999999999999999999", "1.x", "+", "1:99:00", "٣",
    ])
  func noTime(_ word: String) {
    #expect(mistake(["seek", word]) != nil)
  }

  @Test("volumes go up, down and to a value")
  func volumes() throws {
    #expect(try ParsedCommand(["volume", "80"], on: .serial) == .volume(.to(80)))
    #expect(try ParsedCommand(["volume", "+5"], on: .serial) == .volume(.by(5)))
    #expect(try ParsedCommand(["volume", "-5"], on: .serial) == .volume(.by(-5)))
    #expect(try ParsedCommand(["volume"], on: .serial) == .volume(nil))
    #expect(mistake(["volume", "101"]) != nil)
    #expect(mistake(["volume", "9223372036854775808"]) != nil)
  }

  @Test("after several items the last word is the folder")
  func several() throws {
    #expect(
      try ParsedCommand(["mv", "a", "b", "c", "--at", "2"], on: .serial)
        == .move(["a", "b"], to: "c", at: 2))
    #expect(
      mistake(["mv", "a"])?.sentence.contains("FOLDER is missing") == true
        || mistake(["mv", "a"])?.sentence.contains("ITEM is missing") == true)
  }

  @Test("options may stand anywhere, with a blank or =, until --")
  func options() throws {
    #expect(
      try ParsedCommand(["ls", "--count=5", "x", "--by-name"], on: .serial)
        == .list("x", ListOptions(order: .byName, count: 5)))
    #expect(
      try ParsedCommand(["rename", "--", "--x", "--y"], on: .serial) == .rename("--x", to: "--y"))
    #expect(mistake(["ls", "--cuont", "5"])?.sentence.contains("not an option") == true)
    #expect(mistake(["ls", "--by-name=1"])?.sentence.contains("without a value") == true)
    #expect(mistake(["ls", "--count"])?.sentence.contains("needs N") == true)
  }

  @Test("titles take all words that are left")
  func titles() throws {
    #expect(
      try ParsedCommand(["record", "Tante", "Käthe"], on: .serial)
        == .record(title: "Tante Käthe", in: nil, asksForName: nil))
    #expect(
      try ParsedCommand(["record", "--ask-name", "off"], on: .serial)
        == .record(title: nil, in: nil, asksForName: false))
  }

  @Test("a word too many says that names need quotes")
  func tooMany() {
    #expect(mistake(["info", "a", "b"])?.sentence.contains("need quotes") == true)
  }

  @Test("an unknown command is reported with a suggestion")
  func unknown() {
    #expect(mistake(["statu"])?.sentence == "“statu” is no command; did you mean status?")
    #expect(mistake(["statsu"])?.sentence == "“statsu” is no command; did you mean status?")
    #expect(mistake(["statu"])?.code == .unknownCommand)
    #expect(mistake(["trash", "burn"])?.sentence.contains("trash empty") == true)
  }

  @Test("commands of one wire are refused on the other")
  func wires() {
    #expect(mistake(["watch"])?.code == .notHere)
    #expect(mistake(["mode", "json"], .socket)?.code == .notHere)
    #expect(mistake(["mode", "json"]) == nil)
  }

  @Test(
    "every command is in the table once, with help, and parses or names what is missing")
  func table() {
    #expect(Set(CommandTable.commands.map(\.verb)) == Set(Verb.allCases))
    #expect(CommandTable.commands.count == Verb.allCases.count)
    for spec in CommandTable.commands {
      #expect(!spec.summary.isEmpty && !spec.summary.hasSuffix("."), "\(spec.name)")
      #expect(HelpText.help(for: spec).contains("usage: \(spec.name)"))
      // A command that parses has no error.
      if let mistake = mistake(spec.verb.words, spec.wires[0]) {
        let isReelctls = spec.verb == .completion
        #expect(isReelctls || mistake.sentence.contains("missing"), "\(mistake.sentence)")
      }
    }
  }

  private func mistake(_ words: [String], _ wire: Wire = .serial) -> ParseError? {
    do throws(ParseError) { _ = try ParsedCommand(words, on: wire) } catch { return error }
    return nil
  }
}
