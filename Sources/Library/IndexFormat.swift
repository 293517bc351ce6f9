// Encodes and decodes snapshots and journal lines, as docs/card.md describes. Both begin with the
// checksum of what follows, and have a generation. Pure functions; they must not trust bytes that
// the checksum does not cover.

import JSON
import Recorder

enum IndexFormat {
  static let version = 1
  /// `{"crc":"xxxxxxxx",`; the checksum is of what follows.
  static let headByteCount = 18
  private static let head = Array("{\"crc\":\"".utf8)
  private static let sizeKey = Array("\"bytes\":".utf8)
  private static let sizeDigits = 10

  /// Returns the bytes with a head that has their checksum.
  static func sealed(_ body: some Collection<UInt8>, after before: UInt32 = 0) -> [UInt8] {
    var bytes = head + [UInt8](repeating: 0, count: 8) + Array("\",".utf8)
    bytes.reserveCapacity(headByteCount + body.count)
    bytes += body
    let sum = bytes.withUnsafeBytes {
      Checksum.of(UnsafeRawBufferPointer(rebasing: $0[headByteCount...]), after: before)
    }
    bytes.replaceSubrange(head.count..<head.count + 8, with: Checksum.digits(sum))
    return bytes
  }

  /// Whether the head's checksum matches what follows.
  static func isWhole(_ bytes: UnsafeRawBufferPointer, after before: UInt32 = 0) -> Bool {
    guard bytes.count > headByteCount, bytes.starts(with: head) else { return false }
    let digits = UnsafeRawBufferPointer(rebasing: bytes[head.count..<head.count + 8])
    let body = UnsafeRawBufferPointer(rebasing: bytes[headByteCount...])
    return Checksum.value(ofDigits: digits) == Checksum.of(body, after: before)
  }

  // MARK: Snapshots

  static func snapshot(of index: FolderIndex, generation: Int) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      // The size is filled in when it is known.
      json.key("bytes")
      json.blanks(sizeDigits)
      json.member("reel", version)
      json.member("generation", generation)
      json.member("id", id: index.id)
      json.member("name", index.name)
      json.member("order", index.order.rawValue)
      json.member("next", index.next)
      json.key("items")
      json.array { list in
        for id in index.sequence {
          guard let entry = index.entries[id] else { continue }
          list.lineBreak { $0.entry(entry) }
        }
      }
    }
    var body = json.bytes.dropFirst()
    body.append(10)
    let size = String(headByteCount + body.count)
    let start = body.startIndex + sizeKey.count + sizeDigits - size.utf8.count
    body.replaceSubrange(start..<start + size.utf8.count, with: size.utf8)
    return sealed(body)
  }

  /// What a slot holds.
  enum Slot {
    /// Whole, but not needed.
    case older
    /// Torn, corrupt, or not a snapshot.
    case broken
    /// Of a version that this program does not know.
    case newer(Int)
    case whole(FolderIndex, generation: Int, byteCount: Int)
  }

  /// Decodes a slot. Items are not read if the snapshot's generation is not needed.
  static func slot(
    _ bytes: UnsafeRawBufferPointer, isNeeded: (Int) -> Bool = { _ in true }
  ) -> Slot {
    guard let size = size(of: bytes), size <= bytes.count,
      isWhole(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    else { return .broken }
    if !isNeeded(generation(of: bytes)) { return .older }
    var json = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    var draft = SnapshotDraft()
    json.object { json, key in draft.read(key, &json) }
    if draft.version > version { return .newer(draft.version) }
    guard json.isAtEnd, let id = draft.id, draft.generation > 0 else { return .broken }
    var index = FolderIndex(id: id, name: draft.name)
    index.apply(.order(draft.order))
    index.reserve(draft.entries.count)
    for entry in draft.entries { index.apply(.put(entry)) }
    index.apply(.next(draft.next))
    return .whole(index, generation: draft.generation, byteCount: size)
  }

  /// The generation that the first bytes claim, not verified; 0 if there is none.
  static func generation(of bytes: UnsafeRawBufferPointer) -> Int {
    let start = headByteCount + sizeKey.count + sizeDigits
    guard bytes.count > start else { return 0 }
    let key = Array("\"generation\":".utf8)
    let text = bytes[start..<min(bytes.count, start + 60)]
    guard let place = text.indices.first(where: { text[$0...].starts(with: key) }) else { return 0 }
    let digits = text[(place + key.count)...].prefix { (0x30...0x39).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }

  private static func size(of bytes: UnsafeRawBufferPointer) -> Int? {
    let end = headByteCount + sizeKey.count + sizeDigits
    guard bytes.count >= end, bytes[headByteCount...].starts(with: sizeKey) else { return nil }
    let digits = bytes[(end - sizeDigits)..<end].drop { $0 == 32 }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 > end ? $0 : nil }
  }

  // MARK: Journal lines

  /// Encodes a line. Where a file grew, a card may show old bytes, such as a line of another
  /// folder, or one that a power cut lost. So a line's checksum begins with its folder's identity,
  /// and the line has the checksum of the one before. `safe`, the number of lines synced by then,
  /// is omitted if it is all before it.
  static func line(
    _ changes: [IndexChange], after generation: Int, number: Int, safe: Int? = nil,
    before: UInt32, in folder: ItemID
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("reel", version)
      json.member("after", generation)
      json.member("line", number)
      if let safe, safe != number - 1 { json.member("safe", safe) }
      json.member("before", String(decoding: Checksum.digits(before), as: UTF8.self))
      json.key("do")
      json.array { list in for change in changes { list.change(change) } }
    }
    return sealed(json.bytes.dropFirst(), after: mark(of: folder)) + [10]
  }

  struct Line {
    var version = 0
    var generation = 0
    var number = 0
    /// Number of lines synced when this one was written.
    var safe = 0
    var before: UInt32?
    var sum: UInt32 = 0
    var changes: [IndexChange] = []
  }

  /// The checksum of the folder's identity, with which its lines' checksums begin.
  static func mark(of folder: ItemID) -> UInt32 {
    JSONWriter.digits(of: folder).withUnsafeBytes { Checksum.of($0) }
  }

  /// The checksum in a line's head.
  static func sum(of line: UnsafeRawBufferPointer) -> UInt32 {
    Checksum.value(ofDigits: UnsafeRawBufferPointer(rebasing: line[head.count..<head.count + 8]))
      ?? 0
  }

  /// Decodes a line without its line end; nil if it is not whole. `mark` is the folder's.
  static func line(
    _ bytes: UnsafeRawBufferPointer, in folder: ItemID, mark: UInt32? = nil
  ) -> Line? {
    guard isWhole(bytes, after: mark ?? Self.mark(of: folder)) else { return nil }
    var line = Line()
    line.sum = sum(of: bytes)
    var json = JSONReader(bytes)
    json.object { json, key in
      switch key {
      case "reel": line.version = json.count()
      case "after": line.generation = json.size()
      case "line":
        line.number = json.size()
        line.safe = line.number - 1
      case "safe": line.safe = json.size()
      case "before":
        line.before = json.plainText(byteCount: 8) { Checksum.value(ofDigits: $0) }
        if line.before == nil { json.skip() }
      case "do" where line.version <= version:
        json.array { list in
          if let change = list.change(in: folder) { line.changes.append(change) }
        }
      default: json.skip()
      }
    }
    return json.isAtEnd && line.version > 0 ? line : nil
  }
}

