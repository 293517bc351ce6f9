// A whole card with foreign contents: snapshots, a journal, and files under any names. The store
// opens it or says why not, recovery comes to an end, a second one changes nothing, no sound is
// lost, nothing beside the card is touched, and whatever the card reports, the heart goes on
// recording and every view can be shown.

import Glibc
import Scratch
import Tape

@testable import Library
@testable import Recorder

extension FuzzTarget {
  /// Sections: folder.0.json, folder.1.json, lines of the journal, and names of files a line each.
  static let card = FuzzTarget(
    name: "card", limitBytes: 6144,
    seeds: {
      var other = IndexSeeds.folder
      other.apply(.name("Younger"))
      let even = IndexFormat.snapshot(of: IndexSeeds.folder, generation: 6)
      let odd = IndexFormat.snapshot(of: other, generation: 7)
      var (before, lines): (UInt32, [[UInt8]]) = (0, [])
      for (place, change) in IndexSeeds.changes.enumerated() {
        let line = IndexFormat.line(
          [change], after: 7, number: place + 1, before: before, in: .root
        ).dropLast()
        before = line.withUnsafeBytes { IndexFormat.sum(of: $0) }
        lines.append(Array(line))
      }
      let names = Array(
        "0042 K\u{FC}che.opus\na.opus\nOther\n0007 x.opus\n.reel-1-2-3.part\nb".utf8)
      let journal = [UInt8](lines.joined(separator: [10]))
      let cards: [[[UInt8]]] =
        [
          [even, odd, journal, names], [[], odd, [], names], [[], [], [], names],
          [even, [], journal, []], [even, Array(odd.dropLast(30)), journal, names],
        ] + crafted.map { [[], [], $0, names] }
      return [[0], [1], [5], [7]].flatMap { (kind: [UInt8]) in
        cards.map { kind + .sections($0) }
      }
    },
    run: { bytes in
      guard let kind = bytes.first else { return }
      let parts = Array(bytes.dropFirst()).sections
      if kind & 4 == 0 {
        let card = MemoryCard(kind & 2 == 0 ? .journalling : .fat)
        try fill(parts, isSealed: kind & 1 != 0) { name, folder, bytes in
          try card.plant(name, in: folder, bytes)
        } makeFolder: { name in
          try card.makeDirectory(name)
        }
        try check(card)
      } else {
        try withNeighbours { path, card in
          try fill(parts, isSealed: kind & 1 != 0) { name, folder, bytes in
            try plant(bytes, at: Array("\(path)/\(folder)/".utf8) + name)
          } makeFolder: { name in
            try card.makeDirectory(name)
          }
          try check(card)
        }
      }
    })

  /// A recording that lies in a folder of the card.
  private static let inFolder = OpusSeeds.make(
    frames: 2000, channels: 1, id: "0000abcd-0000-0000-0000-000000000009")

  /// Journal lines that only an attacker would write.
  private static var crafted: [[UInt8]] {
    let id = "0000abcd-0000-0000-0000-000000000001"
    return [
      #"{"put":{"id":"\#(id)","purging":true}}"#,
      #"{"put":{"id":"\#(id)","file":"..","purging":true}}"#,
      #"{"put":{"id":"\#(id)","file":"../beside/precious","purging":true}}"#,
      #"{"put":{"id":"\#(id)","file":"/tmp/x","purging":true}}"#,
      #"{"put":{"folder":"\#(id)","directory":"Other","purging":true}}"#,
      #"{"put":{"folder":"\#(id)","directory":"link","purging":true}}"#,
      #"{"put":{"id":"\#(id)","file":"link.opus","purging":true}}"#,
      #"{"put":{"id":"\#(id)","file":"link/precious","was":"../x"}}"#,
      #"{"put":{"id":"\#(id)","file":"a.opus","was":"0042 K\u00fcche.opus","purging":true}}"#,
    ].map { change in
      let text = #""reel":1,"after":0,"line":1,"before":"00000000","do":["# + change + "]}"
      return IndexSeeds.sealed(Array(text.utf8), isLine: true, in: .root)
    }
  }

