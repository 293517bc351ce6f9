// Gestures from edges: kinds of contacts, given edge by edge, and the expected gestures. Time is
// virtual; nothing here waits. Patterns are in tenths of a millisecond, as a logic analyser shows
// them.
import Recorder
import Testing

@testable import Panel

/// Levels of a line and how long each lasts, in tenths of a millisecond; the first is active.
struct Bounce {
  var runs: [Int64]

  init(_ runs: Int64...) { self.runs = runs }
  init(_ runs: [Int64]) { self.runs = runs }
}

func tenths(_ count: Int64) -> Instant { Instant(nanoseconds: count * 100_000) }

/// The edges of a bounce that begins at `start`; after the last run the line changes once more.
func edges(_ bounce: Bounce, from start: Int64) -> [Edge] {
  var at = start
  var isActive = true
  var edges: [Edge] = []
  for run in bounce.runs {
    edges.append(Edge(isActive: isActive, at: tenths(at)))
    at += run
    isActive.toggle()
  }
  edges.append(Edge(isActive: isActive, at: tenths(at)))
  return edges
}

/// Returns the effects of edges that are handled in a row, and of a long time after them.
func effects(
  of edges: [Edge], timing: GestureTiming = GestureTiming(), isActive: Bool = false
) -> [GestureEffect] {
  var gestures = Gestures(timing, isActive: isActive, at: tenths(0))
  var effects: [GestureEffect] = []
  for edge in edges { effects += gestures.handle(edge) }
  return effects + gestures.advance(to: tenths(1_000_000_000))
}

extension [GestureEffect] {
  var gestures: [Gesture] {
    compactMap { if case .gesture(let gesture, _) = $0 { gesture } else { nil } }
  }

  func stamps(_ wanted: Gesture) -> [Instant] {
    compactMap {
      if case .gesture(wanted, let instant) = $0 { instant } else { nil }
    }
  }
}

