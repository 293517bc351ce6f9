// Proves that the files of a take's tracks stay together: they are made, named, moved, thrown away,
// repaired, verified and deleted with their recording, and found again when its index is lost.

import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreTracksTests {
  private static let plans = [
    TrackPlan(name: "voice", ending: ".opus"), TrackPlan(name: "guitar", ending: ".flac"),
    TrackPlan(name: "room", ending: ".opus"),
  ]
  private static let id = ItemID(high: 1, low: 1)
  private let rig: StoreRig<MemoryCard>
  private var card: MemoryCard { rig.system }

  init() throws {
    rig = StoreRig(MemoryCard(.journalling), tracks: Self.plans)
    try rig.open()
  }

  /// Begins a take and writes its tracks' files, whole or up to half; returns what they hold.
  @discardableResult
  private func begin(
    half: Set<Int> = [], on rig: StoreRig<MemoryCard>? = nil
  ) throws -> (recording: Recording, sounds: [TakeSound]) {
    let rig = rig ?? self.rig
    let begun = Recording.take(Self.id).with(Tracks(Self.plans))
    let file = rig.give(.begin(begun)).compactMap { event in
      if case .take(_, .made(let file)) = event { file } else { nil }
    }
    var sounds: [TakeSound] = []
    for (index, name) in begun.fileNames(try #require(file.first)).enumerated() {
      let sound: TakeSound =
        Self.plans[index].ending == ".flac"
        ? try .flac(of: begun, folder: "", track: index + 1)
        : try .of(begun, folder: "", track: index + 1)
      let file = try rig.system.open(name, .change)
      let bytes = sound.bytes
      try file.put(
        Array(half.contains(index) ? bytes[..<(bytes.count * 3 / 4)] : bytes[...]), at: 0)
      if !half.contains(index) { try sound.seal?.write(into: file) }
      try file.sync()
      sounds.append(sound)
    }
    return (begun, sounds)
  }

  /// Records a take to its end.
  @discardableResult
  private func record(on rig: StoreRig<MemoryCard>? = nil) throws -> Recording {
    let (begun, sounds) = try begin(on: rig)
    var ended = begun
    ended.finish()
    ended.life = .finished(Recording.CardEntry(sequence: 1, file: nil))
    let all = sounds.map { Sound(frames: $0.frames, rate: $0.seal == nil ? 48_000 : 8_000) }
    ended.sound = all[0]
    var tracks = ended.tracks
    for index in tracks.others.indices { tracks.others[index].sound = all[index + 1] }
    (rig ?? self.rig).give(.keep(ended.with(tracks)))
    return ended.with(tracks)
  }

  private var listed: Recording? {
    get throws { try rig.listing(of: .root).recordings.first { $0.id == Self.id } }
  }

  private var names: [String] { card.names.filter { !FileName.isIndex($0) }.sorted() }

  @Test("each track has a file, and all are renamed with the recording")
  func naming() throws {
    try record()
    #expect(names == ["0001 Take 1 (1).flac", "0001 Take 1 (2).opus", "0001 Take 1.opus"])
    guard case .done = rig.work(.rename(Self.id, to: "Kitchen")) else {
      throw Broken(description: "it was not renamed")
    }
    #expect(names == ["0001 Kitchen (1).flac", "0001 Kitchen (2).opus", "0001 Kitchen.opus"])
    let tracks = try #require(try listed).tracks
    #expect(tracks.firstName == "voice" && tracks.others.map(\.plan.name) == ["guitar", "room"])
  }

  @Test("they go into a folder, the trash and back together, and are deleted together")
  func moving() throws {
    try record()
    let folder = ItemID(high: 2, low: 2)
    rig.give(.work(ticket: 1, .makeFolder(folder, name: "Songs", in: .root)))
    func count(below directory: String) -> Int {
      card.names.count { $0.hasPrefix(directory) && $0.contains("Take 1") }
    }
    rig.give(.work(ticket: 2, .move(Self.id, to: folder, at: nil)))
    #expect(count(below: "Songs/") == 3)
    rig.give(.work(ticket: 3, .throwAway(Self.id)))
    #expect(count(below: ".trash/") == 3 && count(below: "Songs/") == 0)
    rig.give(.work(ticket: 4, .restore(Self.id)))
    #expect(count(below: "Songs/") == 3)
    rig.give(.work(ticket: 5, .throwAway(Self.id)))
    rig.give(.work(ticket: 6, .purge(.everything)))
    #expect(count(below: "") == 0)
  }

  @Test("where renaming copies, long files are copied in slices and arrive together")
  func copying() throws {
    // Given a FAT card, on which any file counts as long
    let rig = StoreRig(MemoryCard(.fat), tracks: Self.plans)
    try rig.open()
    try record(on: rig)
    let before = rig.system.everything.filter {
      String(decoding: $0.path, as: UTF8.self).contains("Take")
    }
    let folder = ItemID(high: 2, low: 2)
    rig.give(.work(ticket: 1, .makeFolder(folder, name: "Songs", in: .root)))
    // When the recording moves into a folder
    let events = rig.give(.work(ticket: 2, .move(Self.id, to: folder, at: nil)))
    // Then it was copied in slices, and all of its files are there, byte for byte
    let steps = events.count {
      if case .work(2, .progress) = $0 { true } else { false }
    }
    #expect(steps >= 3)
    let after = rig.system.everything.filter {
      String(decoding: $0.path, as: UTF8.self).contains("Take")
    }
    #expect(after.compactMap(\.bytes) == before.compactMap(\.bytes) && after.count == 3)
  }

  @Test(
    "a power cut anywhere in a rename or a move leaves all files in one place, with one name",
    arguments: MemoryCard.Kind.allCases, ["rename", "move", "throw away"])
  func cut(kind: MemoryCard.Kind, deed: String) throws {
    // Given a take of three tracks, and a folder
    let rig = StoreRig(MemoryCard(kind), tracks: Self.plans)
    try rig.open()
    try record(on: rig)
    let folder = ItemID(high: 2, low: 2)
    rig.give(.work(ticket: 1, .makeFolder(folder, name: "Songs", in: .root)))
    // When power is cut at any moment of the operation
    let log = CutLog()
    log.watch(rig.system)
    let work: CardWork =
      switch deed {
      case "rename": .rename(Self.id, to: "Kitchen")
      case "move": .move(Self.id, to: folder, at: nil)
      default: .throwAway(Self.id)
      }
    rig.give(.work(ticket: 2, work))
    try #require(log.moments.count > 5)
    for moment in log.moments {
      for outcome in 0..<6 as Range<UInt64> {
        let found = moment.cut.outcome(outcome)
        try StoreRig(found, tracks: Self.plans).open()
        // Then the files of the three tracks are together
        let files = found.names.filter { $0.hasSuffix(".opus") || $0.hasSuffix(".flac") }
        let firsts = Set(files.map(FileName.withoutTrack).map { FileName.split($0).stem })
        #expect(
          files.count == 3 && firsts.count == 1, "before \(moment.next), \(outcome): \(files)")
      }
    }
  }

  @Test("a name is free only if that of each track is")
  func clash() throws {
    // Given a file with the name of the second track
    try card.plant(Array("0001 Take 1 (1).flac".utf8), in: "", Array("words".utf8))
    try record()
    // Then the recording has another name
    #expect(
      names == [
        "0001 Take 1 (1).flac", "0001 Take 1 2 (1).flac", "0001 Take 1 2 (2).opus",
        "0001 Take 1 2.opus",
      ])
  }

  @Test("a take that power cut is repaired in all its files")
  func recovered() throws {
    // Given a take of which power cut two files in the middle
    try begin(half: [0, 1])
    // When the card is opened again
    let again = StoreRig(card, tracks: Self.plans)
    let events = try again.open()
    // Then each file is whole and as long as its entry says, in one recording
    let found = events.compactMap { event -> Recording? in
      if case .found(.recovered(let recording, _)) = event { recording } else { nil }
    }
    #expect(found.count == 1)
    let recording = try #require(found.first)
    let sounds = [recording.sound] + recording.tracks.others.map(\.sound)
    #expect(sounds.count == 3 && sounds[1].bits == 16 && sounds[1].rate == 8_000)
    for (name, sound) in zip(recording.fileNames("0001 Take 1.opus"), sounds) {
      let examination = try Repair.examine(try card.open(name, .read))
      #expect(examination.verdict == .whole && examination.frames == sound.frames)
      #expect(sound.frames > 0)
    }
  }

  @Test("an index that is lost is made again with all tracks, from the files alone")
  func rebuilt() throws {
    let recorded = try record()
    for name in card.names where FileName.isIndex(name) { try card.remove(name) }
    let again = StoreRig(card, tracks: [.usual])
    try again.open()
    let listing = try again.listing(of: .root)
    let found = try #require(listing.recordings.first)
    #expect(listing.recordings.count == 1 && found.id == Self.id && found.title == "Take 1")
    #expect(found.tracks.firstName == "voice")
    #expect(found.tracks.others.map(\.plan) == Array(Self.plans.dropFirst()))
    #expect(found.tracks.others.map(\.sound.frames) == recorded.tracks.others.map(\.sound.frames))
  }

  @Test("a track whose file was removed by hand is dropped, which is told")
  func removed() throws {
    try record()
    try card.remove("0001 Take 1 (1).flac")
    let again = StoreRig(card, tracks: Self.plans)
    let events = try again.open()
    #expect(
      events.contains { event in
        if case .found(.left(_, let why)) = event { why.contains("guitar") } else { false }
      })
    let tracks = try #require(try again.listing(of: .root).recordings.first).tracks
    #expect(tracks.others.map(\.plan.name) == ["room"] && tracks.others[0].number == 3)
    // The file of the third track keeps its name, and goes with the recording
    again.give(.work(ticket: 1, .rename(Self.id, to: "Kitchen")))
    #expect(names == ["0001 Kitchen (2).opus", "0001 Kitchen.opus"])
  }

  @Test("if the first file was removed by hand, the others are recordings of their own")
  func firstRemoved() throws {
    try record()
    try card.remove("0001 Take 1.opus")
    let again = StoreRig(card, tracks: Self.plans)
    try again.open()
    let found = try again.listing(of: .root).recordings
    #expect(found.map(\.tracks.firstName).sorted() == ["guitar", "room"])
    #expect(Set(found.compactMap(\.file)) == Set(names) && names.count == 2)
    // And a second start changes nothing
    let changes = card.counts.changes
    try StoreRig(card, tracks: Self.plans).open()
    #expect(card.counts.changes == changes)
  }

  @Test("verify names the track whose file is damaged")
  func verified() throws {
    try record()
    let file = try card.open("0001 Take 1 (1).flac", .change)
    try file.put([0xFF, 0xFF, 0xFF], at: try file.byteCount() / 2 + 7_000)
    guard case .done(.verified(let report)) = rig.work(.long(.verify(.root))) else {
      throw Broken(description: "nothing was verified")
    }
    #expect(report.faults.map(\.file) == ["0001 Take 1 (1).flac"])
    #expect(report.faults.first?.sentence.contains("Take 1, guitar") == true)
  }

  @Test("what people type reaches the tags of every file, marks at the rate of each")
  func tags() throws {
    var recording = try record()
    recording.details.notes = "in the kitchen"
    recording.marks = [Mark(frame: 24_000, name: "verse")]
    rig.give(.keep(recording))
    let marks = try names.map { name in
      let tags = try #require(try Tags.read(from: try card.open(name, .read)))
      #expect(tags.notes == "in the kitchen" && tags.id == Self.id.description)
      return tags.marks.map { $0.frame(rate: name.hasSuffix(".flac") ? 8_000 : 48_000) }
    }
    #expect(marks == [[4_000], [24_000], [24_000]])
  }
}
