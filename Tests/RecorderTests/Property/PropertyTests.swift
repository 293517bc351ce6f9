// Proves by many random sequences that the heart keeps its promises: after each action all that
// must hold holds, and the same actions give the same states and commands again. An ordinary run
// takes a few hundred sequences; REEL_SEQUENCES=10000 takes as many as that, REEL_SEED=… the one
// that failed.

import Glibc
import Loop
import Testing

@testable import Recorder

private let sequences = number("REEL_SEQUENCES") ?? 300
private let onlySeed = number("REEL_SEED").map(UInt64.init)
/// Tells each seed beforehand: the last one told is the one that brought the process down.
private let isTalkative = getenv("REEL_TRACE") != nil
private let length = 200

@Suite struct PropertyTests {
  /// In eight parts, which run side by side.
  @Test("Whatever happens, in whatever order, the heart keeps its promises", arguments: 0..<8)
  func promisesHold(part: Int) throws {
    for number in stride(from: part, to: sequences, by: 8) {
      let seed = UInt64(number) + 1
      if let onlySeed, onlySeed != seed { continue }
      if try !holds(seed) { return }  // one that fails, made short, is enough to read
    }
    if part == 0, let onlySeed, onlySeed > sequences { _ = try holds(onlySeed) }
  }

  private func holds(_ seed: UInt64) throws -> Bool {
    if isTalkative { print("REEL_SEED=\(seed)") }
    var sequence = ActionSequence(seed: seed)
    var watcher = Watcher()
    var given: [[Command]] = []
    do {
      for _ in 0..<length {
        let before = sequence.state
        let commands = sequence.step()
        given.append(commands)
        let action = try #require(sequence.actions.last)
        try watcher.check(action, before, commands, sequence.state)
      }
      try checkAgain(sequence, given)
      if seed % 50 == 0 { try checkFlight(sequence) }
      return true
    } catch let broken as Broken {
      let shrunk = Shrinking(start: sequence.start).shrink(sequence.actions, broken)
      Issue.record("REEL_SEED=\(seed): \(broken)\n\(shrunk)")
      return false
    }
  }

  /// The same actions from the same start, in tables of another size and so of another order.
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

  /// The same through a driver, its flight log, and a replay of that.
  private func checkFlight(_ sequence: ActionSequence) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { memory.deallocate() }
    let world = World<Appliance>(
      now: { Stamp(monotonicNanoseconds: 0, wallMilliseconds: 0, freshHigh: 0, freshLow: 0) },
      perform: { _ in }, start: { _ in }, stop: { _ in })
    let driver = Driver(
      sequence.start, world: world, flight: FlightRecorder<Appliance>(memory: memory))
    for action in sequence.actions { driver.send(action) }
    var last: Digest?
    var replayed = 0
    try Replay<Appliance>(Array(memory)).run { event, _ in
      switch event {
      case .checkpoint(_, let agrees): try Broken.unless(agrees, "a checkpoint does not agree")
      case .elided(let what): throw Broken(description: "elided \(what)")
      case .action(_, _, _, let digest):
        last = digest
        replayed += 1
      }
      return true
    }
    let expected = try Digest(of: driver.store.state)
    try Broken.unless(last == expected && replayed > 0, "the replay led elsewhere")
  }
}

private func number(_ name: String) -> Int? {
  getenv(name).flatMap { Int(String(cString: $0)) }
}
