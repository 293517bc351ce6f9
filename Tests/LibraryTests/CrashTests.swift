// Power cuts, enumerated: histories of the store are cut before every change to the card, and what
// is left, under many outcomes each, has to keep the promises. An ordinary run looks at a few
// thousand states; scripts/test-crashes at hundreds of thousands. A history that breaks one prints
// its seed; REEL_SEED=… looks at that one alone.

import Library
import Testing

/// Histories are made and cut in so many parts side by side.
private let parts = 4
private let isFull = CrashRun.states != nil
private let wantedStates = (CrashRun.states ?? 1_600) / parts / MemoryCard.Kind.allCases.count
/// An ordinary run looks at every so many moments of a history only.
private let stride: UInt64 = isFull ? 1 : 7

@Suite struct CrashTests {
  @Test(
    "whatever twenty things were done, a power cut takes nothing that was acknowledged",
    arguments: MemoryCard.Kind.allCases, 0..<parts)
  func histories(kind: MemoryCard.Kind, part: Int) throws {
    var states = CrashStates(kind: kind)
    var seed = UInt64(part)
    while states.count < wantedStates {
      seed += UInt64(parts)
      if let only = CrashRun.seed, only != seed {
        if seed > only { break }
        continue
      }
      do {
        let history = try History(seed, on: kind, through: { $0 }, steps: 20)
        let moments = history.moments.enumerated().filter {
          (UInt64($0.offset) + seed) % stride == 0
        }
        try states.examine(moments.map(\.element), history.facts, outcomes: Array(0..<16))
      } catch let broken as Broken {
        Issue.record("REEL_SEED=\(seed) scripts/test-crashes: \(broken)")
        break
      }
    }
    print("crash states of histories on a \(kind) card, part \(part): \(states.count)")
  }

  @Test(
    "whatever a store does is done or not done after a power cut, at every step of it",
    arguments: MemoryCard.Kind.allCases, Deed.allCases)
  func deeds(kind: MemoryCard.Kind, deed: Deed) throws {
    var states = CrashStates(kind: kind)
    // Nothing unsynced survived, everything did, some did and recovery is cut as well.
    let outcomes: [UInt64] = isFull ? Array(0..<64) : [0, 1, 5]
    for seed in 0..<(isFull ? 3 : 1) as Range<UInt64> {
      let history = try History(doing: deed, seed, on: kind)
      try states.examine(history.moments, history.facts, outcomes: outcomes)
    }
    print("crash states of \(deed) on a \(kind) card: \(states.count)")
  }

  /// Each of these must show within a few histories, or the test above would prove nothing.
  @Test(
    "a store whose syncs do nothing is found out",
    arguments: [
      (MemoryCard.Kind.journalling, ForgetfulCard.Lapse.journals), (.fat, .journals),
      (.journalling, .files), (.fat, .files), (.fat, .folders),
    ])
  func bites(kind: MemoryCard.Kind, lapse: ForgetfulCard.Lapse) {
    var states = CrashStates(kind: kind)
    #expect(throws: Broken.self) {
      for seed in 1..<12 as Range<UInt64> {
        let history = try History(
          seed, on: kind, through: { ForgetfulCard($0, lapse) }, steps: 12)
        try states.examine(history.moments, history.facts, outcomes: Array(0..<6))
      }
    }
  }
}

/// What was done to a store, and every moment at which power could have gone.
struct History {
  let moments: [CutLog.Moment]
  let facts: [Fact]

  /// So many things at random.
  init<System: FileSystem>(
    _ seed: UInt64, on kind: MemoryCard.Kind, through: (MemoryCard) -> System, steps: Int
  ) throws {
    let (card, log) = Self.card(kind)
    let walk = try StoreWalk(StoreRig(through(card)), seed: seed, log: log)
    for _ in 0..<steps { try walk.step() }
    log.note(card, before: "the end")
    (moments, facts) = (log.moments, walk.facts)
  }

  /// One thing, on a card with a bit of everything.
  init(doing deed: Deed, _ seed: UInt64, on kind: MemoryCard.Kind) throws {
    let (card, log) = Self.card(kind)
    let walk = try StoreWalk(StoreRig(card), seed: seed, log: log)
    let needsQuiet = deed == .export || deed == .reopen
    let before: [Deed] =
      [
        .makeFolder, .makeFolder, .begin, .write, .end, .begin, .end, .mark, .begin, .end,
        .throwAway,
      ]
      + (needsQuiet ? [.makeFolder] : [.makeFolder, .begin, .write])
    for deed in before { _ = try walk.attempt(deed) }
    let start = log.moments.count
    for _ in 0..<20 where try walk.attempt(deed) { break }
    log.note(card, before: "the end")
    (moments, facts) = (Array(log.moments[start...]), walk.facts)
  }

  private static func card(_ kind: MemoryCard.Kind) -> (MemoryCard, CutLog) {
    let card = MemoryCard(kind)
    let log = CutLog()
    log.watch(card)
    return (card, log)
  }
}
