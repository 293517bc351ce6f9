// What a power cut does to a card in memory: it must lose at least as much as the measured file
// systems, and never what was synced.

import Glibc
import Library
import Recorder
import Tape
import Testing

private let seeds: Range<UInt64> = 0..<400

@Suite struct MemoryCardCutTests {
  @Test(
    "a file synced with its folder is there after every cut",
    arguments: MemoryCard.Kind.allCases)
  func keepsWhatWasSynced(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    try card.makeDirectory("folder")
    try card.syncDirectory("")
    let file = try card.open("folder/take", .create)
    try file.put("synced", at: 0)
    try file.sync()
    try card.syncDirectory("folder")
    #expect(card.ifCutNow.unsyncedChanges == 0)
    try file.put(" and more", at: 6)
    for seed in seeds {
      let found = card.ifCutNow.outcome(seed)
      let bytes = try found.open("folder/take", .read).all()
      #expect(bytes.starts(with: "synced".utf8) && bytes.count <= 15)
    }
  }

  @Test(
    "an unsynced line is there, gone, torn at any byte, or a length without bytes",
    arguments: MemoryCard.Kind.allCases)
  func tearsAnywhere(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    let file = try card.synced("log", "")
    try file.put("0123456789", at: 0)
    let many: Range<UInt64> = 0..<3000
    let found = Set(try many.map { try card.ifCutNow.outcome($0).open("log", .read).all() })
    #expect(found.contains([]) && found.contains(Array("0123456789".utf8)))
    for length in 1..<10 {
      #expect(found.contains { $0 == Array("0123456789".utf8.prefix(length)) })
    }
    #expect(found.contains { $0.count == 10 && $0.last == 0 })
    #expect(found.contains { $0.count == 10 && $0.first == 0 && $0.last == UInt8(ascii: "9") })
  }

  @Test("of two unsynced writes the later may survive alone", arguments: MemoryCard.Kind.allCases)
  func reorders(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    let file = try card.synced("slots", "........")
    try file.put("AAAA", at: 0)
    try file.put("BBBB", at: 4)
    let found = Set(
      try seeds.map {
        String(decoding: try card.ifCutNow.outcome($0).open("slots", .read).all(), as: UTF8.self)
      })
    #expect(found.isSuperset(of: ["........", "AAAA....", "....BBBB", "AAAABBBB"]))
  }

  @Test("on a journalling card a rename is done or not done, and changes survive in order")
  func journalledNames() throws {
    let card = MemoryCard(.journalling)
    _ = try card.synced("one", "sound")
    try card.rename("one", to: "two")
    try card.makeDirectory("later")
    let found = Set(seeds.map { card.ifCutNow.outcome($0).names })
    #expect(found == [["one"], ["two"], ["later", "two"]])
  }

  @Test("syncing a file on a journalling card syncs its name and all changes before it")
  func journalledSync() throws {
    let card = MemoryCard(.journalling)
    try card.makeDirectory("folder")
    let file = try card.open("folder/take", .create)
    try card.makeDirectory("later")
    try file.sync()
    let found = Set(seeds.map { card.ifCutNow.outcome($0).names })
    #expect(found == [["folder", "folder/take"], ["folder", "folder/take", "later"]])
  }

  @Test("on FAT a rename leaves the old name, the new, both or neither until the folder is synced")
  func renameOnFat() throws {
    let card = MemoryCard(.fat)
    card.faults.renamesPlainly = true
    _ = try card.synced("one", "sound")
    try card.rename("one", to: "two")
    let found = Set(seeds.map { card.ifCutNow.outcome($0).names })
    #expect(found == [["one"], ["two"], ["one", "two"], []])
    let cards = seeds.map { card.ifCutNow.outcome($0) }.filter { $0.names == ["two"] }
    #expect(Set(try cards.map { try $0.open("two", .read).all().count }) == [0, 5])
    try card.syncDirectory("")
    for seed in seeds {
      #expect(try card.ifCutNow.outcome(seed).open("two", .read).all() == Array("sound".utf8))
    }
  }

