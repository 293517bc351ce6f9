// Proves that the tracks in the configuration are read, and that those that do not fit together are
// refused with a sentence.

import Testing

@testable import Host

@Suite struct TrackTests {
  private func read(_ text: String) -> ConfigurationReader.Result {
    ConfigurationReader.read(Array(text.utf8), file: "reel.json")
  }

  private func configuration(_ text: String) throws -> Configuration {
    guard case .good(let configuration) = read(text) else {
      throw Refused(text: text)
    }
    return configuration
  }

  private struct Refused: Error { let text: String }

  @Test("without tracks a take is one Opus file of the channels asked for")
  func standard() throws {
    let configuration = try configuration("{ channels: 2 }")
    #expect(configuration.trackPlans.map(\.name) == ["main"])
    #expect(configuration.trackPlans.map(\.ending) == [".opus"])
    #expect(configuration.devicePicks == [0, 1] && !configuration.picksChannels)
    #expect(configuration.places(of: configuration.takeTracks[0]).isEmpty)
    #expect(configuration.settings.bitsPerSecond == 64_000)
  }

  @Test("several tracks share the device's channels, each opened once")
  func several() throws {
    let configuration = try configuration(
      """
      { tracks: [
        { name: "voice", channels: [3], format: "flac", bits: 24, lowCut: "80 Hz" },
        { name: "drums", channels: [1, 2], format: "flac", gain: "-6.5 dB" },
        { name: "listen", channels: [3, 1], format: "opus" },
      ] }
      """)
    #expect(configuration.trackPlans.map(\.ending) == [".flac", ".flac", ".opus"])
    #expect(configuration.devicePicks == [2, 0, 1] && configuration.picksChannels)
    let tracks = configuration.takeTracks
    #expect(tracks.map(configuration.places) == [[0], [1, 2], [0, 1]])
    #expect(tracks[0].lowCutHertz == 80 && tracks[1].gainMillibels == -650)
    #expect(configuration.wantsDepth)
    // The remaining time is reckoned for all of them
    let bits = configuration.formats.reduce(0) { $0 + $1.bitsPerSecond }
    #expect(configuration.settings.bitsPerSecond == Int64(bits) && bits > 1_000_000)
  }

  @Test(
    "tracks that do not fit together are refused",
    arguments: [
      (#"[{ name: "a" }, { name: "a" }]"#, #"different names; two are called "a""#),
      (#"[{ channels: [1, 2, 3] }]"#, #"at most two channels each; "main" has 3"#),
      (
        #"[{ name: "a", rate: 48000 }, { name: "b", rate: 44100 }]"#,
        "one rate, since one device delivers all of them; there are 44100, 48000 Hz"
      ),
      (
        #"[{ name: "a", format: "flac", channels: [1, 2, 3, 4, 5] },"#
          + #" { name: "b", format: "flac", channels: [6, 7, 8, 9] }]"#,
        "8 channels in all; there are 9"
      ),
      (#"[{ name: "" }]"#, "a name"),
      (#"[{ name: " padded" }]"#, "a name"),
      (#"[{ gain: "loud" }]"#, "decibels"), (#"[{ gain: "61 dB" }]"#, "decibels"),
      (#"[{ gain: "nan dB" }]"#, "decibels"),
      (#"[{ lowCut: "20 Hz" }]"#, "40 Hz"), (#"[{ lowCut: 80 }]"#, "40 Hz"),
      (
        "[{ name: \"1\" }, { name: \"2\" }, { name: \"3\" }, { name: \"4\" }, { name: \"5\" },"
          + " { name: \"6\" }, { name: \"7\" }, { name: \"8\" }, { name: \"9\" }]", "at most 8"
      ),
    ])
  func refused(tracks: String, words: String) {
    guard case .wrong(let mistakes) = read("{ tracks: \(tracks) }") else {
      Issue.record("\(tracks) was read")
      return
    }
    #expect(mistakes.contains { $0.sentence.contains(words) }, "\(mistakes)")
  }
}
