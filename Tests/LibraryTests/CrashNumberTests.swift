// Power cuts while numbers are assigned and folders are renamed: even if the root's index is lost
// with the cut, no number is used twice; and on FAT, where a cut may lose both names of a renamed
// folder, directories keep their names.

import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct CrashNumberTests {
  private let inner = ItemID(high: 1, low: 1)

  private func take(_ sequence: Int, stage: Recording.Stage = .recording) -> Recording {
    Recording(
      id: ItemID(high: 2, low: UInt64(sequence)), folder: sequence % 3 == 0 ? .root : inner,
      sequence: sequence, title: "Take",
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
        quality: .synchronised), stage: stage)
  }

  @Test(
    "a number is used once, even if the root's index is lost after a cut",
    arguments: MemoryCard.Kind.allCases)
  func numbers(kind: MemoryCard.Kind) throws {
    let (card, log) = (MemoryCard(kind), CutLog())
    let rig = StoreRig(card)
    try rig.open()
    _ = rig.work(.makeFolder(inner, name: "Inner", in: .root))
    rig.give(.begin(take(99)))
    log.know(99)
    log.watch(card)
    // Most leave no file whose name has the number.
    for sequence in 100...106 {
      rig.give(.begin(take(sequence)))
      log.know(sequence)
      if sequence % 4 != 0 { rig.give(.forget(take(sequence).id)) }
    }
    var states = 0
    for moment in log.moments {
      for seed in 0..<(CrashRun.states == nil ? 4 : 24) as Range<UInt64> {
        let found = moment.cut.outcome(seed)
        for name in FileName.slots + [FileName.journal] where try found.entry(name) != nil {
          try found.remove(name)
        }
        let events = StoreRig(found).give(.open)
        let next = try #require(events.report?.nextSequence)
        if next <= moment.fact {
          Issue.record("\(kind), before \(moment.next), seed \(seed): \(next) after \(moment.fact)")
          return
        }
        states += 1
      }
    }
    print("crash states of numbers on a \(kind) card: \(states)")
  }

  @Test("after a start the next number follows the last, whatever number the trash has stored")
  func follows() throws {
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card)
    try rig.open()
    for sequence in [101, 102] { rig.give(.begin(take(sequence))) }
    #expect(StoreRig(card).give(.open).report?.nextSequence == 103)
  }

  @Test("a card whose root index is lost is opened without listing any other folder")
  func opensAtOnce() throws {
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card)
    try rig.open()
    _ = rig.work(.makeFolder(inner, name: "Inner", in: .root))
    for sequence in [3, 101] { rig.give(.begin(take(sequence))) }
    for name in FileName.slots + [FileName.journal] where try card.entry(name) != nil {
      try card.remove(name)
    }
    let listed = CutLog()
    card.beforeEach { [unowned card] operation in
      if operation.kind == .list { listed.note(card, before: operation.path) }
    }
    var events: [CardEvent] = []
    let store = Store(system: card) { events.append($0) }
    store.perform(.open, now: WallTime(milliseconds: 0))
    #expect(events.report?.nextSequence == 202)
    #expect(listed.moments.map(\.next) == [""])
  }

  @Test("a cut while a folder is renamed on FAT keeps its items and one of its titles")
  func foldersOnFat() throws {
    let (card, log) = (MemoryCard(.fat), CutLog())
    let walk = try StoreWalk(StoreRig(card), seed: 5, log: log)
    while try !walk.attempt(.makeFolder) {}
    while try !walk.attempt(.begin) {}
    while try walk.attempt(.end) {}
    log.watch(card)
    let folder = try #require(walk.model.folders.first)
    for title in ["One", "Two", "A very long name for a folder, longer than others"] {
      try walk.rename(folder, to: title)
    }
    log.note(card, before: "the end")
    var states = CrashStates(kind: .fat)
    do {
      let outcomes: [UInt64] = Array(0..<(CrashRun.states == nil ? 16 : 64))
      try states.examine(log.moments, walk.facts, outcomes: outcomes)
    } catch let broken as Broken {
      Issue.record("\(broken)")
    }
    #expect(states.count > 100)
    print("crash states of folders renamed on a fat card: \(states.count)")
  }
}
