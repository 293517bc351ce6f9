// The rooms get the settings of the configuration, as values of their own types.

import Audio
import Host
import Panel
import Recorder
import Tape
import Testing

@testable import reeld

@Suite struct ConfiguredRoomsTests {
  private func read(_ text: String) -> Configuration {
    guard case .good(let configuration) = ConfigurationReader.read(Array(text.utf8), file: "f")
    else {
      Issue.record("not understood")
      return Configuration()
    }
    return configuration
  }

  @Test("defaults are the rooms' own")
  func defaults() {
    #expect(PanelPlan(Configuration().panel) == PanelPlan())
    #expect(RecordSettings(Configuration()) == RecordSettings())
    #expect(AlsaRequest(Configuration()) == AlsaRequest(pcmName: ""))
    var light = LightConfiguration()
    light.line = .name("A")
    var panel = PanelConfiguration()
    panel.lights = [light]
    var button = ButtonConfiguration()
    (button.control, button.line) = ("record", .name("B"))
    panel.buttons = [button]
    var expected = PanelPlan()
    expected.lights = [LightPlan(.record, .line(.name("A"), isActiveLow: false, .pushPull))]
    expected.buttons = [ButtonPlan(.control(.record), .name("B"))]
    #expect(PanelPlan(panel) == expected)
  }

  @Test("a panel is passed on whole")
  func panel() {
    let text = """
      { panel: {
        buttons: [{ control: "hold-switch", line: { chip: "c", offset: 3 }, bias: "as-is",
                    activeLow: false, debounce: "7 ms", stuck: "2 s" }],
        lights: [{ light: "play", line: "L", activeLow: true, drive: "open-source" },
                 { light: "status", led: "ACT" }],
        inputs: [{ device: "pedal", keys: { KEY_A: "mark" }, grab: false }],
        glitch: "1 ms", debounce: "2 ms", hold: "3 s", doublePress: "4 ms", stuck: "5 s" } }
      """
    var button = ButtonPlan(.holdSwitch, .chip(label: "c", offset: 3))
    (button.bias, button.isActiveLow) = (.asIs, false)
    (button.debounceMilliseconds, button.stuckMilliseconds) = (7, 2000)
    var input = InputPlan("pedal", keys: ["KEY_A": .control(.mark)])
    input.isGrabbed = false
    var timings = Timings()
    (timings.glitchMilliseconds, timings.debounceMilliseconds) = (1, 2)
    (timings.holdMilliseconds, timings.doublePressMilliseconds) = (3000, 4)
    timings.stuckMilliseconds = 5000
    let lights = [
      LightPlan(.play, .line(.name("L"), isActiveLow: true, .openSource)),
      LightPlan(.status, .led("ACT")),
    ]
    let expected = PanelPlan(
      buttons: [button], lights: lights, inputs: [input], timings: timings)
    #expect(PanelPlan(read(text).panel) == expected)
  }

  @Test("the configuration's words for bias, light and drive are those of the panel")
  func words() {
    typealias Words = [String]
    #expect(
      ButtonConfiguration.Bias.allCases.map(\.rawValue) == Bias.allCases.map(\.rawValue) as Words)
    #expect(
      LightConfiguration.Name.allCases.map(\.rawValue)
        == LightName.allCases.map(\.rawValue) as Words)
    #expect(
      LightConfiguration.Drive.allCases.map(\.rawValue) == Drive.allCases.map(\.rawValue) as Words)
  }

  @Test("sound is recorded as the file says")
  func sound() {
    let configuration = read(
      #"{ preroll: "1 s", sync: 2, stall: "1 min", channels: 2, rate: 44100, pick: [1, 0],"#
        + #" encoder: { complexity: 2 } }"#)
    let record = RecordSettings(configuration)
    #expect(record.prerollMilliseconds == 1000 && record.syncMilliseconds == 2000)
    #expect(record.stallSeconds == 60)
    var opus = OpusSettings()
    opus.complexity = 2
    #expect(record.format == .opus(opus))
    let request = AlsaRequest(configuration)
    #expect(request.rate == 44_100 && request.channels == 2 && request.picks == [1, 0])
  }

  @Test("the tracks that a checkup recommends are understood, and then need no advice")
  func advice() throws {
    let volume = MicrophoneAbility.Volume(
      "Mic \"1\"", index: 1, isPerChannel: true, decibels: .init(least: -16, most: 30, now: 7.5))
    let abilities = [
      MicrophoneAbility(formats: [.bits24], rates: [48_000], channels: 1...1),
      MicrophoneAbility(formats: [.bits24], rates: [48_000], channels: 10...10),
      MicrophoneAbility(formats: [.bits16], rates: [48_000], channels: 2...2, volumes: [volume]),
    ]
    for ability in abilities {
      let configuration = read("{ \(try #require(recommendation(for: ability))) }")
      #expect(!configuration.tracks.isEmpty && TrackFacts(configuration).namesTracks)
      #expect(configuration.devicePicks.count <= ability.mostChannels)
    }
    let safe = read("{ \(try #require(recommendation(for: abilities[2]))) }")
    let level = safe.settings.sound.levels.first
    #expect(level?.control == "Mic \"1\"" && level?.index == 1)
    #expect(level?.values == [.decibels(7.5), .decibels(-4.5)])
  }

  /// The text for reel.json.
  private func recommendation(for ability: MicrophoneAbility) -> Substring? {
    var facts = CheckupFacts()
    (facts.ability, facts.tracks) = (ability, TrackFacts(Configuration()))
    let sentence = CheckupView(facts).checks.first { $0.name == "tracks" }?.sentence
    return sentence?.split(separator: "reel.json: ", maxSplits: 1).last
  }
}
