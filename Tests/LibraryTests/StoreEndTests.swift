// The ends of files: an end that the card did not take is written when the card works again, a page
// that a cut tore out is reported as a gap, and a take without sound leaves no file.

import Glibc
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreEndTests {
  private let take = ItemID(high: 1, low: 1)
  private let path = "0001 Take 1.opus"

  private func sound(_ recording: Recording) throws -> TakeSound {
    try TakeSound.of(recording, folder: "")
  }

  private func write(_ pages: [[UInt8]], _ card: MemoryCard) throws {
    let file = try card.open(path, .change)
    try file.put(pages.flatMap { $0 }, at: 0)
    try file.sync()
  }

  /// Returns a take that has ended on a card that did not take the last page of its file.
  private func owing(_ rig: StoreRig<MemoryCard>) throws -> Recording {
    try rig.open()
    let begun = Recording.take(take)
    rig.give(.begin(begun))
    let pages = try sound(begun).pages.dropLast()
    try write(pages.map(\.bytes), rig.system)
    var ended = Recording.take(take, stage: .finished)
    ended.sound.frames = pages.last?.playableFrames ?? 0
    ended.integrity = Integrity(stopReason: .cardFailed, endIsOwed: true)
    ended.marks = [Mark(frame: ended.sound.frames), Mark(frame: ended.sound.frames + 1)]
    return ended
  }

  /// Writes the take's entry; after that its file cannot be written.
  private func keep(_ owed: Recording, _ rig: StoreRig<MemoryCard>) {
    let events = rig.events { store in
      store.perform(.keep(owed), now: WallTime(milliseconds: 1_800_000_000_000))
      rig.system.faults.brokenPath = (path, EIO)
      while store.step() {}
    }
    #expect(events.contains(.take(take, .kept)))
  }

  private func expectEnded(_ card: MemoryCard, _ owed: Recording) throws {
    let reader = StoreRig(card)
    #expect(try !reader.open().contains { if case .found = $0 { true } else { false } })
    let listed = try #require(try reader.listing(of: .root).recordings.first)
    let file = try card.open(path, .read)
    #expect(try Repair.examine(file).verdict == .whole)
    #expect(listed.sound.frames == owed.sound.frames && !listed.integrity.endIsOwed)
    #expect(try file.all().count == Int(listed.sound.sizeBytes))
    #expect(listed.stage == .finished && listed.integrity.stopReason == .cardFailed)
    #expect(listed.marks == Array(owed.marks.prefix(1)))
  }

  @Test("an owed end is written as soon as the card works again")
  func owedInTheSameRun() throws {
    for kind in MemoryCard.Kind.allCases {
      // Given a file that cannot be written, and an entry that can
      let rig = StoreRig(MemoryCard(kind))
      let owed = try owing(rig)
      keep(owed, rig)
      #expect(try rig.listing(of: .root).recordings.first?.integrity.endIsOwed == true)
      // When the card works again, and its space is measured
      rig.system.faults.brokenPath = nil
      let events = rig.events {
        $0.measureSpace()
        while $0.step() {}
      }
      // Then the file has its end, its entry says so, and the next start finds nothing to do
      #expect(events.contains { if case .found(.closed) = $0 { true } else { false } })
      try expectEnded(rig.system, owed)
      // And an outdated request to keep the take changes nothing
      rig.give(.keep(owed))
      #expect(try rig.listing(of: .root).recordings.first?.integrity.endIsOwed == false)
    }
  }

  @Test("an owed end is written at the next start, even if a cut interrupts that")
  func owedAfterAStart() throws {
    for kind in MemoryCard.Kind.allCases {
      let rig = StoreRig(MemoryCard(kind))
      let owed = try owing(rig)
      keep(owed, rig)
      let found = rig.system.ifCutNow.outcome(0)
      let log = CutLog()
      log.watch(found)
      try StoreRig(found).open()
      try expectEnded(found, owed)
      #expect(log.moments.count > 2)
      for moment in log.moments {
        for outcome in 0..<8 as Range<UInt64> {
          let card = moment.cut.outcome(outcome)
          try StoreRig(card).open()
          try expectEnded(card, owed)
        }
      }
    }
  }

  /// Found by a simulated year: the end was written and its sync failed, so the next try found
  /// nothing to do, and a cut five minutes later tore out the page before it.
  @Test("an end whose sync failed is synced by the next try")
  func owedAndHalfGiven() throws {
    for kind in MemoryCard.Kind.allCases {
      for operation in 0..<12 {
        // Given an owed end, and one operation that fails while it is written
        let rig = StoreRig(MemoryCard(kind))
        let owed = try owing(rig)
        keep(owed, rig)
        rig.system.faults.brokenPath = nil
        rig.system.faults.failures = [rig.system.counts.operations + operation: EIO]
        tryAgain(rig)
        // When all works again
        rig.system.faults.failures = [:]
        tryAgain(rig)
        // Then the end is there after every cut
        for outcome in 0..<8 as Range<UInt64> {
          try expectEnded(rig.system.ifCutNow.outcome(outcome), owed)
        }
      }
    }
  }

  /// Found by a simulated year: the next process trusted pages that it could read and the card did
  /// not have, and the next cut took them out of the middle of the recording.
  @Test(
    "a process that starts after a failed sync does not rely on pages the card never got",
    arguments: MemoryCard.Kind.allCases)
  func failedBeforeAStart(kind: MemoryCard.Kind) throws {
    for operation in 0..<8 {
      // Given a take whose last two pages were written, and their sync failed
      let rig = StoreRig(MemoryCard(kind))
      try rig.open()
      let begun = Recording.take(take)
      rig.give(.begin(begun))
      let pages = try sound(begun).pages.dropLast()
      let safe = pages.dropLast(2)
      try write(safe.map(\.bytes), rig.system)
      let file = try rig.system.open(path, .change)
      try file.put(pages.flatMap(\.bytes), at: 0)
      rig.system.faults.failures = [rig.system.counts.operations: EIO]
      #expect(throws: TapeError.self) { try file.sync() }
      // And a mark that the card got in part, or not, or wholly
      var marked = begun
      marked.marks = [Mark(frame: 5)]
      for number in operation...operation + 2 {
        rig.system.faults.failures[rig.system.counts.operations + number] = EIO
      }
      _ = rig.events { store in
        store.perform(.keep(marked), now: WallTime(milliseconds: 1_800_000_000_000))
      }
      rig.system.faults.failures = [:]
      // When the daemon starts again, and its user renames the take
      let again = StoreRig(rig.system)
      again.store.snapshotPace = SnapshotPace()
      try again.open()
      _ = try again.listing(of: .root)
      guard case .done? = again.work(.rename(take, to: "Kept")) else {
        Issue.record("not renamed")
        return
      }
      // Then no cut loses anything of that
      for outcome in 0..<8 as Range<UInt64> {
        let reader = StoreRig(rig.system.ifCutNow.outcome(outcome))
        #expect(try !reader.open().contains(.found(.rebuilt(folder: .root))))
        let found = try #require(try reader.listing(of: .root).recordings.first)
        #expect(found.title == "Kept" && found.sound.frames == safe.last?.playableFrames)
        let kept = try reader.system.open("0001 Kept.opus", .read)
        #expect(try Repair.examine(kept).verdict == .whole)
        #expect(try Repair.measure(kept) == Repair.Damage())
      }
    }
  }

  private func tryAgain(_ rig: StoreRig<MemoryCard>) {
    _ = rig.events {
      $0.measureSpace()
      while $0.step() {}
    }
  }

  @Test("a card that goes on failing is not retried at every command")
  func owedInVain() throws {
    let rig = StoreRig(MemoryCard(.journalling))
    let owed = try owing(rig)
    keep(owed, rig)
    let before = rig.system.counts.operations
    rig.give(.read(.root))
    #expect(rig.system.counts.operations - before < 5)
  }

  @Test("a page that a cut tore out of a take is a gap in it, and verification accepts it")
  func tornPage() throws {
    for tornCount in 1...2 {
      // Given a take whose last pages are there, and some before them are not
      let rig = StoreRig(MemoryCard(.fat))
      try rig.open()
      let begun = Recording.take(take)
      rig.give(.begin(begun))
      let pages = try sound(begun).pages.dropLast()
      let torn = pages.count - 1 - tornCount
      var bytes = pages.map(\.bytes)
      for index in torn..<torn + tornCount {
        bytes[index] = [UInt8](repeating: 0, count: bytes[index].count)
      }
      try write(bytes, rig.system)
      // When it is recovered
      let again = StoreRig(rig.system)
      try again.open()
      // Then it has its full length, and lists the gap
      let found = try #require(try again.listing(of: .root).recordings.first)
      let start = pages[torn - 1].playableFrames
      let end = pages[torn + tornCount - 1].playableFrames
      #expect(found.stage == .recovered && found.sound.frames == pages.last?.playableFrames)
      #expect(found.integrity.gaps == [Gap(frame: start, frames: end - start, cause: .cut)])
      guard case .done(.verified(let report))? = again.work(.long(.verify(.root))) else {
        Issue.record("not verified")
        return
      }
      #expect(report.isWell, "\(report)")
      // And it does so too when its index is lost
      for name in try rig.system.list("").compactMap(\.name) where name.hasPrefix("folder.") {
        try rig.system.remove(name)
      }
      try write(bytes, rig.system)
      try rig.system.open(path, .change).truncate(to: Int64(bytes.reduce(0) { $0 + $1.count }))
      let without = StoreRig(rig.system)
      try without.open()
      let adopted = try #require(try without.listing(of: .root).recordings.first)
      #expect(adopted.integrity.gaps == found.integrity.gaps)
    }
  }

  @Test(
    "verification accepts pages that a cut tore out of the beginning or of a lead-in",
    arguments: [(false, 2), (true, 2), (true, 3)])
  func tornBeginning(isSplit: Bool, page: Int) throws {
    // Given a take whose first page of sound is not there, or a part that a split began, of whose
    // lead-in of two pages one is not there
    let rig = StoreRig(MemoryCard(.fat))
    try rig.open()
    let begun = Recording.take(take)
    rig.give(.begin(begun))
    let sound = try TakeSound.of(begun, folder: "", isSplit: isSplit)
    #expect(sound.pages[3].playableFrames == 0 || !isSplit)
    var bytes = sound.pages.dropLast().map(\.bytes)
    bytes[page] = [UInt8](repeating: 0, count: bytes[page].count)
    try write(bytes, rig.system)
    // When it is recovered and verified
    let again = StoreRig(rig.system)
    try again.open()
    // Then it may begin later, but no gap is listed, and nothing is wrong
    let found = try #require(try again.listing(of: .root).recordings.first)
    #expect(found.stage == .recovered && found.integrity.gaps.isEmpty)
    #expect((found.began != begun.began) == (page == 2))
    guard case .done(.verified(let report))? = again.work(.long(.verify(.root))) else {
      Issue.record("not verified")
      return
    }
    #expect(report.isWell)
  }

  @Test("gaps and marks beyond the end that a cut has left are dropped")
  func behindTheEnd() throws {
    let rig = StoreRig(MemoryCard(.journalling))
    try rig.open()
    var begun = Recording.take(take)
    rig.give(.begin(begun))
    let pages = try sound(begun).pages.dropLast(3)
    try write(pages.map(\.bytes), rig.system)
    let end = try #require(pages.last?.playableFrames)
    let across = Gap(frame: end - 100, frames: 500, cause: .overrun)
    begun.integrity.gaps = [
      Gap(frame: 10, frames: 20, cause: .stalled), across,
      Gap(frame: end + 900, frames: 5, cause: .overrun),
    ]
    begun.marks = [Mark(frame: 5), Mark(frame: end + 5)]
    rig.give(.keep(begun))
    let again = StoreRig(rig.system)
    try again.open()
    let found = try #require(try again.listing(of: .root).recordings.first)
    #expect(found.marks == [Mark(frame: 5)])
    #expect(
      found.integrity.gaps == [
        Gap(frame: 10, frames: 20, cause: .stalled),
        Gap(frame: end - 100, frames: 100, cause: .overrun),
      ])
  }

  @Test("a take moved to the trash at a power cut is not reported as adopted")
  func thrownAway() throws {
    for kind in MemoryCard.Kind.allCases {
      let rig = StoreRig(MemoryCard(kind))
      try rig.open()
      try rig.record(take)
      let log = CutLog()
      log.watch(rig.system)
      _ = rig.work(.throwAway(take))
      var arrivals = 0
      for moment in log.moments {
        let events = try StoreRig(moment.cut.outcome(1)).open()
        #expect(!events.contains { if case .found(.adopted) = $0 { true } else { false } })
        arrivals += events.count { if case .found(.arrived) = $0 { true } else { false } }
      }
      #expect(arrivals > 0)
    }
  }

  @Test("without room for its copy a folder stays, with a sentence that says what to do")
  func noRoomForAFolder() throws {
    let card = MemoryCard(.fat)
    let rig = StoreRig(card)
    try rig.open()
    let folder = ItemID(high: 3, low: 3)
    _ = rig.work(.makeFolder(folder, name: "Inner", in: .root))
    try rig.record(take, in: folder, at: "Inner/")
    let note = try card.open("Inner/note.txt", .create)
    try note.put([UInt8](repeating: 7, count: 60_000), at: 0)
    // Given one byte less room than the folder needs
    let space = try card.space()
    let inside = try card.byteCount(below: "Inner")
    card.faults.capacity = Int(space.totalBytes - space.freeBytes + inside - 1)
    guard case .failed(let why)? = rig.work(.throwAway(folder)) else {
      Issue.record("it was moved")
      return
    }
    #expect(why.contains("“Inner” can only be moved as a copy") && why.hasSuffix("try again."))
    #expect(try card.entry("Inner/" + path) != nil && card.entry(".trash/Inner") == nil)
    // Then its recordings can still be moved to the trash
    for work in [CardWork.throwAway(take), .purge(.everything)] {
      if case .failed(let why)? = rig.work(work) { Issue.record("\(work): \(why)") }
    }
  }
}
