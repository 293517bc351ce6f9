// The part of a flight log that holds rows: two halves behind the tape's segments, written in turn.
// A half begins with its base, a batch of all rows; batches of new and changed rows follow. A
// segment of the tape refers to one half only, and a new half begins only at a checkpoint that
// begins a segment, so the rows of the older segment are still there. No I/O.

/// Where a batch of rows is in the log.
struct ShelfPlace: Codable, Equatable {
  /// In bytes from the beginning of the log.
  let offset: Int
  let byteCount: Int
  let checksum: UInt32
  let rowCount: Int

  private enum CodingKeys: String, CodingKey {
    case offset = "at"
    case byteCount = "bytes"
    case checksum = "sum"
    case rowCount = "rows"
  }
}

struct FlightShelf {
  private let memory: UnsafeMutableRawBufferPointer
  private let start: Int
  let halfBytes: Int
  private var half = 1
  private var used = 0

  /// `memory` is the whole log.
  init(_ memory: UnsafeMutableRawBufferPointer, from start: Int) {
    self.memory = memory
    self.start = start
    halfBytes = (memory.count - start) / 2
  }

  /// Starts writing over the other half.
  mutating func turn() {
    half = 1 - half
    used = 0
  }

  /// Writes a batch. Returns nil if it does not fit into the half or the limit.
  mutating func append(
    rowCount: Int, limitBytes: Int = .max, _ write: (inout RowWriter) -> Void
  ) -> ShelfPlace? {
    let offset = start + half * halfBytes + used
    let room = UnsafeMutableRawBufferPointer(
      rebasing: memory[offset..<offset + min(limitBytes, halfBytes - used)])
    var writer = RowWriter(room)
    write(&writer)
    if writer.isOverfull { return nil }
    used += writer.count
    return ShelfPlace(
      offset: offset, byteCount: writer.count,
      checksum: Checksum.of(room.prefix(writer.count)), rowCount: rowCount)
  }

  /// Returns a reader of the beginning of a batch, which holds the keys of its rows.
  func keys(of place: ShelfPlace) -> RowReader {
    let byteCount = min(place.byteCount, 32 + 16 * place.rowCount)
    return RowReader(Array(memory[place.offset..<place.offset + byteCount]))
  }

  /// Returns a reader of a batch in the bytes of a log; nil if it is damaged or overwritten.
  static func reader(of place: ShelfPlace, in log: [UInt8]) -> RowReader? {
    guard place.offset >= 0, place.byteCount >= 0, place.offset <= log.count,
      place.byteCount <= log.count - place.offset
    else { return nil }
    let bytes = Array(log[place.offset..<place.offset + place.byteCount])
    return Checksum.of(bytes) == place.checksum ? RowReader(bytes) : nil
  }
}

/// A state as a checkpoint holds it: its outline, and where its rows are.
struct LoggedState<State: Codable>: Codable {
  let state: State
  let rows: [ShelfPlace]
}

/// A stamped action as the log holds it.
struct LoggedAction<Action: Codable>: Codable {
  let stamp: Stamp
  let action: Action
  let rows: ShelfPlace?

  private enum CodingKeys: String, CodingKey {
    case stamp = "at"
    case action = "do"
    case rows
  }
}
