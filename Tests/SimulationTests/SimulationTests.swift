// The whole recorder, simulated. An ordinary run lives some hours of many lives, in half a minute;
// scripts/test-simulation lives a year. REEL_SEED=… runs the one life that failed, REEL_SCRIPT=file
// the history in a file.

import Glibc
import Testing

@Suite struct SimulationTests {
  @Test("whatever happens, the recorder keeps its promises", arguments: 0..<2)
  func lives(part: Int) {
    let run = SimulationRun(part: part, of: 2)
    for failure in run.live() { Issue.record("\(failure)") }
  }

  @Test("unsynced sound is not promised, even if a check of the card could recover it")
  func unsafeSoundIsNoPromise() throws {
    // given a card that refuses a take, and a recorder that is stopped meanwhile
    let script = try #require(
      Script(
        """
        life 403999490572289 0.1
        120000 cardErrors 19 14
        125798 press 0 170
        140467 stop 5979 0
        260467 cut 84804 858898
        """))
    // when the power is cut before the recorder has opened the card again, then nothing is missed
    #expect(Life.live(script).broken == nil)
  }

  @Test("a take of a device that was opened after it and delivered nothing may be silent")
  func silentFromTheStart() throws {
    // given a device that delivers nothing, and a recorder that starts with it
    let script = try #require(
      Script(
        """
        life 472715217600522 0.07890416666666666
        120000 mute 123562 0
        128547 cutWithin 23 503120
        129771 press 0 108
        158823 say 0 770
        164055 press 2 346
        """))
    // when a take is begun and ended before a new opening could bring sound, then none is missed
    #expect(Life.live(script).broken == nil)
  }

  @Test("a part that a split began within a stall is silent from the split to the press")
  func silentFromTheSplit() throws {
    // given a split so soon that it waits until the part is 0.2 s long, and a stall meanwhile
    let script = try #require(
      Script(
        """
        life 163675649343492 0.1882827777777778
        285319 settings 4 0
        575778 press 0 262
        576049 press 2 269
        576071 stall 3832 0
        577506 press 0 79
        """))
    // when the take is ended within the stall, then no heard frame is missed, and its end is right
    #expect(Life.live(script).broken == nil)
  }

  @Test("pages that a power cut tore out right behind a split are listed as a gap")
  func tornBehindASplit() throws {
    // given a power cut during a split, which tears out pages behind those of the lead-in
    let script = try #require(
      Script(
        """
        life 163675649343494 0.16155166666666654
        391613 press 0 229
        400807 cutWithin 30 813352
        401484 press 2 86
        521484 say 24 81256
        """))
    // when the recordings are verified, then nothing is missing that is in no list
    #expect(Life.live(script).broken == nil)
  }
}

@Suite struct ShrinkerTests {
  @Test("a long history with a planted fault is shortened to the two relevant happenings")
  func shrinks() {
    // given a history of a week, and a fault that needs an unplugging while the card is full
    let script = ScriptWriter.script(seed: 4, hours: 168)
    let breaks: (Script) -> Broken? = { script in
      let kinds = script.happenings.map(\.kind)
      guard let full = kinds.firstIndex(of: .cardFull) else { return nil }
      return kinds[full...].contains(.unplug) ? Broken("planted") : nil
    }
    // when it is shortened
    let shrinker = Shrinker(breaks: breaks, patience: .seconds(20))
    let (short, _) = shrinker.shrink(script, Broken("planted"))
    // then nothing else is left, and its text is read back as the same
    #expect(short.happenings.map(\.kind) == [.cardFull, .unplug])
    #expect(Script(short.text) == short)
  }

  @Test("a seed gives the same history each time, and the same results")
  func repeats() {
    let script = ScriptWriter.script(seed: 7, hours: 1)
    #expect(script == ScriptWriter.script(seed: 7, hours: 1))
    let (one, other) = (Life.live(script).tally, Life.live(script).tally)
    #expect(one.figures.map(\.figure) == other.figures.map(\.figure))
  }
}
