// The time in a recording's own tags, if the clock became known after it was made.

import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct RetaggingTests {
  private let late = WallTime(milliseconds: 1_700_000_000_000)
  private let id = ItemID(high: 1, low: 7)

  private func recording(
    _ wall: WallTime, _ quality: ClockQuality, _ stage: Recording.Stage, title: String? = nil
  ) -> Recording {
    Recording(
      id: id, folder: .root, sequence: 7, title: title ?? (quality == .corrected ? "2023" : "1970"),
      titleIsDefault: true,
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 1), wall: wall, quality: quality),
      stage: stage, sound: Sound(frames: 9_000, sizeBytes: 100),
      marks: [Mark(frame: 48_000, name: "here")])
  }

  private func begin(_ rig: StoreRig<MemoryCard>) throws {
    try rig.open()
    let begun = recording(WallTime(milliseconds: 0), .unsynchronised, .recording)
    rig.give(.begin(begun))
    let file = try rig.system.open("0007 1970.opus", .change)
    try file.put(TakeSound.of(begun, folder: "").bytes, at: 0)
    try file.sync()
  }

  private func tags(_ card: MemoryCard, _ name: String) throws -> Tags? {
    try Tags.read(from: try card.open(name, .read))
  }

  @Test(
    "a take's tags get the true time once that is known, during the take or after it",
    arguments: MemoryCard.Kind.allCases, [true, false])
  func tellsTheTime(kind: MemoryCard.Kind, isOver: Bool) throws {
    let card = MemoryCard(kind)
    let rig = StoreRig(card)
    try begin(rig)
    if isOver {
      rig.give(.keep(recording(WallTime(milliseconds: 0), .unsynchronised, .finished)))
    } else {
      rig.give(.keep(recording(late, .corrected, .recording)))
    }
    rig.give(.keep(recording(late, .corrected, .finished)))
    let told = try #require(try tags(card, "0007 2023.opus"))
    #expect(told.date == "2023-11-14T22:13:20Z" && told.timeQuality == .corrected)
    #expect(told.title == "2023" && told.id == id.description)
    #expect(try Repair.examine(card.open("0007 2023.opus", .read)).verdict == .whole)
  }

  @Test("a take that was cut short has the time that became known in the middle of it")
  func afterACut() throws {
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card)
    try begin(rig)
    rig.give(.keep(recording(late, .corrected, .recording)))
    try StoreRig(card).open()
    #expect(try tags(card, "0007 1970.opus")?.date == "2023-11-14T22:13:20Z")
  }

  @Test("tags torn by a cut during retagging are written again, with the marks")
  func torn() throws {
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card)
    try begin(rig)
    rig.give(.keep(recording(WallTime(milliseconds: 0), .unsynchronised, .finished)))
    // Given a change of the tags that fails in the middle, while the index says that it was begun
    card.faults.brokenPath = ("0007 1970.opus", 5)
    rig.give(.keep(recording(late, .corrected, .finished, title: "1970")))
    card.faults.brokenPath = nil
    let file = try card.open("0007 1970.opus", .change)
    let bytes = try file.all()
    let date = try #require(bytes.firstRange(of: Array("DATE=".utf8)))
    try file.put([UInt8](repeating: 0xFF, count: 9), at: Int64(date.lowerBound - 4))
    // When the card is opened again
    try StoreRig(card).open()
    // Then all of it is there
    let name = try #require(
      card.everything.map { String(decoding: $0.path, as: UTF8.self) }
        .first { $0.hasSuffix(".opus") })
    let told = try #require(try tags(card, name))
    #expect(told.date == "2023-11-14T22:13:20Z" && told.title == "1970")
    #expect(told.marks.map(\.name) == ["here"])
    #expect(try Repair.examine(card.open(name, .read)).verdict == .whole)
  }
}
