// The verdicts of a checkup: each finding has one, and each that is wrong says what to do.

import Testing

@testable import Recorder

@Suite struct CheckupTests {
  /// The facts of a recorder without faults.
  private func healthy() -> CheckupFacts {
    var facts = CheckupFacts()
    facts.service = .running(restarts: 0, startsAtBoot: true)
    facts.configuration = .understood(file: "/etc/reel/reel.json")
    facts.card = CardFacts(folder: "/card")
    facts.card.freeBytes = 8_000_000_000
    facts.card.totalBytes = 32_000_000_000
    facts.card.countTime(by: Settings())
    facts.card.speed = .measured(speed())
    facts.limits = .asked(denials: [])
    facts.microphone = .open(
      name: "Mic", rate: 48_000, channels: 1, periodFrames: 2400, peakDecibels: -31)
    facts.speaker = SpeakerFacts(name: "Box")
    facts.panel = PanelFacts(lines: ["record on GPIO17"])
    facts.clock = ClockFacts(isSynchronised: true, errorMicroseconds: 12_300)
    facts.board = BoardFacts(supply: .well, temperatureCelsius: 51)
    return facts
  }

  private func speed(
    bytesPerSecond: Int64? = 18_300_000, worstMicroseconds: Int64 = 210_000
  ) -> CardSpeed {
    CardSpeed(
      bytesPerSecond: bytesPerSecond, syncs: 200, medianSyncMicroseconds: 4_120,
      worstMicroseconds: worstMicroseconds, seconds: 10)
  }

  @Test("without faults every check is well, one line each")
  func well() {
    let view = CheckupView(healthy())
    #expect(view.isWell && view.checks.allSatisfy { $0.verdict == .well })
    #expect(
      view.checks.map(\.name) == [
        "service", "configuration", "card", "space", "speed", "realtime", "microphone", "speaker",
        "pins", "clock", "power", "temperature",
      ])
    let said = Dictionary(uniqueKeysWithValues: view.checks.map { ($0.name, $0.sentence) })
    #expect(
      said["speed"] == "18.3 MB a second; a sync takes 4.1 ms, the longest wait was 210 ms in"
        + " 10.0 s.")
    #expect(
      said["microphone"] == "Mic, 48000 Hz, mono, 50.0 ms a time: the loudest of a second was"
        + " -31.0 dB.")
    #expect(said["clock"] == "Set, and right to 12 ms.")
  }

  private static let faults: [(String, @Sendable (inout CheckupFacts) -> Void, String)] = [
    ("service", { $0.service = .running(restarts: 3, startsAtBoot: true) }, "3 times"),
    ("service", { $0.service = .running(restarts: 0, startsAtBoot: false) }, "enable reeld"),
    ("service", { $0.service = .stopped(startsAtBoot: true) }, "systemctl start reeld"),
    ("service", { $0.service = .stopped(startsAtBoot: false) }, "enable --now"),
    ("service", { $0.service = .failed(why: "exit status 71") }, "exit status 71"),
    (
      "configuration", { $0.configuration = .wrong(file: "f", mistakes: ["f:1", "f:2"]) }, "1 more"
    ),
    ("card", { $0.card.trouble = "It is not there." }, "not there"),
    ("card", { $0.card.isReadOnly = true }, "only be read"),
    ("card", { $0.card.isVolatile = true }, "gone after a restart"),
    ("space", { $0.card.leftSeconds = 480 }, "8 min of sound"),
    ("speed", { $0.card.speed = .failed("The disk failed.") }, "another card"),
    ("realtime", { $0.limits = .asked(denials: ["No priority."]) }, "No priority."),
    (
      "realtime",
      { $0.limits = .allowed(owner: "It", realtimePriority: 0, lockedBytes: nil) }, "LimitRTPRIO"
    ),
    (
      "realtime",
      { $0.limits = .allowed(owner: "It", realtimePriority: 60, lockedBytes: 8 << 20) },
      "LimitMEMLOCK"
    ),
    ("microphone", { $0.microphone = .none("None; plug one in.") }, "plug one in"),
    ("panel", { $0.panel?.faults = ["No line GPIO17."] }, "GPIO17"),
    ("clock", { $0.clock.isSynchronised = false }, "time service"),
    ("power", { $0.board.supply = .tooLowNow }, "supply made for this board"),
    ("power", { $0.board.supply = .tooLowSinceBoot }, "cable"),
    ("power", { $0.board.supply = .slowedNow }, "air"),
    ("power", { $0.board.supply = .slowedSinceBoot }, "air"),
    ("temperature", { $0.board.temperatureCelsius = 84 }, "84 °C"),
  ]

  @Test("each possible fault is reported, with what to do", arguments: faults.indices)
  func wrong(_ index: Int) {
    let (name, spoil, words) = Self.faults[index]
    var facts = healthy()
    spoil(&facts)
    let view = CheckupView(facts)
    let wrong = view.checks.filter { $0.verdict == .wrong }
    #expect(!view.isWell && wrong.map(\.name) == [name])
    #expect(wrong.allSatisfy { "\($0.sentence) \($0.advice ?? "")".contains(words) })
  }

  @Test(
    "a level is silence, sound, or too loud; no level means that no sound arrives",
    arguments: [
      (-120.0, CheckupView.Verdict.wrong, "silence"), (-90, .well, "-90.0 dB"),
      (-0.2, .well, "-0.2 dB"), (0, .wrong, "too loud"), (nil, .wrong, "nothing arrives"),
    ] as [(Double?, CheckupView.Verdict, String)])
  func level(_ decibels: Double?, _ verdict: CheckupView.Verdict, _ words: String) {
    var facts = healthy()
    facts.microphone = .open(
      name: "Mic", rate: 48_000, channels: 2, periodFrames: nil, peakDecibels: decibels)
    let check = CheckupView(facts).checks.first { $0.name == "microphone" }
    #expect(check?.verdict == verdict && check?.sentence.contains(words) == true)
  }

  @Test("a card that is slow or stalls for longer than a second is wrong, a quick one well")
  func speeds() {
    let cases: [(CardSpeed, CheckupView.Verdict)] = [
      (speed(), .well), (speed(bytesPerSecond: nil), .well),
      (speed(bytesPerSecond: 499_999), .wrong), (speed(worstMicroseconds: 1_000_001), .wrong),
      (speed(worstMicroseconds: 1_000_000), .well),
    ]
    for (speed, verdict) in cases {
      var facts = healthy()
      facts.card.speed = .measuredLittle(speed, why: "a recording runs")
      let check = CheckupView(facts).checks.first { $0.name == "speed" }
      #expect(check?.verdict == verdict)
      #expect(check?.sentence.hasSuffix("Measured but a little: a recording runs.") == true)
    }
  }

  @Test("unknown facts are not wrong, and a released card is not judged")
  func unknown() {
    var facts = CheckupFacts()
    facts.card.isHandedOut = true
    facts.card.trouble = "not there"
    facts.card.speed = .failed("not there")
    let view = CheckupView(facts)
    #expect(view.isWell)
    #expect(view.checks.filter { $0.verdict == .unknown }.map(\.name).contains("card"))
    #expect(!view.checks.contains { $0.name == "speed" })
    let late = view.preceded(by: .init("recorder", .wrong, "It is not there."))
    #expect(!late.isWell && late.checks.first?.name == "recorder")
  }
}
