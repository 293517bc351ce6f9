// The flight log after a kill during a take: it exists, and each replay gives the same states. A
// file that is not a flight log is refused in a sentence.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@Suite actor FlightTests: Desk {
  nonisolated let chair = Chair()

  /// The root of an appliance that was killed while it recorded.
  private func wreck() throws -> Scratch {
    let seat = try Seat.ready()
    seat.type("n", "Küche", Seat.enter)
    try seat.see("▸ Küche")
    seat.type("r")
    try seat.see("● RECORDING")
    seat.type("m")
    try seat.see("1 marked")
    seat.child.send(SIGKILL)
    #expect(try seat.ending() == .killed(SIGKILL))
    return seat.scratch
  }

  @Test("a replay prints every action to the last, and the same each time")
  func replay() throws {
    let scratch = try wreck()
    let first = try scratch.runReeld("--replay", scratch.flightLog)
    #expect(first.ending == .exited(0) && first.errors == "")
    for words in ["\"booted\"", "\"key\"", "Küche", "\"marked\""] {
      #expect(first.output.contains(words), "\(words)")
    }
    #expect(!first.output.contains("DIFFERS"))

    let copy = scratch.path + "/copy"
    try FileManager.default.copyItem(atPath: scratch.flightLog, toPath: copy)
    for file in [scratch.flightLog, copy] {
      let again = try scratch.runReeld("--replay", file)
      #expect(again.output == first.output)
    }
  }

  @Test("--at prints the state after any action as JSON; after the last one it is recording")
  func at() throws {
    let scratch = try wreck()
    let log = scratch.flightLog
    let lines = try scratch.runReeld("--replay", log).output.split(separator: "\n")
    let last = lines.count { $0.first?.isNumber == true } - 1

    let state = try scratch.runReeld("--replay", log, "--at", "\(last)")
    #expect(state.ending == .exited(0))
    let decoded = try JSONDecoder().decode(State.self, from: Data(state.output.utf8))
    #expect(StatusView(decoded).state == .recording)
    #expect(StatusView(decoded).take?.marks == 1)

    let beyond = try scratch.runReeld("--replay", log, "--at", "\(last + 1)")
    #expect(beyond.ending == .exited(65))
    #expect(beyond.output == "")
    #expect(beyond.errors == "reeld: the log ends before action \(last + 1)\n")
  }

  @Test("the log of the run before is kept beside the new one")
  func kept() throws {
    let scratch = try wreck()
    let before = try scratch.runReeld("--replay", scratch.flightLog).output
    let seat = try Seat.ready(scratch)
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    let previous = scratch.root + "/run/flight.previous.log"
    #expect(try scratch.runReeld("--replay", previous).output == before)
  }

  @Test("a log whose beginning is damaged is set aside, with a sentence, and the recorder starts")
  func setAside() throws {
    let scratch = try wreck()
    var log = scratch.bytes(scratch.flightLog)
    log[9] ^= 1
    try scratch.make("root/run/flight.log", log)
    let seat = try Seat.ready(scratch)
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    let aside = scratch.flightLog + ".damaged"
    #expect(scratch.bytes(aside) == log)
    #expect(seat.complaints.contains("is damaged; it was set aside as \(aside)"))
    #expect(access(scratch.root + "/run/flight.previous.log", F_OK) != 0)
  }

  #if DEBUG  // Only a debug build crashes on request.
    @Test("an action is printed before it is reduced: after a crash it is the last line")
    func crash() throws {
      let scratch = try wreck()
      let whole = try scratch.runReeld("--replay", scratch.flightLog).output.split(separator: "\n")
      let marked = try #require(whole.first { $0.contains("\"mark") && $0.first?.isNumber == true })
      let index = String(marked.prefix { $0.isNumber })
      let child = try scratch.reeld(
        ["--replay", scratch.flightLog], environment: ["REEL_REPLAY_CRASH": index])
      let result = try scratch.result(of: child)
      #expect(result.ending == .killed(SIGABRT))
      let last = try #require(result.output.split(separator: "\n").last)
      #expect(last.hasPrefix(index + "  +") && marked.hasPrefix(last))
    }
  #endif

  @Test("a log that is missing or unreadable is refused in a sentence")
  func missing() throws {
    let scratch = Scratch()
    for file in [scratch.path + "/none", scratch.path, scratch.path + "/no/such/folder"] {
      let result = try scratch.runReeld("--replay", file)
      #expect(result.ending == .exited(66))
      #expect(isSentence(result.errors) && !result.errors.contains("Success"), "\(result.errors)")
    }
  }

  @Test("a file that is not a flight log, or only half of one, is refused in a sentence")
  func garbage() throws {
    let scratch = try wreck()
    let log = scratch.bytes(scratch.flightLog)
    var noMagic = log
    noMagic[0] = 0
    var noSegments = log
    noSegments[8..<12] = Data([0xFF, 0xFF, 0xFF, 0x7F])
    let files = [
      Data(), Data("REELFLT1".utf8), Data(repeating: 0x41, count: 5000), log.prefix(63),
      log.prefix(1000), log.prefix(64) + Data(count: log.count - 64), noMagic, noSegments,
    ]
    for (index, data) in files.enumerated() {
      let file = try scratch.make("garbage", Data(data))
      let result = try scratch.runReeld("--replay", file)
      #expect(result.ending == .exited(65), "file \(index)")
      #expect(isSentence(result.errors), "file \(index): \(result.errors)")
    }
  }

  @Test("a log damaged in the middle is replayed up to the damage")
  func damaged() throws {
    let scratch = try wreck()
    let whole = try scratch.runReeld("--replay", scratch.flightLog).output
    var log = scratch.bytes(scratch.flightLog)
    let end = try #require(log.firstRange(of: Data("\"marked\"".utf8))?.lowerBound)
    log[end] ^= 1
    let file = try scratch.make("damaged", log)
    let result = try scratch.runReeld("--replay", file)
    #expect(result.ending == .exited(0))
    #expect(result.output.count < whole.count && result.output.contains("Küche"))
    #expect(whole.hasPrefix(result.output))
  }
}
