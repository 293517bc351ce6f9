// The store on a real directory: what it is given is there afterwards, under readable names, and
// after a restart.

import FoundationEssentials
import Library
import Recorder
import Testing

@Suite struct StoreTests {
  @Test("an unused card is opened, and nothing is written to it")
  func new() throws {
    let desk = try StoreDesk()
    let events = try desk.reopen()
    #expect(events.report == CardReport(nextSequence: 1))
    #expect(try desk.titles() == [])
    #expect(desk.names == [])
  }

  @Test("recordings and folders are the same after a restart, and in readable files")
  func restart() throws {
    let desk = try StoreDesk()
    let interviews = try desk.makeFolder("Interviews")
    try desk.record("2026-11-20 14.03.22")
    try desk.record("Kitchen: 1/2", in: interviews)
    #expect(
      desk.names == [
        "0001 2026-11-20 14.03.22.opus", "Interviews", "Interviews/0002 Kitchen- 1-2.opus",
      ])

    let report = try #require(try desk.reopen().report)
    #expect(report.nextSequence == 3)
    #expect(report.root == Tally(recordings: 2, unheard: 2))
    #expect(try desk.titles() == ["2026-11-20 14.03.22", "Interviews/"])
    let kitchen = try #require(try desk.listing(interviews).recordings.first)
    #expect(kitchen.title == "Kitchen: 1/2" && kitchen.sound.frames == 48_000)
    #expect(kitchen.file == "0002 Kitchen- 1-2.opus" && kitchen.stage == .finished)
  }

  @Test("every change of an entry is saved: heard, marks, title, time")
  func kept() throws {
    let desk = try StoreDesk()
    let old = try desk.record("Take")
    let changed = Recording(
      id: old.id, folder: .root, sequence: old.sequence, title: "2026-11-20 14.03.22",
      titleIsDefault: true,
      began: Moment(
        boot: old.began.boot, instant: old.began.instant, wall: WallTime(milliseconds: 77),
        quality: .corrected), file: "0001 Take.opus", sound: old.sound, isHeard: true,
      marks: [Mark(frame: 100, name: "Ü")], integrity: old.integrity)
    // When the time is corrected, the default title follows, and the file follows the title
    let events = desk.give(.keep(changed))
    #expect(events.contains(.take(old.id, .made(file: "0001 2026-11-20 14.03.22.opus"))))
    #expect(events.contains(.take(old.id, .kept)))
    #expect(desk.names == ["0001 2026-11-20 14.03.22.opus"])

    #expect(try desk.reopen().report?.root == Tally(recordings: 1, unheard: 0))
    let read = try #require(try desk.listing().recordings.first)
    #expect(read.isHeard && read.marks == changed.marks && read.began == changed.began)
    #expect(read.title == changed.title && read.titleIsDefault)
  }

  @Test("clashing names get numbers, whatever their case and composition")
  func clashes() throws {
    let desk = try StoreDesk()
    for name in ["Kitchen", "kitchen", "KITCHEN.", "Küche", "Ku\u{308}che", "CON", "a/b", "a:b"] {
      _ = try desk.makeFolder(name)
    }
    #expect(
      desk.names == [
        "KITCHEN 3", "Kitchen", "Küche", "Küche 2", "_CON", "a-b", "a-b 2", "kitchen 2",
      ])
    #expect(try desk.listing().folders.count == 8)
    _ = try desk.reopen()
    #expect(try desk.titles().contains("a/b/") && desk.titles().contains("KITCHEN./"))
  }

  @Test("a renamed recording and a renamed folder have new names on the card")
  func rename() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Old")
    let take = try desk.record("Take", in: folder)
    #expect(
      try desk.work(.rename(take.id, to: "New?"))
        == .renamed(
          take.id, name: "New?", file: "0001 New.opus"))
    try desk.work(.rename(folder, to: "Newer"))
    #expect(desk.names == ["Newer", "Newer/0001 New.opus"])
    _ = try desk.reopen()
    #expect(try desk.titles() == ["Newer/"])
    #expect(try desk.titles(folder) == ["New?"])
  }

  @Test("a name given while a take is being finished stays, on its file too")
  func nameAtTheEnd() throws {
    let desk = try StoreDesk()
    let take = desk.recording("2026-11-20 14.03.22")
    let path = try desk.begin(take)
    let bytes = try desk.sound(of: take, seconds: 1)
    try desk.put(path, Data(bytes))
    // When its sender finishes it without knowing of the new name yet
    try desk.work(.rename(take.id, to: "Kitchen"))
    _ = try desk.end(take, bytes: bytes.count, seconds: 1)
    #expect(desk.names == ["0001 Kitchen.opus"])
    _ = try desk.reopen()
    let read = try #require(try desk.listing().recordings.first)
    #expect(read.title == "Kitchen" && !read.titleIsDefault)
  }

  @Test("a folder's entry has the date of the newest recording below, also after a restart")
  func newest() throws {
    let desk = try StoreDesk()
    let (outer, other) = (try desk.makeFolder("Outer"), try desk.makeFolder("Other"))
    let inner = try desk.makeFolder("Inner")
    func latest() throws -> [Int64?] {
      try desk.listing().folders.sorted { $0.name < $1.name }.map { $0.latest?.milliseconds }
    }
    #expect(try latest() == [nil, nil, nil])
    let old = try desk.record("Old", in: inner)
    desk.now = desk.now.adding(milliseconds: 60_000)
    let new = try desk.record("New", in: inner)
    let (oldDate, newDate) = (old.began.wall.milliseconds, new.began.wall.milliseconds)
    #expect(oldDate < newDate)
    #expect(try latest() == [newDate, nil, nil])
    try desk.work(.move(inner, to: outer, at: nil))
    #expect(try latest() == [nil, newDate])
    try desk.work(.move(new.id, to: other, at: nil))
    #expect(try latest() == [newDate, oldDate])
    _ = try desk.reopen()
    #expect(try latest() == [newDate, oldDate])
    #expect(try desk.titles(other) == ["New"])
    try desk.work(.throwAway(new.id))
    #expect(try latest() == [nil, oldDate])
  }

  @Test("items move with their properties, and folders with their items")
  func move() throws {
    let desk = try StoreDesk()
    let (one, two) = (try desk.makeFolder("One"), try desk.makeFolder("Two"))
    let take = try desk.record("Take", in: one)
    try desk.work(.move(take.id, to: two, at: nil))
    let result = try desk.work(.move(two, to: one, at: nil))
    #expect(
      result == .moved(two, path: [.root, one], at: nil, name: "Two", file: "Two"))
    #expect(desk.names == ["One", "One/Two", "One/Two/0001 Take.opus"])
    #expect(try desk.listing().folders.first?.tally == Tally(recordings: 1, unheard: 1))
    #expect(throws: StoreDesk.Failed.self) { try desk.work(.move(one, to: two, at: nil)) }

    _ = try desk.reopen()
    #expect(try desk.titles() == ["One/"] && desk.titles(one) == ["Two/"])
    #expect(try desk.titles(two) == ["Take"])
  }

  @Test("a deleted item is in the trash, and is restored to where it was")
  func trash() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let take = try desk.record("Take", in: folder)
    try desk.work(.throwAway(take.id))
    #expect(desk.names == [".trash", ".trash/0001 Take.opus", "Inner"])
    #expect(try desk.listing(.trash).recordings.first?.thrownFrom == folder)

    let report = try #require(try desk.reopen().report)
    #expect(report.root == Tally() && report.trash == Tally(recordings: 1, unheard: 1))
    _ = try desk.listing(.trash)
    let result = try desk.work(.restore(take.id))
    #expect(
      result
        == .moved(take.id, path: [.root, folder], at: nil, name: "Take", file: "0001 Take.opus"))
    #expect(try desk.titles(folder) == ["Take"] && desk.titles(.trash) == [])
  }

  @Test("an item whose folder is gone is restored to the nearest folder that exists")
  func restoreNearest() throws {
    let desk = try StoreDesk()
    let outer = try desk.makeFolder("Outer")
    let inner = try desk.makeFolder("Inner", in: outer)
    try desk.work(.move(inner, to: .root, at: nil))
    let take = try desk.record("Take", in: inner)
    try desk.work(.move(inner, to: outer, at: nil))
    try desk.work(.throwAway(take.id))
    try desk.work(.throwAway(inner))
    _ = try desk.reopen()
    _ = try desk.listing(.trash)
    guard case .moved(_, let path, _, _, _) = try desk.work(.restore(take.id)) else {
      Issue.record("not moved")
      return
    }
    #expect(path == [.root, outer])
  }

  @Test("a deleted folder gets a new name if the trash has one of its name")
  func trashClash() throws {
    let desk = try StoreDesk()
    try desk.work(.throwAway(desk.makeFolder("Inner")))
    let second = try desk.makeFolder("Inner")
    #expect(
      try desk.work(.throwAway(second)) == .thrown(second, file: "Inner 2", newName: "Inner 2"))
    #expect(try desk.titles(.trash) == ["Inner 2/", "Inner/"])
  }

  @Test("the trash is emptied for good: one item, old items, or all")
  func purge() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let takes = try (1...4).map { try desk.record("Take \($0)", in: $0 < 4 ? .root : folder) }
    try desk.work(.throwAway(takes[0].id))
    desk.now = desk.now.adding(milliseconds: 3 * 86_400_000)
    for id in [takes[1].id, takes[2].id, folder] { try desk.work(.throwAway(id)) }

    let old = try desk.work(.purge(.olderThan(days: 2)))
    #expect(old == .purged([takes[0].id], left: Tally(recordings: 3, unheard: 3)))
    let one = try desk.work(.purge(.item(takes[1].id)))
    #expect(one == .purged([takes[1].id], left: Tally(recordings: 2, unheard: 2)))
    guard case .purged(let gone, Tally()) = try desk.work(.purge(.everything)) else {
      Issue.record("not purged, or something is left")
      return
    }
    #expect(Set(gone) == [takes[2].id, folder])
    #expect(desk.names == [".trash"])
    #expect(try desk.reopen().findings == [])
    #expect(try desk.titles(.trash) == [])
  }

  @Test("an item deleted while the clock was years behind does not count as old")
  func purgeWithoutClock() throws {
    let desk = try StoreDesk()
    desk.now = WallTime(milliseconds: 1000)
    let take = try desk.record("Take")
    try desk.work(.throwAway(take.id))
    desk.now = WallTime(milliseconds: 1_900_000_000_000)
    #expect(
      try desk.work(.purge(.olderThan(days: 1)))
        == .purged([], left: Tally(recordings: 1, unheard: 1)))
  }

  @Test("a folder keeps its sort order, also a manual one")
  func order() throws {
    let desk = try StoreDesk()
    let takes = try ["c", "a", "b"].map { try desk.record($0) }
    try desk.work(.sort(.root, .byName))
    try desk.work(.sort(.root, .byHand))
    try desk.work(.move(takes[0].id, to: .root, at: 0))
    #expect(try desk.listing().recordings.map(\.title) == ["c", "a", "b"])
    try desk.work(.move(takes[1].id, to: .root, at: 2))
    _ = try desk.reopen()
    let listing = try desk.listing()
    #expect(listing.order == .byHand && listing.recordings.map(\.title) == ["c", "b", "a"])
  }

  @Test("titles are found over the whole card, whatever their case")
  func search() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("In der KÜCHE")
    let take = try desk.record("küche 1", in: folder)
    try desk.record("Keller")
    _ = try desk.reopen()
    #expect(
      try desk.work(.search("Küche"))
        == .searched([
          Hit(id: folder, folder: .root, title: "In der KÜCHE"),
          Hit(id: take.id, folder: folder, title: "küche 1"),
        ]))
  }

  @Test("numbers never repeat, whatever happens to the recordings")
  func numbers() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    for title in ["a", "b", "c"] { try desk.record(title, in: folder) }
    try desk.work(.throwAway(folder))
    try desk.work(.purge(.everything))
    #expect(try desk.reopen().report?.nextSequence == 4)
  }

  @Test("a take that is forgotten leaves nothing")
  func forget() throws {
    let desk = try StoreDesk()
    let recording = desk.recording("Take")
    _ = try desk.begin(recording)
    desk.give(.forget(recording.id))
    #expect(desk.names == [])
    #expect(try desk.reopen().findings == [])
  }

  @Test("to make room the trash is emptied first, then the oldest heard recording is deleted")
  func recycle() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let takes = try (1...4).map { try desk.record("Take \($0)", in: folder) }
    for take in takes[1...2] {
      desk.give(
        .keep(
          Recording(
            id: take.id, folder: folder, sequence: take.sequence, title: take.title,
            began: take.began, sound: take.sound, isHeard: true)))
    }
    try desk.work(.throwAway(takes[3].id))
    _ = try desk.reopen()
    func recycled() -> [Whereabouts] {
      for case .recycled(let gone) in desk.give(.recycle(.heard)) { return gone }
      return []
    }
    #expect(recycled().map(\.id) == [takes[3].id])
    let second = recycled()
    #expect(second.map(\.id) == [takes[1].id] && second.first?.path == [.root, folder])
    #expect(recycled().map(\.id) == [takes[2].id])
    #expect(recycled() == [])
    #expect(try desk.titles(folder) == ["Take 1"])
  }

  @Test("while the card is released nothing is written, and afterwards it is read again")
  func exported() throws {
    let desk = try StoreDesk()
    try desk.record("Take")
    #expect(try desk.work(.exportMode(true)) == .exportMode(true))
    #expect(throws: StoreDesk.Failed.self) { try desk.makeFolder("Not now") }
    desk.moveByHand("0001 Take.opus", to: "0001 Elsewhere named.opus")
    #expect(try desk.work(.exportMode(false)) == .exportMode(false))
    let findings = desk.give(.open).findings
    #expect(findings.count == 1)
    #expect(try desk.titles() == ["Elsewhere named"])
  }

  @Test("a snapshot replaces the journal now and then, and the items stay the same")
  func snapshots() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take 0")
    for number in 1...200 { try desk.work(.rename(take.id, to: "Take \(number)")) }
    #expect(desk.file("folder.0.json").count > 0 && desk.file("folder.1.json").count > 0)
    #expect(desk.file("folder.journal").count <= 20_480)
    #expect(try desk.reopen().findings == [])
    #expect(try desk.titles() == ["Take 200"])
  }
}
