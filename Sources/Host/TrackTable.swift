// The part of the configuration's table that is about tracks: what of the sound a take records, and
// as which format. Pure.
import Recorder
import Tape

/// A track of a take.
public struct TrackConfiguration: Equatable, Sendable {
  public enum Format: String, CaseIterable, Sendable { case opus, flac }

  public var name = "main"
  /// Channels of the device, counted from 1; if empty, those of `channels` and `pick`.
  public var channels: [Int] = []
  public var format = Format.opus
  /// Of a FLAC file.
  public var bits = 16
  /// Nil: the file's own `rate`.
  public var rate: Int?
  /// Of FLAC; the encoder's section has Opus' complexity.
  public var level = 5

  public init() {}
}

extension ConfigurationTable {
  /// One of `tracks`.
  static var track: Group<TrackConfiguration> {
    Group(keys: [
      Key("name", \.name, .text("a name"), "What the track is called."),
      Key(
        "channels", \.channels, .numbers(1...1024, atMost: 2),
        "The device's channels, counted from 1. Empty: what the keys channels and pick say."),
      Key(
        "format", \.format, .word,
        "opus, which is small, or flac, which keeps each sample as the device delivers it."),
      Key(
        "bits", \.bits, .choice([("16", 16), ("24", 24)]),
        "Of a sample in a FLAC file. With 24, the device is opened in its best format."),
      Key(
        "rate", \.rate, .rate, "The rate the device is asked for; auto is the key rate."),
      Key(
        "level", \.level, .number(0...8),
        "How hard the FLAC encoder tries: 0 is cheapest, 8 makes the smallest files."),
    ])
  }
}

extension Kind where Value == Int? {
  static var rate: Kind {
    let range = 8000...192_000
    return Kind(
      "\"auto\", or a whole number from \(range.lowerBound) to \(range.upperBound) Hz",
      write: { $0.map { "\($0)" } ?? "\"auto\"" },
      read: { item in
        switch item.value {
        case .string("auto"): .some(.none)
        case .integer(let number):
          Int(exactly: number).flatMap { range.contains($0) ? .some(.some($0)) : .none }
        default: .none
        }
      })
  }
}

extension Configuration {
  /// What a take is recorded as.
  public var format: TapeFormat {
    guard let track = tracks.first, track.format == .flac else { return .opus(opus) }
    var flac = FlacSettings()
    (flac.sampleRate, flac.channels) = (deviceRate, deviceChannels)
    (flac.bits, flac.level) = (track.bits, track.level)
    return .flac(flac)
  }

  /// The rate that the device is asked for.
  public var deviceRate: Int { tracks.first?.rate ?? sampleRate }

  /// The device's channels that are recorded, counted from 0; if empty, the first ones.
  public var devicePick: [Int] {
    guard let track = tracks.first, !track.channels.isEmpty else { return pick }
    return track.channels.map { $0 - 1 }
  }

  /// How many channels are recorded.
  public var deviceChannels: Int { devicePick.isEmpty ? channels : devicePick.count }
}
