// The length, format and size of the sound in a file, and its hash. A plain value, packed, since a
// listing may have 10,000 of them.

/// The length, format and size of the sound.
public struct Sound: Equatable, Sendable {
  public var frames: Int64
  public var sizeBytes: Int64
  /// Nil until the file is closed, and if it was cut short or found until it has been computed.
  public var hash: SoundHash?
  // In this order all of it takes 64 bytes.
  private let smallBits: Int16?
  private let smallChannels: Int16
  private let smallRate: Int32

  /// Every Opus file plays at 48 kHz, whatever its device ran at.
  public static let fileRate = 48_000

  public init(
    frames: Int64 = 0, rate: Int = fileRate, channels: Int = 1, sizeBytes: Int64 = 0,
    bits: Int? = nil, hash: SoundHash? = nil
  ) {
    self.frames = max(0, frames)
    self.sizeBytes = sizeBytes
    self.hash = hash
    smallRate = Int32(clamping: rate)
    smallChannels = Int16(clamping: channels)
    smallBits = bits.map { Int16(clamping: $0) }
  }

  public var rate: Int { Int(smallRate) }
  public var channels: Int { Int(smallChannels) }
  /// Of a sample in a file without loss; nil if the format has none.
  public var bits: Int? { smallBits.map { Int($0) } }
}

extension Sound: Codable {
  private enum Key: String, CodingKey { case frames, rate, channels, sizeBytes, bits, hash }

  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    self.init(
      frames: try json.decode(Int64.self, forKey: .frames),
      rate: try json.decode(Int.self, forKey: .rate),
      channels: try json.decode(Int.self, forKey: .channels),
      sizeBytes: try json.decode(Int64.self, forKey: .sizeBytes),
      bits: try json.decodeIfPresent(Int.self, forKey: .bits),
      hash: try json.decodeIfPresent(SoundHash.self, forKey: .hash))
  }

  public func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    try json.encode(frames, forKey: .frames)
    try json.encode(rate, forKey: .rate)
    try json.encode(channels, forKey: .channels)
    try json.encode(sizeBytes, forKey: .sizeBytes)
    try json.encodeIfPresent(bits, forKey: .bits)
    try json.encodeIfPresent(hash, forKey: .hash)
  }
}
