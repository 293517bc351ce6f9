// Playing at the dashboard: an Opus file from another encoder is found, played, paused, sought in,
// and plays on while the user browses.

import FoundationEssentials
import Glibc
import Testing

@Suite actor PlayingTests: Desk {
  nonisolated let chair = Chair()

  /// Returns an appliance with half a minute of silence on its card, encoded by opusenc.
  private func seatWithTape() throws -> Seat {
    let scratch = Scratch()
    let raw = try scratch.make("silence.raw", Data(count: 30 * 16_000))
    try scratch.make("root/recordings/.nothing", Data())
    let made = try scratch.run(
      "/usr/bin/opusenc", "--quiet", "--raw", "--raw-rate", "8000", "--raw-chan", "1",
      "--comp", "0", raw, scratch.recordings + "/Long tape.opus")
    try #require(made.ending == .exited(0))
    let seat = try Seat.ready(scratch)
    try seat.see("Long tape")
    seat.type(Seat.down, Seat.enter)
    try playing(seat)
    return seat
  }

  private func playing(_ seat: Seat) throws {
    try seat.see("a tape that plays") { _ in seat.row("▶ Long tape").hasSuffix("/ 0:30") }
  }

  @Test("enter plays it, space pauses it and goes on")
  func pause() throws {
    let seat = try seatWithTape()
    try seat.see("play ●", "space pause")

    seat.type(" ")
    try seat.see("a pause") { _ in !seat.row("‖ Long tape").isEmpty }
    let paused = seat.row("‖ ")
    // A position that moved on would show within a second.
    try seat.pass(milliseconds: 1200)
    #expect(seat.row("‖ ") == paused)

    seat.type(" ")
    try seat.see("the time go on") { _ in
      let row = seat.row("▶ Long tape")
      return !row.isEmpty && row.suffix(11) != paused.suffix(11)
    }
  }

  @Test("the arrows seek in it, and not beyond its ends")
  func seek() throws {
    let seat = try seatWithTape()
    seat.type(" ")
    try seat.see("a pause") { _ in !seat.row("‖ Long tape").isEmpty }
    seat.type(Seat.left)
    try seat.see("0:00 / 0:30")
    seat.type(Seat.right)
    try seat.see("0:10 / 0:30")
    seat.type(Seat.right)
    try seat.see("0:20 / 0:30")
    seat.type(Seat.left, Seat.left, Seat.left)
    try seat.see("0:00 / 0:30")
    seat.type(Seat.right, Seat.right, Seat.right, Seat.right)
    try seat.see("0:30 / 0:30")
  }

  @Test("the player's line stays while the user browses elsewhere, and a take runs beside it")
  func browsing() throws {
    let seat = try seatWithTape()
    seat.type("n", "Elsewhere", Seat.enter)
    try seat.see("▸ Elsewhere")
    seat.type("f")
    try seat.see("Recordings / Elsewhere", "Nothing here yet.")
    try playing(seat)
    try seat.record(milliseconds: 300)
    try playing(seat)
  }

  @Test("s stops it, and it counts as unheard until half of it was played")
  func stop() throws {
    let seat = try seatWithTape()
    #expect(seat.row(" ▶ Long tape").hasSuffix("0:30"))
    seat.type("s")
    try seat.see("nothing playing", " * Long tape")
    seat.type(" ")
    try playing(seat)
    seat.type(Seat.right, Seat.right, "s")
    try seat.see("nothing playing", "0 unheard")
  }
}
