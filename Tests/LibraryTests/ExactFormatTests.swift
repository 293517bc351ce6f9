// The two readers of entries and journal lines: the fast one, for what Reel itself wrote, and the
// general one. Both must find the same in the same bytes, whole or damaged, however the journal is
// cut into pieces.

import JSON
import Recorder
import Seeds
import Testing

@testable import Library

@Suite struct ExactFormatTests {
  private let folder = ItemID(high: 7, low: 9)

  @Test("an entry that Reel wrote is read alike by both readers")
  func writtenEntries() throws {
    for seed in Seeds("exact-entries", count: 500) {
      var entries = RandomEntries(seed: seed, folder: folder)
      let entry = entries.next()
      let bytes = written(entry)
      #expect(exact(bytes) == entry, "REEL_SEED=\(seed)")
      let device = entry.recording?.integrity.device ?? ""
      for other in [device, device + "x", String(device.dropLast())] {
        #expect(exact(bytes, after: other) == entry, "REEL_SEED=\(seed), after \(other)")
      }
      #expect(general(bytes) == entry, "REEL_SEED=\(seed)")
    }
  }

  @Test("an entry with any byte changed is read alike by both readers, or left to the general one")
  func changedEntries() {
    for seed in Seeds("exact-entries", count: 3) {
      var entries = RandomEntries(seed: seed, folder: folder)
      let bytes = written(entries.next())
      for offset in bytes.indices.dropFirst() {
        for byte in Self.telling where byte != bytes[offset] {
          var changed = bytes
          changed[offset] = byte
          guard let read = exact(changed) else { continue }
          #expect(read == general(changed), "byte \(offset) is \(byte), REEL_SEED=\(seed)")
        }
      }
    }
  }

  @Test("a line with any byte changed, and a true checksum, is read alike by both readers")
  func changedLines() {
    for seed in Seeds("exact-entries", count: 2) {
      var entries = RandomEntries(seed: seed, folder: folder)
      let line = IndexFormat.line(
        [.put(entries.next())], after: 3, number: 40, safe: seed % 2 == 0 ? 12 : 39,
        before: 0x0A0B_0C0D, in: folder)
      let body = line.dropFirst(IndexFormat.headByteCount).dropLast()
      for offset in body.indices {
        for byte in Self.telling where byte != body[offset] {
          var changed = body
          changed[offset] = byte
          let (one, other) = (sealedLine(changed), sealedLine([32] + changed))
          #expect(one == other, "byte \(offset) is \(byte), REEL_SEED=\(seed)")
        }
      }
    }
  }

  @Test("a cut entry is read by neither reader")
  func cutEntries() {
    var entries = RandomEntries(seed: 1, folder: folder)
    let bytes = written(entries.next())
    for count in bytes.indices {
      #expect(exact(Array(bytes[..<count])) == nil)
      #expect(general(Array(bytes[..<count])) == nil)
    }
  }

  @Test("a journal is replayed alike in pieces of any length")
  func pieces() {
    var entries = RandomEntries(seed: 3, folder: folder)
    let journal = journal(of: (0..<12).map { _ in entries.next() })
    for tail in [[], [0, 0, 0], Array("torn".utf8), [0] + journal.suffix(700)] as [[UInt8]] {
      let whole = replayed(journal + tail, pieceBytes: .max)
      #expect(whole.lineCount == 12 && whole.journalEnd == journal.count)
      for pieceBytes in [1, 7, 100, 401, 1024, 4095, 4096] {
        let pieced = replayed(journal + tail, pieceBytes: pieceBytes)
        #expect(pieced.index.entries == whole.index.entries)
        #expect(pieced.lineCount == whole.lineCount && pieced.journalEnd == whole.journalEnd)
        #expect(pieced.hasTornLine == whole.hasTornLine && pieced.lastSum == whole.lastSum)
      }
    }
  }

  @Test(
    "a line replaced by the next is left out, and nothing is lost, wherever the journal is torn")
  func replacedLines() {
    for seed in Seeds("replaced-lines", count: 40) {
      var entries = RandomEntries(seed: seed, folder: folder)
      let few = (0..<3).map { _ in entries.next() }
      // Most lines put what the one before put, as the end of a take does.
      var last = 0
      let puts = (0..<12).map { _ in
        last = entries.isNext() ? last : (last + 1) % few.count
        return entries.changed(few[last])
      }
      var journal = journal(of: puts)
      if seed % 4 > 0 { journal[Int(seed) * 137 % journal.count] ^= 1 << (seed % 8) }
      let (read, expected) = (replayed(journal, pieceBytes: .max), replayedEachAlone(journal))
      #expect(read.index.entries == expected.index.entries, "REEL_SEED=\(seed)")
      #expect(read.index.sequence == expected.index.sequence, "REEL_SEED=\(seed)")
      #expect(read.index.next == expected.index.next, "REEL_SEED=\(seed)")
      #expect(read.index.tally == expected.index.tally, "REEL_SEED=\(seed)")
      #expect(read.index.begun == expected.index.begun, "REEL_SEED=\(seed)")
      #expect(read.lineCount == expected.lineCount && read.lastSum == expected.lastSum)
      #expect(read.journalEnd == expected.journalEnd && read.hasTornLine == expected.hasTornLine)
    }
  }

