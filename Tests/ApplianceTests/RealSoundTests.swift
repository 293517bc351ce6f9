// The appliance as it is built, on sound devices that ALSA names: what it reports about them, what
// it records from them, and what happens to a take when one is unplugged and comes back.

import FoundationEssentials
import Glibc
import Testing

@Suite actor RealSoundTests: Desk {
  nonisolated let chair = Chair()

  private static let devices = ["--device", "vmic", "--output", "vspk"]

  private func seat(_ server: SoundServer, _ scratch: Scratch) throws -> Seat {
    let seat = try Seat(scratch, Self.devices, environment: server.environment)
    try seat.see("■ Ready", "vmic, 48 kHz", " dB")
    return seat
  }

  @Test("every frame of a real device is in the file, from before the press on")
  func recorded() throws {
    let scratch = Scratch()
    let server = try SoundServer(scratch)
    let seat = try seat(server, scratch)
    // The pre-roll of two seconds fills.
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

  @Test("an unplugged device ends the part, and its return begins the next")
  func unplugged() throws {
    let scratch = Scratch()
    let server = try SoundServer(scratch)
    let seat = try seat(server, scratch)
    seat.type("r")
    // The clock counts the pre-roll: a device that goes right after the press leaves no part.
    try until("a file on the card") { !scratch.soundFiles.isEmpty }
    // There is some sound of the take itself.
    try seat.pass(milliseconds: 700)
    try server.unplug()
    try seat.see("◌ Waiting for the sound device")
    try server.start()
    try seat.seeClock(of: 1)
    try seat.stop()
    try seat.see("■ Ready")
    #expect(scratch.soundFiles.count == 2)
    for file in scratch.soundFiles {
      let judgement = try Judgement(on: file, in: scratch)
      #expect(judgement.complaints == [] && judgement.seconds > 0.4, "\(judgement)")
    }
    // And the first part says why it ended
    #expect(scratch.contents("root/run/flight.log").contains("\"stopReason\":\"deviceLost\""))
  }

  @Test("a sound server that stops for good holds up neither a stop nor the end")
  func frozen() throws {
    // Given a take
    let scratch = Scratch()
    let server = try SoundServer(scratch)
    let seat = try seat(server, scratch)
    seat.type("r")
    try seat.see("● RECORDING")
    // There is some sound of the take itself.
    try seat.pass(milliseconds: 700)
    // When the server freezes
    try server.freeze()
    // Then the screen says so, and a press ends the take
    try seat.see("◌ NO SOUND", "The sound device delivers no sound")
    try seat.stop()
    try seat.see("■ Ready")
    let file = try #require(scratch.soundFiles.first)
    let judgement = try Judgement(on: file, in: scratch)
    #expect(judgement.complaints == [] && judgement.seconds > 2, "\(judgement)")
    // And the recorder ends although its threads still hang in the server
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    try server.unplug()
  }

  @Test("without a terminal it says what it uses and where, and ends on SIGTERM")
  func headless() throws {
    let scratch = Scratch()
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
    let scratch = Scratch()
    let server = try SoundServer(scratch)
    let seat = try Seat(scratch, ["--device", "nowhere"], environment: server.environment)
    try seat.see("There is no sound card or device called nowher")
    seat.type("r")
    // In this time it retries the card, and has nothing new to say.
    try seat.pass(milliseconds: 2500)
    seat.type("q")
    #expect(try seat.ending() == .exited(0))
    let sentences = seat.complaints.split(separator: "\n").filter { $0.contains("microphone: ") }
    #expect(sentences.count == 1)
  }

  /// Returns the frames of the clicks in the file that `Judgement` decoded last.
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
