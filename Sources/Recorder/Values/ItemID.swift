// The identity of a folder or a recording: 128 bits that travel with the sound file wherever it is
// copied to. A plain value; the reducer makes new ones from the stamp of its action.

/// The identity of a folder, a recording or a boot.
public struct ItemID: Hashable, Comparable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The folder that holds all others.
  public static let root = ItemID(high: 0, low: 0)
  /// The folder of deleted items.
  public static let trash = ItemID(high: 0, low: 1)

  /// The serial number of the stream in a recording's file. Identifies stale bytes: FAT can expose
  /// another file's clusters after a power cut.
  public var serial: UInt32 { UInt32(truncatingIfNeeded: low) }

  /// That of the file of one of its tracks, counted from 1, for the same reason.
  public func serial(ofTrack number: Int) -> UInt32 {
    serial &+ UInt32(truncatingIfNeeded: number &- 1) &* 0x9E37_79B9
  }

  // A folder of 10,000 items looks up each of them some times. The standard hash of two words takes
  // ten times as long; this one is as hard to foresee, as its keys are random in each process.
  public func _rawHashValue(seed: Int) -> Int {
    let (high, low) = ((high ^ Self.keys.high) &+ UInt64(bitPattern: Int64(seed)))
      .multipliedFullWidth(by: low ^ Self.keys.low)
    return Int(truncatingIfNeeded: high ^ low)
  }

  private static let keys = (
    high: UInt64(bitPattern: Int64(Hasher().finalize())),
    low: UInt64(bitPattern: Int64(1.hashValue))
  )

  public static func < (left: ItemID, right: ItemID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ItemID: CustomStringConvertible, LosslessStringConvertible {
  /// The format of UUIDs: 8-4-4-4-12 hexadecimal digits, lower case.
  public var description: String {
    let digits = Array((Self.hex(high) + Self.hex(low)).utf8)
    let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  public init?(_ text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard digits.count == 32,
      let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
      let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  private static func hex(_ bits: UInt64) -> String {
    let text = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

extension ItemID: Codable, CodingKeyRepresentable {
  /// Encodes dictionaries of items as objects, whose digests are the same everywhere.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public var codingKey: any CodingKey { Key(stringValue: description) }

  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ItemID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an item's id has 32 hexadecimal digits, not “\(text)”")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
