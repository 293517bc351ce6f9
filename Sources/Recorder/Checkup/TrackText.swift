// The text for reel.json that a checkup recommends. Pure; it is text for a file, in no language.

/// Makes text for reel.json.
enum TrackText {
  static let deep = #"tracks: [{ format: "flac", bits: 24 }]"#

  /// A track for each channel of the device.
  static func each(channels: Int, isDeep: Bool) -> String {
    let form = isDeep ? #", format: "flac", bits: 24"# : ""
    let tracks = (1...min(channels, Tracks.mostChannels)).map {
      #"{ name: "mic \#($0)", channels: [\#($0)]\#(form) }"#
    }
    return "tracks: [\(tracks.joined(separator: ", "))]"
  }

  /// Two tracks of one channel each, and the volumes of the channels, in decibels.
  static func safety(_ volume: MicrophoneAbility.Volume, main: Double, safety: Double) -> String {
    let index = volume.index == 0 ? "" : ", index: \(volume.index)"
    return #"tracks: [{ name: "main", channels: [1] }, { name: "safety", channels: [2] }], "#
      + "levels: [{ control: \(quoted(volume.control))\(index), direction: \"capture\","
      + " value: [\"\(short(main)) dB\", \"\(short(safety)) dB\"] }]"
  }

  /// With one decimal at most: "-4.5", "8".
  private static func short(_ decibels: Double) -> String {
    let tenths = Int((decibels * 10).rounded())
    let rest = tenths.magnitude % 10
    return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
