// Power cuts, enumerated: histories of the store are cut before every change to the card, and what
// is left, under many outcomes each, has to keep the promises. An ordinary run looks at a few
// thousand states; scripts/test-crashes at hundreds of thousands. A history that breaks one prints
// its seed; REEL_SEED=… looks at that one alone.

import Library
import Synchronization
import Testing

@testable import Recorder

/// Histories are made and cut in so many parts side by side.
private let parts = 4
private let ordinary = 3_000
private let outcomes: Range<UInt64> = 0..<16

@Suite struct CrashTests {
  @Test(
    "whatever twenty things were done, a power cut takes nothing that was acknowledged",
    arguments: MemoryCard.Kind.allCases, 0..<parts)
  func histories(kind: MemoryCard.Kind, part: Int) throws {
    let wanted = (CrashRun.states ?? ordinary) / parts / MemoryCard.Kind.allCases.count
    var states = CrashStates(kind: kind)
    var seed = UInt64(part)
    while states.count < wanted {
      seed += UInt64(parts)
      if let only = CrashRun.seed, only != seed {
        if seed > only { break }
        continue
      }
      do { try examine(history(seed, kind: kind, steps: 20), &states) } catch let broken as Broken {
        Issue.record("REEL_SEED=\(seed) scripts/test-crashes: \(broken)")
        break
      }
    }
    print("crash states of histories on a \(kind) card, part \(part): \(states.count)")
  }

  private func examine(_ history: History, _ states: inout CrashStates) throws {
    try states.examine(history.moments, { history.facts[$0] }, outcomes: outcomes)
  }
}

/// What was done to a store, and every moment at which power could have gone.
struct History {
  let moments: [CutLog.Moment]
  let facts: [StoreWalk<MemoryCard>.Fact]
}

func history(_ seed: UInt64, kind: MemoryCard.Kind, steps: Int) throws -> History {
  let card = MemoryCard(kind)
  card.faults.renamesFoldersAtOnce = true
  let log = CutLog()
  log.watch(card)
  let walk = try StoreWalk(StoreRig(card), seed: seed, log: log)
  for _ in 0..<steps { try walk.step() }
  log.note(card, before: "the end")
  return History(moments: log.moments, facts: walk.facts)
}
