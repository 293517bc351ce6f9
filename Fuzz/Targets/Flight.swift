// Flight logs from the field: a log reads back as it was written, a damaged one is read as far as
// possible, and one with invalid records is refused with a sentence or replayed to its end.

import JSON
import Recorder

@testable import Loop

extension FuzzTarget {
  /// After a 0, a log as it is; after a 1, sections that become records: a digit for the kind, and
  /// the payload.
  static let flight = FuzzTarget(
    name: "flight", limitBytes: 8192,
    seeds: {
      let stamp = Stamp(
        monotonicNanoseconds: 5_000_000_000, wallMilliseconds: 1_795_183_402_000, freshHigh: 1,
        freshLow: 2)
      let actions: [Action] = [
        .tick, .host(.booted(Boot(id: ItemID(high: 7, low: 7), version: "1.0"))),
        .sound(.opened(CaptureInfo(name: "Mic", rate: 48_000, channels: 1))),
        .card(.opened(CardReport(nextSequence: 41))),
        .request(.take(.start(title: "Aunt")), from: .panel), .request(.take(.stop), from: .panel),
        .request(.deck(.seek(.by(milliseconds: 5000))), from: .panel),
        .console(.opened(ConsoleDescription(id: 2, kind: .serial, access: .control))),
        .console(.keys(2, [.character("l"), .enter])),
        .card(.space(freeBytes: 1 << 30, totalBytes: 1 << 31)),
      ]
      var records: [[UInt8]] = []
      for action in actions {
        records.append([0x32] + (try JSON.encode(Stamped(action, at: stamp))))
      }
      let state: [UInt8] = [0x31] + (try JSON.encode(LoggedState(state: State(), rows: [])))
      let note: [UInt8] = [0x33, 0x21]
      let parts: [[[UInt8]]] = [records, [state, records[0], note]] + records.map { [$0] }
      let raw = Array(log(of: records).prefix(6000))
      return parts.map { [1] + .sections($0) } + [[0] + raw]
    },
    run: { bytes in
      guard let kind = bytes.first else { return }
      let rest = Array(bytes.dropFirst())
      if kind & 1 == 0 { return try replay(rest) }
      let records = rest.sections.prefix(40).filter { $0.count > 1 }
      let written = log(of: Array(records))
      let read = try FlightTape.read(written).flatMap { $0 }.dropFirst()
      try prove(
        read.map(\.payload) == records.map { Array($0.dropFirst()) },
        "a log is not what was written")
      try replay(written)
    })

  /// Makes a log that begins with the state of an appliance that was just switched on.
  private static func log(of records: [[UInt8]]) -> [UInt8] {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { memory.deallocate() }
    var tape = FlightTape(formatting: memory)
    // The initial state can always be encoded; without it there would be nothing to replay.
    let state = (try? JSON.encode(LoggedState(state: State(), rows: []))) ?? []
    _ = tape.append(.checkpoint, state)
    for record in records {
      let kind = FlightRecordKind(rawValue: UInt32(record.first ?? 0) &- 0x30) ?? .action
      _ = tape.append(kind, record.dropFirst())
    }
    return Array(memory)
  }

  private static func replay(_ bytes: [UInt8]) throws {
    do {
      try Replay<Appliance>(bytes).run { event, state in
        switch event {
        case .action(_, let action, _): _ = try JSON.encode(action)
        case .outcome(_, let commands, _): _ = try JSON.encode(commands)
        case .checkpoint, .elided: break
        }
        try checkState(state)
        return true
      }
    } catch let error as FlightLogError {
      try prove(!error.description.isEmpty, "no sentence")
    }
  }
}
