// Random histories of the store beside a plain model of it, with awkward names and with the card
// reopened in between: the store lists what the model holds, and opening it again changes nothing.
// REEL_SEED=… runs one history.

import FoundationEssentials
import Seeds
import Tape
import Testing

@testable import Library
@testable import Recorder

private let historyCount = (CrashRun.states ?? 4_000) / 100

/// Titles that people type, paste and find. Titles keep all of it; file names must not.
private let horrors: [String] = [
  "Kitchen", "kitchen", "KITCHEN", "Küche", "Ku\u{308}che", "a/b", "../..", "..", ".", "...", "/",
  ".trash", "folder.0.json", "folder.journal", "CON", "con.opus", "NUL", "LPT9.txt", "trailing ",
  "trailing.", " leading", "tab\there", "line\nbreak", "bell\u{7}", "nul\u{0}nul",
  "\u{202E}gnp.exe",
  "\u{200F}\u{200E}", "\u{FEFF}", "😀", "👩‍👩‍👧‍👦", String(repeating: "👩‍👩‍👧‍👦", count: 40),
  String(repeating: "x", count: 4000), String(repeating: "é", count: 300), "e\u{301}\u{301}\u{301}",
  "İstanbul", "straße", "STRASSE", "ﬁle", "a:b*c?d\"e<f>g|h\\i", "日本語の録音", "שלום", "\u{FFFD}",
  "0041 Kitchen", "9999 ", "\"quoted\" \\ \u{2028}", "%s%n", "~", "-rf", "",
]

@Suite struct ModelTests {
  @Test(
    "after any operations in any order, the store lists what the model holds",
    arguments: MemoryCard.Kind.allCases, 0..<2)
  func histories(kind: MemoryCard.Kind, part: Int) throws {
    for seed in Seeds("model", count: max(2, historyCount / 2), part: part, of: 2) {
      do { try run(seed, kind) } catch let broken as Broken {
        let kept = Seeds.keep("model", "\(seed)", because: "\(kind): \(broken)")
        Issue.record("REEL_SEED=\(seed), \(kind): \(broken)\n\(kept)")
        return
      }
    }
  }

  private func run(_ seed: UInt64, _ kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    let walk = try StoreWalk(StoreRig(card), seed: seed)
    walk.titles = horrors
    do {
      for number in 1...60 {
        try walk.step()
        if number % 10 == 0 { try compare(walk, on: card) }
      }
      try compareReopened(walk, on: card)
    } catch let broken as Broken {
      let done = walk.facts.map(\.doing).filter { !$0.hasPrefix("after") }.suffix(30)
      throw Broken(description: "\(broken)\n  \(done.joined(separator: "\n  "))")
    }
  }

  private func compare(_ walk: StoreWalk<MemoryCard>, on card: MemoryCard) throws {
    let found = try walk.rig.found()
    let model = walk.model
    for (id, item) in model.items where !walk.model.running.contains(id) {
      guard let shown = found[id] else {
        throw Broken(description: "\(item.title.debugDescription) is not listed")
      }
      try Broken.unless(
        item.isShown(by: shown), "\(item.title.debugDescription) is shown as \(shown.summary)")
    }
    for id in found.keys where model[id] == nil { throw Broken(description: "nobody made \(id)") }
    try checkNames(card)
  }

  /// Opens the card with another store; the listings and their order are the same.
  private func compareReopened(_ walk: StoreWalk<MemoryCard>, on card: MemoryCard) throws {
    while try walk.attempt(.end) {}
    try compare(walk, on: card)
    let before = try ([.root, .trash] + walk.model.folders).map { try walk.rig.listing(of: $0) }
    let again = StoreRig(card)
    try again.open()
    _ = try again.found()
    for (folder, old) in zip([.root, .trash] + walk.model.folders, before) {
      let new = try again.listing(of: folder)
      try Broken.unless(new.order == old.order, "\(folder) has another order")
      try Broken.unless(
        new.order != .byHand
          || new.folders.map(\.id) + new.recordings.map(\.id)
            == old.folders.map(\.id) + old.recordings.map(\.id),
        "\(folder) is in another order")
      for (one, other) in zip(
        new.recordings.sorted { $0.id < $1.id }, old.recordings.sorted { $0.id < $1.id })
      where one != other { throw Broken(description: "\(one) was \(other)") }
      try Broken.unless(
        new.folders.sorted { $0.id < $1.id } == old.folders.sorted { $0.id < $1.id },
        "\(folder) lists other folders")
    }
  }

