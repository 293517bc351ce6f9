// Proves that the loop's thread of the real program never makes a call that may wait for the card.
// A preloaded library logs thread, name and path of each such call while the test uses everything
// that touches files. With --root, all files of the program are on the card.

import FoundationEssentials
import Glibc
import Testing

@Suite actor LoopWaitsTests: Desk {
  nonisolated let chair = Chair()

  /// Beside these tests, where `swift build` put it.
  private static let recorder =
    String(Scratch.reeld.dropLast("reeld".count)) + "libCallRecorder.so"

  /// Calls that may wait, whatever their path.
  private static let waiting: Set<String> = ["fsync", "fdatasync", "syncfs", "connect", "flock"]

  @Test("once it is ready, the loop's thread makes no call that may wait for the card")
  func noneWaits() throws {
    // given an appliance on a card of its own
    let scratch = Scratch()
    try #require(access(Self.recorder, R_OK) == 0)
    let seat = try Seat(
      scratch,
      environment: ["LD_PRELOAD": Self.recorder, "REEL_CALLS": scratch.path + "/calls"])
    try seat.see("■ Ready", " dB")
    let start = scratch.contents("calls").count
    // when a user records, marks, files, renames, deletes, plays and changes the volume
    seat.type("n", "Küche", Seat.enter)
    try seat.see("▸ Küche")
    seat.type("r")
    try seat.see("● RECORDING")
    seat.type("m")
    try seat.see("1 marked")
    try seat.stop()
    try seat.see("■ Ready")
    try control(scratch)
    // and the state is saved, and the configuration read again
    try until("the state is kept") {
      scratch.calls(from: start).contains {
        $0.name == "fsync" && $0.path.hasSuffix("state.json.new")
      }
    }
    seat.child.send(SIGHUP)
    try until("the configuration is read") {
      scratch.calls(from: start).contains { $0.path.hasSuffix("/etc/reel.json") }
    }
    // then the loop's thread has called nothing on the card
    let seen = scratch.calls(from: start)
    let waits = seen.filter { call in
      call.thread == "main"
        && (Self.waiting.contains(call.name) || call.path.hasPrefix(scratch.root))
    }
    #expect(waits.isEmpty, "\(waits.map { "\($0.name) \($0.path)" })")
    // and the call recorder does see calls on the card
    #expect(seen.contains { $0.thread == "reel-card" && $0.path.hasPrefix(scratch.root) })
    #expect(scratch.calls().contains { $0.thread == "main" && $0.path.hasPrefix(scratch.root) })
  }

  /// Runs every client command that touches files.
  private func control(_ scratch: Scratch) throws {
    let environment = scratch.environment.merging(
      ["REEL_SOCKET": scratch.root + "/run/control.sock"]) { $1 }
    for words in [
      ["status"], ["ls"], ["info", "1"], ["rename", "1", "Anna"], ["play", "1"], ["volume", "30"],
      ["export", "1", scratch.path + "/out.wav"], ["import", scratch.path + "/out.wav"],
      ["flight", "--last", "3"], ["rm", "1", "--yes"],
    ] {
      let child = try Child(
        Talker.reelctl, words, environment: environment, directory: scratch.path,
        output: .file(scratch.path + "/output"), errors: .file(scratch.path + "/errors"))
      let result = try scratch.result(of: child)
      #expect(result.ending == .exited(0), "\(words): \(result.errors)")
    }
  }
}

private struct Call {
  let thread: String
  let name: String
  let path: String
}

extension Scratch {
  fileprivate func calls(from start: Int = 0) -> [Call] {
    contents("calls").dropFirst(start).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      return words.count == 3 ? Call(thread: words[0], name: words[1], path: words[2]) : nil
    }
  }
}