  @Test("a file renamed on FAT by copying is whole under one of its names after every cut")
  func renameByCopy() throws {
    let card = MemoryCard(.fat)
    let sound = String(repeating: "sound", count: 14_000)
    _ = try card.synced("one.opus", sound)
    let log = CutLog()
    log.watch(card)
    try card.rename("one.opus", to: "two.opus")
    #expect(log.moments.count > 6)
    for moment in log.moments {
      for seed in 0..<24 as Range<UInt64> {
        let found = moment.cut.outcome(seed)
        try found.settleRename("one.opus", to: "two.opus")
        #expect(found.names == ["one.opus"] || found.names == ["two.opus"])
        #expect(try found.open(found.names[0], .read).all() == Array(sound.utf8))
        let changes = found.counts.changes
        try found.settleRename("one.opus", to: "two.opus")
        #expect(found.counts.changes == changes)
      }
    }
    #expect(try card.open("two.opus", .read).all() == Array(sound.utf8))
  }

  @Test("a copy that begins like another recording is one begun; another recording is none")
  func copyUnderAnotherHeader() throws {
    // Given a FLAC take, and a copy of it that begins with the bytes of another take, as a FAT card
    // shows them if power was cut before the copy's own beginning was written
    let takes = try (1...2).map { number in
      try TakeSound.flac(of: .take(ItemID(high: 1, low: number)), folder: "").closed()
    }
    let isShorter = takes[0].count <= takes[1].count
    let (other, own) = isShorter ? (takes[0], takes[1]) : (takes[1], takes[0])
    let copy = Array(other.prefix(12_000) + own[12_000...])
    for (found, isCopy) in [(copy, true), (other, false)] {
      let card = MemoryCard(.fat)
      try card.plant(Array("one.flac".utf8), in: "", own)
      try card.plant(Array("two.flac".utf8), in: "", found)
      #expect(try Repair.examine(try card.open("two.flac", .read)).verdict == .whole)
      // When the interrupted rename is settled
      try card.settleRename("one.flac", to: "two.flac")
      // Then the copy is removed, and the other take is not
      #expect(card.names == (isCopy ? ["one.flac"] : ["one.flac", "two.flac"]))
      #expect(try card.open("one.flac", .read).all() == own)
    }
  }

  @Test("a failure while a file is copied to its new name cannot lose the file later")
  func renameByCopyFails() throws {
    let sound = Array(String(repeating: "sound", count: 14_000).utf8)
    for first in 0..<24 {
      for count in 1...6 {
        let card = MemoryCard(.fat)
        _ = try card.synced("one.opus", String(decoding: sound, as: UTF8.self))
        let start = card.counts.operations + first
        for number in start..<(start + count) { card.faults.failures[number] = EIO }
        do { try card.rename("one.opus", to: "two.opus") } catch {}
        card.faults.failures = [:]
        try card.settleRename("one.opus", to: "two.opus")
        for seed in 0..<12 as Range<UInt64> {
          let found = card.ifCutNow.outcome(seed)
          let isWhole = try found.names.contains { try found.open($0, .read).all() == sound }
          #expect(isWhole, "\(count) failures after \(first)")
        }
      }
    }
  }

  @Test("without room for a copy a file is still renamed")
  func renameWithoutRoom() throws {
    let card = MemoryCard(.fat)
    _ = try card.synced("one", String(repeating: "sound", count: 4000))
    card.faults.capacity = 30_000
    try card.rename("one", to: "two")
    #expect(card.names == ["two"] && card.ifCutNow.unsyncedChanges > 0)
    #expect(try card.open("two", .read).byteCount() == 20_000)
  }

