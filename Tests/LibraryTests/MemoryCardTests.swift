// How a card in memory fails on demand: full, failing in places, read-only, slow; and what it
// counts.

import Glibc
import Library
import Synchronization
import Tape
import Testing

@Suite struct MemoryCardTests {
  private let card = MemoryCard(.journalling)

  @Test("a card that fills up writes what fits and reports that it is full")
  func fillsUp() throws {
    let file = try card.open("take", .create)
    card.faults.capacity = 10_000
    #expect(try card.space().freeBytes == 10_000)
    let error = refusal {
      try file.put([UInt8](repeating: 7, count: 20_000), at: 0)
    }
    #expect(error?.code == .diskFull)
    #expect(try file.byteCount() == 10_000)
    #expect(try card.space().freeBytes == 0)
    expectRefusal(ENOSPC) { try card.makeDirectory("folder") }
    try file.truncate(to: 4096)
    #expect(try card.space().freeBytes == 10_000 - 4096)
    try card.makeDirectory("folder")
  }

  @Test("the room of a removed file is free once the file is closed")
  func givesRoomBack() throws {
    let before = try card.space().freeBytes
    do {
      let file = try card.open("take", .create)
      try file.put([1, 2, 3], at: 0)
      try card.remove("take")
      #expect(try card.space().freeBytes < before)
    }
    #expect(try card.space().freeBytes == before)
  }

  @Test("one operation fails, or every one at a path, and no other")
  func failsInPlaces() throws {
    let file = try card.open("take", .create)
    card.faults.failures[card.counts.operations + 1] = EIO
    try file.put("one", at: 0)
    expectRefusal(EIO) { try file.sync() }
    try file.sync()
    try card.makeDirectory("folder")
    _ = try card.open("folder/other", .create)
    card.faults.brokenPath = ("folder", EIO)
    expectRefusal(EIO) { _ = try card.list("folder") }
    expectRefusal(EIO) { _ = try card.open("folder/other", .read) }
    #expect(try file.all() == Array("one".utf8))
  }

  @Test("a read-only card refuses every change and can be read")
  func readOnly() throws {
    let file = try card.open("take", .create)
    try file.put("one", at: 0)
    card.faults.isReadOnly = true
    #expect(try card.space().isReadOnly)
    expectRefusal(EROFS) { try file.put("two", at: 0) }
    expectRefusal(EROFS) { _ = try card.open("other", .create) }
    expectRefusal(EROFS) { _ = try card.open("take", .change) }
    expectRefusal(EROFS) { try card.rename("take", to: "other") }
    expectRefusal(EROFS) { try card.remove("take") }
    expectRefusal(EROFS) { try card.makeDirectory("folder") }
    #expect(try card.open("take", .read).all() == Array("one".utf8))
  }

  @Test("the hook is called before each operation, and may block or read the card")
  func hook() throws {
    let heard = Mutex<[MemoryCardOperation]>([])
    card.beforeEach { [card] operation in
      heard.withLock { $0.append(operation) }
      card.now += 1_000_000_000
      _ = card.ifCutNow
    }
    let file = try card.open("take", .create)
    try file.put("x", at: 0)
    try file.sync()
    #expect(heard.withLock { $0.map(\.kind) } == [.createFile, .write, .sync])
    #expect(heard.withLock { $0.map(\.number) } == [0, 1, 2])
    #expect(try file.modified() == 1_700_000_000_000_000_000 + 2_000_000_000)
  }

  @Test("the power is cut after a number of operations")
  func cutsAfter() throws {
    card.faults.cutAfter = 2
    let file = try card.open("take", .create)
    try file.put("x", at: 0)
    expectRefusal(EIO) { try file.sync() }
    expectRefusal(EIO) { _ = try card.space() }
    #expect(card.ifCutNow.outcome(0).names.isEmpty)
  }

  @Test("operations, syncs and bytes are counted")
  func counts() throws {
    let file = try card.open("take", .create)
    try file.put([1, 2, 3, 4], at: 0)
    try file.sync()
    try card.syncDirectory("")
    _ = try card.open("take", .read).all()
    var counts = MemoryCardCounts()
    counts.operations = 7
    counts.changes = 4
    counts.syncs = 2
    counts.bytesRead = 4
    counts.bytesWritten = 4
    #expect(card.counts == counts)
  }

  @Test("FAT ignores case, refuses invalid names, and holds no file beyond 4 GiB")
  func fatNames() throws {
    let card = MemoryCard(.fat)
    let file = try card.open("Küche", .create)
    expectRefusal(EEXIST) { try card.makeDirectory("KÜCHE") }
    #expect(try card.entry("kÜche")?.name == "Küche")
    for name in ["a:b", "a?", "a\u{1}", "a ", "a.", "a\"b", "a\\b"] {
      expectRefusal(EINVAL) { try card.makeDirectory(name) }
    }
    expectRefusal(EFBIG) { try file.put("x", at: Int64(UInt32.max)) }
    try file.setModified(1_700_000_001_500_000_000)
    #expect(try file.modified() == 1_700_000_000_000_000_000)
  }
}
