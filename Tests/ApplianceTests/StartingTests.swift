// Starting reeld: what it refuses and how it says so, where it puts things, and what it remembers
// from the last run.

import FoundationEssentials
import Glibc
import Testing

@Suite actor StartingTests: Desk {
  nonisolated let chair = Chair()

  @Test("help and version are on standard output")
  func help() throws {
    let scratch = Scratch()
    let help = try scratch.runReeld("--help")
    #expect(help.ending == .exited(0) && help.errors == "")
    #expect(help.output.contains("usage: reeld [--root DIR]"))
    let version = try scratch.runReeld("--version")
    #expect(version.ending == .exited(0))
    #expect(version.output.hasPrefix("reeld 0."))
  }

  @Test("a command line that is not understood is refused in a sentence")
  func mistake() throws {
    let scratch = Scratch()
    for words in [
      ["--mic", "tone"], ["--nonsense"], ["--virtual", "--root"], ["--replay", "x", "--at", "y"],
    ] {
      let result = try scratch.result(of: scratch.reeld(words))
      #expect(result.ending == .exited(64))
      #expect(isSentence(result.errors), "\(words): \(result.errors)")
      #expect(result.output == "")
    }
    #expect(scratch.everything(in: "here") == [])
  }

  @Test("a root that cannot be written is refused in a sentence")
  func unwritable() throws {
    let scratch = Scratch()
    let file = try scratch.make("file", Data())
    for root in ["/proc/reel", file, file + "/below"] {
      let result = try scratch.runReeld("--virtual", "--headless", "--root", root)
      #expect(result.ending == .exited(73))
      #expect(isSentence(result.errors) && result.errors.contains(root), "\(result.errors)")
    }
  }

  @Test("a second one in the same root is refused, and the first goes on")
  func second() throws {
    let seat = try Seat.ready()
    let other = Scratch()
    let result = try other.runReeld("--virtual", "--headless", "--root", seat.scratch.root)
    #expect(result.ending == .exited(75))
    #expect(isSentence(result.errors) && result.errors.contains("another reeld"))
    try seat.record(milliseconds: 100)
  }

  @Test("a root is free again when its reeld was killed")
  func freed() throws {
    let seat = try Seat.ready()
    seat.child.send(SIGKILL)
    #expect(try seat.ending() == .killed(SIGKILL))
    let next = try Seat.ready(seat.scratch)
    next.type("q")
    #expect(try next.ending() == .exited(0))
  }

  @Test("nothing is written outside the root")
  func nowhereElse() throws {
    let seat = try Seat.ready()
    try seat.record(milliseconds: 100)
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    for folder in ["home", "here", "tmp"] { #expect(seat.scratch.everything(in: folder) == []) }
    let top = seat.scratch.everything(in: ".").filter { !$0.contains("/") }
    #expect(top == ["complaints", "here", "home", "root", "tmp"])
  }

  @Test("without --root it uses the XDG state directory")
  func standardRoot() throws {
    let scratch = Scratch()
    let places = [
      ([:], "home/.local/state/reel-virtual"),
      (["XDG_STATE_HOME": scratch.path + "/xdg"], "xdg/reel-virtual"),
    ]
    for (environment, folder) in places {
      let child = try scratch.reeld(["--virtual", "--headless"], environment: environment)
      try until("a word on \(folder)") { scratch.contents("errors").contains(folder) }
      #expect(scratch.everything(in: folder).contains("recordings"))
      child.send(SIGTERM)
      #expect(try scratch.result(of: child).ending == .exited(0))
    }
  }

  @Test("the volume is kept across a restart")
  func remembered() throws {
    let seat = try Seat.ready()
    seat.type("-", "-")
    try seat.see("volume 70 %")
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    let next = try Seat(seat.scratch)
    try next.see("■ Ready", "volume 70 %")
  }

  @Test("an unreadable state.json is set aside and reported")
  func damagedMemory() throws {
    let scratch = Scratch()
    try scratch.make("root/state.json", Data("{\"volumePercent\":".utf8))
    let seat = try Seat.ready(scratch)
    try seat.see("volume 80 %")
    #expect(scratch.contents("root/state.json.damaged") == "{\"volumePercent\":")
    #expect(isSentence(seat.complaints))
    #expect(seat.complaints.contains("state.json.damaged"))
    try seat.see("keeps its state was damaged")
  }
}

/// Whether the text is one line that begins with the program's name.
func isSentence(_ text: String) -> Bool {
  text.hasPrefix("reeld: ") && text.hasSuffix("\n") && text.count { $0 == "\n" } == 1
    && text.count > 20 && text.count < 400
}