  /// A card in a directory, with links on it and files beside it that must stay as they are.
  private static func withNeighbours(_ body: (String, PosixCard) throws -> Void) throws {
    let scratch = ScratchFolder(in: "/dev/shm")
    let path = scratch.path
    let all = try PosixCard.open(path)
    for name in ["card", "beside"] { try all.makeDirectory(name) }
    for name in ["beside/precious", "x"] {
      try plant(OpusSeeds.short, at: Array("\(path)/\(name)".utf8))
    }
    symlink("../beside", path + "/card/link")
    symlink(path + "/beside/precious", path + "/card/link.opus")
    try body(path + "/card", try PosixCard.open(path + "/card"))
    let outside = try content(of: all).filter { !$0.key.starts(with: Array("card".utf8)) }
    try prove(
      outside.count == 3 && outside.values.count { $0 == OpusSeeds.short } == 2,
      "something beside the card was touched")
  }

  private static func plant(_ bytes: [UInt8], at path: [UInt8]) throws {
    let file = (path + [0]).withUnsafeBytes { path in
      path.baseAddress.map {
        creat($0.assumingMemoryBound(to: CChar.self), 0o644)
      } ?? -1
    }
    try prove(file >= 0, "a file cannot be made")
    defer { close(file) }
    try prove(write(file, bytes, bytes.count) == bytes.count, "there is no room for a file")
  }

  /// `plant` puts a file with that name into a folder of the root, or "" for the root itself.
  private static func fill(
    _ parts: [[UInt8]], isSealed: Bool,
    plant: (_ name: [UInt8], _ folder: String, _ bytes: [UInt8]) throws -> Void,
    makeFolder: (String) throws -> Void
  ) throws {
    try makeFolder("Other")
    try plant(Array("0009 In it.opus".utf8), "Other", inFolder)
    func part(_ index: Int) -> [UInt8] { index < parts.count ? parts[index] : [] }
    for (index, name) in FileName.slots.enumerated() where !part(index).isEmpty {
      let text = part(index)
      try plant(
        Array(name.utf8), "",
        isSealed ? IndexSeeds.sealed(text, isLine: false, in: .root) : text)
    }
    if !part(2).isEmpty {
      let lines = part(2).split(separator: 10, omittingEmptySubsequences: false).map { line in
        isSealed ? IndexSeeds.sealed(Array(line), isLine: true, in: .root) : Array(line)
      }
      try plant(
        Array(FileName.journal.utf8), "", [UInt8](lines.joined(separator: [10])) + [10])
    }
    let others = ["other", "link", "link.opus"]
    var taken = Set((FileName.slots + [FileName.journal] + others).map { Array($0.utf8) })
    for name in part(3).split(separator: 10).prefix(8).map(Array.init) {
      let isName =
        name.count <= 255 && !name.contains(0) && !name.contains(0x2F) && name != [0x2E]
        && name != [0x2E, 0x2E]
      let small = Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
      guard isName, taken.insert(small).inserted else { continue }
      try plant(name, "", name.count % 3 == 0 ? OpusSeeds.short : Array(name))
    }
  }

  private static func check(_ card: some FileSystem) throws {
    let sounds = try Self.sounds(on: card)
    let mayGo = Self.purged(on: card)
    guard let listings = try open(card) else { return }
    let gone = sounds.subtracting(try Self.sounds(on: card))
    try prove(gone.isSubset(of: mayGo), "a sound is gone from the card")
    let settled = try content(of: card)
    guard let again = try open(card) else { throw Broken("a card opens once and not again") }
    try prove(again == listings, "the second time the card tells something else")
    try prove(try content(of: card) == settled, "a second recovery changed the card")
    try tellTheHeart(listings)
  }

