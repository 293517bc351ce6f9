// The card in a simulation: its operations take time while everything else goes on, and daemons go
// down in the middle of them. One thread.

@testable import Library
@testable import Recorder

extension World {
  // MARK: The card

  /// Uses the card without the delays and faults of its users.
  func observed<Answer>(_ body: (MemoryCard) throws -> Answer) rethrows -> Answer {
    let wasLooking = isLooking
    isLooking = true
    defer { isLooking = wasLooking }
    return try body(card)
  }

  /// Called before each operation: it may take time, in which the world goes on, or be the last
  /// one.
  func meet(_ operation: MemoryCardOperation) {
    if isLooking || isDown || broken != nil { return }
    if daemon?.isInLoop == true { fail("the loop itself did \(operation.kind) on the card") }
    if let (left, how) = within {
      within = left > 1 ? (left - 1, how) : nil
      if left <= 1 { return goDown(how) }
    }
    if now < trouble.stalledUntil {
      wait(until: trouble.stalledUntil)
    } else if setup.slowOneIn > 0, random.below(setup.slowOneIn) == 0 {
      wait(until: now + 1_000_000 + below(60_000_000))
    }
  }

  private func wait(until time: Int64) {
    // Waits within waits nest on this one stack; real threads wait on stacks of their own.
    if depth > 6 { return }
    depth += 1
    run(until: time)
    depth -= 1
  }

  // MARK: Going down

  func goDown(_ how: Down) {
    if isDown { return }
    switch how {
    case .cut:
      tally.cuts += 1
      observed { _ = $0.cut() }
    case .killed:
      tally.kills += 1
      // A worker is in the middle of a step: the rest of it changes a card that is discarded.
      if depth > 0 || within != nil || daemon?.card.isBusy == true || isWriting {
        card = observed { $0.ifCutNow.outcome(1) }
      }
    case .stopped: tally.stops += 1
    }
    down = how
  }

  private var isWriting: Bool { pipelines.contains { $0.isWriteBusy } }

  func hasFinished(_ daemon: SimDaemon, saysGivenUp: Bool) {
    guard daemon === self.daemon else { return }
    if saysGivenUp {
      if !trouble.isRecent(at: now, withinSeconds: 120) {
        fail("it gave up on a card that is well")
      }
      return goDown(.killed(milliseconds: 1000))
    }
    if let (since, _) = stopRequested, now - since > 1_500_000_000,
      !trouble.isRecent(at: now, withinSeconds: 120), setup.slowOneIn == 0
    {
      fail("a stop took \(seconds(now - since))")
    }
    goDown(.stopped(milliseconds: stopRequested?.milliseconds ?? 1000))
  }
}
