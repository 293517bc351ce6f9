// Proves that when a microphone is unplugged or closed during a take, everything it heard is kept,
// the events come in a sensible order, and all workers stop.

import Recorder
import Testing

@testable import Audio

@Suite struct DeviceLossTests {
  @Test(arguments: 1...4)
  func aTakeEndsWithWhatWasHeard(seed: Int) throws {
    // Given a take
    let rig = try Rig(Rig.Setup().with { $0.seed = UInt64(seed) })
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.98)
    // When the microphone is unplugged
    let heardFrames = rig.nextFrame
    rig.faults.order(.unplug)
    rig.runUntilOver(1)
    // Then
    let report = try #require(rig.report(1))
    #expect(report.integrity.stopReason == .deviceLost && report.integrity.gaps == [])
    #expect(rig.events.first { $0 == .lost("Test microphone was unplugged or failed") } != nil)
    #expect(!rig.isCapturing && !rig.isEncoding)
    let heard = try Listening.opusdec(rig.file(1))
    let first = rig.frame(0.5)
    Listening.expectSame(
      heard, try Listening.expected(rig.setup, from: first, count: heardFrames - first))
    // And the last event of the take is its end
    guard case .ended = rig.events(of: 1).last else { return #expect(Bool(false)) }
  }

  @Test func aMicrophoneThatIsLetGoIsNotCalledLost() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    rig.letGo()
    rig.runUntilOver(1)
    #expect(rig.report(1)?.integrity.stopReason == .deviceLost)
    #expect(!rig.events.contains { if case .lost = $0 { true } else { false } })
    #expect(!rig.isEncoding)
  }

  @Test func anEndThatWasPromisedIsKept() throws {
    // Given a device that delivers nothing any more, and a take that was told to end later
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    rig.end(1, at: 1.8, .shutdown)
    // When the microphone is closed
    rig.letGo()
    rig.runUntilOver(1)
    // Then the take ends there, with silence and a listed gap for what was not heard
    #expect(rig.report(1)?.integrity.stopReason == .shutdown)
    #expect(rig.report(1)?.sound.frames == 62_400)
    #expect(rig.report(1)?.integrity.gaps == [Gap(frame: 48_000, frames: 14_400, cause: .stalled)])
  }

  @Test func aPressThatComesTooLateIsATakeWithoutSound() throws {
    let rig = try Rig()
    rig.faults.order(.unplug)
    rig.begin(1, pressed: 0.1)
    rig.runUntilOver(1)
    #expect(rig.report(1)?.sound.frames == 0)
    #expect(rig.report(1)?.integrity.stopReason == .deviceLost)
  }

  @Test func aSplitThatWasPromisedIsKept() throws {
    // Given a split that has to wait for the one before it
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.run(to: 1.5)
    rig.split(1, at: .instant(rig.instant(1.5)), next: 2)
    rig.split(2, at: .instant(rig.instant(1.5)), next: 3)
    rig.run(to: 1.52)
    rig.faults.order(.unplug)
    rig.runUntilOver(1, 2, 3)
    // Then every part has its end, with silence and a listed gap for what was not heard
    #expect(rig.report(1)?.integrity.stopReason == .split)
    #expect(rig.report(2)?.sound.frames == 9_600)
    #expect(rig.report(2)?.integrity.gaps.map(\.cause) == [.stalled])
    #expect(rig.report(3)?.sound.frames == 0)
    #expect(rig.report(3)?.integrity.stopReason == .deviceLost)
    #expect(!rig.isEncoding)
  }

  @Test func aCardThatStallsMeanwhileStillGetsEverything() throws {
    let rig = try Rig()
    rig.run(to: 1)
    rig.begin(1, pressed: 1)
    rig.isWriterStalled = true
    rig.run(to: 4)
    let heardFrames = rig.nextFrame
    rig.faults.order(.unplug)
    rig.run(to: 5)
    #expect(rig.report(1) == nil && !rig.isEncoding)
    rig.isWriterStalled = false
    rig.runUntilOver(1)
    #expect(rig.report(1)?.sound.frames == Int64(rig.ticks(heardFrames - rig.frame(0.5))))
  }
}
