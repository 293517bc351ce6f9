// Proves that a client sees the panel's or a console's screen as the heart draws it, then each
// change of it; that it holds up nobody when it does not read; and that the end is told.

import Recorder
import Testing

@testable import Console

@Suite struct WireScreensTests {
  /// A socket with a dashboard as console 1.
  private static func rig() throws -> WireRig {
    let rig = try WireRig()
    rig.bench.send(
      .console(.opened(ConsoleDescription(id: 1, kind: .terminal, access: .control))))
    return rig
  }

  private static func client(of rig: WireRig) throws -> Caller {
    let client = try rig.client()
    _ = try client.next()
    return client
  }

  private static func view(_ reply: WireReply?, _ id: Int) throws -> ScreenView {
    guard case .now(id, .screen(let view)) = reply else {
      throw Unexpected(reply: reply)
    }
    return view
  }

  private struct Unexpected: Error { let reply: WireReply? }

  @Test("the panel's screen comes at once, in the size that was asked for, and when it changes")
  func panel() throws {
    let rig = try Self.rig()
    let client = try Self.client(of: rig)
    let id = try client.ask(.watch(.screen(.panel, columns: 60, rows: 12)))
    let first = try Self.view(try client.next(), id)
    #expect(first == ScreenView(of: .panel, columns: 60, rows: 12, in: rig.bench.state))
    #expect(first.rows.count == 12 && first.text.contains("■ Ready"))

    rig.bench.send(.request(.take(.start(title: "Kitchen")), from: .panel))
    let second = try Self.view(try client.next(), id)
    #expect(second.text.contains("● RECORDING") && second.text.contains("Kitchen"))
    // While it records, time passes without another action.
    let before = rig.bench.state.now
    #expect(rig.turn { rig.bench.state.now > before })
  }

  @Test("a console's screen has its dialog, and ends with the console")
  func console() throws {
    let rig = try Self.rig()
    let client = try Self.client(of: rig)
    rig.bench.send(.console(.key(1, .character("n"))))
    let id = try client.ask(.watch(.screen(.console(1), columns: 80, rows: 24)))
    #expect(try Self.view(try client.next(), id).text.contains("Name of the new folder:"))
    rig.bench.send(.console(.closed(1)))
    #expect(try client.next() == .end(id, "gone"))
  }

  @Test("the protocol's lines are as documented, and a size may be missing")
  func lines() throws {
    let rig = try Self.rig()
    let client = try Self.client(of: rig)
    client.write(#"{"id":5,"watch":{"screen":"panel"}}"# + "\n")
    #expect(try Self.view(try client.next(), 5).rows.count == 24)
    client.write(#"{"id":6,"unwatch":5}"# + "\n")
    #expect(try client.next() == .end(5, "unwatched"))
    #expect(try client.next() == .ok(6, .told("")))
    client.write(#"{"id":7,"watch":{"screen":1,"columns":30,"rows":-9}}"# + "\n")
    #expect(try Self.view(try client.next(), 7).rows.count == 5)
  }

  @Test(
    "a console without a screen, one that is not there, and a second screen are refused",
    arguments: [
      (#"{"screen":2}"#, "notFound", "Console 2 shows no screen;"),
      (#"{"screen":77}"#, "notFound", "There is no console 77;"),
      (#"{"screen":"roof"}"#, "badRequest", "A screen is “panel” or the number of a console."),
      (#"{"screen":null}"#, "badRequest", ""),
    ])
  func refused(target: String, code: String, sentence: String) throws {
    let rig = try Self.rig()
    let client = try Self.client(of: rig)
    client.write(#"{"id":5,"watch":\#(target)}"# + "\n")
    guard case .error(_, let failure) = try client.next() else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == code && failure.sentence.hasPrefix(sentence), "\(failure)")
  }

  @Test("a connection watches one screen at a time")
  func one() throws {
    let rig = try Self.rig()
    let client = try Self.client(of: rig)
    let id = try client.ask(.watch(.screen(.panel, columns: 80, rows: 24)))
    _ = try Self.view(try client.next(), id)
    let other = try client.ask(.watch(.screen(.console(1), columns: 80, rows: 24)))
    guard case .error(other, let failure) = try client.next() else {
      Issue.record("a second screen")
      return
    }
    #expect(failure.code == "busy")
  }

  @Test("a client that does not read has one unread picture at most, then gets the newest")
  func slow() throws {
    let rig = try Self.rig()
    let client = try Self.client(of: rig)
    let id = try client.ask(.watch(.screen(.panel, columns: 500, rows: 200)))
    let quick = try Self.client(of: rig)
    let seen = try quick.ask(.watch(.screen(.panel, columns: 80, rows: 24)))
    _ = try quick.next()
    // Each picture is another for the one that reads; the other one's socket fills.
    var pictures = 0
    for number in 1...40 {
      rig.bench.send(.request(.deck(.volume(percent: number)), from: .panel))
      if case .now(seen, .screen) = try quick.next() { pictures += 1 }
    }
    #expect(pictures == 40)
    let queued = rig.socket?.clients.values.map(\.queuedBytes).max() ?? 0
    #expect(queued < 1 << 20)
    var last: ScreenView?
    while last?.text.contains("volume 40 %") != true, let reply = try client.next() {
      last = try Self.view(reply, id)
    }
    #expect(last?.rows.count == 200)
  }
}
