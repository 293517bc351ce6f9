// A card that fails once, at any operation: the store reports it, keeps what it had acknowledged,
// and neither it nor the next process that opens the card is confused by the interrupted operation.

import Digest
import Glibc
import Seeds
import Testing

@testable import Library

@Suite struct CrashFaultTests {
  @Test(
    "a card that fails once, at any operation, loses nothing that was acknowledged",
    arguments: MemoryCard.Kind.allCases, [EIO, ENOSPC])
  func failsOnce(kind: MemoryCard.Kind, errno: Int32) throws {
    var states = CrashStates(kind: kind)
    for seed in Seeds("crash-faults", count: CrashRun.states == nil ? 2 : 20) {
      for number in stride(from: 0, to: 400, by: CrashRun.states == nil ? 7 : 1) {
        do {
          guard try fail(at: number, errno, seed, kind, &states) else { break }
        } catch let broken as Broken {
          let kept = Seeds.keep("crash-faults", "\(seed)", because: "\(kind): \(broken)")
          Issue.record("REEL_SEED=\(seed), \(kind), operation \(number) fails: \(broken)\n\(kept)")
          return
        }
      }
    }
    print("crash states of a \(kind) card that fails with \(errno): \(states.count)")
  }

  @Test(
    "a card that fails once, at any operation, has a whole manifest after the next start",
    arguments: MemoryCard.Kind.allCases, [EIO, ENOSPC])
  func failsOnceWithManifest(kind: MemoryCard.Kind, errno: Int32) throws {
    var states = CrashStates(kind: kind, key: ManifestContent.key)
    for seed in Seeds("manifest-faults", count: CrashRun.states == nil ? 2 : 20) {
      for number in stride(from: 0, to: 400, by: CrashRun.states == nil ? 7 : 1) {
        do {
          guard try fail(at: number, errno, seed, kind, &states, key: ManifestContent.key) else {
            break
          }
        } catch let broken as Broken {
          let kept = Seeds.keep("manifest-faults", "\(seed)", because: "\(kind): \(broken)")
          Issue.record("REEL_SEED=\(seed), \(kind), operation \(number) fails: \(broken)\n\(kept)")
          return
        }
      }
    }
    print("crash states of a \(kind) card that fails with a manifest: \(states.count)")
  }

  /// Returns false if the history ends before that operation.
  private func fail(
    at number: Int, _ errno: Int32, _ seed: UInt64, _ kind: MemoryCard.Kind,
    _ states: inout CrashStates, key: SigningKey? = nil
  ) throws -> Bool {
    let card = MemoryCard(kind)
    let walk = try StoreWalk(StoreRig(card, key: key), seed: seed)
    let failing = card.counts.operations + number
    card.faults.failures[failing] = errno
    do {
      // Whether or not the failure is reported, the history ends with it.
      for _ in 0..<12 where card.counts.operations <= failing { try walk.step() }
    } catch {}
    guard card.counts.operations > failing, let fact = walk.facts.last else { return false }
    card.faults.failures = [:]
    // On a journalling card the power is cut as well. On FAT that could leave a second copy.
    for outcome in (kind == .fat ? [1] : [1, 0]) as [UInt64] {
      do { try states.examine(card.ifCutNow.outcome(outcome), fact) } catch let broken as Broken {
        throw Broken(description: "\(fact.doing), outcome \(outcome): \(broken)")
      }
    }
    return true
  }
}
