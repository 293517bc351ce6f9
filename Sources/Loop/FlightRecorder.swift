// Writes each action into a flight log, on the loop's thread, before it is reduced. A segment
// always begins with a checkpoint of the state, where a replay can begin. Actions and the state
// without its tables are written as JSON, which the next version and a person can read. The rows of
// tables go to the shelf. It never does I/O.

import JSON

/// Writes each action into a flight log.
public final class FlightRecorder<P: Program> {
  private var tape: FlightTape
  private var shelf: FlightShelf
  /// The batch of all rows that began this half of the shelf.
  private var base: (place: ShelfPlace, revision: UInt64)?
  private var hasCheckpoint = false

  /// Begins a new log in `memory`, which must stay valid as long as the recorder lives.
  public init(memory: UnsafeMutableRawBufferPointer, tapeBytes: Int? = nil) {
    let tapeBytes = tapeBytes ?? memory.count
    tape = FlightTape(formatting: memory, tapeBytes: tapeBytes)
    shelf = FlightShelf(memory, from: tapeBytes)
  }

  /// Writes an action that is about to be reduced.
  func record(_ action: Stamped<P.Action>, before state: P.State) {
    if !hasCheckpoint { checkpoint(state) }
    if P.Tables.rowCount(action.action) > 0 { return recordRows(action, before: state) }
    let payload = encode(LoggedAction(stamp: action.stamp, action: action.action, rows: nil))
    if payload.count > tape.roomBytes / 4 {
      return elide("an action of \(payload.count) bytes", before: state)
    }
    if tape.append(.action, payload) { return }
    turn(state)
    if !tape.append(.action, payload) { elide("an action", before: state) }
  }

  /// The rows go to the shelf first: the record that refers to them must find them.
  private func recordRows(_ action: Stamped<P.Action>, before state: P.State) {
    let outline = P.Tables.outline(action.action)
    // A turn between the rows and their record could begin a new half.
    if tape.freeBytes < 4096 { turn(state) }
    var place = shelve(action.action)
    if place == nil {
      turn(state, withNewHalf: true)
      place = shelve(action.action)
    }
    let payload = encode(LoggedAction(stamp: action.stamp, action: outline, rows: place))
    if place == nil || !tape.append(.action, payload) {
      elide("an action with \(P.Tables.rowCount(action.action)) rows", before: state)
    }
  }

  private func shelve(_ action: P.Action) -> ShelfPlace? {
    shelf.append(rowCount: P.Tables.rowCount(action)) { P.Tables.write(action, to: &$0) }
  }

  private func turn(_ state: P.State, withNewHalf: Bool = false) {
    if withNewHalf { base = nil }
    tape.turn()
    checkpoint(state)
  }

  private func checkpoint(_ state: P.State) {
    hasCheckpoint = true
    guard let rows = shelveRows(of: state) else {
      note("a checkpoint with \(P.Tables.rowCount(state)) rows")
      return
    }
    let limitBytes = tape.roomBytes / 2
    let outline = P.Tables.outline(state)
    let weightBytes = P.weightBytes(of: outline)
    if weightBytes <= limitBytes {
      let payload = encode(LoggedState(state: outline, rows: rows))
      if payload.count <= limitBytes, tape.append(.checkpoint, payload) { return }
    }
    note("a checkpoint of about \(weightBytes) bytes")
  }

  /// Writes the state's rows: the base of the shelf's half, if needed, and the changes since.
  /// Returns their places; nil if they do not fit.
  private func shelveRows(of state: P.State) -> [ShelfPlace]? {
    let rowCount = P.Tables.rowCount(state)
    if let base {
      let keys = shelf.keys(of: base.place)
      let changes = shelf.append(rowCount: rowCount, limitBytes: shelf.halfBytes / 8) {
        P.Tables.writeChanges(state, after: base.revision, base: keys, to: &$0)
      }
      if let changes { return [base.place, changes] }
    }
    base = nil
    if rowCount == 0 { return [] }
    shelf.turn()
    guard let all = shelf.append(rowCount: rowCount, { P.Tables.write(state, to: &$0) }) else {
      return nil
    }
    base = (all, P.Tables.revision(state))
    return [all]
  }

  private func elide(_ what: String, before state: P.State) {
    if note(what) { return }
    turn(state)
    note(what)
  }

  @discardableResult
  private func note(_ what: String) -> Bool { tape.append(.elided, Array(what.utf8)) }

  /// A program's values are plain and always encode. If one ever does not, the log says so: it must
  /// not stop the program that it is there to explain.
  private func encode(_ value: some Encodable) -> [UInt8] {
    do { return try JSON.encode(value) } catch {
      return Array("{\"unencodable\":\"\(type(of: value))\"}".utf8)
    }
  }
}
