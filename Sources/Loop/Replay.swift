// A flight log run again, without the world: the same actions reduced from the same checkpoint,
// with the commands and a digest of the state after each. A pure function of the log's bytes.

import FoundationEssentials

public struct Replay<P: Program> {
  /// What a replay shows, in the order of the log.
  public enum Event {
    /// The state a replay begins from, or the one it should have reached here; `agrees` says
    /// whether it did.
    case checkpoint(digest: Digest, agrees: Bool)
    case action(index: Int, Stamped<P.Action>, commands: [P.Command], digest: Digest)
    /// Something was too large for the log: states from here on may differ from what was.
    case elided(String)
  }

  private let segments: [[FlightRecord]]

  public init(_ bytes: [UInt8]) throws(FlightLogError) {
    segments = try FlightTape.read(bytes)
  }

  /// Runs the log, telling each event and the state after it; stops early when told to.
  public func run(_ tell: (Event, P.State) throws -> Bool) throws {
    var state: P.State?
    var index = 0
    for record in segments.joined() {
      let event: Event
      switch record.kind {
      case .elided:
        event = .elided(String(decoding: record.payload, as: UTF8.self))
      case .checkpoint:
        event = try arrive(at: decode(P.State.self, record, index), &state)
      case .action where state == nil:
        continue
      case .action:
        event = try act(decode(Stamped<P.Action>.self, record, index), index, &state)
        index += 1
      }
      if let state, try !tell(event, state) { return }
    }
    if state == nil { throw FlightLogError.noCheckpoint }
  }

  private func arrive(at checkpoint: P.State, _ state: inout P.State?) throws -> Event {
    let digest = try Digest(of: checkpoint)
    let agrees = try state.map { try Digest(of: $0) == digest } ?? true
    state = checkpoint
    return .checkpoint(digest: digest, agrees: agrees)
  }

  private func act(
    _ action: Stamped<P.Action>, _ index: Int, _ state: inout P.State?
  ) throws -> Event {
    guard var next = state.take() else { throw FlightLogError.noCheckpoint }
    let commands = P.reduce(&next, action)
    let digest = try Digest(of: next)
    state = next
    return .action(index: index, action, commands: commands, digest: digest)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ record: FlightRecord, _ index: Int
  ) throws(FlightLogError) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(record.payload)) } catch {
      throw .unreadable(record: index, why: "\(error)")
    }
  }
}
