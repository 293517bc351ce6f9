// Shortens a failing sequence: removes ever smaller pieces as long as the rest still breaks a
// promise. What remains is printed, to be read or to become a test of its own.

import Loop

@testable import Recorder

struct Shrinking {
  let start: State
  /// Whether the shortened sequence goes through a flight log, too.
  private let isReplayed: Bool
  /// Long enough to shorten most of them to a few actions, even without optimisation.
  private let deadline = ContinuousClock.now + .seconds(20)

  init(start: State, isReplayed: Bool) {
    self.start = start
    self.isReplayed = isReplayed
  }

  func shrink(_ actions: [Stamped<Action>], _ broken: Broken) -> String {
    var short = actions
    var last = broken
    var piece = max(1, short.count / 2)
    while piece >= 1, ContinuousClock.now < deadline {
      var index = 0
      while index < short.count, ContinuousClock.now < deadline {
        let rest = Array(short[..<index] + short[min(index + piece, short.count)...])
        if let still = breaks(rest) {
          short = rest
          last = still
        } else {
          index += piece
        }
      }
      piece /= 2
    }
    let lines = short.map { "  \($0.stamp.monotonicNanoseconds / 1_000_000) ms  \($0.action)" }
    return "\(short.count) actions are enough for: \(last)\n" + lines.joined(separator: "\n")
  }

  private func breaks(_ actions: [Stamped<Action>]) -> Broken? {
    var state = start
    var watcher = Watcher(checksEverything: true)
    do {
      for action in actions {
        let before = state
        let step = Appliance.step(&state, action)
        try watcher.check(action, before, step, state)
      }
      if isReplayed { try FlightCheck.check(actions, from: start) }
      return nil
    } catch { return error as? Broken }
  }
}
