// JSON in and out: members of parsed values, values written again, and the few objects that the
// server makes itself. Pure.
import JSON

enum WebJSON {
  static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(body)
    return writer.bytes
  }

  static func error(_ code: String, _ sentence: String) -> [UInt8] {
    object { json in
      json.key("error")
      json.object {
        $0.member("code", code)
        $0.member("sentence", sentence)
      }
    }
  }

  /// Parses what a stranger sent; nil if it is no JSON, or too deep.
  static func parse(_ bytes: [UInt8], depth: Int = 8) -> JSONValue? {
    // What is wrong with it is of no use to the one who sent it.
    try? JSON.parse(bytes, limits: JSON.Limits(bytes: 64 << 10, depth: depth))
  }
}

extension JSONValue {
  subscript(name: String) -> JSONValue? {
    guard case .table(let members) = value else { return nil }
    return members.first { $0.key == name }?.item
  }

  var text: String? {
    if case .string(let text) = value { text } else { nil }
  }

  var integer: Int? {
    if case .integer(let number) = value { Int(exactly: number) } else { nil }
  }

  var flag: Bool? {
    if case .bool(let flag) = value { flag } else { nil }
  }

  var items: [JSONValue]? {
    if case .list(let items) = value { items } else { nil }
  }

  /// The value as JSON again.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

extension JSONWriter {
  mutating func value(_ value: JSONValue) {
    switch value.value {
    case .null: verbatim("null".utf8)
    case .bool(let flag): verbatim((flag ? "true" : "false").utf8)
    case .integer(let number): self.number(number)
    case .natural(let number): self.number(number)
    case .real(let number): verbatim((number.isFinite ? "\(number)" : "null").utf8)
    case .string(let text): string(text)
    case .list(let items): array { json in for item in items { json.value(item) } }
    case .table(let members):
      object { json in
        for member in members {
          json.key(member.key)
          json.value(member.item)
        }
      }
    }
  }

  /// Writes a member only if there is a value.
  mutating func member(_ name: String, _ value: JSONValue?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }
}
