// A folder's index as bytes, snapshots and journal lines: what was read is written so that it reads
// the same again. If the first byte says so, checksums are corrected first; without that no fuzzer
// would ever pass them.

import JSON

@testable import Library
@testable import Recorder

extension FuzzTarget {
  static let index = FuzzTarget(
    name: "index", limitBytes: 4096,
    seeds: { indexSeeds },
    run: { bytes in
      guard let kind = bytes.first else { return }
      let isLine = kind & 2 != 0
      let text = Array(bytes.dropFirst())
      let sealed = IndexSeeds.sealed(text, isLine: isLine, in: .root)
      try isLine
        ? checkLine(kind & 1 != 0 ? sealed : text) : checkSnapshot(kind & 1 != 0 ? sealed : text)
    })

  /// Short seeds, each after a byte for its kind.
  private static var indexSeeds: [[UInt8]] {
    func line(_ changes: [IndexChange], _ number: Int = 1, _ before: UInt32 = 0) -> [UInt8] {
      Array(
        IndexFormat.line(changes, after: 7, number: number, before: before, in: .root).dropLast())
    }
    let snapshot: [UInt8] = Array(IndexFormat.snapshot(of: IndexSeeds.folder, generation: 7))
    let all = line(IndexSeeds.changes)
    var seeds: [[UInt8]] = [[1] + snapshot, [0] + snapshot, [2] + all, [3] + all]
    for change in IndexSeeds.changes { seeds.append([3] + line([change], 3, 0x1234_5678)) }
    for change in Array(IndexSeeds.changes.dropFirst(2)) + IndexSeeds.extremes {
      seeds.append([3] + line([IndexSeeds.changes[1], change]))
    }
    return seeds
  }

  private static func checkSnapshot(_ bytes: [UInt8]) throws {
    guard case .whole(let index, let generation, let count) = slot(bytes) else { return }
    try prove(count <= bytes.count, "a snapshot longer than its bytes")
    let written = IndexFormat.snapshot(of: index, generation: generation)
    guard case .whole(let again, generation, written.count) = slot(written) else {
      throw Broken("a snapshot that was read is written so that it cannot be read")
    }
    let isSame =
      index.id == again.id && index.name == again.name && index.order == again.order
      && index.sequence == again.sequence && index.entries == again.entries
      && index.next == again.next && index.tally == again.tally
    try prove(isSame, "a snapshot changes by being written")
    try prove(
      IndexFormat.snapshot(of: again, generation: generation) == written, "it changes again")
    _ = again.sorted()
  }

  private static func slot(_ bytes: [UInt8]) -> IndexFormat.Slot {
    bytes.withUnsafeBytes { IndexFormat.slot($0) }
  }

  private static func line(_ bytes: [UInt8]) -> IndexFormat.Line? {
    bytes.withUnsafeBytes { IndexFormat.line($0, in: .root) }
  }

  private static func checkLine(_ bytes: [UInt8]) throws {
    guard let line = line(bytes), line.head.version == IndexFormat.version else { return }
    let written = IndexFormat.line(
      line.changes, after: line.head.generation, number: line.head.number,
      before: line.head.before ?? 0, in: .root
    )
    try prove(written.count { $0 == 10 } == 1, "a line of more than one line")
    guard let again = Self.line(written.dropLast()) else {
      throw Broken("a line that was read is written so that it cannot be read")
    }
    try prove(
      again.changes == line.changes && again.head.generation == line.head.generation
        && again.head.number == line.head.number, "a line changes by being written")
    var index = FolderIndex(id: .root, name: "")
    for change in line.changes { index.apply(change) }
    try prove(
      Set(index.sequence) == Set(index.entries.keys)
        && index.sequence.count == index.entries.count, "items and their order differ")
  }
}

/// Samples of everything an index may hold.
enum IndexSeeds {
  private static let recordingID = ItemID(high: 0xABCD, low: 1)
  private static let folderID = ItemID(high: 0xABCD, low: 2)

  static var recording: Recording {
    Recording(
      id: recordingID, folder: .root, sequence: 42, title: "Küche \"1/2\"\n", titleIsDefault: true,
      began: Moment(
        boot: ItemID(high: 9, low: 9), instant: Instant(nanoseconds: 5),
        wall: WallTime(milliseconds: 6),
        quality: .corrected), stage: .recovered, file: "0042 Küche.opus",
      sound: Sound(
        frames: 12, rate: 44_100, channels: 2, sizeBytes: 99,
        hash: SoundHash(1, 2, 3, 4, soundFrom: 4_175)), isHeard: true,
      marks: [Mark(frame: 3, name: "here")],
      integrity: Integrity(
        device: "Mic", gaps: [Gap(frame: 1, frames: 2, cause: .stalled)], stopReason: .cut),
      continues: folderID, part: 2)
  }

  static var changes: [IndexChange] {
    let folder = Folder(
      id: folderID, parent: .root, name: "Interviews", directory: "Other",
      tally: Tally(recordings: 4, unheard: 1), latest: WallTime(milliseconds: 8))
    var leaving = Entry(recording)
    leaving.intent = .leaving(to: [.root, folderID], as: Landing(name: "a.opus", title: "a"))
    (leaving.formerName, leaving.trail, leaving.thrownAt) = (
      "b", [.root], WallTime(milliseconds: 7)
    )
    return [
      .put(Entry(recording)), .put(Entry(folder)), .put(leaving), .place(folderID, at: 1),
      .order(.byHand), .next(50), .count(folderID, Summary(Tally(recordings: 2))), .name("New"),
      .intend(recordingID, .purging), .settled(recordingID), .gone(folderID),
    ]
  }

  /// Extreme and invalid numbers.
  static let extremes: [IndexChange] = [
    .place(folderID, at: -1), .place(folderID, at: .max), .next(.max), .next(.min),
    .count(
      folderID,
      Summary(Tally(recordings: .max, unheard: .min), latest: WallTime(milliseconds: .min))),
  ]

  static var folder: FolderIndex {
    var folder = FolderIndex(id: .root, name: "Root")
    for change in changes.prefix(5) { folder.apply(change) }
    return folder
  }

  /// Corrects the checksum, and for a snapshot the size; adds the head if there is none.
  static func sealed(
    _ text: [UInt8], isLine: Bool, in folder: ItemID, before: UInt32? = nil
  ) -> [UInt8] {
    let head = IndexFormat.headByteCount
    var body = text.starts(with: Array("{\"crc\":\"".utf8)) ? Array(text.dropFirst(head)) : text
    if isLine {
      let mark = JSONWriter.digits(of: folder).withUnsafeBytes { Checksum.of($0) }
      return IndexFormat.sealed(body, after: mark)
    }
    let key = Array("\"bytes\":".utf8)
    if body.starts(with: key), body.count >= key.count + 10 {
      let size = Array(String(head + body.count).utf8)
      let blanks = [UInt8](repeating: 32, count: 10 - size.count)
      body.replaceSubrange(key.count..<key.count + 10, with: blanks + size)
    }
    return IndexFormat.sealed(body)
  }
}
