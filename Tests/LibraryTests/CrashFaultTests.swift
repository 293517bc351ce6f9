// A card that fails once, at any operation: the store says so, keeps what it had acknowledged, and
// is neither confused by the half of what it was doing nor is whoever opens the card next.

import Glibc
import Testing

@testable import Library

@Suite struct CrashFaultTests {
  @Test(
    "a card that fails once, wherever that is, costs nothing that was acknowledged",
    arguments: MemoryCard.Kind.allCases, [EIO, ENOSPC])
  func failsOnce(kind: MemoryCard.Kind, errno: Int32) throws {
    var states = CrashStates(kind: kind)
    for seed in 1...(CrashRun.states == nil ? 2 : 20) as ClosedRange<UInt64> {
      if let only = CrashRun.seed, only != seed { continue }
      for number in stride(from: 0, to: 400, by: CrashRun.states == nil ? 7 : 1) {
        do {
          guard try fail(at: number, errno, seed, kind, &states) else { break }
        } catch let broken as Broken {
          Issue.record("REEL_SEED=\(seed), \(kind), operation \(number) fails: \(broken)")
          return
        }
      }
    }
    print("crash states of a \(kind) card that fails with \(errno): \(states.count)")
  }

  /// False when the history is over before so many operations.
  private func fail(
    at number: Int, _ errno: Int32, _ seed: UInt64, _ kind: MemoryCard.Kind,
    _ states: inout CrashStates
  ) throws -> Bool {
    let card = MemoryCard(kind)
    let walk = try StoreWalk(StoreRig(card), seed: seed)
    let failing = card.counts.operations + number
    card.faults.failures[failing] = errno
    do {
      // Whether it is told or not that something failed, the history ends with it.
      for _ in 0..<12 where card.counts.operations <= failing { try walk.step() }
    } catch {}
    guard card.counts.operations > failing, let fact = walk.facts.last else { return false }
    card.faults.failures = [:]
    // Where names are in order, the power may go as well. On FAT that could leave a copy too many.
    for outcome in (kind == .fat ? [1] : [1, 0]) as [UInt64] {
      do { try states.examine(card.ifCutNow.outcome(outcome), fact) } catch let broken as Broken {
        throw Broken(description: "\(fact.doing), outcome \(outcome): \(broken)")
      }
    }
    return true
  }
}
