// How long the capture thread may leave frames in the device: until the encoder wants them, and no
// longer if the meter, a listener or the end of a take waits.
import Realtime
import Synchronization
import Testing

@testable import Audio

@Suite struct WaitTests {
  @Test("frames are wanted a page at a time, or a twentieth of a second if they are waited for")
  func wanted() throws {
    // Given a recorder that keeps 2.5 s for the next press
    let rig = try Rig()
    let rate = rig.setup.format.rate
    rig.runByBells(to: 4)
    #expect(rig.wanted == rate * 5 / 2)
    // When it records, then a page is wanted at a time
    rig.begin(1, pressed: 4)
    rig.runByBells(to: 6)
    #expect(rate / 20...rate / 5 + 1 ~= rig.wanted, "\(rig.wanted)")
    #expect(rig.wanted > rate / 10)
    // When the meter is on, or the end is near, then less
    rig.meter(true)
    rig.runByBells(to: 7)
    #expect(rig.wanted == rate / 20)
    rig.meter(false)
    rig.runByBells(to: 8)
    #expect(rig.wanted > rate / 10)
    rig.end(1, at: 9)
    rig.runByBells(to: 8.9)
    #expect(rig.wanted == rate / 20)
  }

  @Test("after the encoder was woken, as many frames are wanted as last time")
  func afterAWake() throws {
    // Given an encoder that wants 3,200 frames at a time
    let line = CaptureLine()
    let format = StreamFormat(rate: 16_000, channels: 1, samples: .int16, periodFrames: 800)
    let frames = try FrameLine(
      format, bytes: 1 << 16, blocks: 64, residency: .onDemand,
      waker: try WakeUp().makeWaker(), line: line)
    var publisher = frames.publisher
    line.wakeAtBytes.store(3_200 * 2, ordering: .relaxed)
    line.wakeFrames.store(3_200, ordering: .relaxed)
    var wanted: [Int] = []
    // When blocks of 800 come, and the encoder has not run yet
    for block in 0..<5 {
      wanted.append(publisher.framesToWake())
      _ = publisher.room(atMost: 1_600)
      publisher.publish(800, atNanoseconds: Int64(block) * 50_000_000, isBehind: false)
    }
    // Then what is missing is wanted, and then as many again
    #expect(wanted == [3_200, 2_400, 1_600, 800, 3_200])
  }
}

extension Rig {
  /// How many frames more were wanted when the encoder last slept.
  fileprivate var wanted: Int { line.wakeFrames.load(ordering: .relaxed) }
}
