// Proves that a microphone that delivers nothing, without an error, is reported, that a stop is
// answered all the same with all that was heard, and that the take goes on when sound comes back.
// On virtual time, but for the devices that hang, which have real threads.

import Glibc
import Recorder
import Synchronization
import Testing

@testable import Audio
@testable import Recorder

@Suite struct SilentDeviceTests {
  private func recording(seed: Int = 1) throws -> Rig {
    let rig = try Rig(Rig.Setup().with { $0.seed = UInt64(seed) })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    return rig
  }

  @Test(arguments: 1...4)
  func aStopIsAnsweredWithinASecondWithAllThatWasHeard(seed: Int) throws {
    // Given a take, and a device that never delivers anything again
    let rig = try recording(seed: seed)
    let heardFrames = rig.nextFrame
    rig.faults.order(.silence)
    rig.run(to: 2)
    // When it is told to end
    rig.end(1, at: 2)
    rig.run(to: 2.95)
    // Then it ends at the press, with silence for what did not come
    let report = try #require(rig.report(1))
    let first = rig.frame(0.5)
    let gap = Gap(
      frame: Int64(rig.ticks(heardFrames - first)),
      frames: Int64(rig.ticks(rig.frame(2) - heardFrames)), cause: .stalled)
    #expect(report.integrity.stopReason == .pressed && report.integrity.gaps == [gap])
    let expected = try Listening.expected(
      rig.setup, from: first, count: rig.frames(0.5, 2), silent: [heardFrames..<rig.frame(2)])
    Listening.expectSame(try Listening.opusdec(rig.file(1)), expected)
  }

  @Test func itIsReportedWithinTwoSecondsAndAgainWhenSoundComesBack() throws {
    // Given a take
    let rig = try recording()
    let place = rig.nextFrame
    // When nothing comes for five seconds
    rig.faults.order(.silence)
    rig.run(to: 2.9)
    #expect(!rig.events.contains(.delivers(false)))
    rig.run(to: 3.5)
    #expect(rig.events.contains(.delivers(false)) && !rig.events.contains(.delivers(true)))
    rig.run(to: 6.5)
    rig.faults.order(.speak)
    rig.run(to: 7)
    // Then it is the same take, with silence for the missing time and true times
    #expect(rig.events.contains(.delivers(true)))
    rig.end(1, at: 7)
    rig.runUntilOver(1)
    let report = try #require(rig.report(1))
    #expect(report.sound.frames == Int64(rig.ticks(rig.frames(0.5, 7))))
    let gap = try #require(report.integrity.gaps.first)
    #expect(report.integrity.gaps.count == 1 && gap.cause == .stalled)
    #expect(gap.frame == Int64(rig.ticks(place - rig.frame(0.5))))
    #expect(abs(gap.frames - Int64(rig.ticks(rig.frames(1.5, 6.5)))) < 2_000)
  }

  @Test func aTakeOfADeviceThatIsSilentAtFirstBeganWithItsSound() throws {
    // Given a device that delivers nothing from its opening on, and a take of it
    let rig = try Rig()
    rig.faults.order(.silence)
    rig.begin(1, pressed: 0.5)
    rig.run(to: 4)
    // When sound comes
    rig.faults.order(.speak)
    rig.run(to: 5)
    rig.end(1, at: 5)
    rig.runUntilOver(1)
    // Then the take is reported to begin at the first sound, and holds all from there to its end
    let began = rig.events(of: 1).compactMap { event in
      if case .began(let instant, _) = event { instant } else { nil }
    }
    let frames = try #require(rig.report(1)).sound.frames
    let last = try #require(began.last)
    let seconds = Double(rig.instant(5).nanoseconds - last.nanoseconds) / 1e9
    #expect(began.count == 2 && abs(seconds - Double(frames) / 48_000) < 0.01)
    #expect(frames > 0 && seconds < 1.1)
  }

  @Test func afterTenSecondsTheDeviceIsGivenUp() throws {
    // Given a take, with a mark set while nothing came
    let rig = try recording()
    rig.faults.order(.silence)
    rig.run(to: 5)
    rig.mark(1, at: 5)
    // When nothing comes for ten seconds
    rig.run(to: 11.2)
    #expect(rig.report(1) == nil)
    rig.runUntilOver(1)
    // Then the take ends as with an unplugged device, and keeps the mark in its place
    let report = try #require(rig.report(1))
    #expect(rig.seconds < 11.8)
    #expect(report.integrity.stopReason == .deviceLost)
    #expect(report.sound.frames > Int64(rig.ticks(rig.frames(0.5, 11))))
    #expect(report.integrity.gaps.map(\.cause) == [.stalled])
    #expect(rig.events(of: 1).contains(.marked(Mark(frame: 216_000, name: ""))))
    #expect(rig.events.contains(.lost("Test microphone delivers no sound")))
    #expect(!rig.isEncoding)
  }

  @Test func aDeviceThatNeverDeliveredAFrameHoldsUpNobody() throws {
    let rig = try Rig()
    rig.faults.order(.silence)
    rig.begin(1, pressed: 0.1)
    rig.run(to: 1)
    rig.end(1, at: 1)
    rig.run(to: 1.95)
    #expect(rig.report(1)?.sound.frames == 0)
    #expect(rig.report(1)?.integrity.stopReason == .deviceLost)
  }

  @Test func aDeviceThatIsOnlyLateIsNotCalledSilent() {
    // Given a device that delivers twice a second what was heard two seconds before
    var watch = DeliveryWatch(now: 0)
    for number in 1...40 as ClosedRange<Int64> {
      let now = number * 500_000_000
      watch.scan(blocks: Int(number), heardUntil: now - 2_000_000_000, now: now)
      #expect(!watch.isSilent)
    }
  }

  @Test func aProcessThatWasStoppedDoesNotGiveItsDeviceUp() {
    var watch = DeliveryWatch(now: 0)
    watch.scan(blocks: 1, heardUntil: 90_000_000, now: 100_000_000)
    watch.scan(blocks: 1, heardUntil: 90_000_000, now: 60_000_000_000)
    #expect(!watch.isLost)
  }

  @Test func anIdleEncoderIsThereInTimeToSeeIt() throws {
    // Given an armed microphone, and an encoder that runs only when woken
    let rig = try Rig()
    rig.runByBells(to: 5)
    // When nothing comes any more
    rig.faults.order(.silence)
    rig.runByBells(to: 7)
    // Then that is known
    #expect(rig.events.contains(.delivers(false)))
  }
}
