// Prints the flight log for people: the actions in order, with the time since the first. Reads the
// file itself; the appliance need not run.

import Console
import Glibc
import JSON
import Loop
import Realtime
import Recorder

enum Flight {
  static func show(_ file: String, last: Int?, isJSON: Bool) throws(ExitError) -> Int32 {
    let bytes: [UInt8]
    do throws(SmallFile.ReadError) {
      bytes = try SmallFile.bytes(of: file, atMost: Replay<Appliance>.limitBytes)
    } catch { throw ExitError(ExitCode.noInput, "cannot read \(file): \(error.words)") }
    var lines: [String] = []
    do {
      var first: Int64?
      try Replay<Appliance>(bytes).run { event, _ in
        try add(event, to: &lines, since: &first, isJSON: isJSON)
        if let last, lines.count > last { lines.removeFirst() }
        return true
      }
    } catch { throw ExitError(ExitCode.badData, "\(file): \(error)") }
    for line in lines where !line.isEmpty { Output.write(line + "\n") }
    return 0
  }

  private static func add(
    _ event: Replay<Appliance>.Event, to lines: inout [String], since first: inout Int64?,
    isJSON: Bool
  ) throws {
    switch event {
    case .checkpoint: if !isJSON { lines.append("-- from here on") }
    case .elided(let what): if !isJSON { lines.append("-- not kept: \(what)") }
    case .outcome(_, let commands, _):
      if isJSON || commands.isEmpty || lines.isEmpty { return }
      let given = try commands.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
      lines[lines.count - 1] += "  ->  " + given.joined(separator: " ")
    case .action(let index, let action, let rowCount):
      lines.append(
        try line(for: action, index, rowCount: rowCount, since: &first, isJSON: isJSON))
    }
  }

  private static func line(
    for action: Stamped<Action>, _ index: Int, rowCount: Int, since first: inout Int64?,
    isJSON: Bool
  ) throws -> String {
    let start = first ?? action.stamp.monotonicNanoseconds
    first = start
    let doing = String(decoding: try JSON.encode(action.action), as: UTF8.self)
    if isJSON {
      let rows = rowCount == 0 ? "" : ",\"rows\":\(rowCount)"
      let wall = action.stamp.wallMilliseconds
      return #"{"index":\#(index),"wall":\#(wall),"action":\#(doing)\#(rows)}"#
    }
    let milliseconds = (action.stamp.monotonicNanoseconds - start) / 1_000_000
    let wall = CalendarDate(
      WallTime(milliseconds: action.stamp.wallMilliseconds), utcOffsetSeconds: 0)
    let thousandths = "\(1000 + milliseconds % 1000)".dropFirst()
    let rows = rowCount == 0 ? "" : "  with \(rowCount) rows"
    let since = "+\(milliseconds / 1000).\(thousandths)"
    return "\(index)  \(wall.iso8601)  \(since)  \(doing)\(rows)"
  }
}
