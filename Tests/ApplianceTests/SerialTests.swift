// A technician at the serial port of a running appliance: with a screen, with a terminal that can
// only print, with a program; and with cables, hosts and noise as they really are.

import Glibc
import Testing

@Suite actor SerialTests: Desk {
  nonisolated let chair = Chair()

  @Test("a recording from beginning to end, over the serial screen alone")
  func day() throws {
    let seat = try SerialSeat.ready()
    seat.enter("record Kitchen talk")
    try seat.see("● RECORDING", "Kitchen talk")
    seat.enter("mark the spoon")
    try seat.see("1 marked")
    seat.enter("stop")
    try seat.see("■ Ready", "1 unheard")
    seat.enter("rename 1 Spoons")
    try seat.see("Spoons")
    seat.enter("mkdir Interviews")
    try seat.see("Made the folder")
    // Tab completes from the items that exist.
    seat.type("mv Sp\t")
    try seat.see("reel> mv Spoons")
    seat.type("Int\t\r")
    try seat.see("Moved 1 “Spoons”")
    seat.enter("play Interviews/Spoons")
    try seat.see("▶ Spoons")
    seat.enter("seek 0:01")
    seat.enter("info Interviews/Spoons")
    try seat.see("the spoon")
    let wave = seat.scratch.path + "/spoons.wav"
    seat.enter("export Interviews/Spoons \(wave)")
    try seat.see("Exported to")
    #expect(seat.scratch.bytes(wave).count > 44)
    seat.enter("rm Interviews/Spoons")
    try seat.see("y/n")
    seat.type("y")
    try seat.see("Deleted")
    seat.enter("trash")
    try seat.see("Spoons")
    seat.enter("restore Spoons")
    try seat.see("Restored")
    seat.enter("ls Interviews")
    try seat.see("Spoons    ")
    #expect(seat.screen.unknown.isEmpty)
    #expect(seat.scratch.contents("complaints").split(separator: "\n").count == 1)
  }

  @Test("a terminal that can only print gets lines, and a line to type on")
  func plain() throws {
    let seat = try SerialSeat(answers: false)
    try until("the question how large it is") {
      seat.look()
      return !seat.paper.isEmpty
    }
    seat.type("\r")
    try seat.read("reel> ")
    seat.enter("mkdir Rooms")
    try seat.read("Made the folder “Rooms”")
    seat.forgetPaper()
    seat.enter("rm Rooms")
    try seat.read("y/n")
    seat.type("n")
    seat.enter("ls")
    try seat.read("Rooms")
    // Only printing: the cursor is not moved and nothing is erased.
    let paper = String(decoding: seat.paper, as: UTF8.self)
    #expect(!paper.contains("\u{1B}[2J") && !paper.contains("\u{1B}[1;1H"))
  }

  @Test("a program gets an object for each command, and nothing else")
  func json() throws {
    let seat = try SerialSeat(answers: false)
    seat.enter("mode json")
    seat.type("pwd\n")
    try seat.read("}\n")
    seat.forgetPaper()
    seat.type("mkdir Rooms\nmkdir Rooms\nfrobnicate\n")
    try seat.read("unknownCommand")
    let lines = String(decoding: seat.paper, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    seat.type("mode text\n")
    try seat.read("reel> ")
  }

  @Test("unplugged in mid-command and plugged in again, the console has an empty line")
  func replug() throws {
    let seat = try SerialSeat.ready()
    seat.enter("record")
    try seat.see("● RECORDING")
    seat.type("st")
    seat.pullOut()
    try seat.plugIn()
    try seat.see("● RECORDING", "reel>")
    #expect(!seat.screen.text.contains { $0.contains("reel> st") })
    seat.enter("stop")
    try seat.see("■ Ready", "1 unheard")
  }

  @Test("a port that appears long after the start is opened when it appears")
  func late() throws {
    let seat = try SerialSeat(isPluggedIn: false)
    try until("the start") { seat.scratch.contents("complaints").contains("runs in") }
    try seat.plugIn()
    try seat.see("■ Ready", "reel>")
  }

  @Test("a host that does not read blocks nothing, sees the newest later, and holds up no end")
  func stuck() throws {
    let seat = try SerialSeat.ready()
    seat.cable?.holdOutput(true)
    seat.enter("record")
    try until("some seconds of a recording") { seat.scratch.recordedBytes > 50_000 }
    seat.cable?.holdOutput(false)
    try seat.see("● RECORDING 0:0", "reel>")
    seat.cable?.holdOutput(true)
    seat.child.send(SIGTERM)
    try until("the end") { seat.child.hasEnded() }
    #expect(seat.child.ending == .exited(0))
    let judged = try Judgement(on: seat.scratch.soundFiles[0], in: seat.scratch)
    #expect(judged.complaints.isEmpty)
  }

  @Test("endless noise is dropped, the take goes on, and then the console is usable")
  func flood() throws {
    let seat = try SerialSeat.ready()
    seat.enter("record")
    try seat.see("● RECORDING")
    let begin = now()
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<65_536).map { _ in UInt8.random(in: 0...255, using: &generator) }
    // The noise may hold Control-C, S and Q: the port is raw.
    var sent = 0
    try until("four megabytes of noise") {
      for _ in 0..<100 { sent += seat.cable?.send(noise) ?? 0 }
      seat.look()
      return sent > 4 << 20
    }
    // A flood ends when the port has been quiet for a second.
    try seat.pass(milliseconds: 1500)
    let seconds = Double(now() - begin) / 1_000_000_000
    seat.type("\u{3}\u{3}")
    seat.enter("stop")
    try seat.see("■ Ready", "Name of the recording: ")
    seat.type("Noise\r")
    // The card tells of the new name when the file has it.
    try until("the name") {
      seat.enter("info 1")
      try seat.see("whole")
      return seat.screen.text.contains { $0.contains("0001 Noise.opus") }
    }
    let judged = try Judgement(on: seat.scratch.soundFiles[0], in: seat.scratch)
    #expect(judged.complaints.isEmpty && judged.seconds > seconds)
  }

  @Test("the dashboard and the serial console each see what the other does")
  func together() throws {
    let cable = try PseudoTerminal(columns: 80, rows: 24)
    let seat = try Seat(nil, ["--virtual", "--console", cable.name])
    try seat.see("■ Ready", " dB")
    cable.type("\u{1B}[24;80R")
    cable.type("record Together\r")
    try seat.see("● RECORDING", "Together")
    seat.type("r")
    try seat.see("■ Ready", "* Together")
  }
}
