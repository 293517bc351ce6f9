// The file that says how a take goes on after a crash: it is read back as it was written, and
// unreadable lines cost the take its place but never its sound.

import Recorder
import Testing

@testable import reeld

@Suite struct CrashMarkerTests {
  private static let boot = ItemID(high: 0xB007, low: 1)
  private static let (outer, inner) = (ItemID(high: 1, low: 7), ItemID(high: 1, low: 8))
  private static let before = ItemID(high: 2, low: 9)

  private static let continuations = [
    TakeContinuation(),
    TakeContinuation(path: [outer, inner], continues: before, part: 3, title: "Choir, second set"),
    TakeContinuation(continues: before, part: 2, title: "end"),
    TakeContinuation(title: "part 5"), TakeContinuation(title: "Ünïcode 🎤"),
  ]

  @Test("A written marker is read back the same", arguments: continuations)
  func roundTrip(continuation: TakeContinuation) {
    let text = CrashMarker.text(of: continuation, in: Self.boot)
    #expect(CrashMarker.continuation(of: text, in: Self.boot) == continuation)
  }

  @Test("A marker of another boot continues nothing")
  func otherBoot() {
    let text = CrashMarker.text(of: Self.continuations[1], in: Self.boot)
    #expect(CrashMarker.continuation(of: text, in: ItemID(high: 0xB007, low: 2)) == nil)
    #expect(CrashMarker.continuation(of: "", in: Self.boot) == nil)
  }

  @Test("A truncated marker counts as of another boot, or the take goes on as a new one")
  func torn() {
    let text = CrashMarker.text(of: Self.continuations[1], in: Self.boot)
    for length in 0..<text.utf8.count {
      let torn = String(decoding: text.utf8.prefix(length), as: UTF8.self)
      let read = CrashMarker.continuation(of: torn, in: Self.boot)
      #expect(read == nil || read == TakeContinuation(), "\(torn)")
    }
  }

  @Test(
    "A take goes on despite unreadable lines",
    arguments: [
      "folder x", "folder", "part many", "part 99999999999999999999", "links a b", "continues 1",
      "title", "\0", "boot",
    ])
  func nonsense(line: String) {
    let text = "boot \(Self.boot)\n\(line)\nend\n"
    #expect(CrashMarker.continuation(of: text, in: Self.boot) == TakeContinuation())
  }
}
