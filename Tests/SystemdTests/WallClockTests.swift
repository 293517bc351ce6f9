// Proves when the wall clock is believed: what the kernel says counts; where it may not be asked,
// the mark of the service that sets the clock does.

import Testing

@testable import Systemd

@Suite struct WallClockTests {
  private let present = "/proc/self/stat"
  private let absent = "/proc/self/nothing-of-the-kind"

  @Test("The kernel's word counts, whatever marks there are")
  func kernel() {
    #expect(WallClock.isSynchronised(kernelSays: 12_000, mark: absent))
    #expect(!WallClock.isSynchronised(kernelSays: 16_000_000, mark: present))
  }

  @Test("Where the kernel may not be asked, only the mark is believed")
  func sandbox() {
    #expect(WallClock.isSynchronised(kernelSays: nil, mark: present))
    #expect(!WallClock.isSynchronised(kernelSays: nil, mark: absent))
  }
}
