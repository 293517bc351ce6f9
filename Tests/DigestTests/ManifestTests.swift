// The chain of a manifest: what is written is read back, and each way to tamper with it is named.

import Digest
import Testing

@Suite struct ManifestTests {
  /// Lines in which recording N is kept, and the last of which erases recording 1.
  private func lines(_ count: Int) -> [ManifestLine] {
    var lines: [ManifestLine] = []
    var before = SHA256.Sum.ofNothing
    for number in 1...count {
      let isLast = number == count
      let line = ManifestLine(
        number: number, isLast ? .erased : .kept, Self.id(isLast ? 1 : number),
        sequence: isLast ? 1 : number, time: "2026-11-20T14:03:22Z",
        hashes: isLast ? [] : Self.hashes(number), before: before, sealedBy: Self.key)
      lines.append(line)
      before = Self.hash(of: line.bytes)
    }
    return lines
  }

  static let key = {
    guard let key = SigningKey(seed: [UInt8](0..<32)) else { preconditionFailure("32 bytes") }
    return key
  }()

  static func id(_ number: Int) -> RecordingID { RecordingID(high: 0xAB, low: UInt64(number)) }

  static func hash(of bytes: [UInt8]) -> SHA256.Sum {
    var hash = SHA256()
    hash.update(bytes)
    return hash.sum
  }

  /// Of two tracks if the number is even.
  static func hashes(_ number: Int) -> [SHA256.Sum] {
    (0...(1 - number % 2)).map { hash(of: [UInt8(number), UInt8($0)]) }
  }

  private func faults(
    _ bytes: [UInt8], inPiecesOf count: Int = 50
  ) -> [ManifestReader.Fault] {
    let reader = ManifestReader()
    var faults: [ManifestReader.Fault] = []
    for start in stride(from: 0, to: bytes.count, by: count) {
      bytes[start..<min(start + count, bytes.count)].withUnsafeBytes { piece in
        let isGoingOn = reader.add(
          piece,
          onFault: {
            faults.append($0)
            return true
          }, onLine: { _ in })
        #expect(isGoingOn)
      }
    }
    if let fault = reader.faultAtEnd { faults.append(fault) }
    return faults
  }

  @Test("a line is text with fields between blanks, and is read back", arguments: [1, 2, 8])
  func line(number: Int) throws {
    let lines = lines(8)
    let bytes = lines[number - 1].bytes
    #expect(ManifestLine(bytes.dropLast()) == lines[number - 1])
    let text = String(decoding: lines[0].bytes, as: UTF8.self)
    let hash = Self.hashes(1)[0]
    #expect(
      text
        .hasPrefix(
          "1 kept 00000000-0000-00ab-0000-000000000001 1 2026-11-20T14:03:22Z \(hash)"
            + " e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 "))
    #expect(
      ManifestLine(Array(text.dropLast().replacing("1 kept", with: "01 kept").utf8)[...]) == nil)
    for bad in ["kept", "ab-", "T14", "Z "] {
      #expect(ManifestLine(Array(text.dropLast().replacing(bad, with: "x").utf8)[...]) == nil)
    }
  }

  @Test(
    "a manifest is read in pieces of any length, and ends with its head", arguments: [1, 7, 9_000])
  func whole(piece: Int) {
    let lines = lines(9)
    let bytes = lines.flatMap(\.bytes)
    #expect(faults(bytes, inPiecesOf: piece) == [])
    let reader = ManifestReader(marking: 4)
    var read: [ManifestLine] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes {
        _ = reader.add($0, onFault: { _ in false }, onLine: { read.append($0.line) })
      }
    }
    let (last, count, byteCount) = (reader.last, reader.count, reader.byteCount)
    #expect(read == lines && count == 9 && byteCount == Int64(bytes.count))
    #expect(last.number == 9 && last.hash == Self.hash(of: lines[8].bytes))
    var first = BLAKE2b()
    first.update(lines[..<4].flatMap(\.bytes))
    let (marked, sum) = (reader.marked, first.sum)
    #expect(marked?.hash == Self.hash(of: lines[3].bytes) && marked?.sum == sum)
  }

  @Test("each way to tamper with lines is named")
  func tampering() throws {
    var lines = lines(9).map(\.bytes)
    func with(_ change: (inout [[UInt8]]) -> Void) -> [ManifestReader.Fault] {
      var changed = lines
      change(&changed)
      return faults(changed.flatMap { $0 })
    }
    // A line is gone, two, or the first
    #expect(with { $0.remove(at: 4) } == [.missing(5...5)])
    #expect(with { $0.removeSubrange(4...5) } == [.missing(5...6)])
    #expect(with { $0.removeFirst() } == [.missing(1...1)])
    // Two have changed places, or one is there twice
    #expect(with { $0.swapAt(3, 4) } == [.missing(4...4), .misplaced(4)])
    #expect(with { $0.insert($0[4], at: 5) } == [.misplaced(5)])
    // A hash in one is another: the next line tells
    let place = lines[4].count - 110
    #expect(with { $0[4][place] = $0[4][place] == 0x30 ? 0x31 : 0x30 } == [.altered(5)])
    // One is no line any more
    #expect(with { $0[4][place] = 0x20 } == [.unreadable(after: 4), .missing(5...5)])
    // The last has no line end
    lines[8].removeLast()
    #expect(with { _ in } == [.torn])
    #expect(faults([UInt8](repeating: 0x61, count: 3_000)).first == .unreadable(after: 0))
  }

  @Test("a head is one line, and is found in a comment")
  func head() {
    let head = ManifestHead(keyID: "0123456789ABCDEF", lines: 41, hash: .ofNothing)
    #expect(ManifestHead(head.text) == head)
    #expect(ManifestHead("untrusted\ntrusted comment: \(head.text)\nmore") == head)
    for bad in ["", "reel", "reel 0123456789ABCDEF 41", "reel x 41 y", "reel 0 -1 0"] {
      #expect(ManifestHead(bad) == nil)
    }
  }
}

