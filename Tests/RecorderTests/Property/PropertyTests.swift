// Proves by many random sequences that the heart keeps its promises: after each action all
// invariants hold, and the same actions give the same states and commands again. An ordinary run
// tries a few hundred sequences; REEL_SEQUENCES=10000 tries as many as that, REEL_SEED=… the one
// that failed. `Seeds` describes how.

import Glibc
import Loop
import Seeds
import Testing

@testable import Recorder

private let sequences = number("REEL_SEQUENCES") ?? 300
/// Prints each seed beforehand: the last one printed is the one that crashed the process.
private let isTalkative = getenv("REEL_TRACE") != nil
private let length = 200

@Suite struct PropertyTests {
  /// In eight parts that run side by side.
  @Test("Whatever happens, in whatever order, the heart keeps its promises", arguments: 0..<8)
  func promisesHold(part: Int) throws {
    for seed in Seeds("histories", count: sequences, part: part, of: 8) {
      if try !holds(seed) { return }  // one shortened failure is enough to read
    }
  }

  private func holds(_ seed: UInt64) throws -> Bool {
    if isTalkative { print("REEL_SEED=\(seed)") }
    var sequence = ActionSequence(seed: seed)
    var watcher = Watcher()
    var given: [[Command]] = []
    do {
      for _ in 0..<length {
        let before = sequence.state
        let step = sequence.step()
        given.append(step.commands)
        let action = try #require(sequence.actions.last)
        try watcher.check(action, before, step, sequence.state)
      }
      try checkAgain(sequence, given)
      if seed % 50 == 0 { try FlightCheck.check(sequence.actions, from: sequence.start) }
      return true
    } catch let broken as Broken {
      let shrinking = Shrinking(start: sequence.start, isReplayed: seed % 50 == 0)
      let shrunk = shrinking.shrink(sequence.actions, broken)
      let kept = Seeds.keep("histories", "\(seed)", because: "\(broken)")
      Issue.record("REEL_SEED=\(seed): \(broken)\n\(kept)\n\(shrunk)")
      return false
    }
  }

  /// Runs the same actions from the same start, in tables of another capacity and so of another
  /// order.
  private func checkAgain(_ sequence: ActionSequence, _ given: [[Command]]) throws {
    var again = sequence.start
    again.library.folders.reserveCapacity(500)
    again.library.recordings.reserveCapacity(500)
    for (action, commands) in zip(sequence.actions, given) {
      let same = Appliance.reduce(&again, action)
      try Broken.unless(same == commands, "again \(action.action) gave other commands")
    }
    let digests = try (Digest(of: again), Digest(of: sequence.state))
    try Broken.unless(digests.0 == digests.1, "the same actions led elsewhere")
  }
}

private func number(_ name: String) -> Int? {
  getenv(name).flatMap { Int(String(cString: $0)) }
}
