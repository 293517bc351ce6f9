// Long work of the recorder's for a browser that has left: it is cancelled by its ticket. The
// recorder is a socket that this test answers; everything runs in this test's loop.
import Console
import Glibc
import Scratch
import Systemd
import Testing

@testable import Web

@Suite final class CancelTests {
  private let loop: EventLoop
  private let pool: CommandPool
  private let scratch = ScratchFolder()
  private let listener: SocketFile

  init() throws {
    loop = try EventLoop()
    listener = try SocketFile.listen(at: scratch.path + "/recorder.sock") { _ in }
    pool = CommandPool(to: scratch.path + "/recorder.sock", count: 1, on: loop)
  }

  /// The recorder's side of the only connection, after its greeting and a first command.
  private func greet() throws -> Int32 {
    pool.connect()
    var recorder: Int32 = -1
    try wait("a connection") {
      recorder = accept(listener.descriptor, nil, nil)
      return recorder >= 0
    }
    say(#"{"hello":{},"reel":1}"#, on: recorder)
    try wait("the greeting to be heard") {
      var isAway = false
      pool.ask(["first"]) { if case .away = $0 { isAway = true } }
      return !isAway
    }
    #expect(try line(on: recorder).contains(#""do":["first"]"#))
    return recorder
  }

  private func say(_ line: String, on recorder: Int32) {
    let bytes = Array(line.utf8) + [10]
    #expect(send(recorder, bytes, bytes.count, 0) == bytes.count)
  }

  /// What the recorder is asked next.
  private func line(on recorder: Int32) throws -> String {
    var bytes: [UInt8] = []
    try wait("a line") {
      var byte: UInt8 = 0
      while bytes.last != 10, recv(recorder, &byte, 1, Int32(MSG_DONTWAIT)) == 1 {
        bytes.append(byte)
      }
      return bytes.last == 10
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  private func wait(_ what: String, until isDone: () -> Bool) throws {
    for _ in 0..<1000 {
      if isDone() { return }
      _ = try loop.runOneTurn(waitingAtMostMilliseconds: 10)
    }
    Issue.record("never happened: \(what)")
  }

  @Test("work that has a ticket is cancelled by it")
  func running() throws {
    let recorder = try greet()
    let work = LongWork(pool)
    var (answers, isHeard) = (0, false)
    pool.ask(["export"], work: work) { _ in answers += 1 }
    #expect(try line(on: recorder).contains(#""do":["export"]"#))
    say(#"{"id":2,"part":{"progress":{"permille":1,"ticket":7}}}"#, on: recorder)
    // what comes behind the ticket has come when this has
    pool.ask(["status"]) { _ in isHeard = true }
    #expect(try line(on: recorder).contains("status"))
    say(#"{"id":3,"ok":{}}"#, on: recorder)
    try wait("the answer") { isHeard }
    // when the browser leaves, then the recorder is told, once
    work.cancel()
    work.cancel()
    #expect(try line(on: recorder).contains(#""do":["cancel","7"]"#))
    say(#"{"id":2,"error":{"code":"failed","sentence":"Cancelled."}}"#, on: recorder)
    try wait("the end") { answers == 1 }
    pool.ask(["status"]) { _ in }
    #expect(try line(on: recorder).contains("status"))
  }

  @Test("work that has no ticket yet is cancelled when it gets one; what is over is left alone")
  func early() throws {
    let recorder = try greet()
    let (work, done) = (LongWork(pool), LongWork(pool))
    var answers = 0
    pool.ask(["export"], work: work) { _ in }
    pool.ask(["export"], work: done) { _ in answers += 1 }
    _ = try (line(on: recorder), line(on: recorder))
    work.cancel()
    say(#"{"id":3,"part":{"progress":{"permille":1,"ticket":8}}}"#, on: recorder)
    say(#"{"id":3,"ok":{}}"#, on: recorder)
    try wait("its end") { answers == 1 }
    done.cancel()
    say(#"{"id":2,"part":{"progress":{"permille":1,"ticket":9}}}"#, on: recorder)
    #expect(try line(on: recorder).contains(#""do":["cancel","9"]"#))
  }
}
