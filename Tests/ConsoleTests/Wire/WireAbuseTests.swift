// Hostile and broken clients: noise, cut lines, nesting, floods, and clients that never read. The
// appliance answers in sentences, stays bounded, and goes on serving other clients.

import Glibc
import JSON
import Recorder
import Testing

@testable import Console

@Suite struct WireAbuseTests {
  private func greeted(_ rig: WireRig) throws -> Caller {
    let client = try rig.client()
    _ = try client.next()
    return client
  }

  @Test(
    "a line that is no request is answered with an error",
    arguments: [
      "x", "{}", "[]", "null", "7", "\"do\"", #"{"id":1}"#, #"{"id":"1","do":[]}"#,
      #"{"id":1e99,"do":["ls"]}"#, #"{"id":123456789012345678901234567890,"do":["ls"]}"#,
      #"{"id":1,"do":"ls"}"#, #"{"id":1,"do":[1]}"#, #"{"id":1,"do":["ls""#,
      #"{"id":1,"watch":"moon"}"#, #"{"id":1,"watch":{}}"#, #"{"id":1,"do":["\ud800"]}"#,
      String(repeating: "[", count: 60_000), String(repeating: #"{"a":"#, count: 10_000),
    ])
  func notARequest(_ line: String) throws {
    let rig = try WireRig()
    let client = try greeted(rig)
    client.write(line + "\n")
    guard case .error(_, let failure) = try client.next() else {
      Issue.record("taken: \(line.prefix(40))")
      return
    }
    #expect(!failure.sentence.isEmpty)
    #expect(try client.answer("pwd") == .told("/"))
  }

  @Test("an empty command and one of many words are answered")
  func oddCommands() throws {
    let rig = try WireRig()
    let client = try greeted(rig)
    try client.ask(.command([]), id: 1)
    guard case .error(1, _) = try client.next() else {
      Issue.record("nothing was done")
      return
    }
    try client.ask(.command(Array(repeating: "x", count: 10_000)), id: 2)
    guard case .error(2, _) = try client.next() else {
      Issue.record("no answer to many words")
      return
    }
    #expect(try client.answer("pwd") == .told("/"))
  }

  @Test("invalid UTF-8 is refused, and harms no client")
  func utf8() throws {
    let rig = try WireRig()
    let client = try greeted(rig)
    client.write(
      Array(#"{"id":1,"do":["info",""#.utf8) + [0xFF, 0xC0, 0x80] + Array("\"]}\n".utf8))
    guard case .error = try client.next() else {
      Issue.record("no answer")
      return
    }
    #expect(try client.answer("pwd") == .told("/"))
  }

  @Test(
    "a key that is not UTF-8, or holds a zero, is refused, and the appliance lives",
    arguments: [
      Array("{\"".utf8) + [0xFF] + Array("\":1}".utf8), Array(#"{"\u0000":1}"#.utf8),
      Array("{\"".utf8) + [0] + Array("\":1}".utf8), Array(#"{"\ud800":1}"#.utf8),
    ] as [[UInt8]])
  func oddKeys(line: [UInt8]) throws {
    // Given a client that was greeted
    let rig = try WireRig()
    let client = try greeted(rig)
    // When it sends the line, then it is answered with an error, and the next request is served
    client.write(line + [10])
    guard case .error(nil, let failure) = try client.next() else {
      Issue.record("no error")
      return
    }
    #expect(failure.code == "badRequest" && failure.sentence.hasPrefix("That is no request: "))
    #expect(try client.answer("pwd") == .told("/"))
  }

  @Test("a line in pieces is put together")
  func pieces() throws {
    let rig = try WireRig()
    let client = try greeted(rig)
    for byte in Array(#"{"id":5,"do":["pwd"]}"#.utf8) + [10] {
      client.write([byte])
      _ = try rig.loop.runOneTurn(waitingAtMostMilliseconds: 1)
    }
    #expect(try client.next() == .ok(5, .told("/")))
  }

  @Test("an endless line is refused in a sentence")
  func endless() throws {
    let rig = try WireRig()
    let client = try greeted(rig)
    let chunk = [UInt8](repeating: 0x61, count: 8192)
    _ = rig.turn {
      client.write(chunk)
      client.read()
      return client.isOver
    }
    guard case .error(nil, let failure) = try client.next() else {
      Issue.record("no sentence")
      return
    }
    #expect(failure.code == "lineTooLong")
  }

  @Test("noise ends the connection, not the appliance", arguments: 0..<8)
  func noise(_ seed: Int) throws {
    let rig = try WireRig()
    let other = try greeted(rig)
    let client = try greeted(rig)
    var generator = Seeded(UInt64(seed) + 77)
    #expect(
      rig.turn {
        var bytes = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
        if seed % 2 == 0 { bytes = awkwardBytes(4096, using: &generator) + [10] }
        client.write(bytes)
        client.read()
        return client.isOver
      })
    #expect(try other.answer("pwd") == .told("/"))
  }

  @Test("requests changed at random are answered or refused, and the next one is served")
  func mutations() throws {
    var generator = Seeded(4711)
    let seeds = [
      #"{"reel":1,"id":3,"do":["ls","/Interviews","--count","2"]}"#,
      #"{"id":4,"watch":{"folder":"/"}}"#, #"{"id":5,"unwatch":4}"#,
      #"{"id":6,"do":["rename","11","x"]}"#,
    ]
    let rig = try WireRig()
    for _ in 0..<60 {
      let client = try greeted(rig)
      for _ in 0..<6 {
        var line = Array((seeds.randomElement(using: &generator) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let index = Int.random(in: 0..<line.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: line[index] = UInt8.random(in: 0...255, using: &generator)
          case 1: line.remove(at: index)
          default: line.insert(line[line.count / 2], at: index)
          }
        }
        client.write(line + [10])
      }
      _ = try rig.loop.runOneTurn(waitingAtMostMilliseconds: 1)
    }
    let last = try greeted(rig)
    #expect(try last.answer("pwd") == .told("/"))
  }

  @Test("a client that asks and never reads is disconnected, and others are served meanwhile")
  func neverReads() throws {
    let rig = try WireRig()
    let other = try greeted(rig)
    let client = try rig.client()
    let line = try JSON.encode(WireRequest(id: 1, .command(["help"]))) + [10]
    var count = 0
    #expect(
      rig.turn {
        client.write(line)
        count += 1
        return rig.socket?.clients.count == 1 || client.isOver
      })
    #expect(try other.answer("pwd") == .told("/"))
  }

  @Test("a hundred megabytes of noise leave memory as it was, and others are served")
  func flood() throws {
    let rig = try WireRig()
    let other = try greeted(rig)
    var generator = Seeded(9)
    let noise = (0..<(1 << 16)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let before = residentBytes()
    var sent = 0
    while sent < 100 << 20 {
      let client = try rig.client()
      let isGone = rig.turn {
        sent += client.write(noise)
        client.read()
        return client.isOver || sent >= 100 << 20
      }
      try #require(isGone)
      if sent % (16 << 20) < noise.count { #expect(try other.answer("pwd") == .told("/")) }
    }
    #expect(try other.answer("pwd") == .told("/"))
    #expect(residentBytes() - before < 64 << 20)
  }

  private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
  }
}
