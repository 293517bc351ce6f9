// Proves when the wall clock counts as synchronised: if the kernel says so; or, where the sandbox
// hides the kernel's state, if the marker file of the time service exists.

import Testing

@testable import Systemd

@Suite struct WallClockTests {
  private let present = "/proc/self/stat"
  private let absent = "/proc/self/nothing-of-the-kind"

  @Test("The kernel's state counts, whatever marker exists")
  func kernel() {
    #expect(WallClock.isSynchronised(kernelSays: 12_000, mark: absent))
    #expect(!WallClock.isSynchronised(kernelSays: 16_000_000, mark: present))
  }

  @Test("Where the kernel may not be asked, only the marker counts")
  func sandbox() {
    #expect(WallClock.isSynchronised(kernelSays: nil, mark: present))
    #expect(!WallClock.isSynchronised(kernelSays: nil, mark: absent))
  }
}
