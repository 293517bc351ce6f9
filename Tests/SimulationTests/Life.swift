// Runs one history from its first line to its last. The result is the tally, or the promise that
// broke. Any thread; each life stays on one.

import CCountingOpus

enum Life {
  struct Outcome {
    let tally: SimTally
    let broken: Broken?
  }

  static func live(_ script: Script) -> Outcome {
    let world = World(script)
    counting_opus_turn(world.setup.listsFrames ? 1 : 0)
    defer { counting_opus_turn(0) }
    do {
      try world.live()
      return Outcome(tally: world.tally, broken: nil)
    } catch {
      var broken = error as? Broken ?? Broken("\(error)")
      broken.atMilliseconds = world.now / 1_000_000
      return Outcome(tally: world.tally, broken: broken)
    }
  }
}
