// An appliance killed during a take without warning: the sound that had reached the card is still
// there, and the file can be repaired. The most sound a kill may cost is half a second; that is
// proven on virtual time, see docs/simulation.md.

import Glibc
import Tape
import Testing

@Suite actor KillTests: Desk {
  nonisolated let chair = Chair()

  @Test(
    "kill -9 in a take loses nothing that is on the card, whenever it comes",
    arguments: 0..<20)
  func killed(round: Int) throws {
    // Given a take that has grown to so much
    let seat = try Seat.ready()
    seat.type("r")
    try seat.see("● RECORDING")
    try until("sound on the card") {
      seat.look()
      return seat.scratch.recordedBytes > 10_000 + round * 1_300
    }
    let name = try #require(seat.scratch.soundFiles.first)
    let path = seat.scratch.recordings + "/" + name
    let before = try Repair.examine(try PosixFile.open(path, .read)).frames
    // When it is killed
    seat.child.send(SIGKILL)
    #expect(try seat.ending() == .killed(SIGKILL))
    // Then it can be repaired, and all of that is in it
    let report = try Repair.repair(try PosixFile.open(path, .change))
    #expect(report.examination.verdict == .repairable)
    #expect(before > 0 && report.examination.frames >= before)
    let judgement = try Judgement(on: name, in: seat.scratch)
    #expect(judgement.complaints == [])
    #expect(Int64((judgement.seconds * 48_000).rounded()) >= before)
  }
}
