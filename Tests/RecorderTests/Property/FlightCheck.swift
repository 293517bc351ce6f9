// Sends actions through a driver with a flight log, and replays that log: it must give the driver's
// state. Names the first action after which it does not.

import Loop

@testable import Recorder

/// A stamp for actions that bring their own.
func stampZero() -> Stamp {
  Stamp(monotonicNanoseconds: 0, wallMilliseconds: 0, freshHigh: 0, freshLow: 0)
}

enum FlightCheck {
  static func check(_ actions: [Stamped<Action>], from start: State) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Appliance.flightLogBytes, alignment: 16)
    defer { memory.deallocate() }
    let effects = Effects<Appliance>(
      perform: { _ in }, start: { _ in }, stop: { _ in })
    let driver = Driver(
      start, now: stampZero,
      flight: FlightRecorder<Appliance>(memory: memory, tapeBytes: 1 << 18))
    driver.begin(with: effects)
    var digests: [Digest] = []
    for action in actions {
      driver.send(action)
      digests.append(try Replay<Appliance>.digest(of: driver.store.state))
    }
    let replayed = try replay(Array(memory))
    try Broken.unless(!replayed.isEmpty && replayed.count <= digests.count, "nothing is replayed")
    let first = digests.count - replayed.count
    for (index, digest) in replayed.enumerated() where digest != digests[first + index] {
      throw Broken(description: "the replay led elsewhere, with \(kind(actions[first + index]))")
    }
  }

  /// Returns the digest of the state after each action that the log still has.
  private static func replay(_ log: [UInt8]) throws -> [Digest] {
    var digests: [Digest] = []
    try Replay<Appliance>(log).run { event, _ in
      switch event {
      case .checkpoint(_, let agrees): try Broken.unless(agrees, "a checkpoint does not agree")
      case .elided(let what): throw Broken(description: "elided \(what)")
      case .action: break
      case .outcome(_, _, let digest): digests.append(digest)
      }
      return true
    }
    return digests
  }

  /// The action's case only, so that the failure's text stays the same while its history is
  /// shortened.
  private static func kind(_ action: Stamped<Action>) -> Substring {
    "\(action.action)".prefix { $0 != "(" }
  }
}
