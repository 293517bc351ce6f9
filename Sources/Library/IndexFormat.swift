// The bytes of an index: snapshots and journal lines, as docs/card.md describes them, both ways.
// Both begin with the checksum of what follows, and say which generation they belong to. Pure
// functions; they believe nothing that the checksum does not vouch for.

import Recorder

enum IndexFormat {
  static let version = 1
  /// `{"crc":"xxxxxxxx",` and then what the checksum is of.
  static let headByteCount = 18
  private static let head = Array("{\"crc\":\"".utf8)
  private static let sizeKey = Array("\"bytes\":".utf8)
  private static let sizeDigits = 10

  /// Bytes behind a head that tells their checksum.
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

  /// Whether a head's checksum is that of what follows.
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
    /// Torn, rotten or foreign.
    case broken
    /// Of a version this one does not know.
    case newer(Int)
    case whole(FolderIndex, generation: Int, byteCount: Int)
  }

  /// The items of a snapshot whose generation is not needed are not read.
  static func slot(
    _ bytes: UnsafeRawBufferPointer, isNeeded: (Int) -> Bool = { _ in true }
  ) -> Slot {
    guard let size = size(of: bytes), size <= bytes.count,
      isWhole(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    else { return .broken }
    if !isNeeded(generation(of: bytes)) { return .older }
    var json = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    var draft = SnapshotDraft()
    json.object { json, key in draft.take(key, &json) }
    if draft.version > version { return .newer(draft.version) }
    guard json.isAtEnd, let id = draft.id, draft.generation > 0 else { return .broken }
    var index = FolderIndex(id: id, name: draft.name)
    index.apply(.order(draft.order))
    index.reserve(draft.entries.count)
    for entry in draft.entries { index.apply(.put(entry)) }
    index.apply(.next(draft.next))
    return .whole(index, generation: draft.generation, byteCount: size)
  }

  /// As the first bytes say it, be they true or not; 0 when they say nothing.
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

  /// Cards may leave old bytes behind the end of a file that grew, be it a line of another folder,
  /// or one that was lost in a cut: so a line's checksum begins with its folder's identity, and the
  /// line says the checksum of the one before.
  static func line(
    _ changes: [IndexChange], after generation: Int, number: Int, before: UInt32,
    in folder: ItemID
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("reel", version)
      json.member("after", generation)
      json.member("line", number)
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
    var before: UInt32?
    var sum: UInt32 = 0
    var changes: [IndexChange] = []
  }

  private static func mark(of folder: ItemID) -> UInt32 {
    JSONWriter.digits(of: folder).withUnsafeBytes { Checksum.of($0) }
  }

  /// The checksum a line tells.
  static func sum(of line: UnsafeRawBufferPointer) -> UInt32 {
    Checksum.value(ofDigits: UnsafeRawBufferPointer(rebasing: line[head.count..<head.count + 8]))
      ?? 0
  }

  /// Nil unless the bytes, without a line end, are a whole line.
  static func line(_ bytes: UnsafeRawBufferPointer, in folder: ItemID) -> Line? {
    guard isWhole(bytes, after: mark(of: folder)) else { return nil }
    var line = Line()
    line.sum = sum(of: bytes)
    var json = JSONReader(bytes)
    json.object { json, key in
      switch key {
      case "reel": line.version = json.count()
      case "after": line.generation = json.count()
      case "line": line.number = json.count()
      case "before":
        line.before = Array(json.string().utf8).withUnsafeBytes { Checksum.value(ofDigits: $0) }
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
  var order = Folder.Order.byDate
  var next = 1
  var entries: [Entry] = []

  mutating func take(_ key: JSONKey, _ json: inout JSONReader) {
    switch key {
    case "reel": version = json.count()
    case "generation": generation = json.count()
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
  /// Nil for one this version knows nothing of.
  fileprivate mutating func change(in folder: ItemID) -> IndexChange? {
    var draft = ChangeDraft()
    object { json, key in draft.take(key, in: folder, &json) }
    return isBroken ? nil : draft.change
  }
}

/// A change while it is read: its first key says what it is.
private struct ChangeDraft {
  var change: IndexChange?
  private var intending: ItemID?

  mutating func take(_ key: JSONKey, in folder: ItemID, _ json: inout JSONReader) {
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
      // What a newer version may intend is passed over, and never taken for something else.
      if let id = intending, change == nil, let intent = json.intent(key) {
        change = .intend(id, intent)
      } else {
        json.skip()
      }
    }
  }
}
