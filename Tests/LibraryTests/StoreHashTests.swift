// The hash of a recording's sound in its entry: it stays through everything that happens to the
// file, is computed for what a power cut tore, and tells when the sound is not the same any more.

import FoundationEssentials
import JSON
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreHashTests {
  private func hash(_ desk: StoreDesk, _ path: String) throws -> SoundHash? {
    SoundHash(
      try SoundHasher.reading(PosixFile.open(desk.scratch.path + "/" + path, .read)).sum)
  }

  private func report(_ desk: StoreDesk) throws -> VerifyReport {
    guard case .verified(let report) = try desk.work(.long(.verify(.root))) else {
      throw StoreDesk.Failed(why: "no report")
    }
    return report
  }

  private func known(_ desk: StoreDesk, _ folder: ItemID = .root) throws -> SoundHash? {
    try desk.listing(folder).recordings.first?.sound.hash
  }

  @Test("it stays when a recording is renamed, tagged, moved, deleted, restored and read again")
  func life() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let take = try desk.record("Take")
    let hash = try #require(take.sound.hash)
    #expect(try known(desk) == hash)
    try desk.work(.rename(take.id, to: "Küche"))
    #expect(try known(desk) == hash)
    // New tags are written into the header
    var noted = try #require(try desk.listing().recordings.first)
    noted.details.notes = "Long ago"
    noted.marks = [Mark(frame: 100, name: "here")]
    desk.give(.keep(noted))
    #expect(try known(desk) == hash)
    #expect(try self.hash(desk, "0001 Küche.opus") == hash)
    try desk.work(.move(take.id, to: folder, at: nil))
    #expect(try known(desk, folder) == hash)
    try desk.work(.throwAway(take.id))
    #expect(try known(desk, .trash) == hash)
    try desk.work(.restore(take.id))
    _ = try desk.reopen()
    #expect(try known(desk, folder) == hash)
    #expect(try self.hash(desk, "Inner/0001 Küche.opus") == hash)
    #expect(try report(desk) == VerifyReport(checked: 1, faultCount: 0, faults: []))
  }

  @Test("where renaming copies, it is that of the copy, whatever happens to a take")
  func fat() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let walk = try StoreWalk(StoreRig(MemoryCard(.fat)), seed: seed)
      for deed in [.makeFolder, .begin, .end, .begin, .write, .end] as [Deed] {
        _ = try walk.attempt(deed)
      }
      for deed in [.rename, .mark, .move, .correct, .throwAway, .restore, .reopen] as [Deed] {
        for _ in 0..<3 { _ = try walk.attempt(deed) }
        // Each listed hash is compared with the sound on the way
        #expect(try walk.rig.found().count >= 2)
      }
      for id in [ItemID.root, .trash] + walk.model.folders {
        for take in try walk.rig.listing(of: id).recordings { #expect(take.sound.hash != nil) }
      }
    }
  }

  @Test("a sender that does not know it does not remove it")
  func unknown() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    var old = take
    old.sound.hash = nil
    old.isHeard = true
    desk.give(.keep(old))
    let kept = try #require(try desk.listing().recordings.first)
    #expect(kept.isHeard && kept.sound.hash == take.sound.hash && take.sound.hash != nil)
  }

  @Test("a take that a cut tore gets that of its repaired sound, and says so", arguments: [1, 3])
  func torn(tracks: Int) throws {
    let plans = [
      .usual, TrackPlan(name: "room", ending: ".flac"), TrackPlan(name: "b", ending: ".opus"),
    ]
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card, tracks: Array(plans.prefix(tracks)))
    try rig.open()
    let begun = Recording.take(ItemID(high: 1, low: 1)).with(Tracks(rig.tracks))
    rig.give(.begin(begun))
    for (index, name) in begun.fileNames("0001 Take 1.opus").enumerated() {
      let sound: TakeSound =
        index == 1
        ? try .flac(of: begun, folder: "", track: 2) : try .of(begun, folder: "", track: index + 1)
      let file = try card.open(name, .change)
      try file.put(sound.pages.dropLast().flatMap(\.bytes) + [1, 2, 3], at: 0)
      try file.sync()
    }
    let again = StoreRig(card, tracks: rig.tracks)
    let events = try again.open()
    // The heart learns of each
    let closed = events.compactMap { event -> Recording? in
      if case .found(.closed(let recording)) = event { recording } else { nil }
    }
    #expect(closed.count == tracks)
    let take = try #require(try again.listing(of: .root).recordings.first)
    #expect(closed.last == take && take.stage == .recovered)
    for number in take.trackNumbers { #expect(take.sound(ofTrack: number).hash != nil) }
    #expect(take.trackNumbers.count == tracks)
    #expect(try again.found().count == 1)
    // And the next start finds nothing to do
    #expect(try !StoreRig(card).open().contains { if case .found = $0 { true } else { false } })
  }

  @Test("a take that is renamed while it is hashed gets its hash all the same")
  func renamed() throws {
    let desk = try StoreDesk()
    let take = desk.recording("Take")
    let path = try desk.begin(take)
    // Long enough to be read in more than one piece
    try desk.put(path, Data(try desk.sound(of: take, seconds: 120).dropLast(100)))
    let store = Store(system: try PosixCard.open(desk.scratch.path)) { _ in }
    store.perform(.open, now: desk.now)
    while store.hashing == nil { #expect(store.step()) }
    store.perform(.read(.root), now: desk.now)
    store.perform(.work(ticket: 1, .rename(take.id, to: "Other")), now: desk.now)
    #expect(store.hashing != nil)
    while store.step() {}
    _ = try desk.reopen()
    let hash = try #require(try known(desk))
    #expect(try self.hash(desk, "0001 Other.opus") == hash)
  }

  @Test("a flipped byte in the sound is found, also where its page's checksum fits it")
  func flipped() throws {
    let desk = try StoreDesk()
    try desk.record("Take", seconds: 3)
    let name = "0001 Take.opus"
    var bytes = Array(desk.file(name))
    let page = try #require(
      bytes.indices.last { bytes[$0...].starts(with: Array("OggS".utf8)) && $0 < bytes.count / 2 })
    // A byte of a packet is another, and the page is sealed again
    let header = 27 + Int(bytes[page + 26])
    let body = bytes[page + 27..<page + header].reduce(0) { $0 + Int($1) }
    bytes[page + header + body / 2] ^= 1
    let before = try report(desk)
    Self.seal(&bytes, page..<page + header + body)
    try desk.put(name, Data(bytes))
    let after = try report(desk)
    #expect(before.isWell && before.hashed == 0)
    #expect(
      after.faults.map(\.sentence) == [
        "The sound of “Take” has changed since it was recorded: replace its file by a copy, if"
          + " there is one, and check the card."
      ])
    #expect(after.faults.first?.file == name)
  }

  @Test("of FLAC, a header with another sum is told apart from a changed sound, and both are found")
  func header() throws {
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card, tracks: [TrackPlan(name: "main", ending: ".flac")])
    try rig.open()
    let begun = Recording.take(ItemID(high: 1, low: 1)).with(Tracks(rig.tracks))
    rig.give(.begin(begun))
    let sound = try TakeSound.flac(of: begun, folder: "")
    let bytes = try sound.closed()
    let file = try card.open("0001 Take 1.flac", .change)
    try file.put(bytes, at: 0)
    try file.sync()
    var ended = Recording.take(begun.id, stage: .finished)
    ended.sound = Sound(
      frames: sound.frames, rate: 8_000, sizeBytes: Int64(bytes.count), bits: 16, hash: sound.hash)
    rig.give(.keep(ended))
    func faults() -> [String] {
      guard case .done(.verified(let report)) = rig.work(.long(.verify(.root))) else { return [] }
      return report.faults.map(\.sentence)
    }
    #expect(faults() == [])
    // The MD5 in the header
    let known = try file.bytes(at: 26, count: 1)
    try file.put([known[0] ^ 1], at: 26)
    #expect(
      faults() == ["The sound of “Take 1” is as it was recorded, but its header has another sum."])
    try file.put(known, at: 26)
    #expect(faults() == [])
    let last = try file.bytes(at: Int64(bytes.count - 1), count: 1)
    try file.put([last[0] ^ 1], at: Int64(bytes.count - 1))
    #expect(faults().count == 1 && faults() != ["The sound of “Take 1” is not what was recorded."])
  }

  @Test("a card that cannot be written is verified all the same")
  func readOnly() throws {
    let desk = try StoreDesk()
    let take = desk.recording("Take")
    let path = try desk.begin(take)
    let bytes = try desk.sound(of: take, seconds: 1)
    try desk.put(path, Data(bytes))
    _ = try desk.end(take, bytes: bytes.count, seconds: 1)
    desk.store.isReadOnly = true
    let report = try report(desk)
    #expect(report.isWell && report.checked == 1 && report.hashed == 0)
  }

  @Test("verifying computes the hashes that are missing, says so, and does it once")
  func missing() throws {
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    for (number, place) in [ItemID.root, .root, folder].enumerated() {
      let take = desk.recording("Take \(number)", in: place)
      let path = try desk.begin(take)
      let bytes = try desk.sound(of: take, seconds: 1)
      try desk.put(path, Data(bytes))
      _ = try desk.end(take, bytes: bytes.count, seconds: 1)
    }
    // One was recorded by another program
    try desk.put("Wave.wav", Data(Self.wave(seconds: 1)))
    _ = try desk.reopen()
    #expect(try desk.listing().recordings.allSatisfy { $0.sound.hash == nil })
    let first = try report(desk)
    #expect(first.isWell && first.checked == 4 && first.hashed == 4)
    #expect(
      first.sentenceOnHashes?.english
        == "files that had no hash of their sound, and have one now: 4")
    _ = try desk.reopen()
    let takes = try desk.listing().recordings + desk.listing(folder).recordings
    for take in takes {
      let path = (take.folder == folder ? "Inner/" : "") + (take.file ?? "")
      #expect(try take.sound.hash == hash(desk, path) && take.sound.hash != nil)
    }
    #expect(takes.first { $0.title == "Wave" }?.sound.hash?.soundFrom == 0)
    let second = try report(desk)
    #expect(second.isWell && second.hashed == 0 && second.sentenceOnHashes == nil)
    // A change of the other program's file is found, too
    var bytes = desk.file("Wave.wav")
    bytes[bytes.count - 3] ^= 1
    try desk.put("Wave.wav", bytes)
    #expect(try report(desk).faults.map(\.file) == ["Wave.wav"])
  }

  @Test("a library that is found again without an index has no hashes until it is verified")
  func rebuilt() throws {
    let desk = try StoreDesk()
    let hash = try desk.record("Take").sound.hash
    for name in ["folder.journal", "folder.0.json", "folder.1.json"] where !desk.file(name).isEmpty
    { try desk.remove(name) }
    _ = try desk.reopen()
    #expect(try known(desk) == nil)
    #expect(try report(desk).hashed == 1)
    #expect(try known(desk) == hash && hash != nil)
  }

  @Test("an imported recording has it")
  func imported() throws {
    let desk = try StoreDesk()
    try desk.put(".source.wav", Data(Self.wave(seconds: 2)))
    let source = OutsideFile("\(desk.scratch.path)/.source.wav")
    let made = try desk.work(
      .importFile(desk.newID(), sequence: 1, from: source, into: .root))
    guard case .imported(let recording) = made else {
      Issue.record("\(made)")
      return
    }
    #expect(try recording.sound.hash == hash(desk, recording.file ?? ""))
    #expect(try known(desk) == recording.sound.hash && recording.sound.hash != nil)
  }

  @Test(
    "a damaged hash in an index is none, and the recording is there",
    arguments: [
      "\"\"", "\"12\"", "\"" + String(repeating: "G", count: 72) + "\"", "7", "null", "[{}]",
    ])
  func damaged(value: String) throws {
    let recording = Recording.take(ItemID(high: 1, low: 1), stage: .finished)
    var whole = recording
    whole.sound.hash = SoundHash(1, 2, 3, 4, soundFrom: 5)
    var json = JSONWriter()
    json.entry(Entry(whole))
    let digits = "0000000000000001000000000000000200000000000000030000000000000004"
    let text = String(decoding: json.bytes, as: UTF8.self)
    #expect(text.contains("\"hash\":\"\(digits)00000005\""))
    func read(_ text: String) -> Recording? {
      Array(text.utf8).withUnsafeBytes { bytes in
        var (json, device) = (JSONReader(bytes), "")
        return json.entry(in: .root, device: &device)?.recording
      }
    }
    #expect(read(text)?.sound.hash == whole.sound.hash)
    let read = read(text.replacing("\"\(digits)00000005\"", with: value))
    #expect(read?.sound == recording.sound && read?.id == recording.id)
  }

  // MARK: Bytes

  /// Writes the checksum of an Ogg page into it, computed as Ogg's specification says.
  private static func seal(_ bytes: inout [UInt8], _ page: Range<Int>) {
    for index in page.lowerBound + 22..<page.lowerBound + 26 { bytes[index] = 0 }
    var sum: UInt32 = 0
    for byte in bytes[page] {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum >> 31 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
    }
    for index in 0..<4 {
      bytes[page.lowerBound + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index))
    }
  }

  /// A WAV file of 16 bits at 8 kHz.
  private static func wave(seconds: Int) -> [UInt8] {
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let data = (0..<8_000 * seconds).flatMap { little($0 * 97 % 6_000, 2) }
    let format = little(1, 2) + little(1, 2) + little(8_000, 4) + little(16_000, 4)
    let sizes = little(2, 2) + little(16, 2)
    let head = Array("WAVEfmt ".utf8) + little(16, 4) + format + sizes
    let body = head + Array("data".utf8) + little(data.count, 4) + data
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }
}
