// The cursor beside the reader: it reads the same values, or nothing. Pure; touches no file.

import JSON
import Testing

@Suite struct CursorTests {
  /// Reads a value with the cursor, and the same with the reader; nil for a refusal.
  private func both<Value>(
    _ text: String, _ one: (inout JSONCursor) -> Value, _ other: (inout JSONReader) -> Value
  ) -> (cursor: Value?, reader: Value?) {
    Array(text.utf8).withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      var reader = JSONReader(bytes)
      let (mine, theirs) = (one(&cursor), other(&reader))
      return (cursor.isAtEnd ? mine : nil, reader.isAtEnd ? theirs : nil)
    }
  }

  @Test("integers of each length, and next to other digits, are read as the reader reads them")
  func integers() {
    for count in 1...18 {
      for digits in ["1", "9", "4217"] {
        let number = String(String(repeating: digits, count: count).prefix(count))
        for text in [number, "-" + number] {
          let found = both(text, { $0.integer() }, { $0.integer() })
          #expect(found.cursor == Int64(text) && found.reader == Int64(text))
        }
        // With more bytes behind, a whole word can be read.
        let list = both("[\(number),-\(number)]", Self.sum, Self.sum)
        #expect(list.cursor == 0 && list.reader == 0)
      }
    }
  }

  private static func sum(_ cursor: inout JSONCursor) -> Int64 {
    var sum: Int64 = 0
    cursor.array { sum += $0.integer() }
    return sum
  }

  private static func sum(_ reader: inout JSONReader) -> Int64 {
    var sum: Int64 = 0
    reader.array { sum += $0.integer() }
    return sum
  }

  @Test(
    "what is no integer of at most 18 digits is refused",
    arguments: [
      "", "-", "01", "00", "-01", "a", "1a", "/", ":", "1:", "1234567890123456789", "--1", "+1",
      "\u{80}", "00000000", "12345678901234567x", " 1", "1.5",
    ])
  func nonsense(text: String) {
    for text in [text, text + String(repeating: "}", count: 20)] {
      let found = both(text, { $0.integer() }, { $0.integer() })
      #expect(found.cursor == nil)
    }
  }

  @Test("each byte beside the digits ends a number, at each place in a word")
  func ends() {
    for byte in UInt8.min...UInt8.max where !(0x30...0x39).contains(byte) {
      for count in 1...17 {
        let bytes =
          [UInt8](repeating: 0x37, count: count) + [byte] + [UInt8](repeating: 0x31, count: 20)
        bytes.withUnsafeBytes { bytes in
          var cursor = JSONCursor(bytes)
          let number = cursor.integer()
          #expect(number == Int64(String(repeating: "7", count: count)))
          #expect(cursor.isExact && !cursor.isAtEnd)
        }
      }
    }
  }

  @Test("texts without escapes are read as the reader reads them, at each place in a word")
  func texts() {
    for count in 0...40 {
      for text in ["a", "é", "語", "😀"] {
        let whole = String(repeating: "b", count: count) + text
        for behind in ["", ",\"more\":\"and more\""] {
          let found = both(
            "[\"\(whole)\"\(behind.isEmpty ? "" : ",1")]", Self.first, Self.first)
          #expect(found.cursor == whole && found.reader == whole)
        }
      }
    }
  }

  private static func first(_ cursor: inout JSONCursor) -> String {
    var first: String?
    cursor.array {
      if first == nil { first = $0.string() } else { _ = $0.integer() }
    }
    return first ?? ""
  }

  private static func first(_ reader: inout JSONReader) -> String {
    var first: String?
    reader.array {
      if first == nil { first = $0.string() } else { _ = $0.integer() }
    }
    return first ?? ""
  }

  @Test("a text that has an escape, a control character or no UTF-8, or does not end, is refused")
  func brokenTexts() {
    let broken: [[UInt8]] = [[0x5C, 0x6E], [10], [0], [0xFF], [0xC3], [0xED, 0xA0, 0x80]]
    for middle in broken {
      for (before, after) in [(0, 0), (3, 20), (7, 7), (8, 8), (20, 3)] {
        let filled = { [UInt8](repeating: 0x61, count: $0) }
        let bytes = [0x22] + filled(before) + middle + filled(after) + [0x22]
        bytes.withUnsafeBytes { bytes in
          var cursor = JSONCursor(bytes)
          let text = cursor.string()
          #expect(text.isEmpty && !cursor.isExact && !cursor.isAtEnd)
          let readsOn = cursor.skips("\"")
          #expect(!readsOn)
        }
      }
    }
    let endless = both("\"abc", { $0.string() }, { $0.string() })
    #expect(endless.cursor == nil)
  }

  @Test("texts that are expected are compared to the last byte", arguments: 1...24)
  func expectations(count: Int) {
    let text: StaticString = "123456789012345678901234"
    let bytes = Array("\(text)".utf8)
    for place in 0..<24 {
      var changed = bytes
      changed[place] ^= 1
      changed.withUnsafeBytes { bytes in
        var cursor = JSONCursor(bytes)
        let isFound = cursor.skips("123456789012345678901234")
        #expect(!isFound)
      }
    }
    bytes[..<count].withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      let (isWhole, isBegun) = (cursor.skips("123456789012345678901234"), cursor.skips("1234567"))
      #expect(isWhole == (count == 24) && isBegun == (7..<24).contains(count))
    }
  }
}