  /// Expects that every name is valid on any computer, and no two differ by case alone.
  private func checkNames(_ card: MemoryCard) throws {
    var seen: Set<String> = []
    for (path, _) in card.everything {
      let path = try #require(String(validating: path, as: UTF8.self))
      let name = String(path.split(separator: "/").last ?? "")
      try Broken.unless(seen.insert(path.lowercased()).inserted, "\(path) is there twice")
      try Broken.unless(name.utf8.count <= 255, "\(name) is too long")
      try Broken.unless(
        name.unicodeScalars.allSatisfy {
          $0.value >= 32 && !"\"*:<>?\\|".unicodeScalars.contains($0)
        },
        "\(name.debugDescription) cannot be written everywhere")
      try Broken.unless(
        name.last != " " && name.last != ".", "\(name.debugDescription) ends badly")
      let stem = name.prefix { $0 != "." }.uppercased()
      try Broken.unless(!["CON", "NUL", "LPT9"].contains(stem), "\(name) is a device")
    }
  }

  @Test(
    "a file whose name is not UTF-8 is renamed and adopted, and keeps its bytes",
    arguments: MemoryCard.Kind.allCases)
  func brokenNames(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    let (first, second) = (try sound(1), try sound(2))
    try card.plant([0x41, 0xFF, 0x42] + Array(".opus".utf8), in: "", first.bytes)
    try card.plant([0x41, 0xFE, 0x42] + Array(".opus".utf8), in: "", second.bytes)
    try card.plant([0xC3, 0x28], in: "", Array("no sound".utf8))
    let rig = StoreRig(card)
    try rig.open()
    let takes = try rig.found().values.compactMap { item in
      if case .recording(let take) = item.kind { take.bytes } else { nil }
    }
    #expect(Set(takes) == [first.bytes, second.bytes])
    let kept = card.everything.compactMap(\.bytes)
    #expect(kept.contains(Array("no sound".utf8)))
    let before = card.everything.map(\.path)
    try StoreRig(card).open()
    #expect(card.everything.map(\.path) == before)
  }

  @Test("two names of 255 bytes that are not UTF-8 do not hide other files")
  func longBrokenNames() throws {
    // Given a sound beside them that is not in the index, and dots in their names where no ending
    // is
    let card = MemoryCard(.journalling)
    let sound = try sound(1)
    for byte: UInt8 in [0xB7, 0xB8] {
      try card.plant([0x61, 0x2E] + [UInt8](repeating: byte, count: 253), in: "", [byte])
    }
    try card.plant(Array("found.opus".utf8), in: "", sound.bytes)
    // When
    let rig = StoreRig(card)
    try rig.open()
    // Then
    let takes = try rig.found().values.compactMap { item in
      if case .recording(let take) = item.kind { take.bytes } else { nil }
    }
    #expect(takes == [sound.bytes])
    let before = card.everything.map(\.path)
    #expect(before.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    try StoreRig(card).open()
    #expect(card.everything.map(\.path) == before)
  }

  private func sound(_ number: UInt64) throws -> TakeSound {
    let moment = Moment(
      boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
      quality: .unsynchronised)
    return try .of(
      Recording(
        id: ItemID(high: 9, low: number), folder: .root, sequence: Int(number), title: "Found",
        began: moment),
      folder: "Elsewhere")
  }
}
