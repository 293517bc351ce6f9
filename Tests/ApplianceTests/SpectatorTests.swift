// A technician who looks at the recorder's screen from another terminal, and one who goes to and
// fro in a flight log: what each sees and types, and in what state the terminal is left.

import Console
import Emulator
import Glibc
import Recorder
import Testing

/// A program in a terminal of its own.
private final class Viewer {
  let terminal: PseudoTerminal
  let child: Child
  private(set) var screen = Emulator()
  private let settingsBefore: [UInt8]
  private let scratch: Scratch

  init(_ scratch: Scratch, _ program: String, _ arguments: [String]) throws {
    self.scratch = scratch
    terminal = try PseudoTerminal(columns: screen.columns, rows: screen.rows)
    settingsBefore = terminal.settings
    child = try Child(
      program, arguments, environment: scratch.environment, directory: scratch.path + "/here",
      output: .terminal(terminal.name), errors: .file(scratch.path + "/viewer-errors"))
  }

  deinit { child.end() }

  var errors: String { scratch.contents("viewer-errors") }

  func look() { screen.feed(terminal.read()) }

  func see(_ texts: String..., line: Int = #line) throws {
    try until("\(texts), wanted in line \(line), seen:\n\(screen.text.joined(separator: "\n"))") {
      look()
      return texts.allSatisfy { text in screen.text.contains { $0.contains(text) } }
    }
  }

  func resize(columns: Int, rows: Int) {
    look()
    screen.resize(columns: columns, rows: rows)
    screen.fill(with: "#")
    terminal.resize(columns: columns, rows: rows)
  }

  /// Waits for the end; the terminal must be as it was.
  func ending(line: Int = #line) throws -> Child.Ending {
    try until("the end of a viewer, wanted in line \(line)") {
      look()
      return child.hasEnded()
    }
    look()
    #expect(terminal.settings == settingsBefore && !screen.isAlternate && screen.showsCursor)
    #expect(screen.unknown == [])
    return child.ending ?? .killed(0)
  }
}

@Suite actor SpectatorTests: Desk {
  nonisolated let chair = Chair()

  private func viewer(_ seat: Seat, _ more: String...) throws -> Viewer {
    let socket = seat.scratch.root + "/run/control.sock"
    let words = ["--socket", socket, "watch", "--screen"] + more
    return try Viewer(seat.scratch, Talker.reelctl, words)
  }

  @Test("the panel's screen is seen from another terminal as it changes; keys do nothing")
  func panel() throws {
    let seat = try Seat.ready()
    let viewer = try viewer(seat)
    try viewer.see("Reel  Recordings", "■ Ready", " dB", "watching the panel   q ends")
    viewer.terminal.type("r")
    seat.type("r")
    try viewer.see("● RECORDING")
    seat.type("r")
    try viewer.see("■ Ready")
    viewer.terminal.type("q")
    #expect(try viewer.ending() == .exited(0) && viewer.errors == "")
    #expect(seat.scratch.soundFiles.count == 1)
  }

  @Test("another size is drawn anew; one that is too small says so, and comes back")
  func sizes() throws {
    let seat = try Seat.ready()
    let viewer = try viewer(seat, "--console", "1")
    try viewer.see("■ Ready", "watching console 1")
    viewer.resize(columns: 100, rows: 30)
    try until("a picture of 100 by 30") {
      viewer.look()
      return viewer.screen.text[29].hasPrefix("watching") && viewer.screen.text[2].count == 100
    }
    viewer.resize(columns: 30, rows: 4)
    try viewer.see("Too small: 20 x 6 needed")
    viewer.resize(columns: 40, rows: 12)
    try viewer.see("■ Ready")
    // The dashboard itself keeps its own size and its dialog is seen by the spectator.
    seat.type("n")
    try seat.see("Name of the new folder:")
    try viewer.see("Name of the new folder:")
    viewer.terminal.type("\u{3}")
    #expect(try viewer.ending() == .exited(0))
  }

  @Test("a daemon that goes away is told in a sentence, and a signal restores the terminal")
  func gone() throws {
    let seat = try Seat.ready()
    let (viewer, other) = (try viewer(seat), try viewer(seat))
    try viewer.see("■ Ready")
    try other.see("■ Ready")
    other.child.send(SIGTERM)
    #expect(try other.ending() == .exited(128 + SIGTERM))
    seat.child.send(SIGKILL)
    _ = try seat.ending()
    #expect(try viewer.ending() == .exited(69))
    #expect(viewer.errors.hasSuffix("has gone away in the middle\n"))
  }

  @Test("without a terminal the screen is printed once; an unknown console is a sentence")
  func printed() throws {
    let talk = try Talker()
    let text = try talk.say("watch", "--screen")
    #expect(text.contains("■ Ready") && !text.contains("\u{1B}") && text.hasPrefix("Reel  "))
    let view = try talk.json(ScreenView.self, "watch", "--screen")
    #expect(view.rows.count == 24)
    let unknown = try talk.run("watch", "--screen", "--console", "77")
    #expect(unknown.ending == .exited(66))
    #expect(unknown.errors == "reelctl: There is no console 77; a screen is there of the panel.\n")
    let alone = try talk.run("watch", "--console", "1")
    #expect(alone.ending == .exited(64) && alone.errors.contains("--screen"))
  }
}

