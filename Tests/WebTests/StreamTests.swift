// One browser's stream: only the newest state is sent, and a browser that does not read is dropped.
// The hub has no recorder here.
import Systemd
import Testing

@testable import Web

@Suite struct StreamTests {
  private let hub: WatchHub

  init() throws {
    hub = try WatchHub(to: "/nowhere", on: try EventLoop(), log: { _ in })
  }

  /// Reads all that is there; nil if the connection is to be cut.
  private func read(_ stream: EventStream) -> String? {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1000)
    while true {
      let part = buffer.withUnsafeMutableBytes { stream.read(into: $0) }
      switch part {
      case .bytes(let count): text += buffer[..<count]
      case .later, .end: return String(decoding: text, as: UTF8.self)
      case .broken: return nil
      }
    }
  }

  private func open(_ session: String = "a", folder: String? = nil) throws -> EventStream {
    try #require(hub.open(session: session, folder: folder, wantsLevels: false))
  }

  @Test("what changed a thousand times before it was read is sent once")
  func newest() throws {
    let stream = try open()
    for _ in 0..<1000 { stream.note(.recorder) }
    let text = try #require(read(stream))
    #expect(text.hasPrefix("id: 1\nevent: hello\n"))
    #expect(text.split(separator: "\n").count { $0 == "event: recorder" } == 1)
    #expect(read(stream) == "")
    stream.note(.recorder)
    #expect(read(stream)?.hasPrefix("id: 3\nevent: recorder\n") == true)
  }

  @Test("a browser that leaves a megabyte unread is dropped")
  func dropped() throws {
    let stream = try open()
    #expect(read(stream) != nil)
    stream.loseFolder(String(repeating: "x", count: EventStream.queueLimitBytes - 1000))
    #expect(read(stream) != nil)
    stream.loseFolder(String(repeating: "x", count: EventStream.queueLimitBytes))
    #expect(read(stream) == nil)
  }

  @Test(
    "a silent stream is kept alive by a line that browsers ignore")
  func alive() throws {
    let stream = try open()
    #expect(read(stream) != nil)
    stream.keepAlive()
    #expect(read(stream) == ":\n\n")
  }

  @Test("a session has so many streams, and all browsers together so many folders")
  func limits() throws {
    let first = try open("a", folder: "f0")
    for number in 1..<WatchHub.foldersMaximum { _ = try open("s\(number)", folder: "f\(number)") }
    #expect(read(first)?.contains("event: reload") == false)
    // when one folder more is shown, the one that was come to least recently makes room
    _ = try open("b", folder: "more")
    #expect(read(first)?.contains("event: reload") == true)
    // and when one session opens too many, its oldest begins anew
    let oldest = try open("c")
    #expect(read(oldest) != nil)
    for _ in 0..<WatchHub.streamsOfSessionMaximum { _ = try open("c") }
    #expect(read(oldest)?.contains("event: reload") == true)
    // and there is an end for all
    var count = hub.streamCount
    while hub.open(session: "s\(count)", folder: nil, wantsLevels: true) != nil { count += 1 }
    #expect(count == WatchHub.streamsMaximum)
    hub.end(session: nil)
    first.end()
    #expect(hub.streamCount == WatchHub.streamsMaximum - 1)
  }
}
