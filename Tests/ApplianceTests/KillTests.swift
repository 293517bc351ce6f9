// An appliance that is killed in a take, without a word of warning: what is on the card then, once
// mended, is all but the last moment.

import Glibc
import Tape
import Testing

@Desk @Suite struct KillTests {
  @Test("kill -9 in a take costs less than half a second, whenever it comes")
  func killed() throws {
    // Given twenty takes, when each is killed at another moment
    let lost = try (0..<20).map { try secondsLost(byKillAfter: Int64(400 + $0 * 53)) }
    // Then
    #expect(lost.count == 20)
    #expect(lost.allSatisfy { $0 > 0 && $0 < 0.5 }, "\(lost)")
  }
}

/// How much of a take is missing from its mended file.
@Desk private func secondsLost(byKillAfter milliseconds: Int64) throws -> Double {
  let seat = try Seat.armed()
  seat.type("r")
  try seat.see("● RECORDING")
  try seat.pass(milliseconds: milliseconds)
  let killed = now()
  seat.child.send(SIGKILL)
  #expect(try seat.ending() == .killed(SIGKILL))

  let name = try #require(seat.scratch.soundFiles.first)
  let file = try PosixFile.open(seat.scratch.recordings + "/" + name, .change)
  let report = try Repair.mend(file)
  #expect(report.examination.verdict == .mendable)
  #expect(try Judgement(on: name, in: seat.scratch).complaints == [])
  // The file itself says when it began: the press less the pre-roll.
  let tags = try #require(try Tags.read(from: file))
  let began = Int64(try #require(tags.monotonicNanoseconds))
  return Double(killed - began) / 1e9 - Double(report.examination.frames) / 48_000
}
