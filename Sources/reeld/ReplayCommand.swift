// `reeld --replay FILE`: runs a flight log again without hardware, to step through a fault from the
// field. Prints a line for each action; reads one file and writes to standard output.

import Glibc
import JSON
import Loop
import Realtime
import Recorder

enum ReplayCommand {
  /// Exit codes as in sysexits.
  static func run(file: String, at wanted: Int?) -> Int32 {
    guard let bytes = bytes(of: file) else { return 66 }
    do {
      let hasReached = try replay(bytes, at: wanted)
      if let wanted, !hasReached {
        logError("the log ends before action \(wanted)")
        return 65
      }
      return 0
    } catch {
      logError("\(file): \(error)")
      return 65
    }
  }

  /// Returns a flight log's bytes; nil, after an error line, if it cannot be read.
  static func bytes(of file: String) -> [UInt8]? {
    do throws(SmallFile.ReadError) {
      return try SmallFile.bytes(of: file, atMost: Replay<Appliance>.limitBytes)
    } catch {
      logError("cannot read \(file): \(error.words)")
      return nil
    }
  }

  /// Returns whether the action was in the log.
  private static func replay(_ bytes: [UInt8], at wanted: Int?) throws -> Bool {
    var hasReached = false
    var printer = ReplayPrinter()
    try Replay<Appliance>(bytes).run { event, state in
      if case .outcome(let index, _, _) = event, index == wanted {
        hasReached = true
        print(try json(state, isPretty: true))
        return false
      }
      if wanted == nil { try printer.show(event) }
      return true
    }
    return hasReached
  }

  fileprivate static func json(_ value: some Encodable, isPretty: Bool = false) throws -> String {
    String(decoding: try JSON.encode(value, isPretty ? .pretty : .line), as: UTF8.self)
  }
}

/// Prints an action before it is reduced, and what it led to afterwards on the same line: if the
/// reducer crashes, the last line names the action.
private struct ReplayPrinter {
  private var first: Int64?
  private var isInLine = false

  mutating func show(_ event: Replay<Appliance>.Event) throws {
    if isInLine, case .elided = event { end(line: "") }
    switch event {
    case .checkpoint(let digest, let agrees):
      end(line: "-- checkpoint  state \(digest)\(agrees ? "" : "  DIFFERS from the state reached")")
    case .elided(let what):
      end(line: "-- not kept: \(what); states from here on may differ from what was")
    case .action(let index, let action, let rowCount):
      let text = try ReplayCommand.json(action.action)
      let rows = rowCount == 0 ? "" : "  with \(rowCount) rows"
      print("\(index)  +\(seconds(of: action.stamp))  \(text)\(rows)", terminator: "")
      fflush(nil)
      isInLine = true
      #if DEBUG
        if getenv("REEL_REPLAY_CRASH").map({ String(cString: $0) }) == "\(index)" { abort() }
      #endif
    case .outcome(_, let commands, let digest):
      let given = try commands.map { try ReplayCommand.json($0) }.joined(separator: " ")
      end(line: "  ->  \(given)  state \(digest)")
    }
  }

  private mutating func end(line: String) {
    print(line)
    isInLine = false
  }

  /// Returns the time since the first action.
  private mutating func seconds(of stamp: Stamp) -> String {
    let start = first ?? stamp.monotonicNanoseconds
    first = start
    let microseconds = (stamp.monotonicNanoseconds &- start) / 1000
    return "\(microseconds / 1_000_000).\(padded(microseconds % 1_000_000))"
  }

  private func padded(_ microseconds: Int64) -> String {
    let digits = String(microseconds)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}
