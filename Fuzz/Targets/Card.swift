// A whole card that somebody else has had: snapshots, a journal, and files under any names. The
// store opens it or says why not, recovery comes to an end, a second one changes nothing, no sound
// is lost, and whatever the card tells, the heart goes on recording and every view can be shown.

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
      return [[0], [1]].flatMap { (kind: [UInt8]) -> [[UInt8]] in
        [
          kind + .sections([even, odd, journal, names]), kind + .sections([[], odd, [], names]),
          kind + .sections([[], [], [], names]), kind + .sections([even, [], journal, []]),
          kind + .sections([even, odd.dropLast(30) + [], journal, names]),
        ]
      }
    },
    run: { bytes in
      guard let kind = bytes.first else { return }
      let parts = Array(bytes.dropFirst()).sections
      let card = MemoryCard(kind & 2 == 0 ? .journalling : .fat)
      try fill(card, parts, isSealed: kind & 1 != 0)
      try check(card, hasIntents: bytes.contains(Array("purging".utf8)))
    })

  private static func fill(_ card: MemoryCard, _ parts: [[UInt8]], isSealed: Bool) throws {
    func part(_ index: Int) -> [UInt8] { index < parts.count ? parts[index] : [] }
    for (index, name) in FileName.slots.enumerated() where !part(index).isEmpty {
      let text = part(index)
      try card.plant(
        Array(name.utf8), in: "",
        isSealed ? IndexSeeds.sealed(text, isLine: false, in: .root) : text)
    }
    if !part(2).isEmpty {
      let lines = part(2).split(separator: 10, omittingEmptySubsequences: false).map { line in
        isSealed ? IndexSeeds.sealed(Array(line), isLine: true, in: .root) : Array(line)
      }
      try card.plant(
        Array(FileName.journal.utf8), in: "", [UInt8](lines.joined(separator: [10])) + [10])
    }
    var taken = Set((FileName.slots + [FileName.journal]).map { Array($0.utf8) })
    for name in part(3).split(separator: 10).prefix(8).map(Array.init) {
      let isName =
        name.count <= 255 && !name.contains(0) && !name.contains(0x2F) && name != [0x2E]
        && name != [0x2E, 0x2E]
      let small = Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
      guard isName, taken.insert(small).inserted else { continue }
      try card.plant(name, in: "", name.count % 3 == 0 ? OpusSeeds.short : Array(name))
    }
  }

  private static func check(_ card: MemoryCard, hasIntents: Bool) throws {
    let sounds = Self.sounds(on: card)
    guard let listings = try open(card) else { return }
    if !hasIntents {
      try prove(Self.sounds(on: card).isSuperset(of: sounds), "a sound is gone from the card")
    }
    let settled = Self.content(of: card)
    guard let again = try open(card) else { throw Broken("a card opens once and not again") }
    try prove(again == listings, "the second time the card tells something else")
    try prove(Self.content(of: card) == settled, "a second recovery changed the card")
    try tellTheHeart(listings)
  }

  /// What the root and the trash hold; nil when the card is refused with a sentence.
  private static func open(_ card: MemoryCard) throws -> [ItemID: Listing]? {
    final class Mail { var events: [CardEvent] = [] }
    let mail = Mail()
    let store = Store(system: card) { mail.events.append($0) }
    let now = WallTime(milliseconds: 1_700_000_000_000)
    store.carryOut(.open, now: now)
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
    store.carryOut(.read(.root), now: now)
    store.carryOut(.read(.trash), now: now)
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

  private static func content(of card: MemoryCard) -> [[UInt8]: [UInt8]?] {
    Dictionary(card.everything.map { ($0.path, $0.bytes) }) { first, _ in first }
  }

  private static func sounds(on card: MemoryCard) -> Set<[UInt8]> {
    Set(card.everything.compactMap(\.bytes).filter { $0.starts(with: Array("OggS".utf8)) })
  }

  /// The same appliance as everywhere, recording, with what this card tells.
  private static func tellTheHeart(_ listings: [ItemID: Listing]) throws {
    let bench = Bench(opensCard: false)
    bench.card = listings
    let root = listings[.root] ?? Listing()
    let tally = Tally(recordings: root.recordings.count, unheard: root.recordings.count)
    bench.send(.card(.opened(CardReport(nextSequence: 43, root: tally))))
    bench.send(.wish(.take(.start(title: nil)), from: .appliance))
    for line in ["ls", "ls -l", "status", "info 42", "play 42", "seek +5", "search k", "stop"] {
      let heard = bench.say(line)
      for work in bench.later { work() }
      bench.later = []
      for case .failed(let failure) in heard.answers { try proveSaid(failure) }
    }
    try checkState(bench.state)
  }
}

extension Listing {
  /// Only where it is by hand does a listing have an order that means something.
  fileprivate var inOrder: Listing {
    if order == .byHand { return self }
    return Listing(
      folders: folders.sorted { $0.id < $1.id }, recordings: recordings.sorted { $0.id < $1.id },
      order: order)
  }
}
