// Folders moved on FAT, where only a copy keeps them safe: changes meanwhile are copied too, a move
// that may not happen is refused, and a cancelled one leaves everything as it was.

import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct FolderCopyTests {
  private let now = WallTime(milliseconds: 1_800_000_000_000)
  private let from = ItemID(high: 1, low: 1)
  private let into = ItemID(high: 1, low: 2)
  private let deep = ItemID(high: 1, low: 3)
  private let card = MemoryCard(.fat)

  private final class Told { var events: [CardEvent] = [] }

  private func id(_ number: UInt64) -> ItemID { ItemID(high: 2, low: number) }

  /// Opens a store with "From", which has two takes, one of them in "Deep" below it, and a foreign
  /// file; and "Into".
  private func store(_ told: Told) throws -> Store<MemoryCard> {
    let store = Store(system: card) { told.events.append($0) }
    store.perform(.open, now: now)
    while store.step() {}
    for (id, name, parent) in [
      (from, "From", ItemID.root), (into, "Into", .root), (deep, "Deep", from),
    ] {
      store.perform(.work(ticket: 0, .makeFolder(id, name: name, in: parent)), now: now)
    }
    try store.record(id(1), in: from, at: "From/", now)
    try store.record(id(2), in: deep, at: "From/Deep/", now)
    let note = try card.open("From/Deep/note.txt", .create)
    try note.put(Array("who spoke".utf8), at: 0)
    while store.step() {}
    return store
  }

  private var paths: [String] { card.everything.map { String(decoding: $0.path, as: UTF8.self) } }

  private func isDone(_ told: Told) -> Bool {
    told.events.contains { if case .work(1, .done(.moved)) = $0 { true } else { false } }
  }

  @Test("a folder arrives with all its items, also those that changed on the way")
  func changesOnTheWay() throws {
    let told = Told()
    let store = try store(told)
    // Given a move that has copied some of it
    store.perform(.work(ticket: 1, .move(from, to: into, at: nil)), now: now)
    for _ in 0..<4 { #expect(store.step()) }
    // When one take is heard, one deleted and one made
    var heard = Recording.take(id(1), in: from, stage: .finished)
    heard.isHeard = true
    store.perform(.keep(heard), now: now)
    store.perform(.read(deep), now: now)
    store.perform(.work(ticket: 2, .throwAway(id(2))), now: now)
    try store.record(id(3), in: deep, at: "From/Deep/", now)
    while store.step() {}
    // Then all of that is so in the new place, and nothing is left in the old one
    #expect(isDone(told))
    #expect(!paths.contains { $0 == "From" || $0.hasPrefix("From/") })
    #expect(paths.contains("Into/From/Deep/note.txt"))
    let again = StoreRig(card)
    try again.open()
    #expect(try again.listing(of: into).folders.map(\.id) == [from])
    #expect(try again.listing(of: from).recordings.first?.isHeard == true)
    #expect(try again.listing(of: deep).recordings.map(\.sequence) == [3])
    #expect(try again.listing(of: .trash).recordings.map(\.sequence) == [2])
  }

  @Test("a move that is cancelled leaves everything as it was, and no copy")
  func cancelled() throws {
    let told = Told()
    let store = try store(told)
    let before = Set(paths)
    store.perform(.work(ticket: 1, .move(from, to: into, at: nil)), now: now)
    for _ in 0..<4 { #expect(store.step()) }
    #expect(Set(paths) != before)
    store.perform(.cancel(ticket: 1), now: now)
    while store.step() {}
    #expect(told.events.contains(.work(ticket: 1, .failed("Cancelled."))))
    #expect(Set(paths) == before)
    let again = StoreRig(card)
    try again.open()
    #expect(try again.listing(of: from).recordings.count == 1)
  }

  @Test("a folder in which a take is being made stays where it is, and the take goes on")
  func beingRecorded() throws {
    for beginsLater in [false, true] {
      let told = Told()
      let card = MemoryCard(.fat)
      let rig = StoreRig(card)
      try rig.open()
      _ = rig.work(.makeFolder(from, name: "From", in: .root))
      _ = rig.work(.makeFolder(into, name: "Into", in: .root))
      let store = Store(system: card) { told.events.append($0) }
      store.perform(.open, now: now)
      while store.step() {}
      // Given a take that began before the move, or in the middle of it
      if !beginsLater { store.perform(.begin(Recording.take(id(1), in: from)), now: now) }
      store.perform(.work(ticket: 1, .throwAway(from)), now: now)
      if beginsLater { store.perform(.begin(Recording.take(id(1), in: from)), now: now) }
      while store.step() {}
      // Then the move is refused with a sentence, and the take's file is where it was begun
      let why = "A recording is being made in “From”; move it when that is over."
      #expect(told.events.contains(.work(ticket: 1, .failed(why))))
      #expect(try card.entry("From/0001 Take 1.opus") != nil)
      #expect(try card.entry(".trash/From") == nil)
    }
  }

  @Test("a folder that is being moved cannot be moved elsewhere")
  func twice() throws {
    let told = Told()
    let store = try store(told)
    store.perform(.work(ticket: 1, .move(from, to: into, at: nil)), now: now)
    store.perform(.work(ticket: 2, .throwAway(from)), now: now)
    let why = "“From” is being moved; wait for the end of that."
    #expect(told.events.contains(.work(ticket: 2, .failed(why))))
    while store.step() {}
    #expect(isDone(told))
  }
}
