// Replays a flight log without effects: reduces the same actions from the same checkpoint, and
// reports the commands and a digest of the state after each. A pure function of the log's bytes.

import JSON

/// Runs a flight log again.
public struct Replay<P: Program> {
  /// Larger than any flight log: of a wrong file not more is read.
  public static var limitBytes: Int { 64 << 20 }

  /// What a replay shows, in the order of the log.
  public enum Event {
    /// The state the replay begins from, or the one it should have reached here; `agrees` says
    /// whether it did.
    case checkpoint(digest: Digest, agrees: Bool)
    /// The action that is reduced next; reported before, in case that crashes. It is as the log
    /// holds it, without its `rowCount` rows.
    case action(index: Int, Stamped<P.Action>, rowCount: Int)
    /// The result of the action.
    case outcome(index: Int, commands: [P.Command], digest: Digest)
    /// Something was too large for the log: from here on, states may differ from the original ones.
    case elided(String)
  }

  private let log: [UInt8]
  private let segments: [[FlightRecord]]

  /// Reads a log's records. Throws if its header is damaged or missing.
  public init(_ bytes: [UInt8]) throws(FlightLogError) {
    log = bytes
    segments = try FlightTape.read(bytes)
  }

  /// Returns the digest that a replay reports for this state.
  public static func digest(of state: P.State) throws -> Digest {
    try StateDigest<P>.whole(state)
  }

  /// Runs the log and passes each event to the closure, with the state at that moment. Stops when
  /// the closure returns false.
  public func run(_ tell: (Event, P.State) throws -> Bool) throws {
    var run = Run(log: log)
    for record in segments.joined() {
      if try !run.step(record, tell) { return }
    }
    if run.state == nil { throw FlightLogError.noCheckpoint }
  }

  private struct Run {
    let log: [UInt8]
    var state: P.State?
    private var digest = StateDigest<P>()
    private var index = 0

    init(log: [UInt8]) { self.log = log }

    /// Returns false if the closure did.
    mutating func step(
      _ record: FlightRecord, _ tell: (Event, P.State) throws -> Bool
    ) throws -> Bool {
      switch record.kind {
      case .elided:
        return try show(.elided(String(decoding: record.payload, as: UTF8.self)), tell)
      case .checkpoint: return try arrive(at: decode(record), tell)
      case .action:
        if state == nil { return true }
        defer { index += 1 }
        return try act(decode(record), tell)
      }
    }

    private func show(
      _ event: Event, _ tell: (Event, P.State) throws -> Bool
    ) rethrows -> Bool { try state.map { try tell(event, $0) } ?? true }

    private mutating func arrive(
      at logged: LoggedState<P.State>, _ tell: (Event, P.State) throws -> Bool
    ) throws -> Bool {
      var batches: [RowReader] = []
      for place in logged.rows {
        guard let batch = FlightShelf.reader(of: place, in: log) else {
          return try show(.elided("a checkpoint whose rows are damaged"), tell)
        }
        batches.append(batch)
      }
      var checkpoint = logged.state
      do { try P.Tables.restore(batches, to: &checkpoint) } catch is RowError {
        return try show(.elided("a checkpoint whose rows cannot be read"), tell)
      }
      digest = StateDigest()
      let bits = try digest.next(checkpoint)
      let agrees = try state.map { try StateDigest<P>.whole($0) == bits } ?? true
      state = checkpoint
      return try show(.checkpoint(digest: bits, agrees: agrees), tell)
    }

    private mutating func act(
      _ logged: LoggedAction<P.Action>, _ tell: (Event, P.State) throws -> Bool
    ) throws -> Bool {
      let outline = Stamped(logged.action, at: logged.stamp)
      let rowCount = logged.rows?.rowCount ?? 0
      if try !show(.action(index: index, outline, rowCount: rowCount), tell) { return false }
      var action = logged.action
      if let place = logged.rows {
        guard let rows = FlightShelf.reader(of: place, in: log) else {
          return try show(.elided("\(rowCount) rows that are damaged"), tell)
        }
        do { try P.Tables.restore(rows, to: &action) } catch is RowError {
          return try show(.elided("\(rowCount) rows that cannot be read"), tell)
        }
      }
      guard var next = state.take() else { throw FlightLogError.noCheckpoint }
      let commands = P.reduce(&next, Stamped(action, at: logged.stamp))
      let bits = try digest.next(next)
      state = next
      return try show(.outcome(index: index, commands: commands, digest: bits), tell)
    }

    private func decode<Value: Decodable>(_ record: FlightRecord) throws(FlightLogError) -> Value {
      do { return try JSON.decode(Value.self, from: record.payload) } catch {
        throw .unreadable(record: index, why: "\(error)")
      }
    }
  }
}
