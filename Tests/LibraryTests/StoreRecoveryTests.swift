// How the store handles a card that is not as it left it: power cuts in a take, damaged and lost
// indexes, files moved by other programs, sound of other kinds, another version. Nothing is ever
// lost, and a second start changes nothing.

import FoundationEssentials
import Glibc
import Recorder
import Tape
import Testing

@testable import Library

@Suite struct StoreRecoveryTests {
  /// Everything on the card, to see that nothing changed.
  private func contents(_ desk: StoreDesk) -> [String: Data] {
    // A directory that does not exist holds nothing.
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: desk.scratch.path)) ?? []
    return Dictionary(uniqueKeysWithValues: all.map { ($0, desk.file($0)) })
  }

  private func expectNothingMore(_ desk: StoreDesk) throws {
    let before = contents(desk)
    #expect(try desk.reopen().findings == [])
    #expect(contents(desk) == before)
  }

  @Test("a take that was cut short is repaired, playable, and says so")
  func cutTake() throws {
    let desk = try StoreDesk()
    let recording = desk.recording("Take")
    let path = try desk.begin(recording)
    let whole = try desk.sound(of: recording, seconds: 3)
    try desk.put(path, Data(whole.prefix(whole.count * 2 / 3)))

    let findings = try desk.reopen().findings
    guard case .recovered(let repaired, [.root]) = findings.first, findings.count == 2 else {
      Issue.record("\(findings)")
      return
    }
    // And then its sound is hashed
    guard case .closed(let hashed) = findings.last else {
      Issue.record("\(findings)")
      return
    }
    #expect(repaired.sound.hash == nil && hashed.sound.hash != nil)
    #expect(hashed.id == repaired.id && hashed.sound.sizeBytes == repaired.sound.sizeBytes)
    #expect(repaired.id == recording.id && repaired.stage == .recovered)
    #expect(repaired.sound.frames > 48_000 && repaired.sound.frames < 144_000)
    #expect(repaired.integrity.stopReason == .cut && repaired.integrity.recoveredCutBytes ?? 0 > 0)
    #expect(Int64(desk.file(path).count) == repaired.sound.sizeBytes)
    #expect(try SoundReader.open(desk.scratch.path + "/" + path).frames == repaired.sound.frames)
    #expect(try desk.listing().recordings.map(\.stage) == [.recovered])
    try expectNothingMore(desk)
  }

  @Test(
    "a take without a page on the card leaves no entry, and its number is not used again",
    arguments: [[], [0]] as [[UInt8]])
  func emptyTake(file: [UInt8]) throws {
    let desk = try StoreDesk()
    try desk.put(desk.begin(desk.recording("Take")), Data(file))
    let events = try desk.reopen()
    #expect(events.findings == [] && events.report?.nextSequence == 2)
    #expect(try desk.titles() == [] && desk.names == [])
    try expectNothingMore(desk)
  }

  @Test("stale bytes of another recording are not taken for a take that never reached the card")
  func alienBytes() throws {
    // Given a recording that was deleted, and a take whose file shows its bytes after a cut
    let desk = try StoreDesk()
    let deleted = try desk.record("Deleted", seconds: 2)
    let old = desk.file("0001 Deleted.opus")
    try desk.work(.throwAway(deleted.id))
    try desk.work(.purge(.everything))
    let take = desk.recording("Take")
    try desk.put(desk.begin(take), old)
    // When the card is recovered
    #expect(try desk.reopen().findings == [])
    // Then neither is listed, and not a byte is lost
    #expect(try desk.titles() == [])
    #expect(desk.file("0002 Take.opus.damaged-1") == old)
    try expectNothingMore(desk)
  }

  @Test("partial files of an interrupted import or export are removed, and no similar names")
  func partFiles() throws {
    let desk = try StoreDesk()
    _ = try desk.makeFolder("Inner")
    let others = [".reel-1-2.part", ".reel-1-2-x.part", "reel-1-2-3.part", ".reel-1-2-3.part.opus"]
    for name in others + [".reel-12-345-678.part"] { try desk.put("Inner/" + name, Data([1, 2])) }
    try desk.put(".reel-9-8-7.part", Data([1]))
    try desk.reopen()
    #expect(desk.names == ["Inner"] + others.map { "Inner/" + $0 }.sorted())
    try expectNothingMore(desk)
  }

  @Test("an import that fails or is cancelled leaves nothing behind")
  func brokenImport() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take", seconds: 20)
    let wave = "\(desk.scratch.path)/.source.wav"
    try desk.work(.long(.export(take.id, format: "wav", to: "\(wave)")))
    let before = desk.names
    desk.store.pause = { [store = desk.store, now = desk.now] in
      store.perform(.cancel(ticket: 77), now: now)
    }
    let events = desk.give(
      .work(ticket: 77, .importFile(desk.newID(), sequence: 9, from: "\(wave)", into: .root)))
    #expect(events.contains(.work(ticket: 77, .failed("Cancelled."))))
    #expect(desk.names == before)
    desk.store.pause = {}
  }

  @Test("a take that is being recorded is left alone")
  func running() throws {
    let desk = try StoreDesk()
    desk.give(.open)
    let recording = desk.recording("Take")
    let path = try desk.begin(recording)
    let whole = try desk.sound(of: recording, seconds: 1)
    try desk.put(path, Data(whole.prefix(whole.count / 2)))
    #expect(desk.give(.cancel(ticket: 0)).findings == [])
    #expect(desk.file(path).count == whole.count / 2)
  }

  @Test("without an index everything is found again by the files' tags")
  func lostIndex() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let takes = [try desk.record("One"), try desk.record("Two?", in: folder)]
    for name in contents(desk).keys where name.contains("folder.") { try desk.remove(name) }

    let events = try desk.reopen()
    #expect(events.report?.nextSequence == 3)
    #expect(events.findings.count == 3)
    #expect(try desk.titles() == ["Inner/", "One"])
    let inner = try #require(try desk.listing().folders.first)
    let found = try #require(try desk.listing(inner.id).recordings.first)
    #expect(found.id == takes[1].id && found.title == "Two?" && found.sequence == 2)
    #expect(found.sound.frames == 48_000 && found.began.quality == .synchronised)
    #expect(try desk.listing().recordings.first?.id == takes[0].id)
    try expectNothingMore(desk)
  }

  @Test("a damaged index is set aside, reported and rebuilt, and nothing of it is overwritten")
  func damagedIndex() throws {
    let desk = try StoreDesk()
    try desk.record("One")
    for number in 1...200 {
      let take = try #require(try desk.listing().recordings.first)
      try desk.work(.rename(take.id, to: "One \(number)"))
    }
    let journal = desk.file("folder.journal")
    for slot in ["folder.0.json", "folder.1.json"] { try desk.put(slot, Data("{}".utf8)) }

    let findings = try desk.reopen().findings
    #expect(findings.contains(.rebuilt(folder: .root)))
    #expect(try desk.titles() == ["One 200"])
    #expect(desk.file("folder.journal.damaged-1") == journal)
    #expect(desk.file("folder.0.json.damaged-1") == Data("{}".utf8))
    try expectNothingMore(desk)
  }

  @Test("a line torn by a power cut ends the journal, and is truncated")
  func tornLine() throws {
    let desk = try StoreDesk()
    try desk.record("One")
    let whole = desk.journal
    let torn = Data("{\"crc\":\"0badf00d\",\"reel\":1,\"aft".utf8)
    try desk.put("folder.journal", whole + torn)
    let finding = CardFinding.tornLine(folder: .root, bytes: Int64(torn.count))
    #expect(try desk.reopen().findings == [finding])
    #expect(try desk.titles() == ["One"])
    #expect(desk.journal.isEmpty && !desk.file("folder.1.json").isEmpty)
    try desk.record("Two")
    _ = try desk.reopen()
    #expect(try desk.titles() == ["One", "Two"])
  }

  @Test("zeros end the journal: a line overwrites them, and neither counts as torn")
  func zeros() throws {
    let desk = try StoreDesk()
    try desk.record("One")
    let byteCount = desk.file("folder.journal").count
    #expect(byteCount % 4096 == 0 && desk.journal.count < byteCount)

    try desk.record("Two")
    #expect(desk.file("folder.journal").count == byteCount)
    #expect(try desk.reopen().findings == [])
    #expect(try desk.titles() == ["One", "Two"])
  }

  @Test("if a cut loses the first of several lines of one sync, that is no damage")
  func tornSync() throws {
    let desk = try StoreDesk()
    let take = try desk.record("One")
    let before = desk.journal.count
    // The `settled` line of the first rename is not synced; the next line is, and the sync covers
    // both.
    try desk.work(.rename(take.id, to: "Two"))
    let settled = desk.journal
    try desk.work(.rename(take.id, to: "Three"))
    var journal = desk.journal
    let lineStart = try #require(settled.dropLast().lastIndex(of: 10)) + 1
    #expect(lineStart > before)
    let next = try #require(journal[settled.count...].firstIndex(of: 10)) + 1
    journal = journal.prefix(next)
    journal.replaceSubrange(lineStart..<settled.count, with: Data(count: settled.count - lineStart))

    try desk.put("folder.journal", journal)
    let findings = try desk.reopen().findings
    #expect(!findings.contains(.rebuilt(folder: .root)), "\(findings)")
    #expect(desk.file("folder.journal.damaged-1").isEmpty)
  }

  @Test("lines after a damaged one are used, and the damage is reported")
  func rottenLine() throws {
    let desk = try StoreDesk()
    for title in ["One", "Two", "Three"] { try desk.record(title) }
    var journal = desk.journal
    journal[journal.count / 2] ^= 4
    try desk.put("folder.journal", journal)
    #expect(try desk.reopen().findings.contains(.rebuilt(folder: .root)))
    #expect(try desk.titles() == ["One", "Three", "Two"])
    try expectNothingMore(desk)
  }

  @Test("the entry of a missing file is dropped and reported")
  func vanished() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let take = try desk.record("Take", in: folder)
    try desk.remove("Inner/0001 Take.opus")
    let where1 = Whereabouts(
      id: take.id, path: [.root, folder], tally: Tally(recordings: 1, unheard: 1))
    #expect(try desk.reopen().findings == [.vanished([where1])])
    #expect(try desk.titles(folder) == [])
    try expectNothingMore(desk)

    try desk.remove("Inner")
    let where2 = Whereabouts(id: folder, path: [.root], tally: Tally())
    #expect(try desk.reopen().findings == [.vanished([where2])])
    try expectNothingMore(desk)
  }

  @Test("a recording moved or renamed with a file manager stays the same recording")
  func movedByHand() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let take = try desk.record("Take")
    desk.give(
      .keep(
        Recording(
          id: take.id, folder: .root, sequence: take.sequence, title: take.title,
          began: take.began, sound: take.sound, isHeard: true, marks: [Mark(frame: 5, name: "x")])))
    desk.moveByHand("0001 Take.opus", to: "Inner/0001 Aunt Käthe.opus")
    guard case .adopted(let found, [.root, folder]) = try desk.reopen().findings.first else {
      Issue.record("not found again")
      return
    }
    #expect(found.id == take.id && found.isHeard && found.marks.count == 1)
    #expect(found.title == "Aunt Käthe")
    #expect(try desk.titles() == ["Inner/"] && desk.titles(folder) == ["Aunt Käthe"])

    desk.moveByHand("Inner", to: "Outer")
    _ = try desk.reopen()
    #expect(try desk.titles() == ["Outer/"] && desk.titles(folder) == ["Aunt Käthe"])
    try expectNothingMore(desk)
  }

  @Test("names that a Mac has decomposed lead to the same recordings")
  func decomposed() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Küche")
    let take = try desk.record("Käthe", in: folder)
    desk.moveByHand("Küche/0001 Käthe.opus", to: "Küche/0001 Ka\u{308}the.opus")
    desk.moveByHand("Küche", to: "Ku\u{308}che")
    _ = try desk.reopen()
    let recording = try #require(try desk.listing(folder).recordings.first)
    #expect(recording.id == take.id && recording.title == "Käthe")
    #expect(Array((recording.file ?? "").utf8) == Array("0001 Ka\u{308}the.opus".utf8))
    guard case .verified(let report) = try desk.work(.long(.verify(.root))) else {
      Issue.record("no report")
      return
    }
    #expect(report.isWell, "\(report)")
    try desk.work(.rename(take.id, to: "Küche"))
    try expectNothingMore(desk)
  }

  @Test("a copy made by hand is a new recording, and so is each one in a copied folder")
  func copied() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let take = try desk.record("Take", in: folder)
    try FileManager.default.copyItem(
      atPath: desk.scratch.path + "/Inner", toPath: desk.scratch.path + "/Copy")
    try desk.put("0001 Take too.opus", desk.file("Inner/0001 Take.opus"))
    _ = try desk.reopen()
    #expect(try desk.titles() == ["Copy/", "Inner/", "Take too"])
    let listing = try desk.listing()
    let copy = try #require(listing.folders.first { $0.name == "Copy" })
    let ids = try [folder, copy.id].flatMap { try desk.listing($0).recordings.map(\.id) }
    #expect(Set(ids + listing.recordings.map(\.id)).count == 3 && ids.contains(take.id))
    try expectNothingMore(desk)
  }

  @Test("sound of other kinds is adopted, other files are left alone")
  func foreign() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    for format in [Export.Format.wav(.bits16), .flac(.bits16)] {
      let name = "\(desk.scratch.path)/Sound.\(format.description.lowercased())"
      try Export.run(
        from: "\(desk.scratch.path)/\(take.file ?? "0001 Take.opus")", to: name, as: format)
    }
    let others = ["notes.txt", "broken.wav", "broken.opus", "0099 empty.opus"]
    for (name, text) in zip(others, ["hello", "RIFF", "OggS and nothing", ""]) {
      try desk.put(name, Data(text.utf8))
    }
    symlink("/etc/passwd", desk.scratch.path + "/link.wav")
    symlink("/", desk.scratch.path + "/folder link")
    let findings = try desk.reopen().findings
    #expect(findings.count == 2)
    #expect(try desk.titles() == ["Sound", "Sound", "Take"])
    #expect(try desk.listing().recordings.map(\.sound.frames) == [48_000, 48_000, 48_000])
    for (name, text) in zip(others, ["hello", "RIFF", "OggS and nothing", ""]) {
      #expect(desk.file(name) == Data(text.utf8))
    }
    // They keep their file ending when they are renamed
    let wave = try #require(try desk.listing().recordings.first { $0.file == "Sound.wav" })
    try desk.work(.rename(wave.id, to: "Bells"))
    #expect(desk.names.contains("Bells.wav"))
    try expectNothingMore(desk)
  }

  @Test("a folder of a newer version is refused with a sentence, and left as it is")
  func newer() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    try desk.record("Take", in: folder)
    let body = ",\"reel\":2,\"generation\":9}"
    let text = "\"bytes\":\(String(repeating: " ", count: 8))\(18 + 18 + body.utf8.count)\(body)"
    let sum = Array(text.utf8).withUnsafeBytes { Checksum.of($0) }
    let digits = String(decoding: Checksum.digits(sum), as: UTF8.self)
    try desk.put("Inner/folder.0.json", Data("{\"crc\":\"\(digits)\",\(text)".utf8))
    _ = try desk.reopen()
    let before = contents(desk)
    let events = desk.give(.read(folder))
    guard case .unreadable(folder, let why) = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(why.contains("newer version"))
    #expect(throws: StoreDesk.Failed.self) { try desk.work(.rename(desk.newID(), to: "x")) }
    #expect(contents(desk) == before)
    // Its siblings can be used as ever
    try desk.record("Beside")
  }

  @Test("a file whose name is not UTF-8 gets a readable one")
  func unreadableName() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    try desk.scratch.plant([0x42, 0xFF, 0xFE] + Array(".opus".utf8), in: ".")
    _ = take
    _ = try desk.reopen()
    #expect(desk.names.count == 2)
    try expectNothingMore(desk)
  }

  @Test("an unreadable index does not make the folder count as empty")
  func unreadable() throws {
    let desk = try StoreDesk()
    try desk.record("Take")
    try desk.remove("folder.journal")
    try FileManager.default.createDirectory(
      atPath: desk.scratch.path + "/folder.journal", withIntermediateDirectories: false)
    _ = try desk.reopen()
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.scratch.path).count >= 2)
    #expect(!desk.file("0001 Take.opus").isEmpty)
  }
}
