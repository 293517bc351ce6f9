// Encodes and decodes snapshots and journal lines, as docs/card.md describes. Both begin with the
// checksum of what follows, and have a generation. Pure functions; they must not trust bytes that
// the checksum does not cover.

import Glibc
import JSON
import Recorder

enum IndexFormat {
  static let version = 1
  /// `{"crc":"xxxxxxxx",`; the checksum is of what follows.
  static let headByteCount = 18
  private static let head = Array("{\"crc\":\"".utf8)
  private static let sizeKey = Array("\"bytes\":".utf8)
  private static let sizeDigits = 10
  private static let itemKey = Array("{\"id\":\"".utf8)

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
    var start = JSONCursor(bytes)
    guard bytes.count > headByteCount, start.skips("{\"crc\":\"") else { return false }
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
    // An entry has about 300 bytes.
    draft.index.reserve(size / 320)
    json.object { json, key in draft.read(key, &json) }
    if draft.version > version { return .newer(draft.version) }
    guard json.isAtEnd, let id = draft.id, draft.generation > 0 else { return .broken }
    draft.index.describe(id: id, name: draft.name, order: draft.order)
    draft.index.apply(.next(draft.next))
    return .whole(draft.index, generation: draft.generation, byteCount: size)
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

  /// What a line says of itself.
  struct LineHead: Equatable {
    var version = 0
    var generation = 0
    var number = 0
    /// Number of lines synced when this one was written.
    var safe = 0
    var before: UInt32?
    var sum: UInt32 = 0
  }

  struct Line {
    var head = LineHead()
    var changes: [IndexChange] = []
    /// That of the recording read last, which most likely is that of the next.
    var device = ""
  }

  /// A whole line that puts one item and is laid out exactly as `line` encodes it, as most are. The
  /// item is not decoded yet.
  struct PutLine {
    fileprivate(set) var head = LineHead()
    fileprivate var item: JSONCursor

    /// Whether the line that follows puts the same item, as the end of each take does. Then this
    /// one's adds nothing: an item's number never changes.
    func isReplaced(by next: PutLine) -> Bool {
      let count = IndexFormat.itemKey.count + ItemID.digitCount + 1
      guard next.head.generation == head.generation, next.head.number == head.number + 1,
        next.head.before == head.sum, item.rest.count >= count, next.item.rest.count >= count,
        item.rest.starts(with: IndexFormat.itemKey), let one = item.rest.baseAddress,
        let other = next.item.rest.baseAddress
      else { return false }
      return memcmp(one, other, count) == 0
    }
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
    let mark = mark ?? Self.mark(of: folder)
    var line = Line()
    let put = putLine(bytes, mark: mark)
    return read(bytes, as: put, in: folder, mark: mark, into: &line) ? line : nil
  }

  /// Decodes a line into one that is used again and again, because each list of changes would be
  /// allocated; false if it is not whole. `put` is what `putLine` returns for it.
  static func read(
    _ bytes: UnsafeRawBufferPointer, as put: PutLine?, in folder: ItemID, mark: UInt32,
    into line: inout Line
  ) -> Bool {
    if let put, read(put, in: folder, into: &line) { return true }
    guard isWhole(bytes, after: mark) else { return false }
    line = Line(head: LineHead(sum: sum(of: bytes)), device: line.device)
    var json = JSONReader(bytes)
    json.object { json, key in line.read(key, in: folder, &json) }
    return json.isAtEnd && line.head.version > 0
  }

  /// Decodes all but the item; nil if it is not such a line.
  static func putLine(_ bytes: UnsafeRawBufferPointer, mark: UInt32) -> PutLine? {
    guard bytes.count > headByteCount else { return nil }
    // The checksum does not cover the end of the head.
    var put = PutLine(item: JSONCursor(bytes, at: headByteCount - 2))
    put.item.expect("\",\"reel\":1,\"after\":")
    (put.head.version, put.head.generation) = (1, put.item.size())
    put.item.expect(",\"line\":")
    put.head.number = put.item.size()
    put.head.safe = put.item.skips(",\"safe\":") ? put.item.size() : put.head.number - 1
    put.item.expect(",\"before\":")
    put.head.before = put.item.plainText(byteCount: 8) { Checksum.value(ofDigits: $0) }
    put.item.expect(",\"do\":[{\"put\":")
    guard put.item.isExact, isWhole(bytes, after: mark) else { return nil }
    put.head.sum = sum(of: bytes)
    return put
  }

  /// Decodes the item, too; false if that is not a recording laid out exactly as it is encoded.
  private static func read(_ put: PutLine, in folder: ItemID, into line: inout Line) -> Bool {
    var text = put.item
    guard let entry = text.recordingEntry(in: folder, device: &line.device) else { return false }
    text.expect("}]}")
    line.head = put.head
    line.changes.removeAll(keepingCapacity: true)
    line.changes.append(.put(entry))
    return text.isAtEnd
  }
}

extension IndexFormat.Line {
  fileprivate mutating func read(_ key: JSONKey, in folder: ItemID, _ json: inout JSONReader) {
    switch key {
    case "reel": head.version = json.count()
    case "after": head.generation = json.size()
    case "line":
      head.number = json.size()
      head.safe = head.number - 1
    case "safe": head.safe = json.size()
    case "before":
      head.before = json.plainText(byteCount: 8) { Checksum.value(ofDigits: $0) }
      if head.before == nil { json.skip() }
    case "do" where head.version <= IndexFormat.version:
      json.array { list in
        if let change = list.change(in: folder) { changes.append(change) }
      }
    default: json.skip()
    }
  }
}

private struct SnapshotDraft {
  var version = 0
  var generation = 0
  var id: ItemID?
  var name = ""
  var order = Folder.SortOrder.byDate
  var next = 1
  /// The items. What the snapshot says of the folder itself is added at its end.
  var index = FolderIndex(id: .root, name: "")
  /// That of the item read last.
  private var device = ""

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
      json.array { list in
        if let entry = list.entry(in: folder, device: &device) { index.apply(.put(entry)) }
      }
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
      case .count(let id, let summary):
        json.member("count", id: id)
        json.summary(summary)
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
    case ("put", nil):
      var device = ""
      change = json.entry(in: folder, device: &device).map { .put($0) }
    case ("gone", nil): change = .gone(json.id())
    case ("place", nil): change = .place(json.id(), at: 0)
    case ("at", .place(let id, _)): change = .place(id, at: json.count())
    case ("order", nil): change = .order(json.name(.byDate))
    case ("next", nil): change = .next(json.count())
    case ("count", nil): change = .count(json.id(), Summary())
    case ("recordings", .count(let id, var summary)):
      summary.tally.recordings = json.size()
      change = .count(id, summary)
    case ("unheard", .count(let id, var summary)):
      summary.tally.unheard = json.size()
      change = .count(id, summary)
    case ("copied", .count(let id, var summary)):
      summary.tally.copied = json.size()
      change = .count(id, summary)
    case ("latest", .count(let id, var summary)):
      summary.latest = WallTime(milliseconds: json.integer())
      change = .count(id, summary)
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
