// Bytes as keys: every key is understood however its bytes are split, and no bytes from a terminal
// crash the parser, fill its memory or make it ignore later keys.

import Recorder
import Testing

@testable import Console

@Suite struct KeyParserTests {
  private static let keys: [(String, Key)] = [
    ("a", .character("a")), ("?", .character("?")), (" ", .character(" ")),
    ("ü", .character("ü")), ("€", .character("€")), ("😀", .character("😀")),
    ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{8}", .backspace), ("\u{7F}", .backspace),
    ("\u{1}", .control("a")), ("\u{3}", .control("c")), ("\u{1A}", .control("z")),
    ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
    ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home),
    ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end),
    ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
    ("\u{1B}[1;5A", .up), ("\u{1B}[3;2~", .delete),
  ]

  /// Sequences that are not keys: function keys, Alt and a letter, a terminal's answers, broken
  /// text.
  private static let noKeys: [[UInt8]] =
    [
      "\u{1B}OP", "\u{1B}[15~", "\u{1B}[[A", "\u{1B}x", "\u{1B}\r", "\u{1B}[Z", "\u{1B}[24;80R",
      "\u{1B}[?1;2c", "\u{1B}[~", "\u{1B}[99999999999999999999~", "\u{0}", "\u{1C}", "\u{1F}",
      "\u{80}", "\u{9B}", "\u{9F}",
    ].map { Array($0.utf8) } + [
      [0x80], [0xC0, 0xAF], [0xFF, 0xFE], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ]

  @Test("each key is understood, whole and split anywhere", arguments: keys)
  func key(_ text: String, _ key: Key) {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var parser = KeyParser()
      #expect(parser.parse(bytes[..<split]) + parser.parse(bytes[split...]) == [key])
      #expect(!parser.isWaiting)
    }
  }

  @Test("an unknown sequence is dropped whole, and the next key is understood", arguments: noKeys)
  func noKey(_ bytes: [UInt8]) {
    for split in 0...bytes.count {
      var parser = KeyParser()
      #expect(parser.parse(bytes[..<split]) + parser.parse(bytes[split...]) == [])
      #expect(!parser.isWaiting)
      #expect(parser.parse("r".utf8) == [.character("r")])
    }
  }

  @Test("keys that arrive together are separated")
  func together() {
    var parser = KeyParser()
    let bytes = Self.keys.flatMap { Array($0.0.utf8) }
    #expect(parser.parse(bytes) == Self.keys.map(\.1))
  }

  @Test("an escape is the key when nothing follows, and at once when another escape does")
  func loneEscape() {
    var parser = KeyParser()
    #expect(parser.parse([0x1B]) == [])
    #expect(parser.isWaiting)
    #expect(parser.flush() == [.escape])
    #expect(!parser.isWaiting)
    #expect(parser.flush() == [])
    #expect(parser.parse([0x1B, 0x1B]) == [.escape])
    #expect(parser.parse("[A".utf8) == [.up])
  }

  @Test("a sequence or character cut off in the middle is no key", arguments: ["[", "O", "[1;"])
  func cutOff(_ rest: String) {
    var parser = KeyParser()
    #expect(parser.parse(("\u{1B}" + rest).utf8) == [])
    #expect(parser.flush() == [])
    #expect(parser.parse([0xE2, 0x82]) == [])
    #expect(parser.flush() == [])
    #expect(parser.parse("r".utf8) == [.character("r")])
  }

  @Test(
    "a key that interrupts a sequence is not lost",
    arguments: ["\u{1B}[", "\u{1B}O", "\u{1B}[1;", "\u{1B}[[", "\u{1B}[12345678901234567890;1"])
  func brokenOff(_ begun: String) {
    var parser = KeyParser()
    #expect(parser.parse((begun + "\u{1B}[B").utf8) == [.down])
    #expect(parser.parse((begun + "\r").utf8) == [.enter])
    #expect(parser.parse((begun + "ü").utf8) == [.character("ü")])
    #expect(parser.parse([0xE2, 0x82] + Array("r".utf8)) == [.character("r")])
  }

  @Test("an endless sequence takes a few bytes of memory, and its end types nothing")
  func overlong() {
    var parser = KeyParser()
    #expect(parser.parse("\u{1B}[".utf8) == [])
    for _ in 0..<1000 {
      #expect(parser.parse(repeatElement(UInt8(ascii: "3"), count: 100)) == [])
      #expect(parser.pending.count <= KeyParser.limit)
    }
    #expect(parser.parse("~".utf8) == [])
    #expect(parser.parse("r".utf8) == [.character("r")])
  }

  @Test("a megabyte of noise neither stops the parser nor stays in its memory")
  func noise() {
    var generator = Seeded(1)
    var parser = KeyParser()
    for _ in 0..<256 {
      _ = parser.parse(awkwardBytes(4096, using: &generator))
      #expect(parser.pending.count <= KeyParser.limit)
    }
    _ = parser.flush()
    #expect(parser.parse("\u{1B}[A".utf8) == [.up])
  }

  @Test("the same bytes give the same keys, however they are split")
  func anyCut() {
    var generator = Seeded(2)
    for _ in 0..<2000 {
      let bytes = awkwardBytes(Int.random(in: 1...120, using: &generator), using: &generator)
      var whole = KeyParser()
      let expected = whole.parse(bytes)
      var parser = KeyParser()
      var keys: [Key] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...9, using: &generator)
        keys += parser.parse(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(keys == expected, "\(bytes)")
      #expect(parser.pending == whole.pending, "\(bytes)")
    }
  }

  @Test("no key ever carries a control character")
  func noControls() {
    var generator = Seeded(3)
    var parser = KeyParser()
    for _ in 0..<50 {
      for case .character(let text) in parser.parse(awkwardBytes(2000, using: &generator)) {
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }
}
