// Values to JSON and back: the same bytes as Foundation's encoder writes with sorted keys, and the
// same values again. Pure; imports Foundation only to compare with it.

import FoundationEssentials
import JSON
import Testing

/// Every kind of value that the project's synthesised conformances encode.
private struct Sample: Codable, Equatable {
  enum Kind: String, Codable { case one, two }
  enum Event: Codable, Equatable {
    case none
    case pair(Int, String)
    case named(value: Double?, list: [Kind])
  }

  var flag = true
  var small: UInt8 = 200
  var number = -7
  var large = UInt64.max
  var real = 0.1
  var single: Float = 0.1
  var text = "a/\"\\\u{1}\n\u{8}é😀\u{7F}\u{2028}"
  var missing: Int?
  var list: [[Int]] = [[1, 2], []]
  var holes: [Int?] = [1, nil, 3]
  var counts: [Int: String] = [10: "ten", 9: "nine"]
  var names: [String: [String: Bool]] = ["b": [:], "a": ["x": true], "é": ["": false]]
  var events: [Event] = [.none, .pair(1, "x"), .named(value: nil, list: [.one, .two])]
}

/// A class that asks for containers in every way there is.
private class Base: Codable {
  var name = "base"
  init() {}
}

private final class Derived: Base {
  private enum Key: String, CodingKey { case own, nested, list, last }
  var own = 3

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    own = try json.decode(Int.self, forKey: .own)
    let nested = try json.nestedContainer(keyedBy: Key.self, forKey: .nested)
    var list = try nested.nestedUnkeyedContainer(forKey: .list)
    #expect(try list.decode(Int.self) == 1)
    #expect(try list.decodeNil())
    var inner = try list.nestedUnkeyedContainer()
    #expect(inner.isAtEnd)
    #expect(throws: JSONError.self) { try inner.decode(Int.self) }
    let table = try list.nestedContainer(keyedBy: Key.self)
    #expect(try table.decode(String.self, forKey: .last) == "x")
    #expect(list.isAtEnd)
    try super.init(from: try json.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    var nested = json.nestedContainer(keyedBy: Key.self, forKey: .nested)
    var list = nested.nestedUnkeyedContainer(forKey: .list)
    try list.encode(1)
    try list.encodeNil()
    _ = list.nestedUnkeyedContainer()
    var table = list.nestedContainer(keyedBy: Key.self)
    try super.encode(to: json.superEncoder())
    // The container opened first is filled last.
    try table.encode("x", forKey: .last)
    try json.encode(own, forKey: .own)
  }
}

@Suite struct CodingTests {
  private func foundations(_ value: some Encodable, isPretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func ours(_ value: some Encodable, _ layout: JSON.Layout = .line) throws -> String {
    String(decoding: try JSON.encode(value, layout), as: UTF8.self)
  }

  @Test("a value is written byte for byte as Foundation writes it, and read back the same")
  func sample() throws {
    let sample = Sample()
    #expect(try ours(sample) == foundations(sample))
    #expect(try ours(sample, .pretty) == foundations(sample, isPretty: true))
    for layout in [JSON.Layout.line, .pretty] {
      #expect(try JSON.decode(Sample.self, from: JSON.encode(sample, layout)) == sample)
    }
  }

  @Test("containers nested by hand, and a class with a superclass")
  func containers() throws {
    let text = try ours(Derived())
    #expect(
      text == #"{"nested":{"list":[1,null,[],{"last":"x"}]},"own":3,"super":{"name":"base"}}"#)
    let again = try JSON.decode(Derived.self, from: text.utf8)
    #expect(again.own == 3 && again.name == "base")
  }

  @Test("numbers are written as Foundation writes them, and read back to the bit")
  func numbers() throws {
    let fixed: [Double] = [
      0, -0.0, 1, 0.1, 1e15, 1e16, 1e20, 1e-7, 1 / 3, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude,
    ]
    var random = SystemRandomNumberGenerator()
    let others = (0..<500).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    for number in fixed + others {
      let text = try ours([number])
      let expected = try foundations([number])
      #expect(text == expected)
      let again = try JSON.decode([Double].self, from: text.utf8)
      #expect(again.map(\.bitPattern) == [number.bitPattern], "\(text)")
    }
    for _ in 0..<200 {
      let whole = [Int64(bitPattern: random.next())]
      #expect(try JSON.decode([Int64].self, from: JSON.encode(whole)) == whole)
    }
    #expect(throws: JSONError.self) { try JSON.encode([Double.nan]) }
    #expect(throws: JSONError.self) { try JSON.encode(["a": Float.infinity]) }
  }

  @Test("random texts and tables come back as they were")
  func random() throws {
    var random = SystemRandomNumberGenerator()
    func text() -> String {
      let count = Int.random(in: 0...20, using: &random)
      let scalars = (0..<count).map { _ in
        let top: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
        return Unicode.Scalar(UInt32.random(in: 1..<top, using: &random)) ?? "\u{0}"
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars.filter { $0 != "\u{0}" })
      return text
    }
    for _ in 0..<300 {
      var table: [String: [String]] = [:]
      for _ in 0..<Int.random(in: 0...40, using: &random) { table[text()] = [text(), text()] }
      let line = try JSON.encode(table)
      let expected = try foundations(table)
      #expect(String(decoding: line, as: UTF8.self) == expected)
      #expect(try JSON.decode([String: [String]].self, from: line) == table)
      #expect(try JSON.decode([String: [String]].self, from: JSON.encode(table, .pretty)) == table)
    }
  }

  private func mistake(_ type: (some Decodable).Type, _ text: String) -> JSONError? {
    do { _ = try JSON.decode(type, from: text.utf8) } catch { return error as? JSONError }
    return nil
  }

  @Test("a value of another type is refused at its place")
  func mismatches() {
    #expect(mistake(Int.self, "1.5")?.code == .number)
    #expect(mistake(UInt8.self, "256")?.code == .number)
    #expect(mistake(UInt.self, "-1")?.code == .number)
    #expect(mistake(Int.self, "9223372036854775808")?.code == .number)
    #expect(mistake(Int.self, "1e99")?.code == .number)
    #expect(mistake([Int].self, "[1, \"2\"]")?.offset == 4)
    #expect(mistake([String: Bool].self, "{\"a\": 1}")?.offset == 6)
    #expect(mistake([Sample.Kind].self, "[\"one\", \"three\"]")?.offset == 8)
    #expect(mistake(Sample.self, " {}")?.code == .missing)
    #expect(mistake(Sample.self, " {}")?.offset == 1)
    #expect(mistake(String.self, "null")?.code == .type)
    #expect(mistake([Int].self, "{}")?.sentence == "a list is expected here, not a group of keys")
  }

  @Test("an integer may be written with a fraction or an exponent, as in Foundation")
  func wholeNumbers() throws {
    #expect(try JSON.decode([Int].self, from: "[1.0,1e2,-0]".utf8) == [1, 100, 0])
  }

  @Test("a null is nil, and unknown keys are ignored")
  func optional() throws {
    struct Two: Codable, Equatable { var a: Int?, b: String? }
    let text = #"{"b":null,"c":[{}]}"#
    #expect(try JSON.decode(Two.self, from: text.utf8) == Two())
  }

  @Test("each of many members is found")
  func many() throws {
    let table = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("key \($0)", $0) })
    #expect(try JSON.decode([String: Int].self, from: JSON.encode(table)) == table)
  }
}
