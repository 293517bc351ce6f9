// The lights as a function of time: which is on when, that a light keeps its phase when another
// changes, and how many wake-ups that costs. Time is virtual.
import Testing

@testable import Panel
@testable import Recorder

func milliseconds(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000_000) }

func panelView(
  record: Pattern = .off, status: Pattern = .off, play: Pattern = .off
) -> PanelView {
  PanelView(record: record, status: status, play: play)
}

@Suite struct LightShowTests {
  /// Runs the show up to a time; returns every change with its time, and the number of wake-ups.
  private func run(
    _ show: inout LightShow, to end: Int64
  ) -> (changes: [(Int64, LightChange)], wakeUps: Int) {
    var changes: [(Int64, LightChange)] = []
    var wakeUps = 0
    while let due = show.due, due <= milliseconds(end) {
      wakeUps += 1
      changes += show.advance(to: due).map { (due.nanoseconds / 1_000_000, $0) }
    }
    return (changes, wakeUps)
  }

  @Test("steady and dark lights cost no wake-up")
  func steady() {
    var show = LightShow()
    let changes = show.show(panelView(record: .steady), at: milliseconds(5))
    #expect(changes == [LightChange(light: .record, isOn: true)])
    #expect(show.due == nil)
    #expect(show.isOn(.record) && !show.isOn(.play))
  }

  @Test("a blinking light goes on and off at its times")
  func blink() {
    var show = LightShow()
    #expect(show.show(panelView(play: .slowBlink), at: milliseconds(0)).count == 1)
    let (changes, _) = run(&show, to: 2000)
    #expect(changes.map(\.0) == [500, 1000, 1500, 2000])
    #expect(changes.map(\.1.isOn) == [false, true, false, true])
  }

  @Test("two winks are two short flashes and a long pause")
  func winks() {
    var show = LightShow()
    let view = panelView(status: .winks(2, everyMilliseconds: 2000))
    #expect(show.show(view, at: milliseconds(0)).map(\.isOn) == [true])
    let (changes, _) = run(&show, to: 2000)
    #expect(changes.map(\.0) == [80, 250, 330, 2000])
  }

  @Test("the all-is-well pattern costs two wake-ups in five seconds")
  func idle() {
    var show = LightShow()
    let view = panelView(status: .winks(1, everyMilliseconds: 5000))
    _ = show.show(view, at: milliseconds(0))
    #expect(run(&show, to: 60_000).wakeUps == 24)
  }

  @Test("a light keeps its phase when another changes")
  func keepsPhase() {
    var show = LightShow()
    let blink = Pattern.slowBlink
    _ = show.show(panelView(play: blink), at: milliseconds(0))
    _ = show.advance(to: milliseconds(500))
    let changes = show.show(panelView(record: .steady, play: blink), at: milliseconds(700))
    #expect(changes == [LightChange(light: .record, isOn: true)])
    #expect(show.due == milliseconds(1000))
  }

  @Test("a new pattern is seen at once")
  func atOnce() {
    var show = LightShow()
    _ = show.show(panelView(record: .slowBlink), at: milliseconds(0))
    _ = show.advance(to: milliseconds(500))
    let changes = show.show(panelView(record: .fastBlink), at: milliseconds(600))
    #expect(changes == [LightChange(light: .record, isOn: true)])
    #expect(show.due == milliseconds(700))
  }

  @Test("after a late wake-up a light is as it should be, and skipped changes are not made up for")
  func late() {
    var show = LightShow()
    _ = show.show(panelView(record: .fastBlink), at: milliseconds(0))
    #expect(show.advance(to: milliseconds(60_150)) == [LightChange(light: .record, isOn: false)])
    #expect(show.due == milliseconds(60_200))
  }

  @Test("at the largest instant it neither traps nor waits")
  func endOfTime() {
    var show = LightShow()
    _ = show.show(panelView(record: .slowBlink), at: Instant(nanoseconds: .max))
    _ = show.advance(to: Instant(nanoseconds: .max))
    _ = show.advance(to: Instant(nanoseconds: .min))
  }
}
