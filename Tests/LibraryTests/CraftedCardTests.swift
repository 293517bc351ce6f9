// Cards with a crafted index: names that lead out of their directory, and intents to delete other
// items. Nothing outside the card is touched, no sound is lost, and the user is told.

import FoundationEssentials
import Glibc
import JSON
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct CraftedCardTests {
  private static let crafted = ItemID(high: 0xBAD, low: 1)

  /// Crafted changes of a journal, and what each tries to do.
  static let journals: [(what: String, change: String)] = [
    ("no file is the root", #"{"put":{"id":"ID","purging":true}}"#),
    ("no directory is the root", #"{"put":{"folder":"ID","purging":true}}"#),
    ("a directory that is empty text", #"{"put":{"folder":"ID","directory":"","purging":true}}"#),
    ("the directory itself", #"{"put":{"id":"ID","file":".","purging":true}}"#),
    ("the directory above", #"{"put":{"id":"ID","file":"..","purging":true}}"#),
    ("a file beside", #"{"put":{"id":"ID","file":"../beside/precious","purging":true}}"#),
    ("a directory beside", #"{"put":{"folder":"ID","directory":"../beside","purging":true}}"#),
    ("an absolute file", #"{"put":{"id":"ID","file":"OUT/beside/precious","purging":true}}"#),
    ("an absolute directory", #"{"put":{"folder":"ID","directory":"OUT/beside","purging":true}}"#),
    ("a renaming from outside", #"{"put":{"id":"ID","was":"../beside/precious","file":"a.opus"}}"#),
    ("a renaming to outside", #"{"put":{"id":"ID","was":"0001 Kept.opus","file":"../b.opus"}}"#),
    ("a zero byte", #"{"put":{"id":"ID","file":"0001 Kept.opus\u0000x","purging":true}}"#),
    ("another folder", #"{"put":{"folder":"ID","directory":"Inner","purging":true}}"#),
    ("a folder as a recording", #"{"put":{"id":"ID","file":"Inner","purging":true}}"#),
    (
      "a recording as a folder",
      #"{"put":{"folder":"ID","directory":"0001 Kept.opus","purging":true}}"#
    ),
    ("a path within", #"{"put":{"id":"ID","file":"Inner/0002 Inside.opus","purging":true}}"#),
    ("the trash", #"{"put":{"folder":"ID","directory":".trash","purging":true}}"#),
    ("the index", #"{"put":{"id":"ID","file":"folder.journal","purging":true}}"#),
    ("a link to a file", #"{"put":{"id":"ID","file":"link.opus","purging":true}}"#),
    ("a link to a directory", #"{"put":{"folder":"ID","directory":"link","purging":true}}"#),
    ("a way through a link", #"{"put":{"id":"ID","file":"link/precious","purging":true}}"#),
    (
      "a move to outside",
      #"{"put":{"id":"ID","file":"0001 Kept.opus","leaving":{"to":["ROOT"],"file":"../b.opus"}}}"#
    ),
    ("the root itself", #"{"put":{"folder":"ROOT","directory":"Inner","purging":true}}"#),
  ]

  private func filled(_ change: String, outside: String) -> String {
    change.replacing("ROOT", with: "\(ItemID.root)").replacing("ID", with: "\(Self.crafted)")
      .replacing("OUT", with: outside)
  }

  /// The entry of a `put`, as an item of a snapshot.
  private func snapshot(_ change: String, outside: String) -> [UInt8] {
    let entry = filled(change, outside: outside).dropFirst(#"{"put":"#.utf8.count).dropLast()
    let rest =
      #","reel":1,"generation":9,"id":"\#(ItemID.root)","name":"","order":"byDate","next":9,"#
      + #""items":["# + entry + "]}\n"
    let head = #""bytes":"#
    let size = "\(IndexFormat.headByteCount + head.utf8.count + 10 + rest.utf8.count)"
    let blanks = String(repeating: " ", count: 10 - size.utf8.count)
    return IndexFormat.sealed(Array((head + blanks + size + rest).utf8))
  }

  private func line(_ change: String, outside: String) -> [UInt8] {
    let change = filled(change, outside: outside)
    let text = #""reel":1,"after":0,"line":1,"before":"00000000","do":["# + change + "]}"
    let mark = JSONWriter.digits(of: .root).withUnsafeBytes { Checksum.of($0) }
    return IndexFormat.sealed(Array(text.utf8), after: mark) + [10]
  }

  @Test(
    "no crafted index deletes or reaches anything", arguments: journals.indices, [false, true])
  func index(number: Int, isSnapshot: Bool) throws {
    // Given a card with a recording, another in a folder, and one in the trash, and a file beside
    let outside = Scratch()
    try #require(mkdir(outside.path + "/beside", 0o755) == 0)
    try outside.plant(Array("precious".utf8), in: "beside")
    let desk = try StoreDesk(in: outside.path + "/card")
    try desk.record("Kept")
    try desk.record("Inside", in: try desk.makeFolder("Inner"))
    try desk.work(.throwAway(try desk.record("Thrown").id))
    try #require(symlink("../beside/precious", desk.scratch.path + "/link.opus") == 0)
    try #require(symlink("../beside", desk.scratch.path + "/link") == 0)
    let sounds = Set(desk.sounds)
    #expect(sounds.count == 3)
    // When its root gets the crafted index
    for name in ["folder.0.json", "folder.1.json", "folder.journal"] { try? desk.remove(name) }
    let (_, change) = Self.journals[number]
    if isSnapshot {
      let bytes = snapshot(change, outside: outside.path)
      guard case .whole = bytes.withUnsafeBytes({ IndexFormat.slot($0) }) else {
        Issue.record("the crafted snapshot is not read at all")
        return
      }
      try desk.put("folder.0.json", Data(bytes))
    } else {
      try desk.put("folder.journal", Data(line(change, outside: outside.path)))
    }
    let findings = try desk.reopen().findings
    // Then every sound is there, a notice was given, and a second start finds nothing
    #expect(Set(desk.sounds) == sounds)
    #expect(access(outside.path + "/beside/precious", F_OK) == 0)
    #expect(access(outside.path + "/b.opus", F_OK) != 0)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: outside.path))
        == ["beside", "card"])
    var about = stat()
    #expect(lstat(desk.scratch.path + "/link", &about) == 0)
    #expect(lstat(desk.scratch.path + "/link.opus", &about) == 0)
    #expect(findings.contains { $0.isNotice }, "\(change): \(findings)")
    #expect(Set(try desk.titles()).contains("Kept"))
    #expect(try desk.reopen().findings == [])
    #expect(Set(desk.sounds) == sounds)
  }

  @Test("no crafted journal does so on a card in memory", arguments: journals.indices)
  func journalInMemory(index: Int) throws {
    for kind in MemoryCard.Kind.allCases {
      let rig = StoreRig(MemoryCard(kind))
      try rig.open()
      let folder = ItemID(high: 7, low: 7)
      rig.give(.work(ticket: 1, .makeFolder(folder, name: "Inner", in: .root)))
      try rig.record(ItemID(high: 1, low: 1))
      try rig.record(ItemID(high: 1, low: 2), in: folder, at: "Inner/")
      let card = rig.system
      for name in ["folder.0.json", "folder.1.json", "folder.journal"]
      where try card.entry(name) != nil {
        try card.remove(name)
      }
      try card.plant(
        Array("folder.journal".utf8), in: "",
        line(Self.journals[index].change, outside: "/somewhere"))
      let sounds = Self.sounds(on: card)
      #expect(sounds.count == 2)
      try StoreRig(card).open()
      #expect(Self.sounds(on: card) == sounds)
      let before = card.everything.map(\.path)
      try StoreRig(card).open()
      #expect(card.everything.map(\.path) == before)
    }
  }

  @Test("a foreign file is not taken for the copy of a recording")
  func foreignIsNoCopy() throws {
    // Given a FAT card with a take, and beside it a smaller file of the user's
    let rig = StoreRig(MemoryCard(.fat))
    try rig.open()
    try rig.record(ItemID(high: 1, low: 1))
    let card = rig.system
    let take = try #require(card.names.first { $0.hasSuffix(".opus") })
    let words = Array("where the sound is from".utf8)
    try card.plant(Array("notes.txt".utf8), in: "", words)
    // When an index says that the take was being renamed to that file
    for name in ["folder.0.json", "folder.1.json", "folder.journal"]
    where try card.entry(name) != nil {
      try card.remove(name)
    }
    let change = #"{"put":{"id":"ID","was":"\#(take)","file":"notes.txt"}}"#
    try card.plant(Array("folder.journal".utf8), in: "", line(change, outside: ""))
    let sounds = Self.sounds(on: card)
    try StoreRig(card).open()
    // Then both are there
    #expect(Self.sounds(on: card) == sounds && sounds.count == 1)
    #expect(card.everything.contains { $0.bytes == words })
  }

  @Test("sound with the name of a recording elsewhere is not taken for its copy")
  func namesakeIsNoCopy() throws {
    // Given a FAT card with a folder of one take, and elsewhere a directory with other sound under
    // the same names
    let rig = StoreRig(MemoryCard(.fat))
    try rig.open()
    let (from, into) = (ItemID(high: 7, low: 7), ItemID(high: 8, low: 8))
    rig.give(.work(ticket: 1, .makeFolder(from, name: "From", in: .root)))
    rig.give(.work(ticket: 2, .makeFolder(into, name: "Into", in: .root)))
    try rig.record(ItemID(high: 1, low: 1), in: from, at: "From/")
    let card = rig.system
    let name = try #require(card.names.first { $0.hasSuffix(".opus") })
    let limit = try #require(try card.entry(name)).byteCount
    let others = try (2..<40).map { number in
      try TakeSound.of(Recording.take(ItemID(high: 1, low: number)), folder: "").bytes
    }
    let other = try #require(others.first { $0.count <= limit })
    try card.makeDirectory("Into/From")
    try card.plant(Array(name.utf8.dropFirst(5)), in: "Into/From", other)
    // When an index says that the folder was being moved there
    for name in ["folder.0.json", "folder.1.json", "folder.journal"]
    where try card.entry(name) != nil {
      try card.remove(name)
    }
    let change = #"""
      {"put":{"folder":"\#(from)","directory":"From",\#
      "leaving":{"to":["ROOT","\#(into)"],"file":"From"}}},\#
      {"put":{"folder":"\#(into)","directory":"Into"}}
      """#
    try card.plant(Array("folder.journal".utf8), in: "", line(change, outside: ""))
    let sounds = Self.sounds(on: card)
    try StoreRig(card).open()
    // Then both sounds are there
    #expect(Self.sounds(on: card) == sounds && sounds.count == 2)
  }

  private static func sounds(on card: MemoryCard) -> Set<[UInt8]> {
    Set(card.everything.compactMap(\.bytes).filter { $0.starts(with: Array("OggS".utf8)) })
  }

  @Test("deleting a folder for good deletes its recordings and folders")
  func purgeIsFinished() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    try desk.record("Inside", in: folder)
    _ = try desk.makeFolder("Deeper", in: folder)
    try desk.work(.throwAway(folder))
    try desk.work(.purge(.everything))
    #expect(desk.sounds.isEmpty && !desk.names.contains { $0.hasPrefix(".trash/Inner") })
    #expect(try desk.reopen().findings == [])
  }

  @Test("a folder whose directory was replaced by another is not deleted")
  func exchanged() throws {
    // Given a folder in the trash whose directory was replaced by that of another folder
    let desk = try StoreDesk()
    let (one, other) = (try desk.makeFolder("One"), try desk.makeFolder("Other"))
    try desk.record("Kept", in: other)
    try desk.work(.throwAway(one))
    let path = desk.scratch.path
    try #require(rename(path + "/.trash/One", path + "/gone") == 0)
    try #require(rename(path + "/Other", path + "/.trash/One") == 0)
    // When it is deleted for good
    // Then that is refused, and the other folder's recording is still there
    #expect(throws: StoreDesk.Failed.self) { try desk.work(.purge(.item(one))) }
    #expect(desk.sounds.count == 1)
    try desk.reopen()
    #expect(desk.sounds.count == 1)
  }
}

extension CardFinding {
  /// Whether the event tells the user that something was wrong with the card.
  fileprivate var isNotice: Bool {
    switch self {
    case .rebuilt, .left, .vanished: true
    default: false
    }
  }
}

extension StoreDesk {
  /// The bytes of every recording on the card, wherever it is.
  fileprivate var sounds: [Data] {
    names.filter { $0.hasSuffix(".opus") && !$0.hasSuffix("link.opus") }.map { file($0) }
  }
}
