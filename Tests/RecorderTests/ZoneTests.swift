// Proves that each moment has the UTC offset of its time, across both clock changes in Berlin, in
// titles and in lists.

import Testing

@testable import Recorder

@Suite struct ZoneOffsetTests {
  /// 2026-03-29 and 2026-10-25, at 01:00 UTC.
  private static let (spring, autumn): (Int64, Int64) = (1_774_746_000, 1_792_890_000)
  private static let berlin = ZoneOffsets(
    3600,
    [
      .init(since: WallTime(milliseconds: autumn * 1000), utcOffsetSeconds: 3600),
      .init(since: WallTime(milliseconds: spring * 1000), utcOffsetSeconds: 7200),
    ])

  @Test(
    "An offset applies from its second on",
    arguments: [
      (spring - 1, "2026-03-29 01.59.59"), (spring, "2026-03-29 03.00.00"),
      (autumn - 1, "2026-10-25 02.59.59"), (autumn, "2026-10-25 02.00.00"),
    ])
  func changes(second: Int64, title: String) {
    let given = Given().when(.host(.zone(Self.berlin)))
    #expect(given.state.calendar(WallTime(milliseconds: second * 1000)).title == title)
  }

  @Test("A take is named by the offset at its beginning, an old one listed by its own day's")
  func naming() throws {
    // Given winter: these tests run in November
    let given = Given().booted().withDevice().when(.host(.zone(Self.berlin)))
    #expect(given.recording().entry?.title == "2026-11-20 15.03.20")
    // When another zone is set, later takes are named by it
    let moved = given.when(.host(.zone(ZoneOffsets(-18_000))))
    #expect(moved.recording().entry?.title == "2026-11-20 09.03.20")
    // Then a moment in July has summer time
    let july = WallTime(milliseconds: 1_783_000_000_000)
    #expect(given.state.calendar(july).listed == "2026-07-02 15:46")
  }

  @Test("Offsets of a damaged log are limited to a day")
  func bounded() {
    #expect(ZoneOffsets(.max).utcOffsetSeconds(at: WallTime(milliseconds: 0)) == 86_400)
    #expect(ZoneOffsets(.min).utcOffsetSeconds(at: WallTime(milliseconds: 0)) == -86_400)
  }
}
