// Proves that the lights follow docs/lights.md, and that the more important state is shown first.

import Testing

@testable import Recorder

@Suite struct PanelViewTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let given: Given
    let light: Light
    let pattern: Recorder.Pattern
  }

  enum Light: Sendable { case record, status, play }

  private static let idle = Given().booted().withDevice()
  private static let short = idle.withSpace((32 << 20) + 80_000)
  private static let every5 = 5000
  private static let recording = idle.recording()

  private static func take(_ given: Given, _ event: TakeEvent) -> Given {
    given.when(.sound(.take(given.running?.id ?? .root, event)))
  }

  static let cases: [Case] = [
    Case(testDescription: "idle", given: idle, light: .record, pattern: .off),
    Case(testDescription: "recording", given: recording, light: .record, pattern: .steady),
    Case(
      testDescription: "waiting for the device", given: recording.when(.sound(.lost(nil))),
      light: .record, pattern: .slowBlink),
    Case(
      testDescription: "under ten minutes left", given: short, light: .record,
      pattern: .winks(2, everyMilliseconds: 2000)),
    Case(
      testDescription: "under ten minutes left, recording", given: short.recording(),
      light: .record, pattern: .gaps(2, everyMilliseconds: 2000)),
    Case(
      testDescription: "refused", given: idle.press(.split), light: .record, pattern: .fastBlink),
    Case(
      testDescription: "refused while recording comes first",
      given: recording.withConsole().request(.take(.start(title: nil)), from: .panel),
      light: .record, pattern: .fastBlink),
    Case(
      testDescription: "well", given: idle, light: .status,
      pattern: .winks(1, everyMilliseconds: every5)),
    Case(
      testDescription: "clipping", given: take(recording, .clipped(frames: 3)), light: .status,
      pattern: .steady),
    Case(
      testDescription: "in memory only", given: idle.when(.card(.condition(.volatile(true)))),
      light: .status, pattern: .steady),
    Case(
      testDescription: "cut short, not acknowledged", given: recording.takeEnds(.failed),
      light: .status, pattern: .winks(2, everyMilliseconds: every5)),
    Case(
      testDescription: "cut short, acknowledged",
      given: recording.takeEnds(.failed).press(.acknowledge), light: .status,
      pattern: .winks(1, everyMilliseconds: every5)),
    Case(
      testDescription: "a fault now comes before one that was",
      given: take(recording.takeEnds(.failed).recording(), .clipped(frames: 3)), light: .status,
      pattern: .steady),
    Case(
      testDescription: "no microphone", given: idle.when(.sound(.lost(nil))), light: .status,
      pattern: .winks(3, everyMilliseconds: every5)),
    Case(
      testDescription: "a dead microphone, before clipping",
      given: take(take(recording, .clipped(frames: 3)), .microphoneSeemsDead(true)),
      light: .status, pattern: .winks(3, everyMilliseconds: every5)),
    Case(
      testDescription: "a device that delivers nothing", given: idle.when(.sound(.delivers(false))),
      light: .status, pattern: .winks(3, everyMilliseconds: every5)),
    Case(
      testDescription: "a take whose device delivers nothing",
      given: recording.when(.sound(.delivers(false))), light: .record, pattern: .slowBlink),
    Case(
      testDescription: "card trouble, before no microphone",
      given: idle.when([.sound(.lost(nil)), .card(.failed("gone"))]), light: .status,
      pattern: .winks(4, everyMilliseconds: every5)),
    Case(
      testDescription: "the card is full", given: idle.withSpace(0), light: .status,
      pattern: .winks(4, everyMilliseconds: every5)),
    Case(testDescription: "nothing to hear", given: idle, light: .play, pattern: .off),
    Case(
      testDescription: "unheard", given: idle.withRecording("A"), light: .play,
      pattern: .slowBlink),
    Case(
      testDescription: "playing", given: idle.withRecording("A").playing(.of("A")), light: .play,
      pattern: .steady),
    Case(
      testDescription: "paused, all heard",
      given: idle.withRecording("A", isHeard: true).playing(.of("A")).press(.play), light: .play,
      pattern: .off),
  ]

  @Test("Each state has its pattern", arguments: cases)
  func language(light: Case) {
    let view = light.given.panel
    let shown =
      switch light.light {
      case .record: view.record
      case .status: view.status
      case .play: view.play
      }
    #expect(shown == light.pattern)
  }

  @Test("Each notice that is a fault gives two winks until it is acknowledged, no other does")
  func faults() {
    for kind in Notice.Kind.allCases {
      let noted = Self.idle.noting(kind)
      let isFault = noted.state.notices.kept.last?.severity == .fault
      #expect(
        noted.panel.status == .winks(isFault ? 2 : 1, everyMilliseconds: Self.every5), "\(kind)")
      let seen = noted.press(.acknowledge)
      #expect(seen.panel.status == .winks(1, everyMilliseconds: Self.every5), "\(kind)")
    }
  }

  @Test("Every notice about a recording that outlives a restart is a fault")
  func recordingsFaults() {
    for kind in Notice.Kind.allCases where kind.outlivesRestart {
      #expect(Self.idle.noting(kind).state.notices.kept.last?.severity == .fault, "\(kind)")
    }
  }

  @Test("A pattern's round: winks are short, and the rest is dark")
  func rounds() {
    let wink = Recorder.Pattern.winks(1, everyMilliseconds: 5000).round
    #expect(wink == [.init(isOn: true, milliseconds: 80), .init(isOn: false, milliseconds: 4920)])
    let two = Recorder.Pattern.winks(2, everyMilliseconds: 2000).round
    #expect(
      two.map(\.milliseconds) == [80, 170, 80, 1670]
        && two.map(\.isOn) == [true, false, true, false])
    #expect(
      Recorder.Pattern.gaps(2, everyMilliseconds: 2000).round.map(\.isOn) == [
        false, true, false, true,
      ])
    #expect(Recorder.Pattern.steady.round == [.init(isOn: true, milliseconds: 0)])
    for count in -1...9 {
      let round = Recorder.Pattern.winks(count, everyMilliseconds: 1000).round
      #expect(round.allSatisfy { $0.milliseconds > 0 })
    }
  }
}
