// Proves that tags are read back as written, whatever they hold, and that a crafted file cannot
// make the reader go beyond its bytes.

import Sounds
import Testing

@testable import Tape

@Suite struct TagsTests {
  static var full: Tags {
    var tags = Tags()
    tags.id = "7c3f4f0e-0000-4000-8000-00000000002a"
    tags.sequence = 42
    tags.title = "Küche, Ελλάδα, 台所 🎙 = \"so\"\nnext"
    tags.folder = "Interviews/2026"
    tags.date = "2026-11-20T14:03:22+01:00"
    tags.timeQuality = .unsynchronised
    tags.bootID = "b0"
    tags.monotonicNanoseconds = .max
    tags.device = "hw:CARD=Mic"
    tags.software = "reel 1"
    tags.sampleRate = 44_100
    tags.channels = 2
    tags.trackGain = -512
    tags.marks = [.init(frame: 0, name: ""), .init(frame: 178_704_192, name: "Kaffee ☕")]
    tags.place = "Кухня"
    tags.speaker = "Käthe"
    tags.notes = "one\ntwo"
    tags.facts = [
      .init(key: "REEL_STOP", value: "pressed"), .init(key: "REEL_GAPS", value: "1+2 stalled"),
    ]
    tags.others = [.init(key: "MOOD", value: "lebhaft"), .init(key: "MOOD", value: "")]
    return tags
  }

  private func roundTrip(_ tags: Tags, padded: Int = 0) throws -> Tags? {
    try tags.packet(padded: padded).withUnsafeBytes { Tags(packet: $0) }
  }

  @Test(arguments: [0, 4_096])
  func everythingComesBack(padding: Int) throws {
    #expect(try roundTrip(Self.full, padded: padding) == Self.full)
    #expect(try roundTrip(Tags(), padded: padding) == Tags())
    #expect(try Self.full.packet(padded: 4_096).count == 4_096)
  }

  @Test func aThousandMarksAndLongTextsComeBackAndMoreIsRefused() throws {
    var tags = Tags()
    tags.marks = (0..<1_000).map { .init(frame: Int64($0) * 48_000, name: "\($0)") }
    #expect(try roundTrip(tags) == tags)
    tags.title = String(repeating: "é", count: 4_000)
    #expect(try roundTrip(tags) == tags)
    tags.title = String(repeating: "é", count: 40_000)
    #expect(throws: TapeError.self) { try tags.packet() }
  }

  @Test func whatMakesNoSenseOrComesTwiceIsKeptAmongTheOthers() {
    let comments = [
      ("title", "first"), ("TITLE", "second"), ("TRACKNUMBER", "3/12"), ("REEL_CHANNELS", "two"),
      ("CHAPTER001", "25:61:00.000"), ("CHAPTER001NAME", "lost"), ("CHAPTER", "x"),
      ("REEL_TIME_QUALITY", "dubious"), ("CHAPTER002", "00:00:01.500"),
    ].map { Tags.Comment(key: $0, value: $1) }
    let tags = Tags(comments: comments)
    #expect(tags.title == "first" && tags.sequence == nil && tags.channels == nil)
    #expect(tags.marks == [.init(frame: 72_000, name: "")])
    #expect(tags.others.count == 7)
  }

  @Test func hostilePacketsAreReadAsFarAsTheyMakeSense() throws {
    let good = try Self.full.packet()
    // Cut anywhere, a packet gives the first of its tags and never more.
    for count in 0..<good.count {
      let tags = good[..<count].withUnsafeBytes { Tags(packet: $0) }
      #expect((tags?.comments.count ?? 0) <= Self.full.comments.count)
    }
    // Any four bytes may claim a length of four thousand million.
    for place in 0..<good.count - 4 {
      var bad = good
      bad.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      _ = bad.withUnsafeBytes { Tags(packet: $0) }
    }
    var random = Random(seed: 5)
    for _ in 0..<2_000 {
      var noise = Array("OpusTags".utf8)
      noise += (0..<random.below(200)).map { _ in UInt8(random.below(3) * random.below(128)) }
      _ = noise.withUnsafeBytes { Tags(packet: $0) }
    }
  }

  @Test func titleMarksAndGainArePutInPlaceAtTheEnd() throws {
    // Given a recording with padding after its tags
    var tags = Self.full
    (tags.title, tags.trackGain, tags.marks) = ("At the start", nil, [])
    let take = try Take.record(Signals.sweep(frames: 20_000), tags: tags)
    let file = MemoryFile(take.parts[0].bytes)
    #expect(try Tags.read(from: file) == tags)
    // When they are written at the end
    try Self.full.write(into: file)
    // Then the file is as long as before, and opusinfo and our reader read them
    #expect(try Tags.read(from: file) == Self.full)
    #expect(file.byteCount() == Int64(take.parts[0].bytes.count))
    let folder = Folder()
    let path = try folder.put(file.bytes, "a.opus")
    Judges.accept(path, frames: 20_000)
    #expect(try SoundReader.open(path).tags == Self.full)
    let info = run("opusinfo '\(path)'").text
    #expect(info.contains("CHAPTER001NAME=Kaffee ☕") && info.contains("R128_TRACK_GAIN=-512"))
    // And writing them again changes nothing
    let before = file.operations
    try Self.full.write(into: file)
    #expect(file.operations == before)
  }