  @Test("a line longer than a piece is read, and what is torn behind it is found")
  func longLine() throws {
    let card = MemoryCard(.journalling)
    let files = IndexFiles(system: card)
    let open = OpenFolder(FolderIndex(id: folder, name: "F"))
    var entries = RandomEntries(seed: 2, folder: folder)
    var long = Entry(
      Recording(
        id: ItemID(high: 1, low: 1), folder: folder, sequence: 1,
        title: String(repeating: "Küche ", count: 50_000), began: entries.moment(), file: "1.opus"))
    long.thrownAt = WallTime(milliseconds: 1)
    for entry in [entries.next(), long, entries.next()] {
      try files.append([.put(entry)], to: open, at: "")
    }
    let end = open.journalEnd
    try card.open(FileName.journal, .change).write(Array("torn".utf8), at: end + 100)

    let read = try files.read(folder, at: "", name: "F")
    #expect(read.index.entries == open.index.entries && read.index.entries[long.id] == long)
    #expect(read.lineCount == 3 && read.journalEnd == end && read.hasTornLine)
    #expect(read.tornBytes == read.journalBytes - end && read.journalBytes > end)
  }

  // MARK: The pieces

  /// Bytes that mean something in JSON, others beside them, and one that is no UTF-8.
  private static let telling =
    Array("\"\\{}[],:-+.0192 eEtfnaAfFgG/".utf8) + [0, 9, 0x7F, 0xC3, 0xFF]

  private func written(_ entry: Entry) -> [UInt8] {
    var json = JSONWriter()
    json.entry(entry)
    return json.bytes
  }

  private func exact(_ bytes: [UInt8], after device: String = "Mic") -> Entry? {
    bytes.withUnsafeBytes { bytes in
      var (text, device) = (JSONCursor(bytes), device)
      guard let entry = text.recordingEntry(in: folder, device: &device), text.isAtEnd
      else { return nil }
      return entry
    }
  }

  /// Reads with a blank after the brace, which Reel does not write.
  private func general(_ bytes: [UInt8]) -> Entry? {
    (Array("{ ".utf8) + bytes.dropFirst()).withUnsafeBytes { bytes in
      var (json, device) = (JSONReader(bytes), "")
      guard let entry = json.entry(in: folder, device: &device), json.isAtEnd else { return nil }
      return entry
    }
  }

  private func sealedLine(_ body: some Collection<UInt8>) -> ReadLine? {
    let sealed = IndexFormat.sealed(body, after: IndexFormat.mark(of: folder))
    return sealed.withUnsafeBytes { IndexFormat.line($0, in: folder) }.map(ReadLine.init)
  }

  private func journal(of entries: [Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    var before: UInt32 = 0
    for (index, entry) in entries.enumerated() {
      let line = IndexFormat.line(
        [.put(entry)], after: 0, number: index + 1, before: before, in: folder)
      before = line.withUnsafeBytes { IndexFormat.sum(of: $0) }
      bytes += line
    }
    return bytes
  }

  /// Each line in a piece of its own, where no other replaces it.
  private func replayedEachAlone(_ journal: [UInt8]) -> OpenFolder {
    let open = OpenFolder(FolderIndex(id: folder, name: "F"))
    var replay = JournalReplay(open)
    var rest = journal[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.endIndex
      let isLast = end == rest.endIndex
      _ = Array(rest[..<end]).withUnsafeBytes { replay.run($0, isLast: isLast) }
      rest = rest[end...]
    }
    return open
  }

  private func replayed(_ journal: [UInt8], pieceBytes: Int) -> OpenFolder {
    let open = OpenFolder(FolderIndex(id: folder, name: "F"))
    var replay = JournalReplay(open)
    var (kept, rest) = ([UInt8](), journal[...])
    repeat {
      kept += rest.prefix(pieceBytes)
      rest = rest.dropFirst(pieceBytes)
      let used = kept.withUnsafeBytes { replay.run($0, isLast: rest.isEmpty) }
      kept.removeFirst(min(used, kept.count))
    } while !rest.isEmpty
    return open
  }
}

/// What a line says, but for its checksum.
private struct ReadLine: Equatable {
  let numbers: [Int]
  let before: UInt32?
  let changes: [IndexChange]

