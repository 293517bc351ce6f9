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
      // Without a state, an action has nothing to act on, and is not counted.
      if state == nil, record.kind == .action { return true }
      switch try ReplayStep<P>.read(record, number: index, in: log) {
      case .elided(let what): return try show(.elided(what), tell)
      case .checkpoint(let state): return try arrive(at: state, tell)
      case .action(let outline, let rowCount, let whole):
        defer { index += 1 }
        return try act(outline, rowCount, whole, tell)
      }
    }

    private func show(
      _ event: Event, _ tell: (Event, P.State) throws -> Bool
    ) rethrows -> Bool { try state.map { try tell(event, $0) } ?? true }

    private mutating func arrive(
      at checkpoint: P.State, _ tell: (Event, P.State) throws -> Bool
    ) throws -> Bool {
      digest = StateDigest()
      let bits = try digest.next(checkpoint)
      let agrees = try state.map { try StateDigest<P>.whole($0) == bits } ?? true
      state = checkpoint
      return try show(.checkpoint(digest: bits, agrees: agrees), tell)
    }

    private mutating func act(
      _ outline: Stamped<P.Action>, _ rowCount: Int, _ whole: ReplayStep<P>.Whole,
      _ tell: (Event, P.State) throws -> Bool
    ) throws -> Bool {
      if try !show(.action(index: index, outline, rowCount: rowCount), tell) { return false }
      switch whole {
      case .missing(let what): return try show(.elided(what), tell)
      case .action(let action):
        guard var next = state.take() else { throw FlightLogError.noCheckpoint }
        let commands = P.reduce(&next, Stamped(action, at: outline.stamp))
        let bits = try digest.next(next)
        state = next
        return try show(.outcome(index: index, commands: commands, digest: bits), tell)
      }
    }
  }
}
