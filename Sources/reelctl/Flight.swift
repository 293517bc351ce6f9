// The flight log as a person reads it: what happened, in order, with the time since the first of
// it. Reads the file itself; the appliance need not run.

import Console
import FoundationEssentials
import Glibc
import Loop
import Realtime
import Recorder

enum Flight {
  static func show(_ file: String, last: Int?, isJSON: Bool) throws(Trouble) -> Int32 {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Trouble(
        ExitCode.noInput, "cannot read \(file): \(systemWords(for: errno))")
    }
    var lines: [String] = []
    do {
      var first: Int64?
      try Replay<Appliance>(Array(data)).run { event, _ in
        lines.append(try line(for: event, since: &first, isJSON: isJSON))
        if let last, lines.count > last { lines.removeFirst() }
        return true
      }
    } catch { throw Trouble(ExitCode.badData, "\(file): \(error)") }
    for line in lines where !line.isEmpty { Output.write(line + "\n") }
    return 0
  }

  private static func line(
    for event: Replay<Appliance>.Event, since first: inout Int64?, isJSON: Bool
  ) throws -> String {
    switch event {
    case .checkpoint: return isJSON ? "" : "-- from here on"
    case .elided(let what): return isJSON ? "" : "-- not kept: \(what)"
    case .action(let index, let action, let commands, _):
      let start = first ?? action.stamp.monotonicNanoseconds
      first = start
      let doing = String(decoding: try JSONLine.encode(action.action), as: UTF8.self)
      if isJSON {
        return #"{"index":\#(index),"wall":\#(action.stamp.wallMilliseconds),"action":\#(doing)}"#
      }
      let milliseconds = (action.stamp.monotonicNanoseconds - start) / 1_000_000
      let wall = CalendarDate(
        WallTime(milliseconds: action.stamp.wallMilliseconds), utcOffsetSeconds: 0)
      let thousandths = "\(1000 + milliseconds % 1000)".dropFirst()
      let given = try commands.map { String(decoding: try JSONLine.encode($0), as: UTF8.self) }
      let tail = given.isEmpty ? "" : "  ->  " + given.joined(separator: " ")
      return "\(index)  \(wall.iso8601)  +\(milliseconds / 1000).\(thousandths)  \(doing)\(tail)"
    }
  }
}
