// Joining the parts of a take on a card: which parts belong together, wherever they are, and what
// the joined file says of itself.

import FoundationEssentials
import Tape
import Testing

@testable import Library
@testable import Recorder

@Suite struct StoreJoinTests {
  @Test("one part of a split take stands for all; the file is the undivided take, with all marks")
  func wholeTake() throws {
    let desk = try StoreDesk()
    let parts = try desk.recordSplit("Concert", secondsOfParts: [1, 2, 1])
    for part in parts {
      let path = "\(desk.scratch.path)/.\(part.sequence ?? 0).wav"
      let said = try desk.work(.long(.join([part.id], format: "wav", to: "\(path)")))
      #expect(said == .told("Joined 3 parts into \(path)."))
      let reader = try SoundReader.open(path)
      #expect(reader.frames == 4 * 48_000 && reader.tags.title == "Concert")
    }
    let path = "\(desk.scratch.path)/.joined.opus"
    let said = try desk.work(.long(.join([parts[1].id], format: "opus", to: "\(path)")))
    #expect(said == .told("Joined 3 parts into \(path), without encoding again."))
    let tags = try SoundReader.open(path).tags
    #expect(tags.id == "\(parts[0].id)" && tags.title == "Concert")
    // Each part was marked half a second after its beginning.
    #expect(tags.marks.map(\.frame) == [24_000, 72_000, 168_000])
    // Nothing changed on the card.
    #expect(try desk.titles() == ["Concert", "Concert", "Concert"])
  }

  @Test("parts are found wherever they are, and may be named in any order")
  func moved() throws {
    let desk = try StoreDesk()
    let parts = try desk.recordSplit("Concert", secondsOfParts: [1, 1, 1])
    let folder = try desk.makeFolder("Elsewhere")
    try desk.work(.move(parts[1].id, to: folder, at: nil))
    // As after a start, when no folder but the root has been listed.
    _ = try desk.reopen()
    _ = try desk.listing()
    let path = "\(desk.scratch.path)/.joined.flac"
    let said = try desk.work(.long(.join([parts[2].id], format: "flac", to: "\(path)")))
    #expect(said == .told("Joined 3 parts into \(path)."))
    #expect(try SoundReader.open(path).frames == 144_000)
    let two = "\(desk.scratch.path)/.two.wav"
    _ = try desk.listing(folder)
    _ = try desk.work(
      .long(.join([parts[2].id, parts[1].id], format: "wav", to: "\(two)")))
    #expect(try SoundReader.open(two).frames == 96_000)
  }

  @Test("parts that are not one take are refused in a sentence, and no file is left")
  func refused() throws {
    let desk = try StoreDesk()
    let parts = try desk.recordSplit("Concert", secondsOfParts: [1, 1, 1])
    let other = try desk.record("Other")
    let path = "\(desk.scratch.path)/.joined.wav"
    func why(_ ids: [ItemID]) throws -> String {
      do {
        _ = try desk.work(.long(.join(ids, format: "wav", to: "\(path)")))
        return ""
      } catch let failed as StoreDesk.Failed { return failed.why }
    }
    #expect(
      try why([parts[0].id, parts[2].id])
        == "A part is missing between “Concert” and “Concert”: they are parts 1 and 3.")
    #expect(
      try why([parts[0].id, other.id])
        == "“Concert” and “Other” are not consecutive parts of one take.")
    #expect(try why([parts[0].id, parts[0].id]) == "“Concert” is named twice.")
    // A part in the trash is not fetched from there.
    try desk.work(.throwAway(parts[2].id))
    #expect(
      try why([parts[0].id])
        == "The part after “Concert” was deleted: name the parts that are to be joined.")
    try desk.work(.throwAway(parts[0].id))
    #expect(
      try why([parts[1].id])
        == "The part before “Concert” was deleted: name the parts that are to be joined.")
    #expect(desk.file(".joined.wav").isEmpty)
    #expect(
      try desk.work(.long(.join([other.id], format: "wav", to: "\(path)")))
        == .told("Joined the only part into \(path)."))
  }

  @Test("a part after a crash follows directly, and the answer says so")
  func interrupted() throws {
    let desk = try StoreDesk()
    let first = try desk.record("Concert")
    let after = try desk.record("Concert", continuing: first, part: 2)
    let path = "\(desk.scratch.path)/.joined.opus"
    let said = try desk.work(.long(.join([after.id], format: "opus", to: "\(path)")))
    #expect(
      said
        == .told(
          "Joined 2 parts into \(path); the recorder began anew before part 2; Opus was encoded"
            + " again."))
    #expect(try SoundReader.open(path).frames == 96_000)
  }

  @Test("marks and gaps are shifted by the parts before, defects are added up")
  func entries() throws {
    func part(_ number: Int, _ integrity: Integrity) -> Recording {
      func id(_ number: Int) -> ItemID { ItemID(high: 1, low: UInt64(number)) }
      return Recording(
        id: id(number), folder: .root, sequence: number, title: "Part \(number)",
        began: Moment(
          boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
          quality: .synchronised),
        stage: number == 2 ? .recovered : .finished, sound: Sound(frames: 1_000, sizeBytes: 10),
        isHeard: number == 1,
        marks: [Mark(frame: Int64(number), name: "m\(number)")],
        details: Recording.Details(
          notes: "Note \(number)", place: "Hall", speaker: number == 2 ? "" : "Speaker \(number)"),
        integrity: integrity,
        continues: number > 1 ? id(number - 1) : nil, part: number)
    }
    let gap = Gap(frame: 5, frames: 7, cause: .overrun)
    let whole = try #require(
      Recording.joined([
        part(1, Integrity(gaps: [gap], clippedFrames: 2, peakMillibels: -300, stopReason: .split)),
        part(2, Integrity(gaps: [gap], clippedFrames: 3, peakMillibels: -100, stopReason: .split)),
        part(3, Integrity(peakMillibels: -200, loudnessCentiLUFS: -2_300, stopReason: .cardFull)),
      ]))
    #expect(whole.title == "Part 1" && whole.sound.frames == 3_000 && !whole.isHeard)
    #expect(whole.marks.map(\.frame) == [1, 1_002, 2_003])
    #expect(whole.integrity.gaps.map(\.frame) == [5, 1_005])
    #expect(whole.integrity.clippedFrames == 5 && whole.integrity.peakMillibels == -100)
    #expect(whole.details.notes == "Note 1\nNote 2\nNote 3" && whole.details.place == "Hall")
    #expect(whole.stage == .recovered && whole.details.speaker == "Speaker 1, Speaker 3")
    #expect(whole.integrity.stopReason == .cardFull && whole.integrity.loudnessCentiLUFS == nil)
  }
}

