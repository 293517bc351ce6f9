// The whole recorder, simulated. An ordinary run lives some hours of many lives, in half a minute;
// scripts/test-simulation lives a year. REEL_SEED=… lives the one life that failed,
// REEL_SCRIPT=file the history in a file.

import Glibc
import Testing

@Suite struct SimulationTests {
  @Test("whatever happens to it, the recorder keeps what it promises", arguments: 0..<2)
  func lives(part: Int) {
    let run = SimulationRun(part: part, of: 2)
    for failure in run.live() { Issue.record("\(failure)") }
  }
}

@Suite struct ShrinkerTests {
  @Test("a long history with a planted fault becomes the two happenings that matter")
  func shrinks() {
    // given a history of a week, and a fault that needs an unplugging while the card is full
    let script = ScriptWriter.script(seed: 4, hours: 168)
    let breaks: (Script) -> Broken? = { script in
      let kinds = script.happenings.map(\.kind)
      guard let full = kinds.firstIndex(of: .cardFull) else { return nil }
      return kinds[full...].contains(.unplug) ? Broken("planted") : nil
    }
    // when it is made short
    let shrinker = Shrinker(breaks: breaks, patience: .seconds(20))
    let (short, _) = shrinker.shrink(script, Broken("planted"))
    // then nothing else is left, and it reads back as what it was
    #expect(short.happenings.map(\.kind) == [.cardFull, .unplug])
    #expect(Script(short.text) == short)
  }

  @Test("a seed writes the same history each time, and lives it the same way")
  func repeats() {
    let script = ScriptWriter.script(seed: 7, hours: 1)
    #expect(script == ScriptWriter.script(seed: 7, hours: 1))
    let (one, other) = (Life.live(script).tally, Life.live(script).tally)
    #expect(one.figures.map(\.figure) == other.figures.map(\.figure))
  }
}
