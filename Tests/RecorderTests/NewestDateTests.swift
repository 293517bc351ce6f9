// Proves that the latest of a folder's dates is known while dates come and go in any order.

import Testing

@testable import Recorder

@Suite struct NewestDateTests {
  @Test("The latest date is that of all that came and have not gone", arguments: 1...200)
  func follows(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var newest = NewestDate()
    var all: [WallTime?] = []
    for _ in 0..<300 {
      // When a date comes, or one goes; few different ones, so that many are equal
      if all.isEmpty || random.next() % 5 < 3 {
        let number = Int64(random.next() % 40)
        let date = number == 0 ? nil : WallTime(milliseconds: number)
        all.append(date)
        newest.insert(date)
      } else {
        newest.remove(all.remove(at: Int(random.next() % UInt64(all.count))))
      }
      if newest.mustRebuild { newest.rebuild(from: all) }
      // Then the latest is known
      #expect(newest.value == all.compactMap { $0 }.max())
    }
  }

  @Test("Once the latest has gone, what comes and goes again needs no look at all")
  func remembers() {
    // Given a thousand dates, of which the latest has gone
    var newest = NewestDate()
    let all = (1...1_000).map { WallTime(milliseconds: $0) }
    for date in all { newest.insert(date) }
    newest.remove(all[999])
    #expect(newest.mustRebuild)
    newest.rebuild(from: all.dropLast().lazy.map { $0 })
    // When others come and go
    for number in 1_001...2_000 as ClosedRange<Int64> {
      newest.insert(WallTime(milliseconds: number))
      newest.remove(WallTime(milliseconds: number))
      // Then the latest is known
      #expect(!newest.mustRebuild)
      #expect(newest.value == all[998])
    }
  }
}