extension StoreDesk {
  /// Records one take that is split; each part has a mark after half a second.
  func recordSplit(_ title: String, secondsOfParts lengths: [Int]) throws -> [Recording] {
    var bytes: [[UInt8]] = []
    func add(_ page: PageOut) {
      if page.part == bytes.count { bytes.append([]) }
      bytes[page.part] += page.bytes
    }
    let parts = lengths.map { _ in recording(title) }
    func tags(_ part: Recording) -> Tags {
      var tags = Tags()
      (tags.id, tags.sequence, tags.title) = ("\(part.id)", part.sequence, title)
      return tags
    }
    var writer = try OggOpusWriter.begin(
      OpusSettings(), tags: tags(parts[0]), serial: parts[0].id.serial
    ) { (page) throws(TapeError) in add(page) }
    for (part, seconds) in zip(parts, lengths) {
      if part.id != parts[0].id { try writer.split(tags: tags(part), serial: part.id.serial) }
      let samples = (0..<48_000 * seconds).map { Int16(truncatingIfNeeded: $0 * 97 % 6000) }
      try samples.withUnsafeBufferPointer { samples in
        try writer.write(samples) { (page) throws(TapeError) in add(page) }
      }
    }
    try writer.finish { (page) throws(TapeError) in add(page) }
    return try parts.indices.map { index in
      let before = index > 0 ? parts[index - 1].id : nil
      let isLast = index == parts.count - 1
      return try keep(
        parts[index], bytes[index], seconds: lengths[index], continues: before, part: index + 1,
        isLast ? .pressed : .split)
    }
  }

  func record(_ title: String, continuing before: Recording, part: Int) throws -> Recording {
    let recording = recording(title)
    return try keep(
      recording, try sound(of: recording, seconds: 1), seconds: 1, continues: before.id, part: part,
      .pressed)
  }

  private func keep(
    _ begun: Recording, _ bytes: [UInt8], seconds: Int, continues: ItemID?, part: Int,
    _ reason: StopReason
  ) throws -> Recording {
    let part = Recording(
      id: begun.id, folder: begun.folder, sequence: begun.sequence, title: begun.title,
      began: begun.began, stage: .recording, continues: continues, part: part)
    try put(try begin(part), Data(bytes))
    let finished = Recording(
      id: part.id, folder: part.folder, sequence: part.sequence, title: part.title,
      began: part.began,
      sound: Sound(frames: Int64(seconds) * 48_000, sizeBytes: Int64(bytes.count)),
      marks: [Mark(frame: 24_000, name: "Half")],
      integrity: Integrity(device: "Mic", stopReason: reason), continues: continues, part: part.part
    )
    give(.keep(finished))
    return finished
  }
}
