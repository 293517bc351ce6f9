// Rows as bytes: numbers of variable length, texts, and texts without the prefix they share with
// another. The writer writes straight into the flight log's memory, allocates nothing and stops at
// its end; the reader accepts any bytes and never traps. Used on the loop's thread, and by a
// replay.

/// Writes the fields of rows.
public struct RowWriter {
  private let memory: UnsafeMutableRawBufferPointer
  public private(set) var count = 0
  /// True if the rows did not fit: the written bytes are then useless.
  public private(set) var isOverfull = false

  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  public mutating func byte(_ value: UInt8) {
    guard count < memory.count else {
      isOverfull = true
      return
    }
    memory[count] = value
    count += 1
  }

  /// Writes eight bytes, for random numbers.
  public mutating func word(_ value: UInt64) {
    guard memory.count - count >= 8 else {
      isOverfull = true
      return
    }
    memory.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  public mutating func key(_ key: RowKey) {
    word(key.high)
    word(key.low)
  }

  /// Writes seven bits per byte, the lowest first.
  public mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(rest))
  }

  /// Writes small numbers of either sign in few bytes.
  public mutating func integer(_ value: Int64) {
    unsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  public mutating func integer(_ value: Int) { integer(Int64(value)) }

  public mutating func text(_ text: String) { self.text(text, like: "") }

  /// Writes the length of the prefix shared with `other`, and the rest.
  public mutating func text(_ text: String, like other: String) {
    var text = text
    var other = other
    text.withUTF8 { bytes in
      let shared = other.withUTF8 { Self.shared(bytes, $0) }
      unsigned(UInt64(shared))
      unsigned(UInt64(bytes.count - shared))
      let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[shared...]))
      guard memory.count - count >= rest.count else {
        isOverfull = true
        return
      }
      UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + rest.count])
        .copyMemory(from: rest)
      count += rest.count
    }
  }
}

extension RowWriter {
  /// Returns the length of the shared prefix.
  private static func shared(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let limit = min(left.count, right.count)
    var count = 0
    while count < limit, left[count] == right[count] { count += 1 }
    return count
  }
}

/// Why rows cannot be read.
public enum RowError: Error {
  /// The bytes end in the middle of a row, or no writer wrote them.
  case damaged
}

/// Reads rows. Each function throws `RowError.damaged` rather than trap.
public struct RowReader: Sendable {
  private let bytes: [UInt8]
  private var offset = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var isAtEnd: Bool { offset == bytes.count }

  public mutating func byte() throws(RowError) -> UInt8 {
    guard offset < bytes.count else { throw .damaged }
    defer { offset += 1 }
    return bytes[offset]
  }

  public mutating func word() throws(RowError) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw .damaged }
    defer { offset += 8 }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  public mutating func key() throws(RowError) -> RowKey {
    RowKey(high: try word(), low: try word())
  }

  public mutating func unsigned() throws(RowError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      let bits = UInt64(next & 0x7F)
      guard (bits << shift) >> shift == bits else { throw .damaged }
      value |= bits << shift
      if next & 0x80 == 0 { return value }
    }
    throw .damaged
  }

  /// Reads the number of things that follow and take at least a byte each.
  public mutating func count() throws(RowError) -> Int {
    let value = try unsigned()
    guard value <= UInt64(bytes.count - offset) else { throw .damaged }
    return Int(value)
  }

  public mutating func integer() throws(RowError) -> Int64 {
    let bits = try unsigned()
    return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
  }

  public mutating func integer() throws(RowError) -> Int {
    let value: Int64 = try integer()
    return Int(value)
  }

  public mutating func text() throws(RowError) -> String { try text(like: "") }

  public mutating func text(like other: String) throws(RowError) -> String {
    let (shared, length) = (try unsigned(), try count())
    guard shared <= UInt64(other.utf8.count) else { throw .damaged }
    let own = bytes[offset..<offset + length]
    offset += length
    return String(decoding: Array(other.utf8.prefix(Int(shared))) + own, as: UTF8.self)
  }
}