@Suite actor TravelScreenTests: Desk {
  nonisolated let chair = Chair()

  /// The root of an appliance that was killed while it recorded.
  private func wreck() throws -> Scratch {
    let seat = try Seat.ready()
    seat.type("r")
    try seat.see("● RECORDING")
    seat.type("m")
    try seat.see("1 marked")
    seat.child.send(SIGKILL)
    #expect(try seat.ending() == .killed(SIGKILL))
    return seat.scratch
  }

  private func viewer(_ scratch: Scratch, _ more: String...) throws -> Viewer {
    try Viewer(scratch, Scratch.reeld, ["--replay", scratch.flightLog, "--screens"] + more)
  }

  @Test("keys go to and fro, and each moment has its screen")
  func keys() throws {
    let scratch = try wreck()
    let viewer = try viewer(scratch)
    try viewer.see("status   recording:", "● RECORDING", "1 marked", "← → action")
    viewer.terminal.type("\u{1B}[H")
    try viewer.see("action 0 of 0 to", "\"zone\"", "status   ")
    viewer.terminal.type("/\"marked\"\r")
    try viewer.see("● RECORDING", "1 marked")
    viewer.terminal.type(Seat.left)
    try until("the moment before the mark") {
      viewer.look()
      return !viewer.screen.text.contains { $0.contains("1 marked") }
    }
    viewer.terminal.type("?")
    try viewer.see("ten actions back, forward")
    viewer.resize(columns: 30, rows: 8)
    try viewer.see("Too small: 40 x 14 needed")
    viewer.resize(columns: 100, rows: 30)
    viewer.terminal.type(" ")
    try viewer.see("● RECORDING")
    viewer.terminal.type("q")
    #expect(try viewer.ending() == .exited(0) && viewer.errors == "")
  }

  @Test("a signal ends it, and the terminal is restored", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(number: Int32) throws {
    let viewer = try viewer(try wreck(), "--at", "3")
    try viewer.see("action 3 of 0 to")
    viewer.child.send(number)
    #expect(try viewer.ending() == .exited(128 + number))
  }

  @Test("without a terminal a moment is printed; a bad file or number is a sentence")
  func printed() throws {
    let scratch = try wreck()
    let log = scratch.flightLog
    let last = try scratch.runReeld("--replay", log, "--screens")
    #expect(last.ending == .exited(0) && last.errors == "" && !last.output.contains("\u{1B}"))
    #expect(last.output.contains("● RECORDING") && last.output.contains("1 marked"))
    let first = try scratch.runReeld("--replay", log, "--screens", "--at", "0")
    #expect(first.output.hasPrefix("action 0 of 0 to ") && first.output.contains("\"zone\""))

    let beyond = try scratch.runReeld("--replay", log, "--screens", "--at", "999999")
    #expect(beyond.ending == .exited(65) && beyond.output == "")
    #expect(beyond.errors == "reeld: the log ends before action 999999\n")
    let garbage = try scratch.make("garbage", scratch.bytes(log).prefix(1000))
    for (file, code) in [(garbage, Int32(65)), (scratch.path + "/none", 66)] {
      let result = try scratch.runReeld("--replay", file, "--screens")
      #expect(result.ending == .exited(code) && isSentence(result.errors), "\(result.errors)")
    }
  }
}
