// What a checkup says of a microphone's abilities, and which tracks it recommends.

import Testing

@testable import Recorder

@Suite struct AbilityTests {
  private typealias Ability = MicrophoneAbility

  private static let line = MicrophoneAbility.Volume(
    "Mic", isPerChannel: true, decibels: .init(least: -16, most: 30, now: 7.5))

  private func ability(
    _ formats: [Ability.Format] = [.bits16], channels: ClosedRange<Int> = 1...2,
    _ volumes: [Ability.Volume] = []
  ) -> Ability {
    Ability(formats: formats, rates: [44_100, 48_000], channels: channels, volumes: volumes)
  }

  private func checks(
    _ ability: Ability, _ tracks: TrackFacts? = TrackFacts(namesTracks: false, setsLevels: false)
  ) -> [CheckupView.Check] {
    var facts = CheckupFacts()
    (facts.ability, facts.tracks) = (ability, tracks)
    return CheckupView(facts).checks.filter { ["device", "tracks"].contains($0.name) }
  }

  @Test("one line tells formats, rates, channels and volumes")
  func told() {
    let rich = Ability(
      formats: [.bits16, .bits24, .float], rates: [11_025, 44_100, 96_000], channels: 2...10,
      volumes: [Self.line, .init("Line")])
    #expect(
      checks(rich).first?.sentence
        == "By itself it delivers 16, 24 bits or float at 11.025, 44.1, 96 kHz, 2 to 10 channels;"
        + " its volume is Mic (each channel by itself, in dB), and there is Line.")
    #expect(
      checks(ability(channels: 1...1)).first?.sentence
        == "By itself it delivers 16 bits at 44.1, 48 kHz, mono; it has no volume to set.")
  }

  @Test("of a device behind a plugin nothing is claimed and nothing recommended")
  func converted() {
    var converted = ability([.bits16, .bits32], channels: 1...32, [.init("Master")])
    converted.isNative = false
    let checks = checks(converted)
    #expect(checks.map(\.name) == ["device"])
    #expect(checks[0].sentence.hasSuffix("is not known; its volume is Master."))
  }

  @Test("advice is never a fault, and a checkup carries the abilities for programs")
  func harmless() {
    var facts = CheckupFacts()
    facts.ability = ability([.bits24])
    facts.tracks = TrackFacts(namesTracks: false, setsLevels: false)
    let view = CheckupView(facts)
    #expect(view.ability == facts.ability)
    let verdicts = view.checks.filter { ["device", "tracks"].contains($0.name) }.map(\.verdict)
    #expect(verdicts == [.well, .well])
  }

  @Test("what is recommended follows from what the device can do")
  func recommended() {
    func text(_ ability: Ability) -> String? {
      checks(ability).first { $0.name == "tracks" }?.sentence
    }
    #expect(text(ability()) == nil)
    #expect(
      text(ability([.bits16, .bits32]))
        == "The device delivers 32 bits; to keep 24, put into reel.json:"
        + #" tracks: [{ format: "flac", bits: 24 }]"#)
    #expect(
      text(ability(channels: 4...4))?.hasSuffix(#"{ name: "mic 4", channels: [4] }]"#) == true)
    let eight = text(ability([.bits24], channels: 2...32))
    #expect(
      eight?.hasSuffix(#"{ name: "mic 8", channels: [8], format: "flac", bits: 24 }]"#) == true)
    #expect(
      text(ability(channels: 2...2, [.init("Boost"), Self.line]))
        == "If one microphone feeds both channels, the second can be a safety track, 12 dB lower;"
        + #" put into reel.json: tracks: [{ name: "main", channels: [1] }, "#
        + #"{ name: "safety", channels: [2] }], levels: [{ control: "Mic", direction: "capture","#
        + #" value: ["7.5 dB", "-4.5 dB"] }]"#)
  }

  @Test("a safety track keeps to the range of the volume")
  func range() {
    var low = Self.line
    low.decibels?.now = -10
    let text = checks(ability(channels: 2...2, [low])).last?.sentence ?? ""
    #expect(text.hasSuffix(#"value: ["-4 dB", "-16 dB"] }]"#))
    low.decibels?.most = -6
    #expect(checks(ability(channels: 2...2, [low])).map(\.name) == ["device"])
  }

  @Test("a configuration that says so itself gets no advice")
  func silent() {
    let safe = ability(channels: 2...2, [Self.line])
    for tracks in [
      nil, TrackFacts(namesTracks: true, setsLevels: false),
      TrackFacts(namesTracks: false, setsLevels: true),
    ] { #expect(checks(safe, tracks).map(\.name) == ["device"]) }
  }
}
