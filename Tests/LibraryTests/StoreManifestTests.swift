// The manifest that the store keeps on a card: each recording has a line, deletions are said,
// nothing is listed twice, and what another program did to it is found and told.

import Digest
import FoundationEssentials
import Glibc
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreManifestTests {
  private let key: SigningKey

  init() throws { key = try #require(ManifestContent.key) }

  private var path: String { ".manifest/\(key.publicKey.keyID).txt" }

  private func content(_ desk: StoreDesk) throws -> ManifestContent {
    try #require(try ManifestContent.read(PosixCard.open(desk.scratch.path), key: key))
  }

  private func events(_ desk: StoreDesk) throws -> [String] {
    try content(desk).lines.map { "\($0.event) \($0.sequence)" }
  }

  @Test("a card without a complete recording has none, and a recording brings it")
  func first() throws {
    let desk = try StoreDesk(key: key)
    let recording = desk.recording("Take")
    _ = try desk.begin(recording)
    #expect(!desk.names.contains(".manifest"))
    let take = try desk.record("Whole")
    let content = try content(desk)
    let hash = try #require(take.sound.hash?.sha256)
    #expect(content.kept[take.id]?.map(\.description) == [hash])
    #expect(content.lines.first?.before == .ofNothing && content.lines.count == 1)
    #expect(content.lines.first?.time == "2027-01-15T08:00:00Z")
  }

  @Test("names, folders, tags and the trash change nothing, and a deletion for good has its line")
  func life() throws {
    let desk = try StoreDesk(key: key)
    let folder = try desk.makeFolder("Inner")
    let first = try desk.record("First")
    let second = try desk.record("Second")
    try desk.work(.rename(first.id, to: "Other"))
    try desk.work(.move(first.id, to: folder, at: nil))
    var noted = second
    noted.details.notes = "A note"
    desk.give(.keep(noted))
    try desk.work(.throwAway(second.id))
    _ = try desk.reopen()
    #expect(try events(desk) == ["kept 1", "kept 2"])
    #expect(try desk.titles(.trash).count == 1 && desk.titles().count == 1)
    try desk.work(.purge(.item(second.id)))
    #expect(try events(desk) == ["kept 1", "kept 2", "erased 2"])
    // A folder is deleted with all that is below it
    try desk.work(.throwAway(folder))
    try desk.work(.purge(.everything))
    #expect(try events(desk) == ["kept 1", "kept 2", "erased 2", "erased 1"])
    _ = try desk.reopen()
    #expect(try content(desk).kept.isEmpty)
  }

  @Test("a library from before gets its lines by number, at the first start with a key")
  func older() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    for number in 1...5 { try desk.record("Take \(number)", in: number % 2 == 0 ? folder : .root) }
    #expect(!desk.names.contains(".manifest"))
    _ = try desk.reopen(with: key)
    #expect(try events(desk) == (1...5).map { "kept \($0)" })
    let before = try content(desk).bytes
    _ = try desk.reopen()
    #expect(try content(desk).bytes == before)
  }

  @Test("a removed recording keeps its line: only deletions have one")
  func removed() throws {
    let desk = try StoreDesk(key: key)
    try desk.record("Take")
    try desk.remove("0001 Take.opus")
    _ = try desk.reopen()
    #expect(try desk.titles() == [] && events(desk) == ["kept 1"])
  }

  @Test("a hash that is computed anew from other sound does not change the line")
  func laundered() throws {
    // Given a recording whose file another program changes, and an index that is gone
    let desk = try StoreDesk(key: key)
    let take = try desk.record("Take", seconds: 2)
    let before = try content(desk)
    var bytes = desk.file("0001 Take.opus")
    bytes[bytes.count - 1] ^= 1
    try desk.put("0001 Take.opus", bytes)
    try desk.remove("folder.journal")
    // When it is found again and verified, it gets another hash
    _ = try desk.reopen()
    _ = try desk.work(.long(.verify(.root)))
    let found = try #require(try desk.listing().recordings.first)
    #expect(found.id == take.id && found.sound.hash != take.sound.hash)
    // Then the line is as it was
    #expect(try content(desk).bytes == before.bytes)
  }

  @Test("a torn line and an old signature are made good, and a missing one is made again")
  func torn() throws {
    let desk = try StoreDesk(key: key)
    try desk.record("First")
    let signature = desk.file(path + ".minisig")
    try desk.record("Second")
    let whole = desk.file(path)
    for (bytes, old) in [
      (whole + Array("3 kept 0".utf8), Optional(signature)), (whole, Data()), (whole, nil),
      (whole.dropLast(30), signature), (whole + [UInt8](repeating: 0, count: 9_000), signature),
    ] as [(Data, Data?)] {
      try desk.put(path, Data(bytes))
      if let old {
        try desk.put(path + ".minisig", old)
      } else {
        try desk.remove(path + ".minisig")
      }
      _ = try desk.reopen()
      #expect(try events(desk) == ["kept 1", "kept 2"])
    }
  }

  @Test("a manifest that another program changed is set aside, told, and a new one follows it")
  func changed() throws {
    let desk = try StoreDesk(key: key)
    try desk.record("First")
    try desk.record("Second")
    let head = try content(desk).lines
    var text = String(decoding: desk.file(path), as: UTF8.self)
    text = text.replacing(" 1 20", with: " 7 20")
    try desk.put(path, Data(text.utf8))
    let events = try desk.reopen()
    let told = events.findings.compactMap { finding in
      if case .left(folder: .root, let why) = finding { why } else { nil }
    }
    #expect(told.count == 1 && told.first?.contains("changed by another program") == true)
    let names = desk.names.filter { $0.contains("damaged") }.sorted()
    #expect(names == [path + ".damaged-1", path + ".minisig.damaged-1"])
    try desk.remove(names[0])
    try desk.remove(names[1])
    let new = try content(desk)
    #expect(new.kept.count == 2)
    var last = SHA256()
    last.update(try #require(head.last).bytes)
    #expect(new.lines.first?.before == last.sum)
  }

  @Test("a line that another program adds is not signed, whether or not there is a signature")
  func forged() throws {
    let desk = try StoreDesk(key: key)
    try desk.record("First")
    let before = desk.file(path)
    let other = try #require(SigningKey(seed: [UInt8](2...33)))
    let last = try #require(try content(desk).lines.last)
    var hash = SHA256()
    hash.update(last.bytes)
    let line = ManifestLine(
      number: 2, .erased, last.recording, sequence: 1, time: last.time, hashes: [],
      before: hash.sum, sealedBy: other)
    for isSigned in [true, false] {
      try desk.put(path, before + line.bytes)
      if !isSigned { try desk.remove(path + ".minisig") }
      _ = try desk.reopen()
      #expect(try content(desk).bytes == Array(before))
    }
  }

  @Test("another recorder's manifest on the card stays, and the new one begins with its head")
  func other() throws {
    let desk = try StoreDesk(key: key)
    try desk.record("First")
    let last = try #require(try content(desk).lines.last)
    let bytes = desk.file(path)
    let second = try #require(SigningKey(seed: [UInt8](2...33)))
    _ = try desk.reopen(with: second)
    let content = try #require(
      try ManifestContent.read(PosixCard.open(desk.scratch.path), key: second))
    var hash = SHA256()
    hash.update(last.bytes)
    #expect(content.lines.map(\.sequence) == [1] && content.lines.first?.before == hash.sum)
    #expect(desk.file(path) == bytes)
  }

  @Test("a client gets the text and the signature of exactly that text")
  func opened() throws {
    let desk = try StoreDesk(key: key)
    #expect(throws: StoreDesk.Failed.self) { try desk.work(.manifest(.open)) }
    try desk.record("First")
    desk.store.clientFiles = ClientFiles(
      claim: { _ in nil },
      offer: { descriptor in
        close(descriptor)
        return 7
      })
    guard case .manifest(.open, let facts) = try desk.work(.manifest(.open)) else {
      Issue.record("no facts")
      return
    }
    #expect(facts.file?.number == 7 && facts.file?.file == path)
    #expect(facts.file?.sizeBytes == Int64(desk.file(path).count))
    let content = try content(desk)
    #expect(facts.signature == content.signature && facts.lines == 1)
    #expect(facts.publicKey == key.publicKey.text && facts.keyID == key.publicKey.keyID)
  }

  @Test("without a card the key is known, and nothing else")
  func exported() throws {
    let desk = try StoreDesk(key: key)
    try desk.record("First")
    try desk.work(.exportMode(true))
    // A computer finds a manifest that its signature fits
    _ = try content(desk)
    let about = try desk.work(.manifest(.about))
    #expect(about == .manifest(.about, ManifestFacts(key.publicKey)))
    #expect(throws: StoreDesk.Failed.self) { try desk.work(.manifest(.head)) }
  }

  @Test("a full card holds up no deletion, and the line follows when there is room")
  func full() throws {
    let card = MemoryCard(.journalling)
    let walk = try StoreWalk(StoreRig(card, key: key), seed: 1)
    for deed in [.begin, .end, .begin, .end] as [Deed] { #expect(try walk.attempt(deed)) }
    let rig = walk.rig
    try rig.expectManifest(of: key)
    let take = try #require(try rig.listing(of: .root).recordings.first)
    rig.give(.work(ticket: 1, .throwAway(take.id)))
    // Whatever is written to the manifest fails
    card.faults.brokenPath = (".manifest", ENOSPC)
    #expect(rig.work(.purge(.everything)) == .done(.purged([take.id], left: Tally())))
    card.faults.brokenPath = nil
    #expect(throws: Broken.self) { try rig.expectManifest(of: key) }
    rig.store.measureSpace()
    while rig.store.step() {}
    try rig.expectManifest(of: key)
  }

  @Test("what makes room is recycled, unless a person had deleted it")
  func recycled() throws {
    let desk = try StoreDesk(key: key)
    for title in ["First", "Second"] {
      var recording = try desk.record(title)
      recording.isHeard = true
      desk.give(.keep(recording))
      if title == "Second" { try desk.work(.throwAway(recording.id)) }
    }
    for _ in 1...2 { desk.give(.recycle(.heard)) }
    #expect(try events(desk).sorted() == ["erased 2", "kept 1", "kept 2", "recycled 1"])
    _ = try desk.reopen()
    #expect(try content(desk).kept.isEmpty)
  }

  @Test("ten thousand lines are read at once, and one more costs no more than the first")
  func cost() throws {
    let desk = try StoreDesk(key: key)
    let manifest = Manifest(try PosixCard.open(desk.scratch.path), key)
    while try manifest.readMore({ _ in }) {}
    for batch in 0..<50 {
      try manifest.append(
        (1...200).map { number in
          ManifestEvent(
            event: .kept, id: ItemID(high: 1, low: UInt64(batch * 200 + number)),
            sequence: batch * 200 + number, hashes: [.ofNothing])
        }, at: desk.now)
    }
    try manifest.sign()
    let clock = ContinuousClock()
    let again = Manifest(try PosixCard.open(desk.scratch.path), key)
    let reading = try clock.measure { while try again.readMore({ _ in }) {} }
    #expect(again.lineCount == 10_000 && again.keeps(ItemID(high: 1, low: 10_000)))
    #expect(!again.keeps(ItemID(high: 1, low: 10_001)) && !again.needsSignature)
    let signing = clock.measure { _ = again.signatureOfAll }
    let line = try clock.measure {
      try again.append(
        [ManifestEvent(event: .erased, id: ItemID(high: 1, low: 5), sequence: 5)], at: desk.now)
      try again.sign()
    }
    print("manifest of 10,000 lines: read in \(reading), signed in \(signing), one line \(line)")
    #expect(reading < .seconds(5) && signing < .milliseconds(100))
    #expect(!again.keeps(ItemID(high: 1, low: 5)) && again.keeps(ItemID(high: 1, low: 6)))
  }
}
