// A virtual microphone's options: a file delivered at full speed, and faults at given times.

import FoundationEssentials
import Glibc
import Testing

@Suite actor PaceTests: Desk {
  nonisolated let chair = Chair()

  @Test("with --pace max each take is the whole file, to the frame")
  func fast() throws {
    // Given a minute of noise and a bit
    let scratch = Scratch()
    let sound = scratch.path + "/minute.wav"
    let made = try scratch.run(
      "/usr/bin/sox", "-R", "-n", "-r", "48000", "-c", "1", "-b", "16", sound, "synth", "2880123s",
      "pinknoise", "vol", "0.3")
    #expect(made.ending == .exited(0), "\(made.errors)")
    let seat = try Seat(scratch, ["--virtual", "--mic", sound, "--pace", "max"])
    // Before the microphone is found, a press is refused.
    try seat.see("■ Ready", "Virtual microphone")
    for number in 1...2 {
      seat.type("r")
      try seat.see("the take, and that it is over") { rows in
        rows.contains { $0.contains("■ Ready") } && rows.count { $0.contains("1:00") } == number
      }
    }
    // Then both takes are as long as the file
    #expect(scratch.soundFiles.count == 2)
    for file in scratch.soundFiles {
      let judgement = try Judgement(on: file, in: scratch)
      #expect(judgement.complaints == [])
      #expect(Int((judgement.seconds * 48_000).rounded()) == 2_880_123)
    }
  }

  @Test("faults happen at their times: a loss shows, and an unplugged device is waited for")
  func faults() throws {
    let seat = try Seat(
      nil,
      [
        "--virtual", "--fault", "overrun:24000@3", "--fault", "unplug@5", "--fault", "plug@6",
      ])
    try seat.see("■ Ready", " dB")
    seat.type("r")
    try seat.see("● RECORDING", "sound was lost")
    try seat.see("◌ Waiting for the sound device")
    try seat.see("● RECORDING")
    try seat.stop()
    try seat.see("■ Ready")
    #expect(seat.scratch.soundFiles.count == 2)
    for file in seat.scratch.soundFiles {
      #expect(try Judgement(on: file, in: seat.scratch).complaints == [])
    }
  }
}
