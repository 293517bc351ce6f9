// The name of a member of a JSON object, in two words that are compared without making a string:
// the index of a folder of ten thousand recordings has more than a hundred thousand names. A plain
// value.

/// A name of at most sixteen bytes. A longer one, which Reel does not have, equals nothing.
public struct JSONKey: Sendable {
  @usableFromInline let count: Int
  /// The first eight bytes and the next eight, little-endian, padded with zeros.
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  /// Makes a name of at most sixteen bytes from two words, whose other bytes are ignored.
  @inlinable @inline(__always)
  init(first: UInt64, second: UInt64 = 0, count: Int) {
    self.count = count
    self.first = Self.kept(first, count)
    self.second = count > 8 ? Self.kept(second, count - 8) : 0
  }

  /// The first bytes of a word.
  @inlinable @inline(__always)
  static func kept(_ word: UInt64, _ count: Int) -> UInt64 {
    count >= 8 ? word : word & ((1 &<< UInt64(count * 8)) &- 1)
  }

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

  /// Compares with a literal. The lengths, of which one is known when it is compiled, tell most
  /// names apart; of the others, the first byte does.
  @inlinable @inline(__always)
  public static func ~= (name: StaticString, key: JSONKey) -> Bool {
    name.utf8CodeUnitCount == key.count && key.hasBytes(of: name)
  }

  @usableFromInline
  func hasBytes(of name: StaticString) -> Bool {
    if count > 16 { return false }
    var (word, rest) = (first, second)
    for place in 0..<count {
      if place == 8 { (word, rest) = (rest, 0) }
      if UInt8(truncatingIfNeeded: word) != name.utf8Start[place] { return false }
      word >>= 8
    }
    return true
  }
}
