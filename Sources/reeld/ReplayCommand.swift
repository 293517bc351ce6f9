// `reeld --replay FILE`: a flight log run again without hardware, for stepping through a fault of
// the field at a desk. Prints a line for each action; reads one file and writes to standard output.

import FoundationEssentials
import Glibc
import Loop
import Realtime
import Recorder

enum ReplayCommand {
  /// Exit codes as in sysexits.
  static func run(file: String, at wanted: Int?) -> Int32 {
    guard let bytes = FileManager.default.contents(atPath: file) else {
      complain("cannot read \(file): \(systemWords(for: errno))")
      return 66
    }
    do {
      let hasReached = try replay(Array(bytes), at: wanted)
      if let wanted, !hasReached {
        complain("the log ends before action \(wanted)")
        return 65
      }
      return 0
    } catch {
      complain("\(file): \(error)")
      return 65
    }
  }

  /// Whether the action asked for was there.
  private static func replay(_ bytes: [UInt8], at wanted: Int?) throws -> Bool {
    var hasReached = false
    var first: Int64?
    try Replay<Appliance>(bytes).run { event, state in
      if case .action(let index, let action, _, _) = event {
        first = first ?? action.stamp.monotonicNanoseconds
        if index == wanted {
          hasReached = true
          print(try json(state, isPretty: true))
          return false
        }
      }
      if wanted == nil { try print(line(for: event, since: first ?? 0)) }
      return true
    }
    return hasReached
  }

  private static func line(for event: Replay<Appliance>.Event, since first: Int64) throws -> String
  {
    switch event {
    case .checkpoint(let digest, let agrees):
      return "-- checkpoint  state \(digest)\(agrees ? "" : "  DIFFERS from the state reached")"
    case .elided(let what):
      return "-- not kept: \(what); states from here on may differ from what was"
    case .action(let index, let action, let commands, let digest):
      let microseconds = (action.stamp.monotonicNanoseconds &- first) / 1000
      let seconds = "\(microseconds / 1_000_000).\(padded(microseconds % 1_000_000))"
      let given = try commands.map { try json($0) }.joined(separator: " ")
      return "\(index)  +\(seconds)  \(try json(action.action))  ->  \(given)  state \(digest)"
    }
  }

  private static func padded(_ microseconds: Int64) -> String {
    let digits = String(microseconds)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  private static func json(_ value: some Encodable, isPretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// One sentence on standard error, under the program's name.
func complain(_ sentence: String) {
  let line = Array("reeld: \(sentence)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
