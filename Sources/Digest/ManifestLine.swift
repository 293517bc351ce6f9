// A line of a manifest: what happened to a recording, the hashes of its sound, the hash of the line
// before, and a seal by which the recorder knows its own lines again. Plain values; bytes from a
// card are checked, and a line that is none is nil.
//
//     41 kept 0b1c…-… 41 2026-11-20T14:03:22Z 9f86d0…,60303a… e3b0c4… 5d41…

/// A line of a manifest.
public struct ManifestLine: Hashable, Sendable {
  /// What happened to a recording.
  public enum Event: String, Sendable, CaseIterable {
    /// Its sound is complete, and has these hashes from now on.
    case kept
    /// A person deleted it, and then it was removed for good: on request, by age, or to make room.
    case erased
    /// The recorder removed it to make room; no person wanted it gone.
    case recycled
  }

  /// The number of the line, from 1.
  public let number: Int
  public let event: Event
  public let recording: RecordingID
  /// The number of the recording; 0 if it has none.
  public let sequence: Int
  /// When the line was written, by the recorder's clock: `2026-11-20T14:03:22Z`.
  public let time: String
  /// The SHA-256 of the sound of each of its files, in the order of the tracks; none if it is gone.
  public let hashes: [SHA256.Sum]
  /// The SHA-256 of the line before, with its line end.
  public let before: SHA256.Sum
  /// Of the fields before it. Others than the recorder cannot check it, and need not.
  private let seal: [UInt8]

  /// No line is longer, its line end included.
  public static let mostBytes = 1_024
  private static let mostHashes = 8
  private static let mostNumber = 999_999_999

  public init(
    number: Int, _ event: Event, _ recording: RecordingID, sequence: Int, time: String,
    hashes: [SHA256.Sum], before: SHA256.Sum, sealedBy key: SigningKey
  ) {
    let unsealed = ManifestLine(
      number: number, event, recording, sequence: sequence, time: time, hashes: hashes,
      before: before, seal: [])
    self.init(
      number: number, event, recording, sequence: sequence, time: time, hashes: hashes,
      before: before, seal: key.seal(of: unsealed.sealedBytes))
  }

  private init(
    number: Int, _ event: Event, _ recording: RecordingID, sequence: Int, time: String,
    hashes: [SHA256.Sum], before: SHA256.Sum, seal: [UInt8]
  ) {
    precondition(hashes.count <= Self.mostHashes && (event == .kept) != hashes.isEmpty)
    precondition(Self.isTime(time.utf8) && (0...Self.mostNumber).contains(sequence))
    self.number = number
    self.event = event
    self.recording = recording
    self.sequence = sequence
    self.time = time
    self.hashes = hashes
    self.before = before
    self.seal = seal
  }

  /// The bytes of the line, with its line end.
  public var bytes: [UInt8] {
    var text = sealedBytes
    for byte in seal { text += [digit(byte >> 4), digit(byte & 15)] }
    return text + [10]
  }

  private var sealedBytes: [UInt8] {
    let list = hashes.isEmpty ? "-" : hashes.map(\.description).joined(separator: ",")
    let text = "\(number) \(event.rawValue) \(recording) \(sequence) \(time) \(list) \(before) "
    return Array(text.utf8)
  }

  /// Whether the key has written this line.
  /// - Parameter bytes: the line as it was read, with its line end: making it anew takes long.
  func isSealed(by key: SigningKey, in bytes: [UInt8]) -> Bool {
    key.seal(of: Array(bytes.dropLast(2 * SigningKey.sealBytes + 1))) == seal
  }

