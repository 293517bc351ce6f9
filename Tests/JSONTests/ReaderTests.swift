// The reader on values: valid JSON is read as what it says, and anything else is refused with the
// offset of the first mistake and a sentence. Pure; touches no file.

import JSON
import Testing

@Suite struct ReaderTests {
  private func mistake(in text: [UInt8], _ dialect: JSONReader.Dialect = .json) -> JSONError? {
    do { _ = try JSON.parse(text, dialect: dialect) } catch { return error }
    return nil
  }

  private func read(_ text: String) throws -> JSONValue.Kind {
    try JSON.parse(Array(text.utf8)).value
  }

  @Test(
    "numbers are read as they are written",
    arguments: [
      ("0", .integer(0)), ("-1", .integer(-1)), ("12", .integer(12)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .natural(1 << 63)), ("18446744073709551615", .natural(.max)),
      ("18446744073709551616", .real(18_446_744_073_709_551_616)), ("1.5", .real(1.5)),
      ("1e2", .real(100)), ("-2.5E-3", .real(-0.0025)), ("1E+2", .real(100)),
      ("123456789012345678", .integer(123_456_789_012_345_678)),
      ("1234567890123456789", .integer(1_234_567_890_123_456_789)), ("1e-400", .real(0)),
    ] as [(String, JSONValue.Kind)])
  func numbers(text: String, value: JSONValue.Kind) throws {
    #expect(try read(text) == value)
    #expect(try read(" \n\t\r\(text) ") == value)
  }

  @Test("a negative zero keeps its sign")
  func negativeZero() throws {
    guard case .real(let value) = try read("-0") else {
      Issue.record("no real number")
      return
    }
    #expect(value == 0 && value.sign == .minus)
  }