@Suite struct ManifestLedgerTests {
  /// Recordings 1 to 3, of which 2 has two tracks.
  private func ledger() -> ManifestLedger {
    var ledger = ManifestLedger()
    for number in 1...3 {
      ledger.add(
        ManifestLine(
          number: number, .kept, ManifestTests.id(number), sequence: number,
          time: "2026-11-20T14:03:22Z", hashes: ManifestTests.hashes(number), before: .ofNothing,
          sealedBy: ManifestTests.key))
    }
    return ledger
  }

  private func find(
    _ path: String, _ number: Int, track: Int = 0, tagged: Int? = nil, numbered: Int? = nil,
    _ ledger: inout ManifestLedger
  ) -> ManifestLedger.Finding? {
    ledger.find(
      path, ManifestTests.hashes(number)[track], tagged: tagged.map(ManifestTests.id),
      numbered: numbered)
  }

  @Test("all is well if each sound is there, whatever the names are")
  func well() {
    var ledger = ledger()
    #expect(find("a/x.opus", 1, &ledger) == nil)
    #expect(find("b.opus", 2, tagged: 2, numbered: 2, &ledger) == nil)
    #expect(
      ledger.missing == [
        .missing(ManifestTests.id(2), sequence: 2), .missing(ManifestTests.id(3), sequence: 3),
      ])
    #expect(find("c.opus", 2, track: 1, tagged: 2, &ledger) == nil)
    #expect(find("d.opus", 3, numbered: 2026, &ledger) == nil)
    #expect(ledger.missing == [] && ledger.keptCount == 3)
  }

  @Test("what has changed is known by its tags, and is not missing besides")
  func changed() {
    var ledger = ledger()
    for number in [1, 3] { #expect(find("\(number)", number, &ledger) == nil) }
    let other = ManifestTests.hash(of: [9])
    #expect(
      ledger.find("x", other, tagged: ManifestTests.id(2), numbered: nil)
        == .changed("x", sequence: 2))
    #expect(ledger.find("y", other, tagged: nil, numbered: 2) == .unknown("y"))
    #expect(ledger.find("z", other, tagged: ManifestTests.id(9), numbered: 2) == .unknown("z"))
    #expect(ledger.missing == [])
  }

  @Test("sounds that have changed places are named, by their tags and by their numbers")
  func exchanged() {
    var ledger = ledger()
    #expect(find("a", 1, tagged: 3, &ledger) == .exchanged("a", says: 3, has: 1))
    #expect(
      find("0001 b", 3, tagged: 3, numbered: 1, &ledger) == .misnamed("0001 b", says: 1, has: 3))
  }

  @Test("what was deleted may be missing, until it is kept again; also if another manifest says so")
  func erased() {
    func line(_ event: ManifestLine.Event) -> ManifestLine {
      ManifestLine(
        number: 4, event, ManifestTests.id(1), sequence: 1, time: "2026-11-20T14:03:22Z",
        hashes: event == .kept ? ManifestTests.hashes(1) : [], before: .ofNothing,
        sealedBy: ManifestTests.key)
    }
    var (ledger, other) = (ledger(), ManifestLedger())
    other.add(line(.kept))
    other.add(line(.erased))
    #expect(ledger.missing.count == 3)
    ledger.add(other)
    #expect(ledger.missing.count == 2)
    // It may be there as well
    #expect(find("a", 1, &ledger) == nil)
    var again = self.ledger()
    again.add(line(.erased))
    again.add(line(.kept))
    #expect(again.missing.count == 3)
  }
}
