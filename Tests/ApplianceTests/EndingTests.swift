// Every way an appliance may end: by a key, a signal, a closed terminal, SIGKILL. A take that is
// running is complete on the card afterwards, and the terminal gets its settings back.

import Glibc
import Testing

@Suite actor EndingTests: Desk {
  nonisolated let chair = Chair()

  @Test("q ends it, restores the terminal, and prints where the files are")
  func quit() throws {
    let seat = try Seat.ready()
    #expect(!seat.hasOldSettings)
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    #expect(seat.notGivenBack == [])
    #expect(seat.screen.text.contains { $0.hasPrefix("Reel kept everything in ") })
    #expect(seat.complaints == "")
  }

  @Test("Ctrl-C does what q does")
  func controlC() throws {
    let seat = try Seat.ready()
    seat.type("\u{3}")
    #expect(try seat.ending() == .exited(0))
    #expect(seat.notGivenBack == [])
  }

  @Test("q in a take asks first; no goes on, yes ends both well")
  func quitInTake() throws {
    let seat = try seatInTake()
    seat.type("q")
    try seat.see("A recording is running. End it and quit? y/n")
    seat.type("n")
    try seat.see("● RECORDING", "r stop")
    seat.type("q")
    try seat.see("End it and quit? y/n")
    seat.type("y")
    #expect(try seat.ending() == .exited(0))
    #expect(seat.notGivenBack == [])
    try expectCompleteTake(seat)
  }

  @Test("SIGTERM and SIGINT end a take well", arguments: [SIGTERM, SIGINT])
  func told(_ signal: Int32) throws {
    let seat = try seatInTake()
    seat.child.send(signal)
    #expect(try seat.ending() == .exited(0))
    #expect(seat.notGivenBack == [])
    try expectCompleteTake(seat)
  }

  @Test("SIGHUP ends nothing")
  func hangup() throws {
    let seat = try seatInTake()
    seat.child.send(SIGHUP)
    seat.type("m")
    try seat.see("1 marked", "● RECORDING")
    #expect(!seat.child.hasEnded())
  }

  @Test("a window that is closed ends the take well")
  func closedWindow() throws {
    let seat = try seatInTake()
    seat.terminal.closeWindow()
    #expect(try seat.ending() == .exited(0))
    try expectCompleteTake(seat)
  }

  @Test("a terminal with stopped output does not hold up the end")
  func heldTerminal() throws {
    let seat = try seatInTake()
    seat.terminal.holdOutput(true)
    seat.child.send(SIGTERM)
    #expect(try seat.ending() == .exited(0))
    #expect(seat.hasOldSettings)
    try expectCompleteTake(seat)
  }

  @Test("a window that is not read does not hold up the end")
  func unreadWindow() throws {
    let seat = try seatInTake()
    for count in 0..<60 {
      seat.terminal.resize(columns: 400 + count % 2, rows: 100)
      usleep(5000)  // Each of them is painted.
    }
    seat.child.send(SIGTERM)
    try until("the end of reeld") { seat.child.hasEnded() }
    #expect(seat.child.ending == .exited(0))
    try expectCompleteTake(seat)
  }

  @Test("a crash restores the terminal", arguments: [SIGSEGV, SIGILL, SIGABRT])
  func fault(_ signal: Int32) throws {
    let seat = try Seat.ready()
    seat.child.send(signal)
    #expect(try seat.ending() == .killed(signal))
    #expect(seat.notGivenBack == [])
  }

  @Test("without a terminal it runs until SIGTERM or SIGINT", arguments: [SIGTERM, SIGINT])
  func headless(_ signal: Int32) throws {
    let scratch = Scratch()
    let child = try scratch.reeld(["--virtual", "--headless", "--root", scratch.root])
    let line = "reeld: the virtual appliance runs in \(scratch.root)\n"
    try until("a running appliance") { scratch.contents("errors") == line }
    child.send(SIGHUP)
    child.send(signal)
    let result = try scratch.result(of: child)
    #expect(result.ending == .exited(0))
    #expect(result.output == "" && result.errors == line)
  }

  @Test("a closed standard error ends nothing")
  func closedPipe() throws {
    let scratch = Scratch()
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    close(ends[0])
    let child = try Child(
      Scratch.reeld, ["--virtual", "--headless", "--root", scratch.root],
      environment: scratch.environment, directory: scratch.path,
      output: .file(scratch.path + "/output"), errors: .descriptor(ends[1]))
    close(ends[1])
    try until("the first action, which comes after the first word to nobody") {
      scratch.contents("root/run/flight.log").contains("\"booted\"")
    }
    child.send(SIGTERM)
    #expect(try scratch.result(of: child).ending == .exited(0))
  }

  // MARK: Support

  private func seatInTake() throws -> Seat {
    let seat = try Seat.ready()
    seat.type("r")
    try seat.see("● RECORDING")
    try until("sound on the card") {
      seat.look()
      return seat.scratch.recordedBytes > 10_000
    }
    return seat
  }

  private func expectCompleteTake(_ seat: Seat) throws {
    let file = try #require(seat.scratch.soundFiles.first)
    let judgement = try Judgement(on: file, in: seat.scratch)
    #expect(judgement.complaints == [])
    #expect(judgement.seconds > 0.3)
  }
}
