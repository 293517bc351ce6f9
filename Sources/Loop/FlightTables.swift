// How a program gives the flight log access to the tables in its state, so that it keeps them as
// rows: a table of 10,000 rows is written once and referred to, not repeated by every checkpoint.
// Pure functions, called on the loop's thread by the recorder and at a desk by the replay.

/// Identifies a row for as long as it exists.
public struct RowKey: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The large tables of a state, kept as rows.
public protocol FlightTables {
  associatedtype State
  associatedtype Action

  /// Returns the state without its rows. Must not copy a table.
  static func outline(_ state: State) -> State
  static func rowCount(_ state: State) -> Int
  /// Returns the revision of the row that changed last.
  static func revision(_ state: State) -> UInt64
  /// Writes every row. A batch begins with two lists of keys, each preceded by its count: the
  /// removed rows, here none, and the rows that follow.
  static func write(_ state: State, to writer: inout RowWriter)
  /// Writes the rows that changed after a revision, and the keys of the base's rows that are gone.
  /// `base` reads the base's two lists of keys.
  static func writeChanges(
    _ state: State, after revision: UInt64, base: RowReader, to writer: inout RowWriter)
  /// Puts the rows into an outline: those of the first batch, changed by those of the next.
  static func restore(_ batches: [RowReader], to outline: inout State) throws

  /// Returns how many rows an action brings; 0 if it is small enough to be logged as it is.
  static func rowCount(_ action: Action) -> Int
  static func outline(_ action: Action) -> Action
  static func write(_ action: Action, to writer: inout RowWriter)
  static func restore(_ rows: RowReader, to outline: inout Action) throws

  /// Calls `body` for each row that changed after a revision; 0: for each row.
  static func eachRow(
    of state: State, after revision: UInt64, _ body: (RowKey, any Encodable) throws -> Void
  ) rethrows
  static func hasRow(_ key: RowKey, in state: State) -> Bool
}

/// For a program without tables.
public enum NoTables<State, Action>: FlightTables {
  public static func outline(_ state: State) -> State { state }
  public static func rowCount(_ state: State) -> Int { 0 }
  public static func revision(_ state: State) -> UInt64 { 0 }
  public static func write(_ state: State, to writer: inout RowWriter) {}
  public static func writeChanges(
    _ state: State, after revision: UInt64, base: RowReader, to writer: inout RowWriter
  ) {}
  public static func restore(_ batches: [RowReader], to outline: inout State) throws {}
  public static func rowCount(_ action: Action) -> Int { 0 }
  public static func outline(_ action: Action) -> Action { action }
  public static func write(_ action: Action, to writer: inout RowWriter) {}
  public static func restore(_ rows: RowReader, to outline: inout Action) throws {}
  public static func eachRow(
    of state: State, after revision: UInt64, _ body: (RowKey, any Encodable) throws -> Void
  ) rethrows {}
  public static func hasRow(_ key: RowKey, in state: State) -> Bool { false }
}

/// The digest of a whole state, rows included. After a step, only rows with a new revision are
/// digested again; at a checkpoint all are, so that a change without a revision shows there.
struct StateDigest<P: Program> {
  private var rows: [RowKey: UInt64] = [:]
  private var sum: UInt64 = 0
  private var revision: UInt64 = 0

  static func whole(_ state: P.State) throws -> Digest {
    var digest = StateDigest()
    return try digest.next(state)
  }

  mutating func next(_ state: P.State) throws -> Digest {
    // The number of rows is compared, too: a take that fails before the card is open is removed,
    // and no folder's row changes with it.
    if revision == 0 || revision != P.Tables.revision(state)
      || rows.count != P.Tables.rowCount(state)
    {
      try follow(state)
    }
    let outline = try Digest(of: P.Tables.outline(state))
    return rows.isEmpty ? outline : Digest(bits: Digest.stir(outline.bits ^ Digest.stir(sum)))
  }

  private mutating func follow(_ state: P.State) throws {
    try P.Tables.eachRow(of: state, after: revision) { key, row in
      let bits = try Digest(of: row).bits
      let member = Digest.stir(bits ^ Digest.stir(key.high ^ Digest.stir(key.low)))
      sum = sum &- (rows.updateValue(member, forKey: key) ?? 0) &+ member
    }
    if rows.count != P.Tables.rowCount(state) {
      for (key, member) in rows where !P.Tables.hasRow(key, in: state) {
        sum = sum &- member
        rows[key] = nil
      }
    }
    revision = P.Tables.revision(state)
  }
}
