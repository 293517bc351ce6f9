// A digest of any Encodable value, the same on every machine and in every run. It is an encoder
// that mixes the values it is given, without making text of them. Members of keyed containers are
// combined regardless of order, so a dictionary's order does not matter. A set is encoded as a list
// in an arbitrary order, so sets must stay out of a state.

/// Equal values have equal digests, of 64 bits. Not for security.
public struct Digest: Equatable, Codable, Sendable, CustomStringConvertible {
  public let bits: UInt64

  public init(bits: UInt64) { self.bits = bits }

  /// Computes the digest of a value. Throws what its `encode` throws.
  public init(of value: some Encodable) throws {
    let mixer = Mixer()
    try value.encode(to: Walker(mixer: mixer, codingPath: []))
    bits = mixer.bits
  }

  public var description: String {
    let text = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// The finaliser of SplitMix64: every input bit reaches every output bit.
  static func stir(_ input: UInt64) -> UInt64 {
    var bits = input &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  static func ofText(_ text: String) -> UInt64 {
    var bits: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { bits = (bits ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return stir(bits)
  }
}

/// The digest of one container. Each kind of value mixes in its own mark, so that 1, "1" and [1]
/// differ.
private final class Mixer {
  private(set) var bits: UInt64 = 0

  enum Mark: UInt64 {
    case null = 1
    case flag, integer, unsigned, real, text, list, table
  }

  func next(_ mark: Mark, _ value: UInt64 = 0) {
    bits = Digest.stir(bits ^ Digest.stir(value &+ mark.rawValue &* 0x9E37_79B9))
  }

  func member(_ key: String, _ inner: UInt64) {
    bits = bits &+ Digest.stir(Digest.ofText(key) ^ Digest.stir(inner))
  }
}

private struct Walker: Encoder {
  let mixer: Mixer
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    mixer.next(.table)
    return KeyedEncodingContainer(Table<Key>(mixer: mixer, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    mixer.next(.list)
    return List(mixer: mixer, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(mixer: mixer, codingPath: codingPath)
  }
}

private struct Single: SingleValueEncodingContainer {
  let mixer: Mixer
  let codingPath: [any CodingKey]

  func encodeNil() { mixer.next(.null) }
  func encode(_ value: Bool) { mixer.next(.flag, value ? 1 : 0) }
  func encode(_ value: String) { mixer.next(.text, Digest.ofText(value)) }
  func encode(_ value: Double) { mixer.next(.real, value.bitPattern) }
  func encode(_ value: Float) { mixer.next(.real, Double(value).bitPattern) }
  func encode(_ value: Int) { integer(Int64(value)) }
  func encode(_ value: Int8) { integer(Int64(value)) }
  func encode(_ value: Int16) { integer(Int64(value)) }
  func encode(_ value: Int32) { integer(Int64(value)) }
  func encode(_ value: Int64) { integer(value) }
  func encode(_ value: UInt) { mixer.next(.unsigned, UInt64(value)) }
  func encode(_ value: UInt8) { mixer.next(.unsigned, UInt64(value)) }
  func encode(_ value: UInt16) { mixer.next(.unsigned, UInt64(value)) }
  func encode(_ value: UInt32) { mixer.next(.unsigned, UInt64(value)) }
  func encode(_ value: UInt64) { mixer.next(.unsigned, value) }

  func encode<Inner: Encodable>(_ value: Inner) throws {
    try value.encode(to: Walker(mixer: mixer, codingPath: codingPath))
  }

  private func integer(_ value: Int64) { mixer.next(.integer, UInt64(bitPattern: value)) }
}

private struct List: UnkeyedEncodingContainer {
  let mixer: Mixer
  let codingPath: [any CodingKey]
  private(set) var count = 0

  init(mixer: Mixer, codingPath: [any CodingKey]) {
    self.mixer = mixer
    self.codingPath = codingPath
  }

  mutating func encodeNil() {
    count += 1
    mixer.next(.null)
  }

  mutating func encode<Inner: Encodable>(_ value: Inner) throws {
    count += 1
    let inner = Mixer()
    try value.encode(to: Walker(mixer: inner, codingPath: codingPath))
    mixer.next(.list, inner.bits)
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> { superEncoder().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return Walker(mixer: mixer, codingPath: codingPath)
  }
}

private struct Table<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let mixer: Mixer
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) { mixer.member(key.stringValue, 1) }

  mutating func encode<Inner: Encodable>(_ value: Inner, forKey key: Key) throws {
    let inner = Mixer()
    try value.encode(to: Walker(mixer: inner, codingPath: codingPath))
    mixer.member(key.stringValue, inner.bits)
  }

  // A nested container is mixed in when it is filled, in that order. This is enough: structs, lists
  // and dictionaries never ask for one here, and an enum's `encode` asks for one at a time and
  // fills it before the next.
  mutating func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { superEncoder(forKey: key).container(keyedBy: type) }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { Walker(mixer: mixer, codingPath: codingPath) }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    mixer.next(.table, Digest.ofText(key.stringValue))
    return Walker(mixer: mixer, codingPath: codingPath)
  }
}
