// Properties that hold for every pattern of edges. Patterns are random and seeded; `REEL_SEED`
// repeats one, and a failure prints its seed.
import Recorder
import Seeds
import Testing

@testable import Panel

struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct GesturePropertyTests {
  static var seeds: Seeds { Seeds("gestures", count: 2000) }

  @Test("no pattern shorter than the glitch time is a press")
  func noShortPress() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      // Active for less than 2 ms at a time, inactive for anything.
      let runs = (0..<Int.random(in: 1...80, using: &random)).map { index in
        Int64.random(in: index % 2 == 0 ? 1...19 : 1...2_000, using: &random)
      }
      let odd = runs.count % 2 == 1 ? runs : runs.dropLast()
      #expect(effects(of: edges(Bounce(odd), from: 100)).isEmpty, "seed \(seed)")
    }
  }

  /// Presses by hand, at least 100 ms down and up, each with chatter at both ends whose gaps are
  /// shorter than the debounce time.
  private func hand(_ random: inout SeededRandom) -> (edges: [Edge], presses: [Int64]) {
    var at: Int64 = 1_000
    var all: [Edge] = []
    var presses: [Int64] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      presses.append(at)
      var runs = chatter(&random)
      runs.append(Int64.random(in: 1_000...15_000, using: &random))
      runs += chatter(&random).reversed()
      let next = edges(Bounce(runs), from: at)
      all += next
      at = (next.last?.at.nanoseconds ?? 0) / 100_000
      at += Int64.random(in: 1_000...15_000, using: &random)
    }
    return (all, presses)
  }

  /// Alternating levels, up to 60 ms in total.
  private func chatter(_ random: inout SeededRandom) -> [Int64] {
    (0..<Int.random(in: 0...10, using: &random)).flatMap { _ in
      [Int64.random(in: 1...30, using: &random), Int64.random(in: 1...30, using: &random)]
    }
  }

  @Test("one press is never two, and none is missed")
  func onePressIsOne() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let (edges, presses) = hand(&random)
      let effects = effects(of: edges)
      let stamps = effects.stamps(.press)
      #expect(stamps.count == presses.count, "seed \(seed)")
      #expect(effects.stamps(.release).count == presses.count, "seed \(seed)")
      for (stamp, press) in zip(stamps, presses) {
        // Within its chatter, and never before the first touch.
        #expect(stamp >= tenths(press) && stamp <= tenths(press + 600), "seed \(seed)")
      }
    }
  }

  @Test("edges delivered late and all at once give the same as edges delivered in time")
  func lateIsTheSame() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let (edges, _) = hand(&random)
      var gestures = Gestures(GestureTiming(), isActive: false, at: tenths(0))
      var inTime: [GestureEffect] = []
      for edge in edges {
        while let due = gestures.due, due <= edge.at { inTime += gestures.advance(to: due) }
        inTime += gestures.handle(edge)
      }
      inTime += gestures.advance(to: tenths(1_000_000_000))
      #expect(inTime == effects(of: edges), "seed \(seed)")
    }
  }

  @Test("whatever the edges, presses and releases alternate and time does not go back")
  func turns() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      // Any edges, also the same level twice and out of order
      let edges = (0..<60).map { _ in
        Edge(
          isActive: Bool.random(using: &random),
          at: tenths(Int64.random(in: 0...20_000, using: &random)))
      }
      let turns = effects(of: edges).compactMap { effect -> (Bool, Instant)? in
        if case .turned(let isOn, let instant) = effect { (isOn, instant) } else { nil }
      }
      for (index, turn) in turns.enumerated() {
        #expect(turn.0 == (index % 2 == 0), "seed \(seed)")
        if index > 0 { #expect(turn.1 >= turns[index - 1].1, "seed \(seed)") }
      }
    }
  }
}
