// Tests the enumeration of power cuts on the smallest program that survives them: a list of words,
// one checksummed line each. The correct list holds in every state; if a sync or the checksum is
// left out, a state is found in which it does not.

import Library
import Tape
import Testing

@Suite struct CrashJournalTests {
  @Test("words that were acknowledged survive every cut", arguments: MemoryCard.Kind.allCases)
  func holds(kind: MemoryCard.Kind) throws {
    let card = MemoryCard(kind)
    let states = try examine(card, through: card, WordList())
    #expect(states > 500)
  }

  @Test("a list that never syncs its file is caught", arguments: MemoryCard.Kind.allCases)
  func needsSync(kind: MemoryCard.Kind) {
    let card = MemoryCard(kind)
    #expect(throws: Broken.self) {
      _ = try examine(card, through: ForgetfulCard(card, .files), WordList())
    }
  }

  @Test("a list that does not sync the name of its file is caught on FAT")
  func needsFolderSync() {
    let card = MemoryCard(.fat)
    #expect(throws: Broken.self) {
      _ = try examine(card, through: ForgetfulCard(card, .folders), WordList())
    }
  }

  @Test("a list without a checksum is caught", arguments: MemoryCard.Kind.allCases)
  func needsChecksum(kind: MemoryCard.Kind) {
    let card = MemoryCard(kind)
    #expect(throws: Broken.self) {
      _ = try examine(card, through: card, WordList(believesAnything: true))
    }
  }

  /// Adds words, cuts the power before each change, and examines what is left.
  private func examine(
    _ card: MemoryCard, through system: some FileSystem, _ list: WordList
  ) throws -> Int {
    let words = (0..<12).map { "word \($0) " + String(repeating: "x", count: $0 * 60) }
    let log = CutLog()
    log.watch(card)
    for (index, word) in words.enumerated() {
      try list.add(word, to: system)
      log.know(index + 1)
    }
    log.note(card, before: "the end")
    var states = 0
    for moment in log.moments {
      for seed in 0..<32 as Range<UInt64> {
        let found = try list.words(on: moment.cut.outcome(seed))
        try Broken.unless(
          found.count >= moment.fact && found == Array(words.prefix(found.count)),
          "seed \(seed) before \(moment.next): \(found.count) of \(moment.fact) words")
        states += 1
      }
    }
    return states
  }
}

/// A line is a checksum, a blank and a word.
private struct WordList {
  var believesAnything = false

  func add(_ word: String, to system: some FileSystem) throws {
    let isNew = try system.entry("words") == nil
    let file = try system.open("words", isNew ? .create : .change)
    try file.put("\(sum(word)) \(word)\n", at: try file.byteCount())
    try file.sync()
    if isNew { try system.syncDirectory("") }
  }

  func words(on card: MemoryCard) throws -> [String] {
    guard try card.entry("words") != nil else { return [] }
    var words: [String] = []
    let text = try card.open("words", .read).all()
    for line in text.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      guard let word = word(of: line) else { break }
      words.append(word)
    }
    return words
  }

  private func word(of line: ArraySlice<UInt8>) -> String? {
    let parts = line.split(separator: 32, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    if believesAnything { return parts.last ?? "" }
    return parts.count == 2 && parts[0] == sum(parts[1]) ? parts[1] : nil
  }

  private func sum(_ word: String) -> String {
    String(word.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }, radix: 16)
  }
}