  @Test("syncing a file on FAT keeps its bytes and length, not its name")
  func syncOnFat() throws {
    let card = MemoryCard(.fat)
    let file = try card.open("take", .create)
    try file.put("sound", at: 0)
    try file.sync()
    let found = seeds.map { card.ifCutNow.outcome($0) }
    #expect(Set(found.map(\.names)) == [[], ["take"]])
    for card in found where card.names == ["take"] {
      #expect(try card.open("take", .read).all() == Array("sound".utf8))
    }
  }

  @Test("freed bytes may reappear in a growing file on FAT, never on a journalling card")
  func staleBytes() throws {
    for kind in MemoryCard.Kind.allCases {
      let card = MemoryCard(kind)
      let file = try card.synced("log", "an old line that is valid")
      try file.truncate(to: 0)
      try file.sync()
      try file.put("new", at: 0)
      let found = Set(try seeds.map { try card.ifCutNow.outcome($0).open("log", .read).all() })
      #expect(found.contains(Array("an ".utf8)) == (kind == .fat))
    }
  }

  @Test(
    "a removed file may reappear: whole on a journalling card, perhaps shorter on FAT",
    arguments: MemoryCard.Kind.allCases)
  func removed(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    _ = try card.synced("take", "sound")
    try card.remove("take")
    let found = seeds.map { card.ifCutNow.outcome($0) }
    #expect(Set(found.map(\.names)) == [[], ["take"]])
    let again = try found.filter { $0.names == ["take"] }.map { try $0.open("take", .read).all() }
    #expect(again.allSatisfy { "sound".utf8.starts(with: $0) })
    #expect(Set(again.map(\.count)) == (kind == .fat ? [0, 1, 2, 3, 4, 5] : [5]))
    try card.syncDirectory("")
    #expect(seeds.allSatisfy { card.ifCutNow.outcome($0).names.isEmpty })
  }

  @Test(
    "the same seed gives the same state, and using one state changes no other",
    arguments: MemoryCard.Kind.allCases)
  func isDeterministic(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    let file = try card.synced("log", "line\n")
    try file.put(String(repeating: "another line\n", count: 200), at: 5)
    try card.rename("log", to: "journal")
    let cut = card.ifCutNow
    for seed in seeds {
      let first = cut.outcome(seed)
      let before = first.shown
      #expect(cut.outcome(seed).shown == before)
      for name in first.names { try first.remove(name) }
      #expect(cut.outcome(seed).shown == before)
    }
    #expect(card.names == ["journal"] && file.shownCount == 5 + 13 * 200)
  }

  @Test("folders moved into each other never make a cycle after a cut")
  func noRings() throws {
    let card = MemoryCard(.fat)
    try card.makeDirectory("a")
    try card.makeDirectory("b")
    try card.syncDirectory("")
    try card.rename("a", to: "b/a")
    try card.rename("b/a", to: "c")
    try card.rename("b", to: "c/b")
    for seed in seeds { #expect(card.ifCutNow.outcome(seed).names.count < 20) }
  }

  @Test("a card without power fails every operation, and keeps what it had")
  func withoutPower() throws {
    let card = MemoryCard(.journalling)
    let file = try card.synced("take", "sound")
    try file.put("!", at: 5)
    let cut = card.cut()
    expectRefusal(EIO) { try file.sync() }
    expectRefusal(EIO) { _ = try card.list("") }
    #expect(try cut.outcome(0).open("take", .read).all() == Array("sound".utf8))
  }
}

extension MemoryCard {
  /// Makes a file and syncs it with its name.
  func synced(_ path: String, _ text: String) throws -> MemoryCardFile {
    let file = try open(path, .create)
    try file.put(text, at: 0)
    try file.sync()
    try syncDirectory("")
    return file
  }

  var names: [String] { everything.map { String(decoding: $0.path, as: UTF8.self) } }

  var shown: [String] {
    everything.map { path, bytes in
      String(decoding: path, as: UTF8.self) + ":" + (bytes.map { "\($0)" } ?? "folder")
    }
  }
}

extension MemoryCardFile {
  var shownCount: Int64? { try? byteCount() }  // never fails: these tests set no fault here
}
