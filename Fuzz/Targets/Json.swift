// The JSON reader, in both dialects: any bytes are read, or refused with an offset in the text and
// a sentence; JSON is JSON5 as well; the parser and the pull reader agree; and a decoded value is
// encoded, in both layouts, to a text that decodes to the same.

import JSON

extension FuzzTarget {
  static let json = FuzzTarget(
    name: "json", limitBytes: 4096,
    seeds: {
      [
        #"{"a":[1,-2.5e3,18446744073709551615,1e-7,-0],"b":{"c":null,"d":true,"e":false}}"#,
        #"["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000","é😀",""]"#, " [ ] ", "{}", "[[[[{}]]]]",
        "// one\n{a: 1, /* two */ 'b': [0x1F, +.5, Infinity, -NaN,], $c: 'it\\'s \\x41\\\n',}",
        #"{"a":1,"a":2}"#, #"{"\u0000":1}"#, #"["\ud800"]"#, "01", "1e400", "[1,]",
      ].map { Array($0.utf8) }
    }, run: check)

  private static func check(_ text: [UInt8]) throws {
    let free = try parsed(text, .json5)
    guard let strict = try parsed(text, .json) else { return }
    try prove(free != nil, "JSON is no JSON5")
    let isPulled = text.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      reader.skip()
      return reader.isAtEnd
    }
    try prove(isPulled, "the two ways of reading disagree")
    let tree = try strict.decoded(Tree.self)
    for layout in [JSON.Layout.line, .pretty] {
      let written = try JSON.encode(tree, layout)
      try prove(try JSON.decode(Tree.self, from: written) == tree, "what is written reads as other")
    }
  }

  /// Returns nil if the text is refused, which must be done with an offset and a sentence.
  private static func parsed(_ text: [UInt8], _ dialect: JSONReader.Dialect) throws -> JSONValue? {
    do throws(JSONError) { return try JSON.parse(text, dialect: dialect) } catch {
      try prove(!error.sentence.isEmpty, "refused without a word")
      try prove((0...text.count).contains(error.offset), "\(error) is not in the text")
      return nil
    }
  }
}

/// Any JSON value.
private enum Tree: Codable, Equatable {
  case null
  case bool(Bool)
  case whole(Int64)
  case real(Double)
  case text(String)
  case list([Tree])
  case table([String: Tree])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = Self.attempt({ try value.decode(Bool.self) }) {
      self = .bool(bool)
    } else if let whole = Self.attempt({ try value.decode(Int64.self) }) {
      self = .whole(whole)
    } else if let real = Self.attempt({ try value.decode(Double.self) }) {
      self = .real(real)
    } else if let text = Self.attempt({ try value.decode(String.self) }) {
      self = .text(text)
    } else if let list = Self.attempt({ try value.decode([Tree].self) }) {
      self = .list(list)
    } else {
      self = .table(try value.decode([String: Tree].self))
    }
  }

  private static func attempt<Value>(_ decode: () throws -> Value) -> Value? {
    // Only an attempt shows which type the value has.
    try? decode()
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .whole(let whole): try value.encode(whole)
    case .real(let real): try value.encode(real)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .table(let table): try value.encode(table)
    }
  }
}
