// The flight log as bytes: two segments written in turn, each a sequence of checksummed records. It
// writes to memory that the caller provides (a mapped file, whose contents survive a crash of the
// process without a system call per record). No I/O, no allocation while writing.
//
//   header, 64 bytes   "REELFLT2", segment size (u32 and its complement), zeros
//   segment, twice     generation (u32 and its complement; zeros: never used), records, a record
//                      of length 0
//   record             length (u32), checksum (u32), kind (u32), payload, padded to 4
//   shelf, two halves  rows that records refer to; see FlightShelf
//
// All numbers are little-endian. The older generation is read first. A record with a wrong checksum
// ends its segment: there the process died. A segment with a damaged generation is left out,
// because its place in the order is unknown.

/// What a record of the log holds.
public enum FlightRecordKind: UInt32, Sendable {
  /// The state at this point: where a replay can begin.
  case checkpoint = 1
  /// A stamped action.
  case action = 2
  /// Something too large to keep; the payload says what, in words.
  case elided = 3
}

/// The records of a flight log.
public struct FlightTape {
  static let magic: [UInt8] = Array("REELFLT2".utf8)
  static let headerBytes = 64
  static let recordHeaderBytes = 12
  static let generationBytes = 8
  static let endBytes = 4

  /// The smallest useful memory: two segments of some records each.
  public static let minimumBytes = 8 * 1024

  private let memory: UnsafeMutableRawBufferPointer
  private let segmentBytes: Int
  private var segment = 1
  private var generation: UInt32 = 0
  private var offset = 0

  /// Formats the first `tapeBytes` of the memory, by default all of it: their contents are lost.
  public init(formatting memory: UnsafeMutableRawBufferPointer, tapeBytes: Int? = nil) {
    let tapeBytes = tapeBytes ?? memory.count
    precondition(
      (Self.minimumBytes...memory.count).contains(tapeBytes), "a flight log needs at least 8 KiB")
    self.memory = memory
    segmentBytes = ((tapeBytes - Self.headerBytes) / 2) & ~7
    UnsafeMutableRawBufferPointer(rebasing: memory[..<tapeBytes])
      .initializeMemory(as: UInt8.self, repeating: 0)
    memory.copyBytes(from: Self.magic)
    store(Self.guarded(UInt32(segmentBytes)), at: Self.magic.count)
    turn()
  }

  /// The payload that the largest record may hold.
  var roomBytes: Int {
    segmentBytes - Self.generationBytes - Self.recordHeaderBytes - Self.endBytes
  }

  /// What is left in this segment for one more record's payload.
  var freeBytes: Int { segmentBytes - offset - Self.recordHeaderBytes - Self.endBytes }

  /// Starts writing over the older segment.
  mutating func turn() {
    segment = 1 - segment
    generation &+= 1
    offset = Self.generationBytes
    store(UInt32(0), at: base + offset)  // first, so that the new segment has no old records
    store(Self.guarded(generation), at: base)
  }

  /// Appends a record if it fits.
  mutating func append(_ kind: FlightRecordKind, _ payload: some Collection<UInt8>) -> Bool {
    if payload.count > freeBytes { return false }
    let start = base + offset
    let body = start + Self.recordHeaderBytes
    let end = offset + Self.recordHeaderBytes + (payload.count + 3) & ~3
    UnsafeMutableRawBufferPointer(rebasing: memory[body..<body + payload.count])
      .copyBytes(from: payload)
    store(Checksum.of(memory[body..<body + payload.count]), at: start + 4)
    store(kind.rawValue, at: start + 8)
    if end + Self.endBytes <= segmentBytes { store(UInt32(0), at: base + end) }
    store(UInt32(payload.count), at: start)  // last: an incomplete record does not count
    offset = end
    return true
  }

  /// Returns a number with its complement above it, so that a flipped bit is detected.
  private static func guarded(_ number: UInt32) -> UInt64 {
    UInt64(number) | UInt64(~number) << 32
  }

  private var base: Int { Self.headerBytes + segment * segmentBytes }

  private func store<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    memory.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}

/// CRC-32 as in Ethernet and zip, so that other tools can check a log.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { bits, _ in
      bits & 1 == 1 ? 0xEDB8_8320 ^ (bits >> 1) : bits >> 1
    }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }
  }
}

/// One record read back.
public struct FlightRecord: Equatable, Sendable {
  public let kind: FlightRecordKind
  public let payload: [UInt8]
}

/// Why a flight log cannot be read.
public enum FlightLogError: Error, Equatable, CustomStringConvertible {
  case notAFlightLog
  case damagedHeader
  case noCheckpoint
  case unreadable(record: Int, why: String)

  public var description: String {
    switch self {
    case .notAFlightLog: "this is not a flight log"
    case .damagedHeader: "this flight log's header is damaged; nothing in it can be found"
    case .noCheckpoint: "this flight log holds no checkpoint, so there is no state to begin from"
    case .unreadable(let record, let why):
      "record \(record) of the flight log cannot be read by this version of Reel: \(why)"
    }
  }
}

extension FlightTape {
  /// Returns the records of each segment, older segment first, in the order they were written. Of a
  /// truncated log, those that are there.
  public static func read(_ bytes: [UInt8]) throws(FlightLogError) -> [[FlightRecord]] {
    guard bytes.count >= headerBytes, Array(bytes[0..<magic.count]) == magic else {
      throw .notAFlightLog
    }
    guard let size = loadGuarded(bytes, magic.count), size > generationBytes else {
      throw .damagedHeader
    }
    let segments = (0..<2).map {
      Array(bytes.dropFirst(headerBytes + $0 * Int(size)).prefix(Int(size)))
    }
    return segments.compactMap { segment in loadGuarded(segment, 0).map { ($0, segment) } }
      .sorted { $0.0 < $1.0 }
      .map { records(in: $0.1) }
  }

  /// How many bytes of a log `isDamaged` needs.
  public static let magicAndSizeBytes = 16

  /// Returns whether the header of a log, of this version or another, is damaged. Nothing in such a
  /// log can be found.
  public static func isDamaged(beginning bytes: [UInt8]) -> Bool {
    bytes.prefix(7) != magic.prefix(7) || loadGuarded(bytes, magic.count) == nil
  }

  private static func loadGuarded(_ bytes: [UInt8], _ offset: Int) -> UInt32? {
    guard let both = load(UInt64.self, bytes, offset) else { return nil }
    let number = UInt32(truncatingIfNeeded: both)
    return guarded(number) == both ? number : nil
  }

  private static func records(in segment: [UInt8]) -> [FlightRecord] {
    var records: [FlightRecord] = []
    var offset = generationBytes
    while let length = load(UInt32.self, segment, offset), length > 0,
      let checksum = load(UInt32.self, segment, offset + 4),
      let kind = load(UInt32.self, segment, offset + 8).flatMap(FlightRecordKind.init),
      Int(length) <= segment.count - offset - recordHeaderBytes
    {
      let body = offset + recordHeaderBytes
      let payload = segment[body..<body + Int(length)]
      guard Checksum.of(payload) == checksum else { break }
      records.append(FlightRecord(kind: kind, payload: Array(payload)))
      offset = body + (Int(length) + 3) & ~3
    }
    return records
  }

  private static func load<Number: FixedWidthInteger>(
    _ type: Number.Type, _ bytes: [UInt8], _ offset: Int
  ) -> Number? {
    guard offset >= 0, offset + MemoryLayout<Number>.size <= bytes.count else { return nil }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}
