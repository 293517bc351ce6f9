// Proves of the small values: absurd times cannot overflow, dates are right, ids are read back as
// written, and the order of items is a list however it is changed.

import FoundationEssentials
import Testing

@testable import Recorder

@Suite struct ValueTests {
  @Test("a sound is small with its hash, since a listing may have 10,000 of them")
  func sound() {
    let sound = Sound(
      frames: 1, rate: .max, channels: .min, sizeBytes: 2, bits: 24,
      hash: SoundHash(1, 2, 3, 4, soundFrom: 5))
    #expect(MemoryLayout.size(ofValue: sound) == 64)
    #expect(sound.rate == Int(Int32.max) && sound.channels == Int(Int16.min) && sound.bits == 24)
    #expect(Sound().bits == nil && Sound().hash == nil)
  }

  @Test("a hash is read from 64 hexadecimal digits, and from nothing else")
  func hash() {
    let digits = "00000000000000010000000000000002000000000000000300000000000000ff"
    let hash = SoundHash(1, 2, 3, 255, soundFrom: 7)
    #expect(hash.sha256 == digits && SoundHash(digits, soundFrom: 7) == hash)
    for text in ["", "00", digits + "0", "+" + digits.dropFirst(), "g" + digits.dropFirst()] {
      #expect(SoundHash(text, soundFrom: 7) == nil, "\(text)")
    }
  }

  @Test(
    "Dates are right on the days that matter",
    arguments: [
      (0, "1970-01-01 00.00.00"), (951_782_400_000, "2000-02-29 00.00.00"),
      (1_795_183_402_000, "2026-11-20 14.03.22"), (-1, "1969-12-31 23.59.59"),
      (4_107_542_399_999, "2100-02-28 23.59.59"), (4_107_542_400_000, "2100-03-01 00.00.00"),
      (.max, "9999-12-31 23.59.59"), (.min, "0001-01-01 00.00.00"),
    ] as [(Int64, String)])
  func dates(milliseconds: Int64, title: String) {
    let time = WallTime(milliseconds: milliseconds)
    #expect(CalendarDate(time, utcOffsetSeconds: 0).title == title)
  }

  @Test("An offset moves the date; an absurd one does no harm")
  func offsets() {
    let time = WallTime(milliseconds: 1_795_183_402_000)
    #expect(CalendarDate(time, utcOffsetSeconds: 36_000).listed == "2026-11-21 00:03")
    #expect(CalendarDate(time, utcOffsetSeconds: .min).year == 1)
  }

  @Test("A recording whose beginning is lost began later, and keeps the remaining marks and gaps")
  func lostBeginning() {
    let began = Moment(
      boot: .root, instant: Instant(nanoseconds: 5_000_000_000), wall: WallTime(milliseconds: 7000),
      quality: .synchronised)
    var recording = Recording(
      id: .trash, folder: .root, sequence: 1, title: "A", began: began,
      marks: [Mark(frame: 100, name: "a"), Mark(frame: 50_000, name: "b")])
    recording.integrity.gaps = [
      Gap(frame: 0, frames: 10, cause: .overrun), Gap(frame: 47_000, frames: 2000, cause: .stalled),
    ]
    recording.loseBeginning(frames: 48_000)
    #expect(recording.began.instant == Instant(nanoseconds: 6_000_000_000))
    #expect(recording.began.wall == WallTime(milliseconds: 8000))
    #expect(recording.marks.map(\.frame) == [0, 2000])
    #expect(recording.integrity.gaps == [Gap(frame: 0, frames: 1000, cause: .stalled)])
  }

  @Test("Durations in words")
  func durations() {
    #expect(
      [0, 7000, 751_000, 3_723_000, -5].map(Duration.clock(milliseconds:))
        == ["0:00", "0:07", "12:31", "1:02:03", "0:00"])
    #expect(
      [45, 540, 11_520, 345_600].map(Duration.words(seconds:))
        == ["45 s", "9 min", "3 h 12 min", "4 days"])
    #expect(Duration.words(milliseconds: 240) == "240 ms")
  }

  @Test("Frames and milliseconds convert exactly, and stop at the ends of their range")
  func frames() {
    #expect(Frames.count(milliseconds: 1500, rate: 44_100) == 66_150)
    #expect(Frames.milliseconds(66_150, rate: 44_100) == 1500)
    #expect(Frames.milliseconds(100, rate: 0) == 0)
    for milliseconds in [Int64.min, -1, 0, 999, .max] {
      for rate in [Int.min, -1, 0, 1, 48_000, .max] {
        _ = Frames.count(milliseconds: milliseconds, rate: rate)
        _ = Frames.milliseconds(milliseconds, rate: rate)
      }
    }
  }

  @Test("An id is read back as written, and an invalid one is refused")
  func ids() throws {
    for id in [ItemID.root, .trash, .of("x"), ItemID(high: .max, low: .max)] {
      #expect(ItemID(id.description) == id)
      let written = try JSONEncoder().encode([id: 1])
      #expect(try JSONDecoder().decode([ItemID: Int].self, from: written) == [id: 1])
    }
    for text in ["", "0", String(repeating: "g", count: 32), String(repeating: "0", count: 33)] {
      #expect(ItemID(text) == nil)
    }
  }
}

@Suite struct ItemOrderTests {
  @Test("It is a list, whatever the operations", arguments: 1...20)
  func isAList(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var order = ItemOrder()
    var list: [ItemID] = []
    for number in 0..<2000 {
      if list.isEmpty || random.chance(seed % 2 == 0 ? 70 : 45) {
        let index = random.below(list.count + 1)
        let item = ItemID(high: 0, low: UInt64(number))
        order.insert(item, at: index)
        list.insert(item, at: index)
      } else {
        let index = random.below(list.count)
        let gone = order.remove(at: index)
        #expect(gone == list.remove(at: index))
      }
    }
    #expect(order.isSound && Array(order) == list && order.count == list.count)
    #expect(list.indices.allSatisfy { order[$0] == list[$0] })
    #expect(order == ItemOrder(list))
  }

  @Test("The partition point of a sorted order is found wherever it is")
  func partitionPoint() {
    for count in [0, 1, 127, 128, 129, 1000] {
      let order = ItemOrder((0..<count).map { ItemID(high: 0, low: UInt64($0)) })
      for sought in [0, 1, count / 2, count, count + 5] {
        let index = order.partitionPoint { $0.low < UInt64(sought) }
        #expect(index == min(sought, count))
      }
    }
  }

  @Test("A hundred thousand items are kept in short runs")
  func many() {
    var order = ItemOrder()
    for number in 0..<100_000 { order.insert(ItemID(high: 0, low: UInt64(number)), at: number / 2) }
    #expect(order.isSound && order.count == 100_000)
  }
}
