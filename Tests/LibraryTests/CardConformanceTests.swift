// What every card promises the store, run against the system's file system and both kinds of card
// in memory, so that tests on one hold for the others.

import Glibc
import Library
import Tape
import Testing

@Suite struct CardConformanceTests {
  @Test("written bytes are read back, in pieces and past the end", arguments: CardKind.allCases)
  func readsBack(kind: CardKind) throws {
    try kind.withCard { card in try readsBack(card) }
  }

  private func readsBack(_ card: some FileSystem) throws {
    let file = try card.open("note", .create)
    try file.put("hello world", at: 0)
    try file.put("W", at: 6)
    try file.put("far", at: 20)
    try file.sync()
    #expect(try file.byteCount() == 23)
    let all = try file.all()
    #expect(all == Array("hello World".utf8) + [UInt8](repeating: 0, count: 9) + Array("far".utf8))
    try file.truncate(to: 5)
    try file.truncate(to: 7)
    #expect(try card.open("note", .read).all() == Array("hello".utf8) + [0, 0])
    #expect(try card.entry("note")?.byteCount == 7)
    #expect(try card.entry("note")?.kind == .file)
  }

  @Test("unsynced bytes are not forgotten", arguments: CardKind.allCases)
  func forgetsNothing(kind: CardKind) throws {
    try kind.withCard { card in try forgetsNothing(card) }
  }

  private func forgetsNothing(_ card: some FileSystem) throws {
    let file = try card.open("note", .create)
    try file.put("safe", at: 0)
    try file.sync()
    try file.put("later", at: 9_000)
    let before = try file.all()
    card.forgetUnwritten("note")
    card.forgetUnwritten("nowhere/at all")
    #expect(try file.all() == before && card.open("note", .read).all() == before)
  }

  @Test("an existing file or folder is not made again", arguments: CardKind.allCases)
  func makesOnce(kind: CardKind) throws {
    try kind.withCard { card in try makesOnce(card) }
  }

  private func makesOnce(_ card: some FileSystem) throws {
    try card.makeDirectory("folder")
    let file = try card.open("folder/take", .create)
    try file.put("sound", at: 0)
    expectRefusal(EEXIST) { _ = try card.open("folder/take", .create) }
    expectRefusal(EEXIST) { _ = try card.open("folder", .create) }
    expectRefusal(EEXIST) { try card.makeDirectory("folder") }
    expectRefusal(EEXIST) { try card.makeDirectory("folder/take") }
    #expect(try card.open("folder/take", .change).all() == Array("sound".utf8))
  }

  @Test(
    "renaming moves files and whole folders, and replaces nothing", arguments: CardKind.allCases)
  func renames(kind: CardKind) throws {
    try kind.withCard { card in try renames(card) }
  }

  private func renames(_ card: some FileSystem) throws {
    try card.makeDirectory("a")
    try card.makeDirectory("a/deep")
    try card.makeDirectory("b")
    try card.open("a/deep/take", .create).put("one", at: 0)
    try card.rename("a", to: "b/was a")
    #expect(try card.entry("a") == nil)
    #expect(try card.open("b/was a/deep/take", .read).all() == Array("one".utf8))
    try card.rename("b/was a/deep/take", to: "take")
    try card.open("take", .change).put(" more", at: 3)
    #expect(try card.open("take", .read).all() == Array("one more".utf8))

    _ = try card.open("other", .create)
    expectRefusal(EEXIST) { try card.rename("take", to: "other") }
    expectRefusal(EEXIST) { try card.rename("take", to: "b") }
    expectRefusal(EEXIST) { try card.rename("b/was a/deep", to: "b/was a") }
    expectRefusal(ENOENT) { try card.rename("nothing", to: "something") }
    expectRefusal(ENOENT) { try card.rename("take", to: "nowhere/take") }
    expectRefusal(EINVAL) { try card.rename("b", to: "b/was a/b") }
    #expect(try card.open("take", .read).all() == Array("one more".utf8))
    #expect(try card.open("other", .read).all() == [])
  }

  @Test("a folder lists its own items and nothing else", arguments: CardKind.allCases)
  func lists(kind: CardKind) throws {
    try kind.withCard { card in try lists(card) }
  }