  /// Reads a line without its line end; nil if it is none.
  public init?(_ line: ArraySlice<UInt8>) {
    guard line.count < Self.mostBytes else { return nil }
    let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard fields.count == 8, let number = Self.number(fields[0]), number > 0,
      let event = Event.allCases.first(where: { fields[1].elementsEqual($0.rawValue.utf8) }),
      let recording = RecordingID(fields[2]), let sequence = Self.number(fields[3]),
      Self.isTime(fields[4]), let hashes = Self.hashes(fields[5]),
      (event == .kept) != hashes.isEmpty, let before = SHA256.Sum(fields[6]),
      let seal = Self.seal(fields[7])
    else { return nil }
    self.init(
      number: number, event, recording, sequence: sequence,
      time: String(decoding: fields[4], as: UTF8.self), hashes: hashes, before: before,
      seal: seal)
  }

  private static func seal(_ field: Field) -> [UInt8]? {
    guard field.count == 2 * SigningKey.sealBytes else { return nil }
    var seal: [UInt8] = []
    seal.reserveCapacity(SigningKey.sealBytes)
    for start in stride(from: field.startIndex, to: field.endIndex, by: 2) {
      guard let byte = word(field[start..<start + 2]) else { return nil }
      seal.append(UInt8(truncatingIfNeeded: byte))
    }
    return seal
  }

  private typealias Field = ArraySlice<UInt8>

  /// Digits without a zero in front, so that no number has two spellings.
  private static func number(_ field: Field) -> Int? {
    guard (1...9).contains(field.count), field.allSatisfy({ (0x30...0x39).contains($0) }),
      field.count == 1 || field.first != 0x30
    else { return nil }
    return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func isTime(_ field: some Collection<UInt8>) -> Bool {
    let pattern = "0000-00-00T00:00:00Z".utf8
    return field.count == pattern.count
      && zip(field, pattern).allSatisfy { byte, wanted in
        wanted == 0x30 ? (0x30...0x39).contains(byte) : byte == wanted
      }
  }

  private static func hashes(_ field: Field) -> [SHA256.Sum]? {
    if field.elementsEqual("-".utf8) { return [] }
    // Most recordings have one track.
    if let hash = SHA256.Sum(field) { return [hash] }
    let parts = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let hashes = parts.compactMap { SHA256.Sum($0) }
    return hashes.count == parts.count && hashes.count <= mostHashes ? hashes : nil
  }
}

/// The identity of a recording, as its file's `REEL_ID` has it.
public struct RecordingID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  public init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  init?(_ field: ArraySlice<UInt8>) {
    guard field.count == 36, case let start = field.startIndex,
      [8, 13, 18, 23].allSatisfy({ field[start + $0] == UInt8(ascii: "-") }),
      let first = word(field[start..<start + 8]),
      let second = word(field[start + 9..<start + 13]),
      let third = word(field[start + 14..<start + 18]),
      let fourth = word(field[start + 19..<start + 23]),
      let last = word(field[(start + 24)...])
    else { return nil }
    self.init(high: first << 32 | second << 16 | third, low: fourth << 48 | last)
  }

  public var description: String {
    let digits = Array(sixteen(high) + sixteen(low))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  public static func < (left: RecordingID, right: RecordingID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension SHA256.Sum {
  /// The sum of no bytes, which the first line of a manifest has before it.
  public static let ofNothing = SHA256().sum

  /// Nil unless the text is 64 lowercase hexadecimal digits.
  public init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  init?(_ field: ArraySlice<UInt8>) {
    guard field.count == 64, case let start = field.startIndex,
      let first = word(field[start..<start + 16]),
      let second = word(field[start + 16..<start + 32]),
      let third = word(field[start + 32..<start + 48]),
      let fourth = word(field[(start + 48)...])
    else { return nil }
    self.init(first, second, third, fourth)
  }
}

/// The value of at most 16 lowercase hexadecimal digits; nil if one is none.
private func word(_ digits: ArraySlice<UInt8>) -> UInt64? {
  var word: UInt64 = 0
  for byte in digits {
    guard let digit = hexadecimal(byte) else { return nil }
    word = word << 4 | UInt64(digit)
  }
  return word
}

private func hexadecimal(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x61...0x66: byte - 0x57
  default: nil
  }
}

private func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

private func sixteen(_ word: UInt64) -> String {
  let digits = String(word, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
