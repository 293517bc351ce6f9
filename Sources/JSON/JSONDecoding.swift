// A `Decoder` over a tree of parsed values. Errors have the offset of the wrong value, so no path
// of keys is kept. Any thread.

extension JSONValue {
  /// Decodes this value as another type.
  public func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do { return try Value(from: ValueDecoder(value: self)) } catch let error as DecodingError {
      // Report the innermost value at fault.
      throw JSONError(.type, offset: offset, error.sentence)
    }
  }

  func mismatch(_ expected: String) -> JSONError {
    JSONError(.type, offset: offset, "\(expected) is expected here, not \(kind)")
  }

  func bool() throws(JSONError) -> Bool {
    guard case .bool(let value) = value else { throw mismatch("true or false") }
    return value
  }

  func string() throws(JSONError) -> String {
    guard case .string(let value) = value else { throw mismatch("a text") }
    return value
  }

  func real() throws(JSONError) -> Double {
    switch value {
    case .real(let value): return value
    case .integer(let value): return Double(value)
    case .natural(let value): return Double(value)
    default: throw mismatch("a number")
    }
  }

  func integer<Number: FixedWidthInteger>(_: Number.Type) throws(JSONError) -> Number {
    let number: Number?
    switch value {
    case .integer(let value): number = Number(exactly: value)
    case .natural(let value): number = Number(exactly: value)
    case .real(let value): number = Number(exactly: value)
    default: throw mismatch("a whole number")
    }
    guard let number else {
      throw JSONError(.number, offset: offset, "\(kind) is not one that can stand here")
    }
    return number
  }

  func list() throws(JSONError) -> [JSONValue] {
    guard case .list(let items) = value else { throw mismatch("a list") }
    return items
  }

  func table() throws(JSONError) -> [Member] {
    guard case .table(let members) = value else { throw mismatch("a group of keys") }
    return members
  }

  var isNull: Bool { value == .null }
}

extension DecodingError {
  fileprivate var sentence: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context.debugDescription
    @unknown default: "\(self)"
    }
  }
}

private struct ValueDecoder: Decoder {
  let value: JSONValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(TableDecoder<Key>(try value.table(), at: value.offset))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ListDecoder(items: try value.list(), offset: value.offset)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleDecoder(value: value) }
}

private struct SingleDecoder: SingleValueDecodingContainer {
  let value: JSONValue
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { value.isNull }
  func decode(_: Bool.Type) throws -> Bool { try value.bool() }
  func decode(_: String.Type) throws -> String { try value.string() }
  func decode(_: Double.Type) throws -> Double { try value.real() }
  func decode(_: Float.Type) throws -> Float { Float(try value.real()) }
  func decode(_ type: Int.Type) throws -> Int { try value.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try value.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try value.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try value.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try value.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try value.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value.integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value.decoded(type) }
}

private struct ListDecoder: UnkeyedDecodingContainer {
  let items: [JSONValue]
  let offset: Int
  private(set) var currentIndex = 0

  init(items: [JSONValue], offset: Int) {
    self.items = items
    self.offset = offset
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex == items.count }

  private func item() throws(JSONError) -> JSONValue {
    guard currentIndex < items.count else {
      throw JSONError(.missing, offset: offset, "the list here has only \(items.count) items")
    }
    return items[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try item().isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try item().decoded(type)
    currentIndex += 1
    return value
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = ValueDecoder(value: try item())
    currentIndex += 1
    return decoder
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> { try superDecoder().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }
}

private struct TableDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [JSONValue.Member]
  private let offset: Int
  /// The index of each member by its key, if there are many.
  private let places: [String: Int]

  init(_ members: [JSONValue.Member], at offset: Int) {
    self.members = members
    self.offset = offset
    var places: [String: Int] = [:]
    if members.count > 16 {
      places.reserveCapacity(members.count)
      for (place, member) in members.enumerated() { places[member.key] = place }
    }
    self.places = places
  }

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

  private func member(_ key: String) -> JSONValue? {
    if members.count > 16 { return places[key].map { members[$0].item } }
    for member in members where member.key == key { return member.item }
    return nil
  }

  private func value(_ key: Key) throws(JSONError) -> JSONValue {
    if let item = member(key.stringValue) { return item }
    throw JSONError(.missing, offset: offset, "the key '\(key.stringValue)' is missing here")
  }

  func contains(_ key: Key) -> Bool { member(key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }
  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
  func decode(_: String.Type, forKey key: Key) throws -> String { try value(key).string() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(type) }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(key).integer(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).decoded(type)
  }

  func superDecoder() throws -> any Decoder {
    guard let item = member("super") else {
      throw JSONError(.missing, offset: offset, "the key 'super' is missing here")
    }
    return ValueDecoder(value: item)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { ValueDecoder(value: try value(key)) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }
}
