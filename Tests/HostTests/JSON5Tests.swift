// Proves that JSON5 is read as its users write it, and that an error points at its place. Pure
// functions; touches no file.
import JSON
import Recorder
import Testing

@testable import Host

private func parse(_ text: String) throws -> JSONValue.Kind {
  try JSON.parse(Array(text.utf8), dialect: .json5).value
}

private func mistake(in text: [UInt8]) -> JSONError? {
  do { _ = try JSON.parse(text, dialect: .json5) } catch { return error }
  return nil
}

/// The value without its offsets, which differ with the spelling.
private func plain(_ item: JSONValue.Kind) -> String {
  switch item {
  case .list(let items): "[" + items.map { plain($0.value) }.joined(separator: ",") + "]"
  case .table(let members):
    "{" + members.map { $0.key + ":" + plain($0.item.value) }.joined(separator: ",") + "}"
  case .string(let text): "'" + text + "'"
  case .integer(let number): "\(number)"
  case .natural(let number): "\(number)"
  case .real(let number): "\(number)"
  case .bool(let bool): "\(bool)"
  case .null: "null"
  }
}

@Suite struct JSON5Tests {
  static let readable: [(String, String)] = [
    (#"{}"#, "{}"),
    ("// a comment\n{a: 1, /* b */ 'b': 2,}", "{a:1,b:2}"),
    ("\u{FEFF}{ $x_1: [1, 2, 3,], ключ: true }\u{A0}", "{$x_1:[1,2,3],ключ:true}"),
    ("[0x1F, -0xa, +5, .5, 5., 1e3, -1.5E-2]", "[31,-10,5,0.5,5.0,1000.0,-0.015]"),
    ("[Infinity, -Infinity, NaN, null, false]", "[inf,-inf,nan,null,false]"),
    (#"'it\'s "so"\n\x41\u00e9\ud83c\udfa4\0'"#, "'it's \"so\"\nAé🎤\0'"),
    ("\"one \\\nline\"", "'one line'"),
    ("\"a\\\r\nb\"", "'ab'"),
    ("9223372036854775807", "9223372036854775807"),
    ("9223372036854775808", "9.223372036854776e+18"),
    ("\"tab\there\"", "'tab\there'"),
  ]

  @Test("valid JSON5 is read", arguments: readable)
  func reads(text: String, expected: String) throws {
    #expect(plain(try parse(text)) == expected)
  }

  static let mistakes: [(String, Int, Int, String)] = [
    ("", 1, 1, "the file is empty"),
    ("{\n  a: 1\n  b: 2\n}", 3, 3, "a ',' is missing before this, after the value of 'a'"),
    ("{a 1}", 1, 4, "a ':' is missing after 'a'"),
    ("{a: }", 1, 5, "a value is expected here, for 'a'"),
    ("{a:", 1, 4, "a value for 'a' is missing"),
    ("{\n a: {b: 1,\n", 2, 5, "the '{' here is never closed"),
    ("[1, 2", 1, 1, "the '[' here is never closed"),
    ("[1 2]", 1, 4, "a ',' is missing before this, in the list"),
    ("{a: 1, b: 2, a: 3}", 1, 14, "'a' is here a second time"),
    ("{a: usb}", 1, 5, "'usb' is no value; text needs quotes: \"…\""),
    ("{a: \"usb\n}", 1, 5, "the text that begins here has no closing quote"),
    ("{a: 12k}", 1, 5, "'12k' is no number"),
    ("{a: 010}", 1, 5, "'010' is no number"),
    ("{a: 1.2.3}", 1, 5, "'1.2.3' is no number"),
    ("{a: -}", 1, 5, "'-' is no number"),
    ("{ü: \"é\", 5: 1}", 1, 10, "a key is expected here, such as 'device'"),
    ("{} {}", 1, 4, "the file should end here, after its closing brace"),
    ("/* a", 1, 1, "the comment that begins here never ends"),
    ("{ / }", 1, 3, "a comment begins with '//' or '/*'"),
    (#"{a: "\u12"}"#, 1, 6, "4 hexadecimal digits are expected here"),
    (#"{a: "\ud800"}"#, 1, 6, "this is half a character; write it as it is"),
    ("{,}", 1, 2, "a key is expected here, such as 'device'"),
  ]

  @Test("an error points at its place, with a reason", arguments: mistakes)
  func pointsAt(text: String, line: Int, column: Int, sentence: String) throws {
    let bytes = Array(text.utf8)
    let error = try #require(mistake(in: bytes))
    #expect(error.sentence == sentence)
    let place = TextPlace(of: error.offset, in: bytes)
    #expect((place.line, place.column) == (line, column))
  }

  @Test("an error points at bytes that are not UTF-8")
  func notText() throws {
    let error = try #require(mistake(in: Array("{a: \"".utf8) + [0xFF] + Array("\"}".utf8)))
    #expect(error.offset == 5)
  }

  @Test("depth is bounded, and random bytes do no harm")
  func bounded() {
    #expect(mistake(in: [UInt8](repeating: UInt8(ascii: "["), count: 100_000)) != nil)
    var state: UInt64 = 42
    let signs = Array("{}[]:,'\"\\/*ab01.-+eux \n".utf8)
    for _ in 0..<20_000 {
      var text: [UInt8] = []
      for _ in 0..<24 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(signs[Int(state >> 33) % signs.count])
      }
      // Some of them happen to be valid.
      if let error = mistake(in: text) { #expect(error.offset <= text.count) }
    }
  }

  @Test("a megabyte of unknown keys is refused in a moment", .timeLimit(.minutes(5)))
  func endless() {
    // Given far more keys than there are, all different
    let text = "{" + (0..<130_000).map { "k\($0):0," }.joined() + "}"
    // When they are read, then a limited number of mistakes is reported
    #expect(told(text).count == Reading.mistakesMaximum)
  }

  @Test("a quotation in a sentence holds no control characters")
  func controls() throws {
    let lines = told(#"{ "\u001b[2Jx": 1, preroll: "\u009b\n" }"#)
    #expect(lines.count == 2)
    for line in lines { #expect(line == Text.printable(line), "\(line.debugDescription)") }
  }
}
