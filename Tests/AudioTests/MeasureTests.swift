// Proves that the measurements made while recording are true: levels, loudness, clipping, dead
// microphones, progress; and that an armed but idle recorder sleeps.

import Glibc
import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct MeasureTests {
  @Test func peakAndLoudnessAreAnotherProgramsToo() throws {
    // Given a take of the sweep
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 5)
    rig.end(1, at: 4.95)
    rig.runUntilOver(1)
    // Then its peak is that of its clicks, and its loudness is what ffmpeg measures
    let integrity = try #require(rig.report(1)).integrity
    #expect(integrity.peakMillibels == -92)
    #expect(integrity.clippedFrames == 0 && !integrity.microphoneSeemsDead)
    #expect(integrity.device == "Test microphone")
    let folder = Folder()
    let file = try folder.put(rig.file(1))
    let words = String(
      decoding: run("ffmpeg -nostats -i '\(file)' -af ebur128 -f null - 2>&1"), as: UTF8.self)
    let summary = words.split(separator: "\n").last { $0.contains(" I: ") }
    let theirs = try #require(
      summary?.split(separator: " ").dropFirst().first.flatMap { Double($0) })
    let ours = Double(try #require(integrity.loudnessCentiLUFS)) / 100
    #expect(abs(ours - theirs) < 0.5, "\(ours), ffmpeg: \(theirs)")
  }

  @Test func clippingIsToldOfInTheTakeAndCounted() throws {
    // Given a signal that is at full scale in one frame of 32,768
    let rig = try Rig(Rig.Setup().with { $0.sound = .counter })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 7)
    rig.end(1, at: 6.95)
    rig.runUntilOver(1)
    let told = rig.events(of: 1).compactMap { event in
      if case .clipped(let frames, nil) = event { frames } else { nil }
    }
    #expect(told == [1, 2, 3])
    #expect(rig.report(1)?.integrity.clippedFrames == 3)
    #expect(rig.report(1)?.integrity.peakMillibels == 0)
  }

  @Test func aDeadMicrophoneIsToldOf() throws {
    let rig = try Rig(Rig.Setup().with { $0.sound = .silence })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 8)
    rig.end(1, at: 7.95)
    rig.runUntilOver(1)
    #expect(rig.events(of: 1).filter { $0 == .microphoneSeemsDead(true) }.count == 1)
    let integrity = try #require(rig.report(1)).integrity
    #expect(integrity.microphoneSeemsDead)
    #expect(integrity.peakMillibels == nil && integrity.loudnessCentiLUFS == nil)
  }

  @Test func aDeadChannelOfTwoIsNamed() throws {
    // Given two channels, the second of them silent
    let rig = try Rig(
      Rig.Setup().with {
        $0.format = StreamFormat(rate: 16_000, channels: 2, samples: .int16, periodFrames: 320)
      })
    rig.faults.order(.dead(channel: 1))
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 8)
    // When the channel delivers sound again
    rig.faults.order(.dead(channel: nil))
    rig.run(to: 10)
    rig.end(1, at: 9.95)
    rig.runUntilOver(1)
    // Then both changes are reported once, and the recording lists them
    let told = rig.events(of: 1).filter { if case .channelSeemsDead = $0 { true } else { false } }
    #expect(told == [.channelSeemsDead(2, of: 2), .channelSeemsDead(nil, of: 2)])
    let integrity = try #require(rig.report(1)).integrity
    #expect(integrity.deadChannel == 2 && !integrity.microphoneSeemsDead)
  }

  @Test func progressIsToldOnceASecond() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 4.5)
    rig.end(1, at: 4.45)
    rig.runUntilOver(1)
    let told = rig.events(of: 1).compactMap { event in
      if case .progress(let frames, nil) = event { frames / 48_000 } else { nil }
    }
    #expect(told == [1, 2, 3])
  }

  @Test func theMeterMovesWhileSomebodyLooks() throws {
    let rig = try Rig()
    rig.run(to: 0.5)
    #expect(rig.meter.read() == MeterReading())
    rig.meter(true)
    rig.run(to: 0.9)
    let reading = rig.meter.read()
    #expect(abs(reading.leftPeak - 0.25) < 0.01 && reading.rightPeak == reading.leftPeak)
    #expect(abs(reading.leftRMS - 0.177) < 0.02)
    rig.meter(false)
    rig.run(to: 1)
    #expect(rig.meter.read() == MeterReading())
  }

  @Test("while it only records, the encoder is woken once a page, and no page waits")
  func wakesOncePerPage() throws {
    // Given a take
    let rig = try Rig()
    rig.runByBells(to: 2)
    rig.begin(1, pressed: 2)
    rig.runByBells(to: 3)
    let before = rig.encodeSteps
    // When it goes on for a minute
    rig.runByBells(to: 63)
    // Then there are five steps a second, since a page has a fifth of a second
    #expect((300...310).contains(rig.encodeSteps - before), "\(rig.encodeSteps - before)")
    // And what the card lacks is less than a page and what is held back for orders
    let safe = try Repair.examine(try rig.card.open(rig.name(1))).frames
    let missing = Double(rig.ticks(rig.frames(1.5, 63)) - Int(safe)) / 48_000
    #expect((0...0.35).contains(missing), "\(missing)")
  }

  @Test func anArmedRecorderThatNobodyUsesSleeps() throws {
    // Given an armed microphone and no take
    let rig = try Rig()
    rig.runByBells(to: 5)
    let before = rig.encodeSteps
    rig.runByBells(to: 65)
    // Then the encoder wakes up less than once a second
    #expect(rig.encodeSteps - before < 60, "\(rig.encodeSteps - before) in a minute")
    // And a take whose encoder is woken only by its bell is whole
    rig.begin(1, pressed: 64.9)
    rig.runByBells(to: 66)
    rig.end(1, at: 65.9)
    rig.runByBells(to: 67)
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(rig.frames(64.4, 65.9))))
  }
}
