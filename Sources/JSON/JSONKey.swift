// The name of a member of a JSON object, in two words that are compared without making a string:
// the index of a folder of ten thousand recordings has more than a hundred thousand names. A plain
// value.

/// A name of at most sixteen bytes. A longer one, which Reel does not have, equals nothing.
public struct JSONKey: Sendable {
  @usableFromInline let count: Int
  /// The first eight bytes and the next eight, little-endian, padded with zeros.
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  @inlinable
  init(_ bytes: UnsafeRawBufferPointer) {
    count = bytes.count
    first = Self.word(bytes, 0)
    second = count > 8 && count <= 16 ? Self.word(bytes, 8) : 0
  }

  @inlinable @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
    if bytes.count - start >= 8 {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    var word: UInt64 = 0
    for place in start..<bytes.count {
      word |= UInt64(bytes[place]) << UInt64((place - start) * 8)
    }
    return word
  }

  /// Compares with a literal, which the compiler turns into three numbers.
  @inlinable @inline(__always)
  public static func ~= (name: JSONKey, key: JSONKey) -> Bool {
    name.first == key.first && name.count == key.count && name.second == key.second
      && name.count <= 16
  }
}

extension JSONKey: ExpressibleByStringLiteral {
  @inlinable @inline(__always)
  public init(stringLiteral name: StaticString) {
    self.init(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}
