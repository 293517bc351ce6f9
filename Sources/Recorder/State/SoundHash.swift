// The SHA-256 of the sound in a file: of all bytes behind the header. A plain value of 36 bytes,
// since a library has one for each of its files. Hexadecimal digits from outside are checked.

/// The SHA-256 of a file's sound, and the byte at which the sound begins.
public struct SoundHash: Hashable, Sendable {
  /// The 32 bytes: the first is the highest of the first word.
  public let first: UInt64
  public let second: UInt64
  public let third: UInt64
  public let fourth: UInt64
  public let soundFrom: UInt32

  public init(
    _ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64, soundFrom: UInt32
  ) {
    (self.first, self.second) = (first, second)
    (self.third, self.fourth) = (third, fourth)
    self.soundFrom = soundFrom
  }

  /// Nil unless the text is 64 hexadecimal digits.
  public init?(_ sha256: String, soundFrom: UInt32) {
    let digits = Array(sha256.utf8)
    guard digits.count == 64 else { return nil }
    func word(_ index: Int) -> UInt64? {
      let part = digits[index * 16..<(index + 1) * 16]
      guard part.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
        return nil
      }
      return UInt64(String(decoding: part, as: UTF8.self), radix: 16)
    }
    guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3)
    else { return nil }
    self.init(first, second, third, fourth, soundFrom: soundFrom)
  }

  /// Whether it is that of the same sound, wherever it begins in its file.
  public func isSameSound(as other: SoundHash) -> Bool {
    (first, second, third, fourth) == (other.first, other.second, other.third, other.fourth)
  }

  /// 64 lowercase hexadecimal digits, as `sha256sum` prints them.
  public var sha256: String {
    [first, second, third, fourth].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }
}

extension SoundHash: Codable {
  private enum Key: String, CodingKey { case sha256, soundFrom }

  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    let from = try json.decode(UInt32.self, forKey: .soundFrom)
    let hash = SoundHash(try json.decode(String.self, forKey: .sha256), soundFrom: from)
    guard let hash else {
      throw DecodingError.dataCorruptedError(
        forKey: .sha256, in: json, debugDescription: "a SHA-256 has 64 hexadecimal digits")
    }
    self = hash
  }

  public func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    try json.encode(sha256, forKey: .sha256)
    try json.encode(soundFrom, forKey: .soundFrom)
  }
}
