// The two hashes of a recording's file: of its header, and of its sound, which the store knows and
// which outlives new tags. Each byte is hashed once; together with the length they are as good as a
// hash of the whole. Values, for any thread.
import Digest

/// The hashes and the length of some content.
public struct ContentHashes: Equatable, Sendable {
  /// Of the bytes before the sound.
  public let header: SHA256.Sum
  public let sound: SHA256.Sum
  public let length: Int64

  public init(header: SHA256.Sum, sound: SHA256.Sum, length: Int64) {
    self.header = header
    self.sound = sound
    self.length = length
  }

  /// Some digits that other content does not have, for the name while it is sent.
  var digits: String { String("\(sound)".prefix(4) + "\(header)".prefix(4)) }
}

/// Computes both hashes in one pass.
struct ContentHasher {
  private let soundFrom: Int64
  private var header = SHA256()
  private var sound = SHA256()
  private(set) var length: Int64 = 0

  init(soundFrom: Int64) { self.soundFrom = max(0, soundFrom) }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let split = Int(min(max(0, soundFrom - length), Int64(bytes.count)))
    if split > 0 { header.update(UnsafeRawBufferPointer(rebasing: bytes[..<split])) }
    if split < bytes.count { sound.update(UnsafeRawBufferPointer(rebasing: bytes[split...])) }
    length += Int64(bytes.count)
  }

  func hashes() -> ContentHashes {
    ContentHashes(header: header.sum, sound: sound.sum, length: length)
  }
}