  /// The bytes of the root's recordings that the index marks for deletion.
  private static func purged(on card: some FileSystem) -> Set<[UInt8]> {
    // If the card cannot be read, no file is marked.
    let root = try? IndexFiles(system: card).read(.root, at: "", name: "")
    let entries = (root?.index.entries.values).map(Array.init) ?? []
    let purged = entries.filter { $0.intent == .purging && $0.folder == nil }
    return Set(
      purged.compactMap { entry in
        let names = [entry.fileName, entry.formerName].compactMap { $0 }
        // A missing file cannot be deleted.
        return names.lazy.compactMap { try? bytes(of: $0, on: card) }.first
      })
  }

  private static func bytes(of path: String, on card: some FileSystem) throws -> [UInt8] {
    let file = try card.open(path, .read)
    return try file.bytes(at: 0, count: Int(try file.byteCount()))
  }

  private final class Mail { var events: [CardEvent] = [] }

  /// Returns the listings of the root and the trash; nil if the card is refused with a sentence.
  private static func open(_ card: some FileSystem) throws -> [ItemID: Listing]? {
    let mail = Mail()
    let store = Store(system: card) { mail.events.append($0) }
    let now = WallTime(milliseconds: 1_700_000_000_000)
    store.perform(.open, now: now)
    var steps = 0
    func settle() throws {
      while store.step() {
        steps += 1
        try prove(steps < 20_000, "recovery does not end")
      }
    }
    try settle()
    for case .failed(let why) in mail.events {
      try prove(!why.isEmpty, "refused without a word")
      return nil
    }
    store.perform(.read(.root), now: now)
    store.perform(.read(.trash), now: now)
    try settle()
    var listings: [ItemID: Listing] = [:]
    for event in mail.events {
      switch event {
      case .listed(let id, let listing): listings[id] = listing
      case .unreadable(_, let why): try prove(!why.isEmpty, "refused without a word")
      default: break
      }
    }
    return listings.mapValues(\.inOrder)
  }

  /// Returns every path with its bytes; nil if it is not a file.
  private static func content(of card: some FileSystem) throws -> [[UInt8]: [UInt8]?] {
    var found: [[UInt8]: [UInt8]?] = [:]
    var paths = [""]
    while let path = paths.popLast() {
      for entry in try card.list(path) {
        let key = Array(join(path, "").utf8) + [0x2F] + entry.rawName
        found[path.isEmpty ? entry.rawName : key] = .some(nil)
        guard let name = entry.name else { continue }
        if entry.kind == .directory { paths.append(join(path, name)) }
        if entry.kind == .file {
          found[path.isEmpty ? entry.rawName : key] = try bytes(of: join(path, name), on: card)
        }
      }
    }
    return found
  }

  private static func sounds(on card: some FileSystem) throws -> Set<[UInt8]> {
    Set(
      try content(of: card).values.compactMap { $0 }.filter { $0.starts(with: Array("OggS".utf8)) })
  }

  /// Runs an appliance that records, with the listings of this card.
  private static func tellTheHeart(_ listings: [ItemID: Listing]) throws {
    let bench = Bench(opensCard: false)
    bench.card = listings
    let root = listings[.root] ?? Listing()
    let tally = Tally(recordings: root.recordings.count, unheard: root.recordings.count)
    bench.send(.card(.opened(CardReport(nextSequence: 43, root: tally))))
    bench.send(.request(.take(.start(title: nil)), from: .appliance))
    for line in ["ls", "ls -l", "status", "info 42", "play 42", "seek +5", "search k", "stop"] {
      let heard = bench.say(line)
      bench.expire()
      for case .failed(let failure) in heard.answers { try proveSaid(failure) }
    }
    try checkState(bench.state)
  }
}

extension Listing {
  /// Sorted by id unless ordered by hand: otherwise the order of a listing has no meaning.
  fileprivate var inOrder: Listing {
    if order == .byHand { return self }
    return Listing(
      folders: folders.sorted { $0.id < $1.id }, recordings: recordings.sorted { $0.id < $1.id },
      order: order)
  }
}
