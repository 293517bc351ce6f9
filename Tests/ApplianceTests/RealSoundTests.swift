// The appliance as it is built, on sound devices that ALSA names: what it says of them, what it
// records from them, and what becomes of a take when one is pulled out and comes back.

import FoundationEssentials
import Glibc
import Testing

@Desk @Suite struct RealSoundTests {
  private static let devices = ["--device", "vmic", "--output", "vspk"]

  private func seat(_ server: SoundServer, _ scratch: Scratch) throws -> Seat {
    let seat = try Seat(scratch, Self.devices, environment: server.environment)
    try seat.see("■ Ready", "vmic, 48 kHz", " dB")
    return seat
  }

  @Test("every frame of a real device is in the file, from before the press on")
  func recorded() throws {
    let scratch = try Scratch()
    let server = try SoundServer(scratch)
    let seat = try seat(server, scratch)
    try seat.pass(milliseconds: 2500)
    let length = try seat.record(milliseconds: 2500)
    try seat.see(" * ")
    let file = try #require(scratch.soundFiles.first)
    let judgement = try Judgement(on: file, in: scratch)
    #expect(judgement.complaints == [])
    #expect(judgement.seconds > length.lowerBound - 0.3)
    #expect(judgement.seconds < length.upperBound + 0.3)
    // A frame lost or doubled would move all clicks after it.
    let clicks = decodedClicks(scratch)
    #expect(clicks.count >= 4)
    #expect(zip(clicks, clicks.dropFirst()).allSatisfy { abs($1 - $0 - 48_000) <= 2 }, "\(clicks)")
    // And it can be heard
    seat.type(" ")
    try seat.see("▶")
  }

  @Test("a device that is pulled out ends the part, and its return goes on in the next")
  func unplugged() throws {
    let scratch = try Scratch()
    let server = try SoundServer(scratch)
    let seat = try seat(server, scratch)
    seat.type("r")
    try seat.see("● RECORDING")
    try seat.pass(milliseconds: 700)
    try server.unplug()
    try seat.see("◌ Waiting for the sound device")
    try server.start()
    try seat.see("● RECORDING")
    try seat.pass(milliseconds: 700)
    seat.type("r")
    try seat.see("■ Ready")
    #expect(scratch.soundFiles.count == 2)
    for file in scratch.soundFiles {
      let judgement = try Judgement(on: file, in: scratch)
      #expect(judgement.complaints == [] && judgement.seconds > 0.4, "\(judgement)")
    }
    // And the first part says why it ended
    #expect(scratch.contents("root/run/flight.log").contains("\"stopReason\":\"deviceLost\""))
  }

  @Test("without a terminal it says what it uses and where, and ends when it is told to")
  func headless() throws {
    let scratch = try Scratch()
    let server = try SoundServer(scratch)
    let child = try scratch.reeld(
      Self.devices + ["--root", scratch.root], environment: server.environment)
    try until("what it uses: \(scratch.contents("errors"))") {
      let words = scratch.contents("errors")
      return words.contains("reeld: the recorder runs in \(scratch.root)\n")
        && words.contains("reeld: microphone: Using the ALSA device vmic.\n")
        && words.contains("reeld: speaker: Using the ALSA device vspk.\n")
    }
    child.send(SIGTERM)
    #expect(try scratch.result(of: child).ending == .exited(0))
  }

  @Test("without a sound card it waits for one, and says so once")
  func noCard() throws {
    let scratch = try Scratch()
    let server = try SoundServer(scratch)
    let seat = try Seat(scratch, ["--device", "nowhere"], environment: server.environment)
    try seat.see("There is no sound card or device called nowher")
    seat.type("r")
    try seat.pass(milliseconds: 2500)
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    let sentences = seat.complaints.split(separator: "\n").filter { $0.contains("microphone: ") }
    #expect(sentences.count == 1)
  }

  /// Where the clicks are in what `Judgement` decoded last.
  private func decodedClicks(_ scratch: Scratch) -> [Int] {
    let bytes = scratch.bytes(scratch.path + "/decoded.wav").dropFirst(44)
    let samples = Array(bytes).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    var clicks: [Int] = []
    for (frame, sample) in samples.enumerated() where sample > 8_000 {
      if clicks.last.map({ frame - $0 > 1_000 }) ?? true { clicks.append(frame) }
    }
    return clicks
  }
}
