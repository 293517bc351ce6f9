// A thread's heartbeat: it rests while it waits for a bell, and works between two waits.

import Glibc
import Testing

@testable import Realtime

@Suite struct PulseTests {
  @Test("a waiting thread rests; a thread without a beat counts as busy for longer and longer")
  func waits() throws {
    let bell = try WakeUp()
    #expect(bell.pulse.busyMilliseconds == 0)
    #expect(!bell.wait(milliseconds: 0))
    usleep(20_000)  // This is what the pulse measures.
    #expect(bell.pulse.busyMilliseconds >= 20)
    bell.pulse.beat()
    let after = bell.pulse.busyMilliseconds
    bell.pulse.rest()
    #expect(after < 10_000 && bell.pulse.busyMilliseconds == 0)
  }
}
