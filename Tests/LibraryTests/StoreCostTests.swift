// The cost of a change does not depend on how much is in the folder: bytes and operations are
// counted over whole cycles, from one snapshot of the folder to the next, so that each change bears
// its share of a snapshot.

import Synchronization
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreCostTests {
  /// A cycle in a large folder has tens of thousands of changes.
  #if DEBUG
    private static let large = 100
  #else
    private static let large = 10_000
  #endif

  @Test("a change costs as many bytes and operations in a small folder as in a large one")
  func equalCosts() throws {
    for change in Change.allCases {
      let small = try cost(of: change, items: 10)
      let large = try cost(of: change, items: Self.large)
      #expect(abs(large.bytes / small.bytes - 1) < 0.05, "\(change): \(small) and \(large)")
      #expect(abs(large.operations / small.operations - 1) < 0.05, "\(change): \(small), \(large)")
      // This includes the zeros by which the journal grows. The lab counts what reaches a device.
      #expect(max(small.bytes, large.bytes) <= 8192, "\(change): \(small) and \(large)")
    }
  }

  private enum Change: CaseIterable { case heard, rename, make }

  private struct Cost {
    var bytes: Double
    var operations: Double
  }

  private func cost(of change: Change, items: Int) throws -> Cost {
    let card = MemoryCard(.journalling)
    let folder = ItemID(high: 7, low: 1)
    try plant(folder, items: items, on: card)
    let snapshots = Atomic(0)
    card.beforeEach { operation in
      if operation.kind == .write, operation.path.hasPrefix("Folder/"),
        operation.path.hasSuffix(".json")
      {
        snapshots.add(1, ordering: .relaxed)
      }
    }
    let rig = StoreRig(card)
    rig.store.snapshotPace = SnapshotPace()
    try rig.open()
    _ = try rig.listing(of: folder)
    // The first cycle is not counted: it leaves the state that each later one starts from.
    var number = 0
    func cycle() throws {
      let begin = snapshots.load(ordering: .relaxed)
      while snapshots.load(ordering: .relaxed) == begin {
        make(change, number, items, in: folder, rig)
        number += 1
        // A real system writes unsynced bytes by itself, sooner or later.
        if number % 1000 == 0, try card.entry("folder.journal") != nil {
          try card.open("folder.journal", .change).sync()
        }
      }
    }
    try cycle()
    let (first, before) = (number, card.counts)
    for _ in 0..<(items == 10 ? 10 : 1) { try cycle() }
    let (count, after) = (Double(number - first), card.counts)
    return Cost(
      bytes: Double(after.bytesWritten - before.bytesWritten) / count,
      operations: Double(after.changes - before.changes) / count)
  }

  private func make(
    _ change: Change, _ number: Int, _ items: Int, in folder: ItemID, _ rig: StoreRig<MemoryCard>
  ) {
    let item = recording(number % items, in: folder)
    switch change {
    case .heard: rig.give(.keep(item.heard(number / items % 2 == 0)))
    case .rename: rig.give(.work(ticket: 1, .rename(item.id, to: "Kitchen \(number % 4999)")))
    case .make:
      let new = recording(items + number, in: folder)
      rig.give(.begin(new.changed(stage: .recording, sound: Sound())))
      rig.give(.keep(new))
      rig.give(.work(ticket: 1, .throwAway(new.id)))
      rig.give(.work(ticket: 1, .purge(.item(new.id))))
    }
  }

  /// Makes a folder as it is right after a snapshot.
  private func plant(_ folder: ItemID, items: Int, on card: MemoryCard) throws {
    var index = FolderIndex(id: folder, name: "Folder")
    try card.makeDirectory("Folder")
    for number in 0..<items {
      let item = recording(number, in: folder)
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
  }

  private func recording(_ number: Int, in folder: ItemID) -> Recording {
    Recording(
      id: ItemID(high: 9, low: UInt64(number)), folder: folder, sequence: 10_001 + number,
      title: "Recording \(10_001 + number)",
      began: Moment(
        boot: ItemID(high: 1, low: 1), instant: Instant(nanoseconds: 5_000_000_000),
        wall: WallTime(milliseconds: 1_700_000_000_000), quality: .synchronised),
      file: "\(10_001 + number) Recording \(10_001 + number).opus",
      sound: Sound(frames: 14_400_000, sizeBytes: 2_400_000),
      integrity: Integrity(device: "Microphone", peakMillibels: -312, loudnessCentiLUFS: -2300))
  }
}

extension Recording {
  fileprivate func heard(_ isHeard: Bool) -> Recording {
    var recording = self
    recording.isHeard = isHeard
    return recording
  }
}
