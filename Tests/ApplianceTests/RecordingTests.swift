// Recording at the dashboard, from the press to the file: what the screen shows, what the file
// holds, and how long it is.

import Testing

@Suite actor RecordingTests: Desk {
  nonisolated let chair = Chair()

  @Test("the dashboard appears, ready, in colour, with no sequence a terminal may not know")
  func dashboard() throws {
    let seat = try Seat.ready()
    try seat.see("Reel", "all is well", "Nothing here yet.", "nothing playing", "r record")
    #expect(seat.screen.isAlternate && seat.screen.hasSeenColour)
    #expect(seat.screen.unknown == [])
    #expect(seat.complaints == "")
  }

  @Test("a take begins before the press, is as long as it was, and is complete on the card")
  func take() throws {
    let seat = try Seat.armed()
    let length = try seat.record(milliseconds: 900)
    try seat.see(" * ")

    let file = try #require(seat.scratch.soundFiles.first)
    #expect(file.hasPrefix("0001 "))
    let judgement = try Judgement(on: file, in: seat.scratch)
    #expect(judgement.complaints == [])
    #expect(judgement.seconds > length.lowerBound - 0.3)
    #expect(judgement.seconds < length.upperBound + 0.3)
  }

  @Test("while it records the light is on, the clock runs, and marks are counted")
  func shown() throws {
    let seat = try Seat.ready()
    seat.type("r")
    try seat.see("record ●", "● RECORDING 0:0", "r stop")
    seat.type("m")
    try seat.see("1 marked")
    seat.type("m")
    try seat.see("2 marked")
    let time = seat.row("● REC").prefix(16)
    try seat.see("a later time than \(time)") { _ in seat.row("● REC").prefix(16) != time }
    seat.type("s")
    try seat.see("record ○", "■ Ready", " * ")
  }

  @Test("a split leaves two files that are both complete")
  func split() throws {
    let seat = try Seat.ready()
    seat.type("r")
    try seat.see("● RECORDING")
    seat.type("x")
    try seat.see("the second part running beside the first") { rows in
      rows.contains { $0.hasPrefix(" * ") } && rows.contains { $0.hasPrefix(" ● ") }
    }
    try seat.stop()
    try seat.see("■ Ready")
    #expect(seat.scratch.soundFiles.count == 2)
    for file in seat.scratch.soundFiles {
      #expect(try Judgement(on: file, in: seat.scratch).complaints == [])
    }
  }

  @Test("a request that cannot be granted is refused with the reason")
  func refusal() throws {
    let seat = try Seat.ready()
    seat.type("x")
    try seat.see("No recording is running.")
    seat.type("s")
    try seat.see("Nothing is playing.")
    seat.type(Seat.enter)
    try seat.see("There is no such folder or recording any more.")
  }

  @Test("a terminal with stopped output does not hold up a take, and catches up afterwards")
  func heldTerminal() throws {
    let seat = try Seat.ready()

    // Given a terminal whose output is stopped, when a take is begun and ended on it
    seat.look()
    seat.terminal.holdOutput(true)
    seat.type("r")
    let scratch = seat.scratch
    try until("sound on the card") { scratch.recordedBytes > 10_000 }
    seat.type("r")

    // Then the screen is up to date as soon as output may flow
    seat.terminal.holdOutput(false)
    try seat.see("■ Ready", " * ")
    let file = try #require(scratch.soundFiles.first)
    #expect(try Judgement(on: file, in: scratch).complaints == [])
  }
}
