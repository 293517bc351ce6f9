// Power cuts, enumerated: histories of the store are cut before every change to the card, and each
// state that is left, under many outcomes, has to keep the promises. An ordinary run examines a few
// thousand states; scripts/test-crashes hundreds of thousands. A history that breaks a promise
// prints its seed; REEL_SEED=… runs that one alone.

import Digest
import Library
import Recorder
import Seeds
import Testing

/// Histories are made and cut in this many parts side by side.
private let parts = 4
private let isFull = CrashRun.states != nil
private let wantedStates = (CrashRun.states ?? 1_000) / parts / MemoryCard.Kind.allCases.count
/// An ordinary run examines every seventh moment of a history only.
private let stride: UInt64 = isFull ? 1 : 7

@Suite struct CrashTests {
  @Test(
    "after any twenty operations, a power cut loses nothing that was acknowledged",
    arguments: MemoryCard.Kind.allCases, 0..<parts)
  func histories(kind: MemoryCard.Kind, part: Int) throws {
    let count = try examine(
      Seeds("crashes", part: part, of: parts), named: "crashes", on: kind, until: wantedStates,
      outcomes: 16)
    print("crash states of histories on a \(kind) card, part \(part): \(count)")
  }

  @Test("a noted copy survives power cuts", arguments: MemoryCard.Kind.allCases)
  func copies(kind: MemoryCard.Kind) throws {
    let count = try examine(
      Seeds("copies"), named: "copies", on: kind, until: wantedStates / 2,
      doing: Deed.usual + [.copy, .copy, .copy], outcomes: 8)
    print("crash states with copies on a \(kind) card: \(count)")
  }

  @Test(
    "after a power cut each recording has one line in a manifest that is signed",
    arguments: MemoryCard.Kind.allCases)
  func manifest(kind: MemoryCard.Kind) throws {
    let count = try examine(
      Seeds("manifest"), named: "manifest", on: kind, until: wantedStates / 2,
      doing: Deed.usual + [.end, .throwAway, .purge, .purge, .purgeAll], outcomes: 8,
      key: ManifestContent.key)
    print("crash states with a manifest on a \(kind) card: \(count)")
  }

  /// Cuts histories until there are so many states, and returns their number.
  private func examine(
    _ seeds: Seeds, named name: String, on kind: MemoryCard.Kind, until wanted: Int,
    doing deeds: [Deed] = Deed.usual, outcomes: UInt64, key: SigningKey? = nil
  ) throws -> Int {
    var states = CrashStates(kind: kind, key: key)
    for seed in seeds {
      if states.count >= wanted { break }
      do {
        let history = try History(
          seed, on: kind, through: { $0 }, steps: 20, doing: deeds, key: key)
        let moments = history.moments.enumerated().filter {
          (UInt64($0.offset) + seed) % stride == 0
        }
        try states.examine(
          moments.map(\.element), history.facts, outcomes: Array(0..<outcomes))
      } catch let broken as Broken {
        let kept = Seeds.keep(name, "\(seed)", because: "\(kind): \(broken)")
        Issue.record("REEL_SEED=\(seed) scripts/test-crashes: \(broken)\n\(kept)")
        break
      }
    }
    return states.count
  }

  @Test(
    "each operation of the store is done or not done after a power cut at any step of it",
    arguments: MemoryCard.Kind.allCases, Deed.allCases)
  func deeds(kind: MemoryCard.Kind, deed: Deed) throws {
    var states = CrashStates(kind: kind)
    // 0: nothing unsynced survives; 1: everything does; 5: some does, and recovery is cut as well.
    let outcomes: [UInt64] = isFull ? Array(0..<64) : [0, 1, 5]
    for seed in 0..<(isFull ? 4 : 1) as Range<UInt64> {
      let history = try History(doing: deed, seed, on: kind)
      try states.examine(history.moments, history.facts, outcomes: outcomes)
    }
    print("crash states of \(deed) on a \(kind) card: \(states.count)")
  }

  /// Each of these must fail within a few histories, or the test above would prove nothing.
  @Test("a manifest whose lines are not synced is caught", arguments: MemoryCard.Kind.allCases)
  func bitesManifest(kind: MemoryCard.Kind) {
    let key = ManifestContent.key
    var states = CrashStates(kind: kind, key: key)
    #expect(throws: Broken.self) {
      for seed in 1..<12 as Range<UInt64> {
        let history = try History(
          seed, on: kind, through: { ForgetfulCard($0, .manifests) }, steps: 12, key: key)
        try states.examine(history.moments, history.facts, outcomes: Array(0..<6))
      }
    }
  }

  @Test(
    "a store whose syncs do nothing is caught",
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

/// The operations on a store, and every moment at which power could be cut.
struct History {
  let moments: [CutLog.Moment]
  let facts: [Fact]

  /// Runs `steps` random operations.
  init<System: FileSystem>(
    _ seed: UInt64, on kind: MemoryCard.Kind, through: (MemoryCard) -> System, steps: Int,
    doing deeds: [Deed] = Deed.usual, key: SigningKey? = nil
  ) throws {
    let (card, log) = Self.card(kind)
    let walk = try StoreWalk(
      StoreRig(through(card), tracks: Self.tracks(seed), key: key), seed: seed, log: log,
      doing: deeds)
    for _ in 0..<steps { try walk.step() }
    log.note(card, before: "the end")
    (moments, facts) = (log.moments, walk.facts)
  }

  /// Takes are Opus in most histories, and have several tracks in some.
  private static func tracks(_ seed: UInt64) -> [TrackPlan] {
    let flac = TrackPlan(name: "main", ending: ".flac")
    return switch seed % 8 {
    case 3: [flac]
    case 5: [.usual, TrackPlan(name: "safety", ending: ".flac")]
    case 7 where seed % 64 == 7:
      [flac] + (2...8).map { TrackPlan(name: "track \($0)", ending: ".flac") }
    case 7: [flac, TrackPlan(name: "room", ending: ".opus")]
    default: [.usual]
    }
  }

  /// Runs one operation, on a card with a bit of everything.
  init(doing deed: Deed, _ seed: UInt64, on kind: MemoryCard.Kind) throws {
    let (card, log) = Self.card(kind)
    let walk = try StoreWalk(
      StoreRig(card, tracks: Self.tracks(seed)), seed: seed, log: log)
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
