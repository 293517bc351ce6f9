// One history, lived from its first line to its last, in a directory of its own. What comes out is
// what was counted, or the promise that broke. Any thread; each life stays on one.

import CCountingOpus
import Glibc

enum Life {
  struct Outcome {
    let tally: SimTally
    let broken: Broken?
  }

  static func live(_ script: Script) -> Outcome {
    var template = Array("/tmp/reel-simulation-XXXXXX".utf8CString)
    let directory = template.withUnsafeMutableBufferPointer { text in
      text.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    precondition(!directory.isEmpty, "a simulation needs a directory")
    defer { system("rm -rf '\(directory)'") }
    let world = World(script, directory: directory)
    counting_opus_turn(world.setup.countsFrames ? 1 : 0)
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