  @Test func moreThanTheRoomHoldsIsRefusedAndNothingChanges() throws {
    let take = try Take.record(Signals.sweep(frames: 2_000))
    let file = MemoryFile(take.parts[0].bytes)
    var tags = Tags()
    tags.title = String(repeating: "x", count: 5_000)
    #expect(throws: TapeError.self) { try tags.write(into: file) }
    #expect(file.bytes == take.parts[0].bytes)
  }

  @Test("what does not fit is left out: the notes, then the last marks, then the last facts")
  func leftOut() throws {
    let take = try Take.record(Signals.sweep(frames: 2_000), tags: Self.full)
    let room = 4_096
    // Given notes that leave no room
    var tags = Self.full
    tags.notes = String(repeating: "n", count: 4_000)
    let file = MemoryFile(take.parts[0].bytes)
    try tags.write(into: file)
    var expected = Self.full
    expected.notes = nil
    #expect(try Tags.read(from: file) == expected)
    // Given marks that leave no room either
    tags.marks = (0..<200).map { .init(frame: Int64($0) * 48_000, name: "mark \($0)") }
    try tags.write(into: file)
    let some = try #require(try Tags.read(from: file))
    #expect((10..<200).contains(some.marks.count))
    #expect(some.marks == Array(tags.marks.prefix(some.marks.count)))
    #expect(some.notes == nil && some.facts == tags.facts && some.place == tags.place)
    // One more would not have fitted
    expected.marks = Array(tags.marks.prefix(some.marks.count + 1))
    #expect(try expected.packet().count > room)
    // Given facts that leave no room for the others
    tags.facts.append(.init(key: "REEL_LONG", value: String(repeating: "f", count: 4_000)))
    try tags.write(into: file)
    let few = try #require(try Tags.read(from: file))
    #expect(few.marks.isEmpty && few.facts == Self.full.facts && few.speaker == tags.speaker)
    #expect(file.bytes.count == take.parts[0].bytes.count)
  }

  @Test("of a fact that comes twice the first counts, and too many are kept among the others")
  func facts() throws {
    let comments =
      [("reel_stop", "cut"), ("REEL_STOP", "pressed")]
      + (0..<100).map { ("REEL_X\($0)", "y") }
    let tags = Tags(comments: comments.map { .init(key: $0, value: $1) })
    #expect(tags.facts.first == .init(key: "REEL_STOP", value: "cut"))
    #expect(tags.facts.count == 64 && tags.others.count == comments.count - 64)
    #expect(try roundTrip(tags)?.facts == tags.facts)
  }

  @Test func tornTagsAreMendedAndKeepWhoTheyAre() throws {
    var tags = Self.full
    (tags.title, tags.trackGain, tags.marks) = ("At the start", nil, [])
    let take = try Take.record(Signals.sweep(frames: 20_000), tags: tags)
    let file = MemoryFile(take.parts[0].bytes)
    var many = Self.full
    many.marks = (0..<60).map { .init(frame: Int64($0) * 48_000, name: "mark \($0)") }
    try many.write(into: file)
    // When power fails at any sector of the rewrite
    for state in MemoryFile.crashStates(of: take.parts[0].bytes, file.operations) {
      let torn = MemoryFile(state)
      _ = try Repair.repair(torn)
      let repaired = torn.bytes
      // Then the recording plays, knows its id, and a second run changes nothing
      #expect(try Repair.examine(torn).verdict == .whole)
      #expect(try Tags.read(from: torn)?.id == tags.id)
      #expect(repaired.count == take.parts[0].bytes.count)
      #expect(try !Repair.repair(torn).changedAnything)
      #expect(torn.bytes == repaired)
    }
  }

  @Test("a duplicate of a tag in a file never becomes the first")
  func repeated() throws {
    // Given a file with two titles, as some programs write them, and two chapters of one number
    var tags = Tags(
      comments: [
        ("TITLE", "old"), ("title", "older"), ("CHAPTER001", "00:00:01.000"),
        ("CHAPTER001", "00:00:02.000"),
      ].map { .init(key: $0, value: $1) })
    // When the title is changed, and its tags are written
    tags.title = "new"
    let again = try #require(try roundTrip(tags))
    // Then it has the new title, and the mark is where it was
    #expect(again.title == "new" && again.marks.map(\.frame) == [48_000])
  }
}
