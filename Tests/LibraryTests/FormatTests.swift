// The index as bytes: what is written is read back the same, by Reel and by any JSON parser; damage
// is recognised; foreign or unknown content is refused or ignored.

import FoundationEssentials
import JSON
import Recorder
import Testing

@testable import Library

@Suite struct FormatTests {
  private let id = ItemID(high: 7, low: 9)

  private var everything: Recording {
    Recording(
      id: ItemID(high: 1, low: 2), folder: id, sequence: 41, title: "Küche \"3\"\\\n\u{1}😀",
      titleIsDefault: true,
      began: Moment(
        boot: ItemID(high: 3, low: 4), instant: Instant(nanoseconds: .max),
        wall: WallTime(milliseconds: -5), quality: .unsynchronised), stage: .recovered,
      file: "0041 Küche 3.opus",
      sound: Sound(
        frames: 123_456, rate: 44_100, channels: 2, sizeBytes: 99,
        hash: SoundHash(1, .max, 0x0123_4567_89AB_CDEF, 4, soundFrom: .max)), isHeard: true,
      marks: [Mark(frame: 3, name: "here"), Mark(frame: 9)],
      details: Recording.Details(notes: "\"one\"\ntwo", place: "Küche", speaker: "Käthe"),
      integrity: Integrity(
        device: "USB \u{7F}",
        gaps: [Gap(frame: 1, frames: 2, cause: .stalled), Gap(frame: 7, frames: 8, cause: .cut)],
        clippedFrames: 5, peakMillibels: -120, loudnessCentiLUFS: -2300,
        microphoneSeemsDead: true, deadChannel: 2, stopReason: .cut, recoveredCutBytes: 17,
        endIsOwed: true),
      continues: ItemID(high: 5, low: 6), part: 3, thrownFrom: ItemID(high: 8, low: 8)
    ).with([
      copy("nas", "box/0041 Küche 3.opus"), copy("stick", "0041 Küche 3.opus"),
      copy("cloud", "0041 Küche 3.opus", texts: "0123456789abcdef"),
    ])
  }

  private func copy(
    _ target: String, _ remote: String, texts: String? = nil
  ) -> RecordingCopy {
    RecordingCopy(
      target: target, remote: remote, file: "0041 Küche 3.opus",
      verifiedAt: WallTime(milliseconds: 9), texts: texts)
  }

  private var entries: [Entry] {
    var thrown = Entry(everything)
    thrown.trail = [.root, ItemID(high: 8, low: 8)]
    thrown.thrownAt = WallTime(milliseconds: 1_700_000_000_000)
    thrown.formerName = "old.opus"
    thrown.intent = .leaving(
      to: [.root, id],
      as: Landing(
        name: "n.opus", title: "T", trail: [.root], thrownAt: WallTime(milliseconds: 4)))
    let plain = Entry(
      Recording(
        id: ItemID(high: 1, low: 3), folder: id, sequence: 1, title: "a",
        began: Moment(
          boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
          quality: .synchronised), file: "0001 a.opus"))
    var folder = Entry(
      Folder(
        id: ItemID(high: 1, low: 4), parent: id, name: "Ü", directory: "U",
        tally: Tally(recordings: 4, unheard: 2), latest: WallTime(milliseconds: -7)))
    folder.intent = .purging
    return [thrown, plain, folder]
  }

  private func index() -> FolderIndex {
    var index = FolderIndex(id: id, name: "Interviews")
    for entry in entries { index.apply(.put(entry)) }
    index.apply(.order(.byHand))
    index.apply(.place(ItemID(high: 1, low: 4), at: 2))
    index.apply(.next(77))
    return index
  }

  @Test("a snapshot is read back as it was written, with the manual order")
  func snapshot() throws {
    let bytes = IndexFormat.snapshot(of: index(), generation: 12)
    let slot = bytes.withUnsafeBytes { IndexFormat.slot($0) }
    guard case .whole(let read, 12, let byteCount) = slot else {
      Issue.record("\(slot)")
      return
    }
    #expect(byteCount == bytes.count)
    #expect(read.entries == index().entries && read.sequence == index().sequence)
    #expect(read.name == "Interviews" && read.order == .byHand && read.next == 77)
    #expect(read.id == id && read.tally == index().tally)
  }

