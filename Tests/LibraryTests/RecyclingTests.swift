// Making room costs little however much is on the card: one search finds the next candidates for a
// thousand recordings, and later changes are taken into account.

import Testing

@testable import Library
@testable import Recorder

@Suite struct RecyclingTests {
  private let folder = ItemID(high: 7, low: 1)

  private func item(_ number: Int, isHeard: Bool = true) -> Recording {
    var recording = Recording.take(
      ItemID(high: 9, low: UInt64(number)), in: folder, stage: .finished)
    recording.isHeard = isHeard
    recording.setFile("\(1000 + number) Take.opus")
    return recording
  }

  /// A folder of heard and some unheard recordings, on a card that was just opened.
  private func rig(_ count: Int, unheard: Set<Int> = []) throws -> StoreRig<MemoryCard> {
    let card = MemoryCard(.journalling)
    try card.makeDirectory("Folder")
    var index = FolderIndex(id: folder, name: "Folder")
    for number in 1...count {
      let item = item(number, isHeard: !unheard.contains(number))
      index.apply(.put(Entry(item)))
      try card.plant(Array((item.file ?? "").utf8), in: "Folder", [1])
    }
    try card.plant(
      Array("folder.1.json".utf8), in: "Folder", IndexFormat.snapshot(of: index, generation: 1))
    var root = FolderIndex(id: .root, name: "")
    root.apply(
      .put(
        Entry(
          Folder(
            id: folder, parent: .root, name: "Folder", directory: "Folder", tally: index.tally,
            latest: index.summary.latest))))
    try card.plant(
      Array("folder.1.json".utf8), in: "", IndexFormat.snapshot(of: root, generation: 1))
    let rig = StoreRig(card)
    rig.store.snapshotPace = SnapshotPace()
    try rig.open()
    _ = try rig.listing(of: folder)
    return rig
  }

  private func recycled(_ events: [CardEvent]) -> [Int] {
    events.flatMap { event in
      if case .recycled(let gone) = event { gone.map { Int($0.id.low) } } else { [Int]() }
    }
  }

  @Test("the cost for each recording does not grow with their number")
  func costs() throws {
    func cost(_ count: Int) throws -> Double {
      let rig = try rig(count)
      let before = rig.store.comparisons
      for number in 1...count { #expect(recycled(rig.give(.recycle(.heard))) == [number]) }
      #expect(recycled(rig.give(.recycle(.heard))) == [])
      return Double(rig.store.comparisons - before) / Double(count)
    }
    let (few, many) = (try cost(20), try cost(400))
    #expect(many < few * 1.5, "\(few) entries looked at for each, and \(many)")
  }

  @Test("recordings heard, deleted or changed since the search are taken into account")
  func changes() throws {
    let rig = try rig(6, unheard: [1, 4])
    #expect(recycled(rig.give(.recycle(.heard))) == [2])
    // One older than all candidates is heard now, and the next candidate was marked as unheard
    rig.give(.keep(item(1)))
    rig.give(.keep(item(3, isHeard: false)))
    #expect(recycled(rig.give(.recycle(.heard))) == [1])
    #expect(recycled(rig.give(.recycle(.heard))) == [5])
    // The trash is emptied first
    _ = rig.work(.throwAway(item(4).id))
    #expect(recycled(rig.give(.recycle(.heard))) == [4])
    #expect(recycled(rig.give(.recycle(.heard))) == [6])
    #expect(recycled(rig.give(.recycle(.heard))) == [])
  }

  @Test("candidates dropped from a list that got too long are found by the next search")
  func longList() {
    var list = Recyclables(.heard)
    let ranks = (0..<5 * Recyclables.limit).map { ($0 * 7919) % (5 * Recyclables.limit) }
    for rank in ranks {
      list.insert(.init(id: .root, folder: .root, rank: (1, rank, .root)))
    }
    var (next, count) = (-1, 0)
    while let candidate = list.removeNext() {
      #expect(candidate.rank.1 == next + 1)
      next = candidate.rank.1
      count += 1
    }
    #expect((Recyclables.limit...2 * Recyclables.limit).contains(count))
  }

  @Test("where only what is copied may go, the oldest copied one goes, heard or not")
  func copied() throws {
    // given recordings, of which the second and the fourth have copies
    let rig = try rig(5, unheard: [2])
    for number in [4, 2] { try copy(number, on: rig) }
    // when room is made, then they go, the oldest first, and no other does
    #expect(recycled(rig.give(.recycle(.copied))) == [2])
    #expect(recycled(rig.give(.recycle(.copied))) == [4])
    #expect(recycled(rig.give(.recycle(.copied))) == [])
    // and what was heard goes if the configuration says so from now on
    #expect(recycled(rig.give(.recycle(.heard))) == [1])
  }

  private func copy(_ number: Int, on rig: StoreRig<MemoryCard>) throws {
    let item = try rig.listing(of: folder).recordings.first { $0.id.low == UInt64(number) }
    var known = try #require(item)
    known.copies = [
      RecordingCopy(
        target: "nas", remote: "x", file: "x", verifiedAt: WallTime(milliseconds: 1))
    ]
    try rig.store.change([.put(Entry(known))], in: try rig.store.folder(folder))
  }
}
