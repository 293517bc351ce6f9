// Reads one record of a flight log, with the rows it refers to. The replay that runs once and the
// history that goes to and fro both use it. A pure function of the log's bytes, used at a desk.

import JSON

/// One record of a flight log, as a replay performs it.
enum ReplayStep<P: Program> {
  case checkpoint(P.State)
  case elided(String)
  /// The action as the log holds it, without its rows, and with them.
  case action(Stamped<P.Action>, rowCount: Int, Whole)

  /// An action with its rows, or which rows are missing.
  enum Whole {
    case action(P.Action)
    case missing(String)
  }

  /// - Parameter number: of the action, for the sentence about a record that cannot be read.
  static func read(
    _ record: FlightRecord, number: Int, in log: [UInt8]
  ) throws(FlightLogError) -> ReplayStep {
    switch record.kind {
    case .elided: return .elided(String(decoding: record.payload, as: UTF8.self))
    case .checkpoint: return checkpoint(try decode(record, number), in: log)
    case .action: return action(try decode(record, number), in: log)
    }
  }

  private static func checkpoint(_ logged: LoggedState<P.State>, in log: [UInt8]) -> ReplayStep {
    var batches: [RowReader] = []
    for place in logged.rows {
      guard let batch = FlightShelf.reader(of: place, in: log) else {
        return .elided("a checkpoint whose rows are damaged")
      }
      batches.append(batch)
    }
    var state = logged.state
    do { try P.Tables.restore(batches, to: &state) } catch {
      return .elided("a checkpoint whose rows cannot be read")
    }
    return .checkpoint(state)
  }

  private static func action(_ logged: LoggedAction<P.Action>, in log: [UInt8]) -> ReplayStep {
    let outline = Stamped(logged.action, at: logged.stamp)
    guard let place = logged.rows else {
      return .action(outline, rowCount: 0, .action(logged.action))
    }
    func step(_ whole: Whole) -> ReplayStep {
      .action(outline, rowCount: place.rowCount, whole)
    }
    guard let rows = FlightShelf.reader(of: place, in: log) else {
      return step(.missing("\(place.rowCount) rows that are damaged"))
    }
    var action = logged.action
    do { try P.Tables.restore(rows, to: &action) } catch {
      return step(.missing("\(place.rowCount) rows that cannot be read"))
    }
    return step(.action(action))
  }

  private static func decode<Value: Decodable>(
    _ record: FlightRecord, _ number: Int
  ) throws(FlightLogError) -> Value {
    do { return try JSON.decode(Value.self, from: record.payload) } catch {
      throw .unreadable(record: number, why: "\(error)")
    }
  }
}