  init(_ line: IndexFormat.Line) {
    numbers = [line.head.version, line.head.generation, line.head.number, line.head.safe]
    (before, changes) = (line.head.before, line.changes)
  }
}

/// Random recordings, as a folder has them.
private struct RandomEntries {
  private var random: SplitMix64
  private let folder: ItemID
  private var count: UInt64 = 0

  init(seed: UInt64, folder: ItemID) {
    random = SplitMix64(seed: seed)
    self.folder = folder
  }

  mutating func next() -> Entry {
    let trail = maybe { [.root, $0.id()] } ?? []
    count += 1
    var entry = Entry(
      Recording(
        id: ItemID(high: random.next(), low: count), folder: folder,
        sequence: maybe { 1 + $0.random.below(999_999_999) }, title: text(),
        titleIsDefault: flag(), began: moment(),
        stage: pick([.finished, .finished, .recording, .recovered]),
        file: "000 \(text())x.opus", sound: sound(), isHeard: flag(),
        marks: (maybe { [Mark(frame: $0.number(), name: $0.text()), Mark(frame: 9)] }) ?? [],
        details: Recording.Details(notes: text(), place: text(), speaker: text()),
        integrity: integrity(), continues: maybe { $0.id() }, part: maybe { _ in 3 } ?? 1,
        thrownFrom: trail.last
      ).with((maybe { [$0.copy("nas"), $0.copy("stick")] }) ?? []))
    (entry.trail, entry.thrownAt) = (trail, maybe { WallTime(milliseconds: $0.number()) })
    entry.formerName = maybe { $0.text() }
    return entry
  }

  /// The same item after some change.
  mutating func changed(_ entry: Entry) -> Entry {
    guard let recording = entry.recording else { return entry }
    var changed = Entry(
      recording.changed(title: text(), stage: pick([.finished, .recording]), sound: sound()))
    changed.formerName = maybe { $0.text() + "x" }
    return changed
  }

  mutating func isNext() -> Bool { random.below(3) > 0 }

  mutating func copy(_ target: String) -> RecordingCopy {
    let file = text() + "x"
    return RecordingCopy(
      target: target, remote: file, file: file, verifiedAt: WallTime(milliseconds: number()),
      texts: maybe { _ in "0123456789abcdef" })
  }

  mutating func moment() -> Moment {
    Moment(
      boot: id(), instant: Instant(nanoseconds: number()), wall: WallTime(milliseconds: number()),
      quality: pick([.synchronised, .unsynchronised, .corrected]))
  }

  private mutating func sound() -> Sound {
    Sound(
      frames: abs(number()), rate: pick([48_000, 44_100]), channels: pick([1, 2]),
      sizeBytes: number(),
      hash: maybe {
        SoundHash(
          $0.random.next(), $0.random.next(), $0.random.next(), $0.random.next() >> 40,
          soundFrom: UInt32($0.random.below(10_000)))
      })
  }

  private mutating func integrity() -> Integrity {
    Integrity(
      device: text(),
      gaps: maybe { [Gap(frame: $0.number(), frames: 2, cause: .cut)] } ?? [],
      clippedFrames: pick([0, 5]), peakMillibels: maybe { -$0.random.below(10_000) },
      loudnessCentiLUFS: maybe { -$0.random.below(10_000) }, microphoneSeemsDead: flag(),
      deadChannel: maybe { _ in 2 }, stopReason: maybe { $0.pick([.pressed, .cut, .shutdown]) },
      recoveredCutBytes: maybe { $0.number() }, endIsOwed: flag())
  }

  private mutating func id() -> ItemID { ItemID(high: random.next(), low: random.next()) }

  /// Numbers of each length that the fast reader knows.
  private mutating func number() -> Int64 {
    let size = (0..<random.below(18)).reduce(Int64(1)) { size, _ in size * 10 }
    return (flag() ? -1 : 1) * Int64(random.next() % UInt64(size * 10 - size) + UInt64(size - 1))
  }

  /// Text that needs no escape; the fast reader leaves others to the general one.
  private mutating func text() -> String {
    (0..<random.below(30)).map { _ in pick(["a", "Z", "7", " ", "-", "é", "ü", "語", "😀", "\u{7F}"])
    }
    .joined()
  }

  private mutating func flag() -> Bool { random.below(2) == 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[random.below(values.count)]
  }

  private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    flag() ? make(&self) : nil
  }
}
