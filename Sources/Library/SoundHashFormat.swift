// Encodes and decodes the hash of a file's sound as 72 hexadecimal digits: those of the SHA-256,
// then eight of the byte at which the sound begins. Without strings in between, because every
// recording has one. Pure functions; a value that is damaged is no hash.

import JSON
import Recorder
import Tape

extension SoundHash {
  static let digitCount = 72

  /// Nil unless there are 72 lowercase hexadecimal digits.
  init?(digits: UnsafeRawBufferPointer) {
    guard digits.count == Self.digitCount else { return nil }
    func part(_ index: Int) -> UInt64? {
      valueOfHexadecimal(
        UInt64(bigEndian: digits.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
    }
    func word(_ index: Int) -> UInt64? {
      guard let high = part(index * 2), let low = part(index * 2 + 1) else { return nil }
      return high << 32 | low
    }
    guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3),
      let from = part(8)
    else { return nil }
    self.init(first, second, third, fourth, soundFrom: UInt32(truncatingIfNeeded: from))
  }

  var digits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(Self.digitCount)
    for word in [first, second, third, fourth] {
      digits += Checksum.digits(UInt32(truncatingIfNeeded: word >> 32))
      digits += Checksum.digits(UInt32(truncatingIfNeeded: word))
    }
    return digits + Checksum.digits(soundFrom)
  }
}

extension JSONWriter {
  mutating func member(_ name: String, hash: SoundHash) {
    key(name)
    let quote = [UInt8(ascii: "\"")]
    verbatim(quote + hash.digits + quote)
  }
}

extension JSONReader {
  /// Nil if the value is none: the recording is whole without it.
  mutating func hash() -> SoundHash? {
    let hash = plainText(byteCount: SoundHash.digitCount) { SoundHash(digits: $0) }
    if hash == nil { skip() }
    return hash
  }
}

extension JSONCursor {
  mutating func hash() -> SoundHash? {
    plainText(byteCount: SoundHash.digitCount) { SoundHash(digits: $0) }
  }
}

extension SoundHash {
  /// Nil if the sound begins later than the header of any recording ends.
  init?(_ sum: SoundSum) {
    guard let from = UInt32(exactly: sum.soundFrom) else { return nil }
    let sha256 = sum.sha256
    self.init(sha256.first, sha256.second, sha256.third, sha256.fourth, soundFrom: from)
  }
}