  private func lists(_ card: some FileSystem) throws {
    #expect(try card.list("").isEmpty)
    try card.makeDirectory("folder")
    try card.open("folder/Küche 🎙️.opus", .create).put("12345", at: 0)
    try card.makeDirectory("folder/.hidden")
    let found = try card.list("folder").sorted { $0.byteCount < $1.byteCount || $0.kind != .file }
    #expect(Set(found.compactMap(\.name)) == ["Küche 🎙️.opus", ".hidden"])
    #expect(found.first { $0.kind == .file }?.byteCount == 5)
    #expect(found.contains { $0.kind == .directory })
    #expect(try card.list("").compactMap(\.name) == ["folder"])
    let names = try card.names("folder")
    #expect(names.count == 2)
    #expect(names.contains { $0.name == "Küche 🎙️.opus" && $0.kind == .file })
    #expect(names.contains { $0.name == ".hidden" && $0.kind == .directory })
    expectRefusal(ENOENT) { _ = try card.list("none") }
    expectRefusal(ENOTDIR) { _ = try card.list("folder/Küche 🎙️.opus") }
    #expect(try card.entry("")?.kind == .directory)
    #expect(try card.entry("none/deeper") == nil)
    #expect(try card.entry("folder/Küche 🎙️.opus/deeper") == nil)
  }

  @Test("only empty folders are removed, and only as folders", arguments: CardKind.allCases)
  func removes(kind: CardKind) throws {
    try kind.withCard { card in try removes(card) }
  }

  private func removes(_ card: some FileSystem) throws {
    try card.makeDirectory("folder")
    let file = try card.open("folder/take", .create)
    try file.put("kept open", at: 0)
    expectRefusal(ENOTEMPTY) { try card.removeDirectory("folder") }
    expectRefusal(ENOTDIR) { try card.removeDirectory("folder/take") }
    expectRefusal(EISDIR) { try card.remove("folder") }
    expectRefusal(ENOENT) { try card.remove("folder/none") }
    try card.remove("folder/take")
    #expect(try file.all() == Array("kept open".utf8))
    try card.syncDirectory("folder")
    try card.removeDirectory("folder")
    try card.syncDirectory("")
    #expect(try card.entry("folder") == nil)
    expectRefusal(ENOENT) { try card.syncDirectory("folder") }
  }

  @Test(
    "times that were set stay, and a file opened for reading cannot be changed",
    arguments: CardKind.allCases)
  func keepsTimes(kind: CardKind) throws {
    try kind.withCard { card in try keepsTimes(card) }
  }

  private func keepsTimes(_ card: some FileSystem) throws {
    let time: Int64 = 1_700_000_000_000_000_000
    let file = try card.open("take", .create)
    try file.put("x", at: 0)
    try file.setModified(time)
    #expect(try file.modified() == time)
    #expect(try card.entry("take")?.modified == time)
    expectRefusal(EBADF) { try card.open("take", .read).put("y", at: 0) }
    expectRefusal(ENOENT) { _ = try card.open("none", .change) }
    expectRefusal(ENOENT) { _ = try card.open("none/take", .create) }
    #expect(try file.all() == Array("x".utf8))
  }

  @Test("the space is reported, and the card is writable", arguments: CardKind.allCases)
  func tellsSpace(kind: CardKind) throws {
    try kind.withCard { card in
      let space = try card.space()
      #expect(space.freeBytes > 0 && space.freeBytes <= space.totalBytes && !space.isReadOnly)
    }
  }

  @Test(
    "a name that is not UTF-8 is listed in bytes and can be renamed",
    arguments: CardKind.allCases)
  func rawNames(kind: CardKind) throws {
    try kind.withPlanting { card, plant in try rawNames(card, plant) }
  }

  private func rawNames(
    _ card: some FileSystem, _ plant: Planting
  ) throws {
    let raw: [UInt8] = [0x41, 0xFF, 0x42]
    try card.makeDirectory("folder")
    try plant(raw, "folder")
    #expect(try card.list("folder").map(\.rawName) == [raw])
    #expect(try card.list("folder").map(\.name) == [nil])
    _ = try card.open("folder/taken", .create)
    expectRefusal(EEXIST) { try card.rename(rawName: raw, in: "folder", to: "taken") }
    try card.rename(rawName: raw, in: "folder", to: "AB")
    #expect(Set(try card.list("folder").map(\.name)) == ["AB", "taken"])
    expectRefusal(ENOENT) { try card.rename(rawName: raw, in: "folder", to: "CD") }
  }

  @Test("a name is at most 255 bytes long", arguments: CardKind.allCases)
  func longNames(kind: CardKind) throws {
    try kind.withCard { card in
      _ = try card.open(String(repeating: "x", count: 255), .create)
      let long = String(repeating: "x", count: 256)
      expectRefusal(ENAMETOOLONG) { _ = try card.open(long, .create) }
      expectRefusal(ENAMETOOLONG) { try card.makeDirectory(long) }
      #expect(try card.entry(long) == nil)
    }
  }
}
