// The offsets of a time zone: found to the second wherever they change, and the same as those of
// the C library.

import Glibc
import Recorder
import Testing

@testable import Host

@Suite struct ZoneTests {
  /// 2026-03-29 and 2026-10-25, at 01:00 UTC, when Berlin's clocks change.
  private static let (spring, autumn): (Int64, Int64) = (1_774_746_000, 1_792_890_000)

  @Test("Each change is found to the second")
  func changes() {
    let offsets = LocalZone.offsets { $0 >= Self.spring && $0 < Self.autumn ? 7200 : 3600 }
    #expect(
      offsets
        == ZoneOffsets(
          3600,
          [
            .init(since: WallTime(milliseconds: Self.spring * 1000), utcOffsetSeconds: 7200),
            .init(since: WallTime(milliseconds: Self.autumn * 1000), utcOffsetSeconds: 3600),
          ]))
  }

  @Test("An offset of four weeks is not missed")
  func shortOffset() {
    let offsets = LocalZone.offsets { $0 >= Self.spring && $0 < Self.spring + 2_419_200 ? 0 : 3600 }
    #expect(offsets.changes.map(\.utcOffsetSeconds) == [0, 3600])
  }

  @Test("The table agrees with the C library, hour by hour")
  func agrees() {
    let offsets = LocalZone.offsets
    for hour in 0..<20_000 {
      var (second, parts) = (time_t(1_700_000_000 + hour * 3600), tm())
      localtime_r(&second, &parts)
      let time = WallTime(milliseconds: Int64(second) * 1000)
      #expect(offsets.utcOffsetSeconds(at: time) == parts.tm_gmtoff)
    }
  }
}
