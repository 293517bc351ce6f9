// SHA-256 by nettle, piece by piece. Any thread, one at a time for each value; it allocates
// nothing, and no call can fail or wait. libsodium's took most of the time that a FLAC take spends
// beside libFLAC, because it uses no instructions of the processor for it; nettle's takes a sixth.

import CNettle

/// The SHA-256 of bytes that come in pieces.
public struct SHA256: Sendable {
  // Sendable: it holds numbers and bytes, and no pointers.
  private var state = sha256_ctx()

  public init() { nettle_sha256_init(&state) }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    nettle_sha256_update(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The sum of all bytes so far. More may follow.
  public var sum: Sum {
    var state = state
    var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    withUnsafeMutableBytes(of: &words) { bytes in
      guard let start = bytes.baseAddress else { return }
      nettle_sha256_digest(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }
    return Sum(
      words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
  }

  /// The 32 bytes of a sum in four words: the first byte is the highest of the first word.
  public struct Sum: Hashable, Sendable {
    public let first: UInt64
    public let second: UInt64
    public let third: UInt64
    public let fourth: UInt64

    public init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
      (self.first, self.second) = (first, second)
      (self.third, self.fourth) = (third, fourth)
    }
  }
}

extension SHA256.Sum: CustomStringConvertible {
  /// 64 lowercase hexadecimal digits, as `sha256sum` prints them.
  public var description: String {
    [first, second, third, fourth].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }
}
