// What must hold for every pattern of edges, not only those that somebody thought of. Patterns are
// random and seeded; `REEL_SEED` runs one again, and a failure names its own.
import Glibc
import Recorder
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
  static let seeds: [UInt64] = {
    if let given = getenv("REEL_SEED").flatMap({ UInt64(String(cString: $0)) }) { return [given] }
    return Array(1...2000)
  }()

  @Test("no pattern shorter than the glitch time is a press")
  func noShortPress() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      // Active for less than 2 ms at a time, inactive for anything.
      let runs = (0..<Int.random(in: 1...80, using: &random)).map { index in
        Int64.random(in: index % 2 == 0 ? 1...19 : 1...2_000, using: &random)
      }
      let odd = runs.count % 2 == 1 ? runs : runs.dropLast()
      #expect(deeds(of: edges(Bounce(odd), from: 100)).isEmpty, "seed \(seed)")
    }
  }

  /// A hand's presses, at least 100 ms down and up, each with chatter whose gaps are shorter than
  /// the debounce time at both ends.
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

  /// On and off in turn, up to 60 ms of it.
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
      let deeds = deeds(of: edges)
      let stamps = deeds.stamps(.press)
      #expect(stamps.count == presses.count, "seed \(seed)")
      #expect(deeds.stamps(.release).count == presses.count, "seed \(seed)")
      for (stamp, press) in zip(stamps, presses) {
        // Within its chatter, and never before the hand was there.
        #expect(stamp >= tenths(press) && stamp <= tenths(press + 600), "seed \(seed)")
      }
    }
  }

  @Test("told late and all at once, or in time and often, it comes to the same")
  func lateIsTheSame() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let (edges, _) = hand(&random)
      var gestures = Gestures(GestureTiming(), isActive: false, at: tenths(0))
      var inTime: [Deed] = []
      for edge in edges {
        while let due = gestures.due, due <= edge.at { inTime += gestures.advance(to: due) }
        inTime += gestures.hear(edge)
      }
      inTime += gestures.advance(to: tenths(1_000_000_000))
      #expect(inTime == deeds(of: edges), "seed \(seed)")
    }
  }

  @Test("whatever is heard, presses and releases take turns and time does not go back")
  func turns() {
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      // Anything at all, the same level twice and out of order included
      let edges = (0..<60).map { _ in
        Edge(
          isActive: Bool.random(using: &random),
          at: tenths(Int64.random(in: 0...20_000, using: &random)))
      }
      let turns = deeds(of: edges).compactMap { deed -> (Bool, Instant)? in
        if case .turned(let isOn, let instant) = deed { (isOn, instant) } else { nil }
      }
      for (index, turn) in turns.enumerated() {
        #expect(turn.0 == (index % 2 == 0), "seed \(seed)")
        if index > 0 { #expect(turn.1 >= turns[index - 1].1, "seed \(seed)") }
      }
    }
  }
}
