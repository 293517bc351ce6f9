// Lines of the control socket, from a client with control access and one with status access: each
// line is answered, and each command to its end; the client with status access changes nothing; and
// the next client is served.

import JSON
import Recorder

@testable import Console

extension FuzzTarget {
  static let control = FuzzTarget(
    name: "control", limitBytes: 4096,
    seeds: {
      let lines = [
        #"{"reel":1,"id":3,"do":["ls","/Interviews","--count","2"]}"#,
        #"{"id":4,"watch":{"folder":"/"}}"#, #"{"id":5,"unwatch":4}"#,
        #"{"id":5,"watch":"status"}"#,
        #"{"id":6,"watch":{"item":"11"}}"#, #"{"id":7,"watch":"levels"}"#,
        #"{"id":8,"do":["rename","11","x"]}"#, #"{"id":9,"do":["record","Aunt","Kathy"]}"#,
        #"{"id":10,"do":["stop"]}"#, ##"{"id":11,"do":["play","#7"]}"##,
      ]
      let verbs = CommandTable.commands.map { command in
        let words = command.name.split(separator: " ").map { "\"\($0)\"" }
        return "{\"id\":1,\"do\":[\(words.joined(separator: ","))]}"
      }
      return (lines + verbs + [lines.joined(separator: "\n")]).map { Array($0.utf8) }
    },
    run: { bytes in
      // Fewer lines than the allowed burst: the rate limit, which needs the real clock, is not
      // tested.
      let lines = bytes.split(separator: 10).prefix(100)
      let text = Array(lines.joined(separator: [10]))
      try talk(text, requests: requests(in: lines), mayChange: true)
      try talk(text, requests: requests(in: lines), mayChange: false)
    })

  private static func requests(in lines: ArraySlice<ArraySlice<UInt8>>) -> [WireRequest] {
    // A line that is not a request is answered with an error, which `judge` checks.
    lines.compactMap { try? JSON.decode(WireRequest.self, from: $0) }
  }

  private static func talk(_ text: [UInt8], requests: [WireRequest], mayChange: Bool) throws {
    let rig = try WireRig()
    let other = try rig.client()
    _ = try other.next()
    let client = mayChange ? try rig.client() : try rig.spectator()
    guard case .hello? = try client.next() else { throw Broken("nobody says hello") }
    let before = rig.bench.commands.count
    client.write(text + [10])
    var replies = try replies(to: client, until: 9_000_000_000_001)
    for _ in 0..<50 where !rig.bench.state.commands.isEmpty { rig.bench.expire() }
    if !client.isOver { replies += try Self.replies(to: client, until: 9_000_000_000_002) }
    try judge(replies, to: requests, isOver: client.isOver)
    if !mayChange { try proveLookedOnly(rig.bench.commands[before...]) }
    guard let answer = try other.answer("pwd"), case .told = answer else {
      throw Broken("the next client is not served")
    }
  }

  /// Returns all replies before the answer to our own request, or before the connection ends.
  private static func replies(to client: Caller, until fence: Int) throws -> [WireReply] {
    try client.ask(.command(["pwd"]), id: fence)
    var replies: [WireReply] = []
    while let reply = try client.next() {
      switch reply {
      case .ok(fence, _), .error(fence, _): return replies
      default: replies.append(reply)
      }
    }
    try prove(client.isOver, "no answer comes")
    return replies
  }

  private static func judge(
    _ replies: [WireReply], to requests: [WireRequest], isOver: Bool
  ) throws {
    var ends: [Int: Int] = [:]
    for reply in replies {
      switch reply {
      case .error(let id, let failure):
        try proveSaid(failure)
        if let id { ends[id, default: 0] += 1 }
      case .ok(let id, _): ends[id, default: 0] += 1
      default: break
      }
    }
    if isOver {
      guard case .error(nil, _)? = replies.last else { throw Broken("ended without a word") }
      return
    }
    for request in requests {
      guard case .command = request.body else { continue }
      try prove(ends[request.id, default: 0] > 0, "request \(request.id) is never answered")
    }
  }
}

/// Checks that only commands allowed for status access were emitted: reads, replies, announcements.
func proveLookedOnly(_ commands: ArraySlice<Command>) throws {
  for command in commands {
    switch command {
    case .console, .announce, .card(.read), .card(.work(_, .copies)),
      .card(.work(_, .manifest(.head))), .card(.work(_, .manifest(.about))):
      continue
    case .inquiry(.begin(.panel, _)), .inquiry(.begin(.configuration, _)),
      .inquiry(.begin(.flightLog, _)), .inquiry(.begin(.checkup(mayMeasure: false), _)),
      .inquiry(.stop):
      continue
    default: throw Broken("somebody who may only look caused \(command)")
    }
  }
}