@Suite struct GestureTests {
  @Test("a clean press and release are one of each, stamped with their edges")
  func clean() {
    let effects = effects(of: edges(Bounce(2_000), from: 1_000))
    #expect(
      effects == [
        .turned(isOn: true, at: tenths(1_000)), .gesture(.press, at: tenths(1_000)),
        .turned(isOn: false, at: tenths(3_000)), .gesture(.release, at: tenths(3_000)),
      ])
  }

  @Test("a press acts when the line was stable for the glitch time, not before and not later")
  func soon() {
    var gestures = Gestures(GestureTiming(), isActive: false, at: tenths(0))
    #expect(gestures.due == nil)
    #expect(gestures.handle(Edge(isActive: true, at: tenths(1_000))).isEmpty)
    #expect(gestures.due == tenths(1_020))
    #expect(gestures.advance(to: Instant(nanoseconds: 101_999_999)).isEmpty)
    #expect(gestures.advance(to: tenths(1_020)).stamps(.press) == [tenths(1_000)])
  }

  /// Each is a press of a second, with that contact's chatter at both ends.
  static let contacts: [(name: String, press: [Int64], release: [Int64])] = [
    ("a tactile switch", [3, 1, 2, 1], [1, 2]),
    ("an arcade button", [1, 4, 1, 9, 6, 3], [2, 5, 1, 8]),
    ("chatter of 20 ms", [5, 10, 5, 10, 5, 15, 10, 15, 10, 15, 15, 15, 15, 15, 15, 25], [10, 10]),
    ("a slow switch of 60 ms", [30, 70, 40, 90, 20, 60, 50, 140, 30, 70], [20, 80, 30, 100]),
    ("one that lets go slowly", [2, 2], [30, 50, 30, 90, 20, 110, 30, 200, 20, 250]),
    ("a contact that drops out while held", [2, 2, 3_000, 250, 2_000, 100, 500, 290], []),
  ]

  @Test("one press is one press, whatever the chatter", arguments: GestureTests.contacts)
  func oneIsOne(contact: (name: String, press: [Int64], release: [Int64])) {
    // Given a button that is pressed for a second and released
    let edges = edges(
      Bounce(contact.press + [10_000] + contact.release.reversed()), from: 5_000)
    // When and then
    let effects = effects(of: edges)
    #expect(effects.gestures.filter { $0 == .press }.count == 1, "\(contact.name)")
    #expect(effects.gestures.filter { $0 == .release }.count == 1)
    #expect(!effects.gestures.contains(.doublePress))
    #expect(effects.stamps(.press).allSatisfy { $0 >= tenths(5_000) && $0 <= tenths(5_200) })
  }

  @Test("chatter does not move the stamp away from the first touch")
  func stamp() {
    // 20 ms of chatter, then a press
    let chatter = [Int64](repeating: 10, count: 20)
    let effects = effects(of: edges(Bounce(chatter + [5_000]), from: 7_000))
    #expect(effects.stamps(.press) == [tenths(7_000)])
  }

  @Test("after endless noise a press is stamped at most the debounce time back")
  func oldNoise() {
    // Half a second of spikes on an open line, and then a press
    let noise = [Int64](repeating: 15, count: 334)
    let effects = effects(of: edges(Bounce(noise + [5_000]), from: 7_000))
    #expect(effects.stamps(.press).count == 1)
    #expect(effects.stamps(.press).allSatisfy { $0 >= tenths(7_000 + 334 * 15 - 300) })
  }

  @Test("spikes on an open line are no presses")
  func spikes() {
    var gestures = Gestures(GestureTiming(), isActive: false, at: tenths(0))
    var effects: [GestureEffect] = []
    for start in stride(from: Int64(1_000), to: 200_000, by: 733) {
      for edge in edges(Bounce(19), from: start) { effects += gestures.handle(edge) }
    }
    #expect(effects.isEmpty)
    #expect(gestures.advance(to: tenths(1_000_000)).isEmpty)
    #expect(gestures.strays == 272)
  }

  @Test("a button that is held gives a hold as well, stamped when the hold time has passed")
  func hold() {
    let effects = effects(of: edges(Bounce(20_000), from: 1_000))
    #expect(effects.gestures == [.press, .hold, .release])
    #expect(effects.stamps(.hold) == [tenths(11_000)])
  }

  @Test("a button released just before the hold time gives no hold")
  func almostHeld() {
    #expect(effects(of: edges(Bounce(9_999), from: 1_000)).gestures == [.press, .release])
  }

  @Test("two quick presses are two presses and a double one; four are two double ones")
  func double() {
    let twice = effects(of: edges(Bounce(800, 800, 800), from: 1_000))
    #expect(twice.gestures == [.press, .release, .press, .doublePress, .release])
    #expect(twice.stamps(.doublePress) == [tenths(2_600)])
    let four = effects(of: edges(Bounce(800, 800, 800, 800, 800, 800, 800), from: 1_000))
    #expect(four.gestures.filter { $0 == .doublePress }.count == 2)
  }

  @Test("presses that are far apart are no double press")
  func slowDouble() {
    let effects = effects(of: edges(Bounce(800, 3_201, 800), from: 1_000))
    #expect(effects.gestures == [.press, .release, .press, .release])
  }

  @Test("a button that is down for a minute is reported as stuck, and again when it is free")
  func stuck() {
    let effects = effects(of: edges(Bounce(700_000), from: 1_000))
    #expect(effects.contains(.stuck(at: tenths(601_000))))
    #expect(
      effects.suffix(2) == [.gesture(.release, at: tenths(701_000)), .freed(at: tenths(701_000))])
  }

  @Test("with a stuck time of 0 a button may stay down for ever")
  func hook() {
    let timing = GestureTiming(stuckMilliseconds: 0)
    let effects = effects(of: edges(Bounce(700_000), from: 1_000), timing: timing)
    #expect(effects.gestures == [.press, .hold, .release])
    #expect(effects.count == 5)
  }

  @Test("a button that is down from the beginning gives no press, but a release")
  func downAtStart() {
    let effects = effects(of: [Edge(isActive: false, at: tenths(30_000))], isActive: true)
    #expect(effects.gestures == [.release])
    #expect(effects.stamps(.release) == [tenths(30_000)])
  }

  @Test("lost edges neither leave a button down nor make up a press")
  func lost() {
    // Given a press of which the kernel dropped edges: the same level twice
    let down = Edge(isActive: true, at: tenths(1_000))
    let again = Edge(isActive: true, at: tenths(1_005))
    // When the line is found released afterwards
    let found = Edge(isActive: false, at: tenths(9_000))
    // Then
    #expect(effects(of: [down, again, found]).gestures == [.press, .release])
    // And spikes between which the line was never stable are no press
    let spikes = [
      down, Edge(isActive: true, at: tenths(1_019)), Edge(isActive: false, at: tenths(1_038)),
    ]
    #expect(effects(of: spikes).isEmpty)
  }

  @Test("timestamps that go back do no harm")
  func clockBack() {
    let edges = [
      Edge(isActive: true, at: tenths(5_000)), Edge(isActive: false, at: tenths(4_000)),
      Edge(isActive: true, at: Instant(nanoseconds: .min)),
      Edge(isActive: false, at: Instant(nanoseconds: .max)),
    ]
    #expect(effects(of: edges).gestures.filter { $0 == .press }.count == 1)
  }
}