private struct SnapshotDraft {
  var version = 0
  var generation = 0
  var id: ItemID?
  var name = ""
  var order = Folder.SortOrder.byDate
  var next = 1
  var entries: [Entry] = []

  mutating func read(_ key: JSONKey, _ json: inout JSONReader) {
    switch key {
    case "reel": version = json.count()
    case "generation": generation = json.size()
    case "id": id = json.id()
    case "name": name = json.string()
    case "order": order = json.name(order)
    case "next": next = json.count()
    case "items" where version <= IndexFormat.version:
      let folder = id ?? .root
      json.array { list in if let entry = list.entry(in: folder) { entries.append(entry) } }
    default: json.skip()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func change(_ change: IndexChange) {
    object { json in
      switch change {
      case .put(let entry):
        json.key("put")
        json.entry(entry)
      case .gone(let id): json.member("gone", id: id)
      case .place(let id, let index):
        json.member("place", id: id)
        json.member("at", index)
      case .order(let order): json.member("order", order.rawValue)
      case .next(let number): json.member("next", number)
      case .count(let id, let tally):
        json.member("count", id: id)
        json.tally(tally)
      case .name(let name): json.member("name", name)
      case .settled(let id): json.member("settled", id: id)
      case .intend(let id, let intent):
        json.member("intend", id: id)
        json.intent(intent)
      }
    }
  }
}

extension JSONReader {
  /// Nil for a change that this version does not know.
  fileprivate mutating func change(in folder: ItemID) -> IndexChange? {
    var draft = ChangeDraft()
    object { json, key in draft.read(key, in: folder, &json) }
    return isBroken ? nil : draft.change
  }
}

/// A change being decoded. Its first key determines what it is.
private struct ChangeDraft {
  var change: IndexChange?
  private var intending: ItemID?

  mutating func read(_ key: JSONKey, in folder: ItemID, _ json: inout JSONReader) {
    switch (key, change) {
    case ("put", nil): change = json.entry(in: folder).map { .put($0) }
    case ("gone", nil): change = .gone(json.id())
    case ("place", nil): change = .place(json.id(), at: 0)
    case ("at", .place(let id, _)): change = .place(id, at: json.count())
    case ("order", nil): change = .order(json.name(.byDate))
    case ("next", nil): change = .next(json.count())
    case ("count", nil): change = .count(json.id(), Tally())
    case ("recordings", .count(let id, let tally)):
      change = .count(id, Tally(recordings: json.size(), unheard: tally.unheard))
    case ("unheard", .count(let id, let tally)):
      change = .count(id, Tally(recordings: tally.recordings, unheard: json.size()))
    case ("settled", nil): change = .settled(json.id())
    case ("name", nil): change = .name(json.string())
    case ("intend", nil): intending = json.id()
    default:
      // An intent of a newer version is skipped, never taken for another change.
      if let id = intending, change == nil, let intent = json.intent(key) {
        change = .intend(id, intent)
      } else {
        json.skip()
      }
    }
  }
}
