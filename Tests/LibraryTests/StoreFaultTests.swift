// A store on a card that fails: each call of each operation in turn, a full card, one that suddenly
// becomes read-only. Each request is done or refused with a sentence, listings match the card, and
// nothing that was there is lost.

import Glibc
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreFaultTests {
  private let now = WallTime(milliseconds: 1_800_000_000_000)
  private let inner = ItemID(high: 1, low: 1)
  private let take = ItemID(high: 1, low: 2)
  private let other = ItemID(high: 1, low: 3)

  /// A card with a folder, a take in it, one beside it and one in the trash.
  private func rig(_ kind: MemoryCard.Kind = .journalling) throws -> StoreRig<MemoryCard> {
    let rig = StoreRig(MemoryCard(kind))
    try rig.open()
    _ = rig.work(.makeFolder(inner, name: "Inner", in: .root))
    for (id, folder) in [(take, inner), (other, .root), (ItemID(high: 1, low: 4), .root)] {
      try rig.record(id, in: folder, at: folder == .root ? "" : "Inner/")
    }
    _ = rig.work(.throwAway(ItemID(high: 1, low: 4)))
    return rig
  }

  private var works: [CardWork] {
    [
      .makeFolder(ItemID(high: 2, low: 1), name: "New", in: .root), .rename(take, to: "Other"),
      .rename(inner, to: "Outer"), .move(take, to: .root, at: nil), .throwAway(take),
      .throwAway(inner), .restore(ItemID(high: 1, low: 4)), .purge(.everything),
      .sort(inner, .byName),
    ]
  }

  private func sentence(_ event: WorkEvent?) -> String? {
    if case .failed(let why) = event { why } else { nil }
  }

  @Test("if any call fails, the answer is true, and nothing is lost", arguments: [EIO, ENOSPC])
  func everyCall(errno: Int32) throws {
    var failures = 0
    for index in works.indices {
      var hasFailed = true
      var call = 0
      while hasFailed {
        let rig = try rig()

        let work = works[index]
        let before = try rig.found()
        _ = rig.give(.read(.trash))
        let number = rig.system.counts.operations + call
        rig.system.faults.failures = [number: errno]
        let event = rig.work(work)
        hasFailed = rig.system.counts.operations > number
        rig.system.faults.failures = [:]
        if hasFailed { try check(rig, before, work, event) }
        failures += hasFailed && sentence(event) != nil ? 1 : 0
        call += 1
      }
    }
    #expect(failures > 40)
  }

  /// A failed sync drops unsynced bytes, also older ones, and the next sync does not write them.
  @Test(
    "changes after a failed call survive a power cut", arguments: MemoryCard.Kind.allCases)
  func doneAfterAFailure(kind: MemoryCard.Kind) throws {
    var failures = 0
    for index in works.indices {
      var hasFailed = true
      var call = 0
      while hasFailed {
        // Given unsynced counts of folders, and work in which a call failed
        let rig = try rig(kind)
        try rig.record(ItemID(high: 1, low: 5), in: inner, at: "Inner/")
        let number = rig.system.counts.operations + call
        rig.system.faults.failures = [number: EIO]
        _ = rig.work(works[index])
        hasFailed = rig.system.counts.operations > number
        rig.system.faults.failures = [:]
        // When more is done, and the power is cut
        let renamed = rig.work(.rename(other, to: "Later"))
        let sorted = rig.work(.sort(inner, .byName))
        let isDone = sentence(renamed) == nil && sentence(sorted) == nil
        let kept = try rig.found()
        for outcome in 0..<4 as Range<UInt64> {
          let again = StoreRig(rig.system.ifCutNow.outcome(outcome))
          let told = try again.open()
          #expect(!told.contains(where: isOfDamage), "\(works[index]) \(call)")
          let found = try again.found()
          // Then all of it is there (perhaps with a copy that could not be removed)
          let isThere = Set(words(kept)).isSubset(of: words(found))
          #expect(isThere && isDone, "\(works[index]) \(call)")
        }
        failures += 1
        call += 1
      }
    }
    #expect(failures > 40)
  }

  /// Whether the event says that something acknowledged could not be read.
  private func isOfDamage(_ event: CardEvent) -> Bool {
    switch event {
    case .found(.tornLine), .found(.rebuilt): true
    default: false
    }
  }

  private func check(
    _ rig: StoreRig<MemoryCard>, _ before: [ItemID: FoundItem], _ work: CardWork,
    _ event: WorkEvent?
  ) throws {
    let after = try rig.found()
    let fresh = StoreRig(rig.system)
    try fresh.open()
    let found = try fresh.found()
    #expect(words(found) == words(after), "\(work): what is listed is not what is on the card")
    if case .purge = work {
    } else {
      #expect(Set(before.keys).isSubset(of: found.keys), "\(work): something is lost")
    }
    if let sentence = sentence(event) {
      #expect(sentence.hasSuffix(".") && sentence.count > 10)
    } else {
      #expect(words(found) != words(before), "\(work) was acknowledged and is not there")
    }
  }

  /// The items in words, without their sound.
  private func words(_ found: [ItemID: FoundItem]) -> [String] {
    found.map { id, item in
      switch item.kind {
      case .folder(let order): "\(id) \(item.title) in \(item.parent) \(order)"
      case .recording(let take):
        "\(id) \(item.title) in \(item.parent) \(take.sequence) \(take.stage) \(take.bytes.count)"
      }
    }
    .sorted()
  }

  @Test("a full card refuses new items with a sentence, and keeps what it has")
  func full() throws {
    let rig = try rig()
    let before = try rig.found()
    rig.system.faults.capacity = 0
    let new = Recording.take(ItemID(high: 2, low: 9), in: .root, stage: .recording)
    guard case .take(new.id, .failed(let why))? = rig.give(.begin(new)).first else {
      Issue.record("it began")
      return
    }
    #expect(why.contains("full"))
    #expect(sentence(rig.work(.makeFolder(new.id, name: "y", in: .root)))?.contains("full") == true)
    #expect(try words(rig.found()) == words(before))
    rig.system.faults.capacity = 1 << 30
    #expect(sentence(rig.work(.rename(take, to: "x"))) == nil)
    #expect(try rig.found()[take]?.title == "x")
  }

  @Test("a card that becomes read-only is reported once, and used again once it is writable")
  func readOnly() throws {
    let rig = try rig()
    let before = try rig.found()
    rig.system.faults.isReadOnly = true
    let events = rig.give(.work(ticket: 9, .rename(take, to: "x")))
    #expect(events.contains(.condition(.readOnly)))
    #expect(!rig.give(.work(ticket: 10, .sort(inner, .byName))).contains(.condition(.readOnly)))
    #expect(try words(rig.found()) == words(before))
    rig.system.faults.isReadOnly = false
    rig.store.measureSpace()
    #expect(sentence(rig.work(.rename(take, to: "x"))) == nil)
  }

  @Test("a file system that fails writes counts as read-only until a write succeeds")
  func gaveUp() throws {
    // Given
    let rig = try rig()
    rig.system.faults.isReadOnly = true
    rig.system.faults.hidesReadOnly = true
    #expect(rig.give(.work(ticket: 9, .rename(take, to: "x"))).contains(.condition(.readOnly)))
    // When and then
    #expect(rig.events { $0.measureSpace() }.contains(.condition(.writable)) == false)
    rig.system.faults.isReadOnly = false
    #expect(rig.events { $0.measureSpace() }.contains(.condition(.writable)))
    #expect(try rig.system.list("").allSatisfy { $0.name?.hasSuffix(".part") != true })
  }

  @Test("a card whose disk fails is probed again at once, not at the next measurement of space")
  func failedDisk() throws {
    let rig = try rig()
    rig.system.faults.isReadOnly = true
    rig.system.faults.hidesReadOnly = true
    let error = TapeError(.cannotWrite, "the disk failed to read or write", errno: EIO)
    #expect(rig.events { _ = $0.notice(of: error) }.contains(.condition(.readOnly)))
  }

  @Test("a read-only card is opened and listed, and not written to")
  func openedReadOnly() throws {
    let rig = try rig()
    let before = try rig.found()
    rig.system.faults.isReadOnly = true
    let fresh = StoreRig(rig.system)
    try fresh.open()
    #expect(try words(fresh.found()) == words(before))
  }

  @Test("an unreadable folder is reported as unreadable, never as empty")
  func unreadable() throws {
    let rig = try rig()
    rig.system.faults.brokenPath = ("Inner", EIO)
    let fresh = StoreRig(rig.system)
    try fresh.open()
    let events = fresh.give(.read(inner))
    #expect(
      events.contains { if case .unreadable(inner, _) = $0 { true } else { false } })
    rig.system.faults.brokenPath = nil
    let healed = StoreRig(rig.system)
    #expect(
      try healed.open().contains { if case .found = $0 { true } else { false } } == false)
    #expect(try healed.found()[take] != nil)
  }

  @Test("a journal that is deleted from outside while the store is in use is written again")
  func journalDeleted() throws {
    let rig = try rig()
    try rig.system.remove("folder.journal")
    #expect(sentence(rig.work(.rename(other, to: "New"))) == nil)
    let fresh = StoreRig(rig.system)
    try fresh.open()
    #expect(try fresh.found()[other]?.title == "New" && fresh.found().count == 4)
  }

  @Test("a sound file that is deleted from outside while the store is in use is reported")
  func fileDeleted() throws {
    let rig = try rig()
    try rig.system.remove("Inner/0002 Take 2.opus")
    let events = rig.give(.work(ticket: 9, .rename(take, to: "New")))
    #expect(
      events.contains { if case .work(9, .failed) = $0 { true } else { false } })
    #expect(
      events.contains {
        if case .found(.vanished(let gone)) = $0 { gone[0].id == take } else { false }
      }
    )
  }

  @Test(
    "a take for an unreadable folder goes to the root, and stays there when the folder is back")
  func unreadableFolder() throws {
    let rig = try rig()
    let again = StoreRig(rig.system)
    rig.system.faults.brokenPath = ("Inner", EIO)
    try again.open()
    let new = ItemID(high: 1, low: 9)
    let begun = Recording.take(new, in: inner, stage: .recording)
    #expect(
      again.give(.begin(begun)).contains(
        .take(new, .madeElsewhere(.root, file: "0009 Take 9.opus"))))
    rig.system.faults.brokenPath = nil
    // The reducer may still have the folder asked for.
    let ended = Recording.take(new, in: inner, stage: .finished)
    #expect(again.give(.keep(ended)).contains(.take(new, .kept)))
    #expect(try again.listing(of: .root).recordings.map(\.id).contains(new))
    #expect(try again.listing(of: inner).recordings.map(\.id) == [take])
    let reopened = StoreRig(rig.system)
    try reopened.open()
    #expect(try reopened.listing(of: inner).recordings.map(\.id) == [take])
  }

  @Test("a take for a folder whose directory is gone goes to the root, and the folder is dropped")
  func vanishedFolder() throws {
    let rig = try rig()
    _ = try rig.listing(of: inner)
    try rig.system.remove("Inner/0002 Take 2.opus")
    for name in try rig.system.list("Inner").compactMap(\.name) {
      try rig.system.remove("Inner/" + name)
    }
    try rig.system.removeDirectory("Inner")
    let new = ItemID(high: 1, low: 9)
    let events = rig.give(.begin(Recording.take(new, in: inner, stage: .recording)))
    #expect(events.contains(.take(new, .madeElsewhere(.root, file: "0009 Take 9.opus"))))
    #expect(try rig.listing(of: .root).folders.isEmpty)
    // So does a take for an unknown folder.
    let other = ItemID(high: 1, low: 10)
    let lost = Recording.take(other, in: ItemID(high: 8, low: 8))
    #expect(
      rig.give(.begin(lost)).contains(
        .take(other, .madeElsewhere(.root, file: "0010 Take 10.opus"))))
  }

  @Test("where renaming means copying, a long recording gets its new title and keeps its file name")
  func longCopies() throws {
    for kind in MemoryCard.Kind.allCases {
      for limit in [100, 1 << 20] as [Int64] {
        let card = MemoryCard(kind)
        let rig = StoreRig(card)
        rig.store.longestCopyBytes = limit
        try rig.open()
        try rig.record(take)
        _ = rig.work(.rename(take, to: "Other"))
        let keeps = kind == .fat && limit == 100
        let name = keeps ? "0002 Take 2.opus" : "0002 Other.opus"
        for rig in [rig, StoreRig(card)] {
          try rig.open()
          let shown = try rig.listing(of: .root).recordings
          #expect(shown.map(\.title) == ["Other"] && shown.map(\.file) == [name])
          #expect(try card.entry(name) != nil)
        }
      }
    }
  }

  @Test("a move by copying lets other commands through, and can be cancelled without a trace")
  func movedBitByBit() throws {
    let card = MemoryCard(.fat)
    let rig = StoreRig(card)
    try rig.open()
    _ = rig.work(.makeFolder(inner, name: "Inner", in: .root))
    try rig.record(take)
    var events: [CardEvent] = []
    let store = Store(system: card) { events.append($0) }
    store.copiedAtOnceBytes = 0
    func give(_ command: CardCommand) { store.perform(command, now: now) }
    give(.open)
    while store.step() {}
    give(.read(.root))
    let before = card.everything.map(\.path)
    // Cancelled in the middle
    give(.work(ticket: 1, .move(take, to: inner, at: nil)))
    #expect(store.step() && card.everything.count == before.count + 1)
    give(.cancel(ticket: 1))
    #expect(events.last == .work(ticket: 1, .failed("Cancelled.")))
    while store.step() {}
    #expect(Set(card.everything.map(\.path)) == Set(before))
    // Heard in the middle, while another take begins
    give(.work(ticket: 2, .move(take, to: inner, at: nil)))
    #expect(store.step())
    var heard = Recording.take(take, in: .root, stage: .finished)
    heard.isHeard = true
    give(.keep(heard))
    give(.begin(Recording.take(other, in: inner, stage: .recording)))
    #expect(events.contains(.take(other, .made(file: "0003 Take 3.opus"))))
    #expect(!events.contains { if case .work(2, .done) = $0 { true } else { false } })
    while store.step() {}
    #expect(
      events.contains(
        .work(
          ticket: 2,
          .done(
            .moved(
              take, path: [.root, inner], at: nil, name: "Take 2", file: "0002 Take 2.opus")))))
    let again = StoreRig(card)
    try again.open()
    #expect(try again.listing(of: .root).recordings.isEmpty)
    let moved = try again.listing(of: inner).recordings
    #expect(moved.map(\.id) == [take] && moved.first?.isHeard == true)
  }

  @Test("a card in memory is reported as volatile, once after it was opened")
  func volatile() throws {
    let card = MemoryCard(.journalling)
    card.faults.isVolatile = true
    let rig = StoreRig(card)
    let told = CardEvent.condition(.volatile(true))
    #expect(try rig.open().filter { $0 == told }.count == 1)
    #expect(!rig.give(.read(.root)).contains(told))
    #expect(try StoreRig(MemoryCard(.fat)).open().contains(.condition(.volatile(false))))
  }
}