  @Test(
    "texts are read with their escapes, at any place in the steps of eight bytes",
    arguments: [
      (#""""#, ""), (#""abc""#, "abc"), (#""1234567""#, "1234567"), (#""12345678""#, "12345678"),
      (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
      (#""\u00e9\ud83d\ude00\u0041""#, "é😀A"), (#""éééééééé\"é""#, "éééééééé\"é"),
      (#""12345678\n12345678\n""#, "12345678\n12345678\n"), (#""a\u0000b""#, "a\0b"),
    ] as [(String, String)])
  func texts(text: String, value: String) throws {
    #expect(try read(text) == .string(value))
  }

  @Test("lists and tables keep their order and the offsets of their values")
  func offsets() throws {
    let value = try JSON.parse(Array(#"{"a": [1, true], "b":null}"#.utf8))
    guard case .table(let members) = value.value, case .list(let items) = members[0].item.value
    else {
      Issue.record("\(value)")
      return
    }
    #expect(members.map(\.key) == ["a", "b"] && members.map(\.keyOffset) == [1, 17])
    #expect(members.map(\.item.offset) == [6, 21])
    #expect(items.map(\.offset) == [7, 10] && items.map(\.value) == [.integer(1), .bool(true)])
    #expect(members[1].item.value == .null)
  }

  @Test(
    "invalid JSON is refused at its first mistake",
    arguments: [
      ("", 0, .syntax), (" ", 1, .syntax), ("{", 0, .syntax), ("[1,", 0, .syntax),
      ("{\"a\"}", 4, .syntax), ("{\"a\":}", 5, .syntax), ("{\"a\":1,}", 7, .syntax),
      ("[1,]", 3, .syntax), ("[1 2]", 3, .syntax), ("{a:1}", 1, .syntax), ("'a'", 0, .syntax),
      ("\"a", 0, .syntax), ("\"a\\", 0, .syntax), ("\"\\x\"", 1, .syntax), ("tru", 0, .syntax),
      ("nul", 0, .syntax), ("\"\\u12\"", 1, .syntax), ("\"\\u+123\"", 1, .syntax),
      ("\"a\nb\"", 0, .syntax), ("\"a\u{1}b\"", 2, .syntax), ("\"a\0b\"", 2, .syntax),
      ("// a\n1", 0, .syntax), ("Infinity", 0, .syntax), ("NaN", 0, .syntax), ("}", 0, .syntax),
      ("\u{B}1", 0, .syntax), ("\u{FEFF}1", 0, .syntax),
      ("01", 0, .number), ("-", 0, .number), ("1.", 0, .number), (".5", 0, .number),
      ("+1", 0, .number), ("1e", 0, .number), ("1e400", 0, .number), ("-1e400", 0, .number),
      ("0x10", 0, .number), ("1_000", 0, .number), ("--1", 0, .number), ("1a", 0, .number),
      ("\"\\ud800\"", 1, .encoding), ("\"\\udc00\\ud800\"", 1, .encoding),
      ("\"\\ud800\\u0041\"", 1, .encoding), ("{\"\\u0000\":1}", 1, .encoding),
      ("{\"a\":1,\"a\":2}", 7, .duplicate), ("{\"a\":1,\"\\u0061\":2}", 7, .duplicate),
      ("1 2", 2, .trailing), ("{}}", 2, .trailing), ("1\0", 1, .trailing),
    ] as [(String, Int, JSONError.Code)])
  func mistakes(text: String, offset: Int, code: JSONError.Code) {
    let mistake = mistake(in: Array(text.utf8))
    #expect(mistake?.offset == offset && mistake?.code == code, "\(String(describing: mistake))")
    #expect(mistake?.sentence.isEmpty == false)
  }

  @Test("every text that is cut short is refused, and traps nothing")
  func cut() {
    let text = Array(#"{"a":[1,-2.5e3,"b\u00e9\n"],"c":{"d":true,"e":null,"f":false}}"#.utf8)
    for count in 0..<text.count { #expect(mistake(in: Array(text.prefix(count))) != nil) }
    #expect(mistake(in: text) == nil)
  }

  @Test(
    "bytes that are not UTF-8 are refused, in a key as in a text, in both dialects",
    arguments: [
      [0xFF], [0xC3], [0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3, 0x28],
    ] as [[UInt8]])
  func encoding(bytes: [UInt8]) {
    // At any distance into the text: the reader takes large steps.
    for room in [0, 1, 7, 8, 31, 32, 33, 64, 100] {
      let before = Array("{\"".utf8) + [UInt8](repeating: 0x61, count: room)
      for text in [before + bytes + Array("\":1}".utf8), before + Array("\":\"".utf8) + bytes] {
        let offset = text.firstIndex { $0 >= 0x80 }
        for dialect in [JSONReader.Dialect.json, .json5] {
          #expect(mistake(in: text, dialect)?.code == .encoding)
          #expect(mistake(in: text, dialect)?.offset == offset)
        }
      }
    }
  }

  @Test("UTF-8 is validated as in the standard library, for random bytes")
  func randomBytes() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let count = Int.random(in: 1...80, using: &random)
      var bytes = [UInt8](repeating: 0x61, count: count)
      for _ in 0..<3 {
        let scalar = Unicode.Scalar(UInt32.random(in: 0x20..<0xD800, using: &random)) ?? "a"
        let place = Int.random(in: 0...bytes.count, using: &random)
        bytes.insert(contentsOf: Array(String(scalar).utf8), at: place)
      }
      bytes.removeAll { $0 == 0x22 || $0 == 0x5C }
      if Bool.random(using: &random), let place = bytes.indices.randomElement(using: &random) {
        bytes[place] = UInt8.random(in: 0x80...0xFF, using: &random)
      }
      let isText = String(validating: bytes, as: UTF8.self) != nil
      let isRead = mistake(in: [0x22] + bytes + [0x22]) == nil
      #expect(isRead == isText, "\(bytes)")
    }
  }

  @Test("depth and size are bounded by the caller's limits")
  func limits() throws {
    func nested(_ depth: Int) -> [UInt8] {
      [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
    }
    #expect(mistake(in: nested(32)) == nil)
    #expect(mistake(in: nested(33)) == JSONError(.depth, offset: 32, "this is nested too deeply"))
    #expect(mistake(in: [UInt8](repeating: 0x5B, count: 1_000_000))?.code == .depth)
    let deeper = JSON.Limits(depth: 40)
    #expect(throws: Never.self) { try JSON.parse(nested(40), limits: deeper) }
    let small = JSON.Limits(bytes: 4)
    #expect(throws: Never.self) { try JSON.parse(Array("1234".utf8), limits: small) }
    #expect(throws: JSONError.self) { try JSON.parse(Array("12345".utf8), limits: small) }
  }

  @Test("a duplicate key is found among few and among many")
  func duplicates() {
    for count in [2, 15, 16, 17, 18, 400] {
      let keys = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",")
      #expect(mistake(in: Array("{\(keys)}".utf8)) == nil)
      for twice in [0, count / 2, count - 1] {
        let text = Array("{\(keys),\"k\(twice)\":2}".utf8)
        #expect(mistake(in: text)?.code == .duplicate)
        #expect(mistake(in: text)?.offset == keys.utf8.count + 2)
      }
    }
  }

  @Test("without a tree, values are read in the order of the text")
  func pulled() {
    let text = #" { "id" : 7 , "list":["a","b\u00e9"], "more":{"x":[{}]}, "flag":true , "n":-9 } "#
    var (id, list, flag, number): (Int64, [String], Bool, Int) = (0, [], false, 0)
    let isSound = Array(text.utf8).withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      json.object { json, key in
        switch key {
        case "id": id = json.integer()
        case "list": json.array { list.append($0.string()) }
        case "flag": flag = json.flag()
        case "n": number = json.count()
        default: json.skip()
        }
      }
      return json.isAtEnd
    }
    #expect(isSound && id == 7 && list == ["a", "bé"] && flag && number == -9)
  }

  @Test("keys of every length are compared right, with escapes or without")
  func keys() {
    let name = "abcdefghijklmnop"
    for count in 0...17 {
      let key = String((name + "q").prefix(count))
      let escaped = key.unicodeScalars.map { "\\u00" + String($0.value, radix: 16) }.joined()
      for text in ["{\"\(key)\":1}", "{\"\(escaped)\":1}"] {
        var found = "none"
        Array(text.utf8).withUnsafeBytes { bytes in
          var json = JSONReader(bytes)
          json.object { json, key in
            switch key {
            case "": found = ""
            case "a": found = "a"
            case "abcdefg": found = "abcdefg"
            case "abcdefgh": found = "abcdefgh"
            case "abcdefghi": found = "abcdefghi"
            case "abcdefghijklmno": found = "abcdefghijklmno"
            case "abcdefghijklmnop": found = "abcdefghijklmnop"
            case "abcdefghijklmnopq": found = "abcdefghijklmnopq"
            default: break
            }
            json.skip()
          }
        }
        let known = [0, 1, 7, 8, 9, 15, 16].contains(count)
        #expect(found == (known ? key : "none"), "\(text)")
      }
    }
  }

  @Test(
    "a number that is not whole, or too large, breaks the reader",
    arguments: [
      "1.5", "01", "-", "", "a", "9223372036854775808", "99999999999999999999",
      "-9223372036854775809",
    ])
  func integers(text: String) {
    let isSound = Array(text.utf8).withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      _ = json.integer()
      return json.isAtEnd
    }
    #expect(!isSound)
  }
}