  @Test("other programs can read snapshots and lines as JSON")
  func json() throws {
    struct Snapshot: Decodable {
      struct Item: Decodable { let title: String?, name: String? }
      let reel: Int, bytes: Int, generation: Int, items: [Item]
    }
    struct Line: Decodable { let reel: Int, after: Int, line: Int }
    let bytes = IndexFormat.snapshot(of: index(), generation: 12)
    let snapshot = try JSONDecoder().decode(Snapshot.self, from: Data(bytes))
    #expect(snapshot.reel == 1 && snapshot.bytes == bytes.count && snapshot.generation == 12)
    #expect(snapshot.items.compactMap(\.title).contains(everything.title))

    let line = IndexFormat.line([.gone(id), .next(3)], after: 5, number: 6, before: 7, in: id)
    #expect(line.last == 10 && !line.dropLast().contains(10))
    let read = try JSONDecoder().decode(Line.self, from: Data(line))
    #expect(read.reel == 1 && read.after == 5 && read.line == 6)
  }

  @Test("every kind of change is read back from its line")
  func lines() throws {
    let changes: [IndexChange] =
      entries.map { .put($0) } + [
        .gone(id), .place(id, at: 3), .order(.byLength), .next(9), .settled(id),
        .count(id, Summary(Tally(recordings: 3, unheard: 1), latest: WallTime(milliseconds: 9))),
        .name("é"), .intend(id, .purging),
        .intend(id, .leaving(to: [.trash], as: Landing(name: "a", title: "b"))),
      ]
    let bytes = IndexFormat.line(changes, after: 3, number: 4, before: 7, in: id)
    let read = bytes.dropLast().withUnsafeBytes { IndexFormat.line($0, in: self.id) }
    let line = try #require(read)
    #expect(
      line.head
        == IndexFormat.LineHead(
          version: 1, generation: 3, number: 4, safe: 3, before: 7, sum: line.head.sum))
    #expect(line.changes == changes)
  }

  @Test("a flipped bit is noticed, wherever it is")
  func damage() {
    let snapshot = IndexFormat.snapshot(of: index(), generation: 12)
    let line = IndexFormat.line([.put(entries[0])], after: 3, number: 4, before: 7, in: id)
      .dropLast()
    for offset in snapshot.indices {
      var torn = snapshot
      torn[offset] ^= 1 << (offset % 8)
      if case .whole = torn.withUnsafeBytes({ IndexFormat.slot($0) }) {
        Issue.record("byte \(offset) of a snapshot")
      }
    }
    for offset in line.indices {
      var torn = Array(line)
      torn[offset] ^= 1 << (offset % 8)
      if torn.withUnsafeBytes({ IndexFormat.line($0, in: self.id) }) != nil {
        Issue.record("byte \(offset) of a line")
      }
    }
  }

  @Test(
    "numbers without measure are bounded, so that one more can be added",
    arguments: [Int.min, .max])
  func bounds(number: Int) throws {
    let line = IndexFormat.line([.gone(id)], after: number, number: number, before: 7, in: id)
    let read = try #require(line.dropLast().withUnsafeBytes { IndexFormat.line($0, in: self.id) })
    for value in [read.head.generation, read.head.number] { #expect((0...1 << 40).contains(value)) }
    let bytes = IndexFormat.snapshot(of: FolderIndex(id: id, name: "x"), generation: number)
    switch bytes.withUnsafeBytes({ IndexFormat.slot($0) }) {
    case .whole(_, let generation, _): #expect((1...1 << 40).contains(generation))
    case .broken: #expect(number < 0)
    case .older, .newer: Issue.record("neither whole nor broken")
    }
  }

  @Test("a truncated snapshot is invalid; bytes after a whole one are ignored")
  func length() {
    let whole = IndexFormat.snapshot(of: index(), generation: 12)
    for count in whole.indices {
      if case .whole = whole.prefix(count).withUnsafeBytes({ IndexFormat.slot($0) }) {
        Issue.record("cut to \(count)")
      }
    }
    let longer = whole + Array("garbage of an older one".utf8)
    guard case .whole = longer.withUnsafeBytes({ IndexFormat.slot($0) }) else {
      Issue.record("a tail made it unreadable")
      return
    }
  }

  @Test("a newer version is told apart from damage")
  func newer() {
    func sealed(_ body: String) -> [UInt8] {
      // A head of 18 bytes, a key of 8 and a number of 10.
      let digits = "\(body.utf8.count + 36)"
      let blanks = String(repeating: " ", count: 10 - digits.count)
      return IndexFormat.sealed(Array("\"bytes\":\(blanks)\(digits)\(body)".utf8))
    }
    let bytes = sealed(",\"reel\":2,\"generation\":1,\"items\":{\"new\":[]}}")
    guard case .newer(2) = bytes.withUnsafeBytes({ IndexFormat.slot($0) }) else {
      Issue.record("\(bytes.withUnsafeBytes { IndexFormat.slot($0) })")
      return
    }
  }

  @Test("unknown keys and changes are ignored")
  func unknown() throws {
    func sealed(_ text: String) -> [UInt8] {
      let mark = Array("\(id)".utf8).withUnsafeBytes { Checksum.of($0) }
      return IndexFormat.sealed(Array(text.utf8), after: mark)
    }
    let text =
      "\"reel\":1,\"after\":0,\"line\":1,\"mood\":{\"a\":[1,-2.5e3,null,true]},\"do\":["
      + "{\"dance\":{}},{\"intend\":\"\(id)\",\"polishing\":true},"
      + "{\"gone\":\"\(id)\",\"why\":\"\\u00e9\\ud83d\\ude00\"}]}"
    let line = try #require(
      sealed(text).withUnsafeBytes { IndexFormat.line($0, in: self.id) })
    #expect(line.changes == [.gone(id)] && line.head.before == nil)
    // Read as another folder's, the line is invalid
    #expect(sealed(text).withUnsafeBytes { IndexFormat.line($0, in: .root) } == nil)
  }

  @Test(
    "invalid JSON makes the reader fail and does no harm",
    arguments: [
      "", "{", "{\"a\"", "{\"a\":}", "{\"a\":1,}", "[1 2]", "\"\\", "\"\\u12", "tru", "-", "{]",
      String(repeating: "[", count: 10_000), "99999999999999999999", "\"\\ud800\\u0041",
    ])
  func nonsense(text: String) {
    let isSound = Array(text.utf8).withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      json.skip()
      var number = JSONReader(bytes)
      _ = number.integer()
      return json.isAtEnd && number.isAtEnd
    }
    #expect(!isSound)
  }

  @Test("text that is not UTF-8 is refused, even with a valid checksum")
  func encoding() {
    let body = Array("\"reel\":1,\"after\":0,\"line\":1,\"do\":[{\"name\":\"".utf8)
    let mark = Array("\(id)".utf8).withUnsafeBytes { Checksum.of($0) }
    func name(_ bytes: [UInt8]) -> [IndexChange]? {
      let line = IndexFormat.sealed(body + bytes + Array("\"}]}".utf8), after: mark)
      return line.withUnsafeBytes { IndexFormat.line($0, in: self.id)?.changes }
    }
    #expect(name(Array("é".utf8)) == [.name("é")])
    #expect(name([0xFF]) == nil && name([0xC3]) == nil && name(Array("\\ud800".utf8)) == nil)
  }

  @Test("the checksum is the standard CRC-32")
  func checksum() {
    let sum = Array("123456789".utf8).withUnsafeBytes { Checksum.of($0) }
    #expect(sum == 0xCBF4_3926)
    #expect(String(decoding: Checksum.digits(sum), as: UTF8.self) == "cbf43926")
    for count in 0..<300 {
      // The same bit by bit.
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
      var slow: UInt32 = 0xFFFF_FFFF
      for byte in bytes {
        slow ^= UInt32(byte)
        for _ in 0..<8 { slow = slow & 1 == 0 ? slow >> 1 : slow >> 1 ^ 0xEDB8_8320 }
      }
      #expect(bytes.withUnsafeBytes { Checksum.of($0) } == ~slow)
      #expect(bytes.withUnsafeBytes { Checksum.advanced(.max, over: $0) } == slow, "by tables")
    }
  }
}
