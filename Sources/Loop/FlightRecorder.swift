// Writes what happens into a flight log, on the loop's thread, before it is reduced. A segment
// always begins with a checkpoint of the state, so that a replay has somewhere to begin. It makes
// text of actions (JSON: what was written by one version can be read by the next and by a person),
// and never does I/O.

import FoundationEssentials

public final class FlightRecorder<P: Program> {
  private var tape: FlightTape
  private var hasCheckpoint = false
  private let encoder = JSONEncoder()

  /// Begins a new log in this memory, which must stay where it is as long as the recorder lives.
  public init(memory: UnsafeMutableRawBufferPointer) {
    tape = FlightTape(formatting: memory)
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Writes an action that is about to be reduced.
  func record(_ action: Stamped<P.Action>, before state: P.State) {
    if !hasCheckpoint { checkpoint(state) }
    let payload = encode(action)
    if payload.count > tape.roomBytes / 4 {
      return elide("an action of \(payload.count) bytes", before: state)
    }
    if tape.append(.action, payload) { return }
    turn(state)
    if !tape.append(.action, payload) { elide("an action", before: state) }
  }

  /// Moves on to the next segment early, while there is time for a checkpoint.
  func tidy(_ state: P.State) {
    if tape.isMostlyFull { turn(state) }
  }

  private func turn(_ state: P.State) {
    tape.turn()
    checkpoint(state)
  }

  private func checkpoint(_ state: P.State) {
    hasCheckpoint = true
    let limitBytes = tape.roomBytes / 2
    let weightBytes = P.weightBytes(of: state)
    if weightBytes <= limitBytes {
      let payload = encode(state)
      if payload.count <= limitBytes, tape.append(.checkpoint, payload) { return }
    }
    note("a checkpoint of about \(weightBytes) bytes")
  }

  private func elide(_ what: String, before state: P.State) {
    if note(what) { return }
    turn(state)
    note(what)
  }

  @discardableResult
  private func note(_ what: String) -> Bool { tape.append(.elided, Array(what.utf8)) }

  /// Values of a program are plain and always encode; if one ever does not, the log says so rather
  /// than stop the program that it is there to explain.
  private func encode(_ value: some Encodable) -> [UInt8] {
    do { return Array(try encoder.encode(value)) } catch {
      return Array("{\"unencodable\":\"\(type(of: value))\"}".utf8)
    }
  }
}
