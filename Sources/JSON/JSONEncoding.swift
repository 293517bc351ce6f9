// An `Encoder` that makes a tree of nodes, since members are sorted before they are written, and
// the printer of that tree. Any thread.

/// A value being encoded.
enum JSONNode {
  case null
  case bool(Bool)
  /// A number as text.
  case number(String)
  case string(String)
  case list(ListNode)
  case table(TableNode)
  /// A value that is encoded after its place was taken.
  case later(ValueEncoder)

  init(of value: some Encodable) throws {
    let encoder = ValueEncoder()
    try value.encode(to: encoder)
    // A value that encodes nothing becomes an empty object, like an empty struct.
    self = encoder.node ?? .table(TableNode())
  }

  init(real value: Double, text: String) throws(JSONError) {
    guard value.isFinite else {
      throw JSONError(.number, offset: 0, "\(text) cannot be written as JSON")
    }
    self = .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}

final class ListNode: UnkeyedEncodingContainer {
  fileprivate(set) var items: [JSONNode] = []
  var codingPath: [any CodingKey] { [] }
  var count: Int { items.count }

  func encodeNil() { items.append(.null) }
  func encode(_ value: String) { items.append(.string(value)) }
  func encode(_ value: Int) { items.append(.number(String(value))) }

  func encode<Value: Encodable>(_ value: Value) throws { items.append(try JSONNode(of: value)) }

  func superEncoder() -> any Encoder {
    let encoder = ValueEncoder()
    items.append(.later(encoder))
    return encoder
  }

  func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> { superEncoder().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }
}

final class TableNode {
  fileprivate var members: [(key: String, node: JSONNode)] = []

  /// Compares keys by their bytes.
  private func comesBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The members sorted by key; of a key that was set twice, the latter.
  var sorted: [(key: String, node: JSONNode)] {
    var sorted: [(key: String, node: JSONNode)] = []
    sorted.reserveCapacity(members.count)
    // The sort is stable: of two equal keys, the later comes last.
    for member in members.sorted(by: { comesBefore($0.key, $1.key) }) {
      if sorted.last?.key == member.key { sorted.removeLast() }
      sorted.append(member)
    }
    return sorted
  }
}

private struct Table<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: TableNode
  var codingPath: [any CodingKey] { [] }

  private func put(_ value: JSONNode, _ key: Key) {
    node.members.append((key.stringValue, value))
  }

  func encodeNil(forKey key: Key) { put(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { put(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { put(.string(value), key) }
  func encode(_ value: Int, forKey key: Key) { put(.number(String(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { put(.number(String(value)), key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    put(try JSONNode(of: value), key)
  }

  func superEncoder() -> any Encoder { later("super") }
  func superEncoder(forKey key: Key) -> any Encoder { later(key.stringValue) }

  private func later(_ key: String) -> ValueEncoder {
    let encoder = ValueEncoder()
    node.members.append((key, .later(encoder)))
    return encoder
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { later(key.stringValue).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    later(key.stringValue).unkeyedContainer()
  }
}

final class ValueEncoder: Encoder, SingleValueEncodingContainer {
  fileprivate(set) var node: JSONNode?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .table(let table)? = node { return KeyedEncodingContainer(Table(node: table)) }
    let table = TableNode()
    node = .table(table)
    return KeyedEncodingContainer(Table(node: table))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list(let list)? = node { return list }
    let list = ListNode()
    node = .list(list)
    return list
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node = .null }
  func encode(_ value: Bool) { node = .bool(value) }
  func encode(_ value: String) { node = .string(value) }
  func encode(_ value: Double) throws { node = try JSONNode(real: value, text: "\(value)") }
  func encode(_ value: Float) throws { node = try JSONNode(real: Double(value), text: "\(value)") }
  func encode(_ value: Int) { number(value) }
  func encode(_ value: Int8) { number(value) }
  func encode(_ value: Int16) { number(value) }
  func encode(_ value: Int32) { number(value) }
  func encode(_ value: Int64) { number(value) }
  func encode(_ value: UInt) { number(value) }
  func encode(_ value: UInt8) { number(value) }
  func encode(_ value: UInt16) { number(value) }
  func encode(_ value: UInt32) { number(value) }
  func encode(_ value: UInt64) { number(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

  private func number(_ value: some FixedWidthInteger) { node = .number(String(value)) }
}

/// Writes a tree of nodes, on one line or for people.
struct JSONPrinter {
  let isPretty: Bool
  private var json = JSONWriter(hasShortEscapes: true)
  private var depth = 0

  init(isPretty: Bool) { self.isPretty = isPretty }

  var bytes: [UInt8] { json.bytes }

  mutating func write(_ node: JSONNode) {
    switch node {
    case .null: json.verbatim("null".utf8)
    case .bool(let value): json.verbatim((value ? "true" : "false").utf8)
    case .number(let text): json.verbatim(text.utf8)
    case .string(let text): json.string(text)
    case .later(let encoder): write(encoder.node ?? .table(TableNode()))
    case .list(let list): writeList(list.items)
    case .table(let table): writeTable(table.sorted)
    }
  }

  private mutating func writeList(_ items: [JSONNode]) {
    json.open(UInt8(ascii: "["))
    depth += 1
    for item in items {
      if isPretty { json.breakLine(indent: depth) }
      write(item)
    }
    close(UInt8(ascii: "]"), isEmpty: items.isEmpty)
  }

  private mutating func writeTable(_ members: [(key: String, node: JSONNode)]) {
    json.open(UInt8(ascii: "{"))
    depth += 1
    for (key, node) in members {
      if isPretty { json.breakLine(indent: depth) }
      json.key(key, colon: isPretty ? " : " : ":")
      write(node)
    }
    close(UInt8(ascii: "}"), isEmpty: members.isEmpty)
  }

  private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
    depth -= 1
    if isPretty { json.endLine(indent: depth, isEmpty: isEmpty) }
    json.close(bracket)
  }
}
