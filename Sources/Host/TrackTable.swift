// The part of the configuration's table that is about tracks: what of the sound a take records, and
// as which format. Pure.

import Recorder
import Tape

/// A track of a take. The first one's file is the recording's main one.
public struct TrackConfiguration: Equatable, Sendable {
  public enum Format: String, CaseIterable, Sendable { case opus, flac }

  public var name = TrackPlan.usualName
  /// Channels of the device, counted from 1; if empty, those of `channels` and `pick`.
  public var channels: [Int] = []
  public var format = Format.opus
  /// Of a FLAC file.
  public var bits = 16
  /// Nil: the file's own `rate`.
  public var rate: Int?
  /// Of FLAC; the encoder's section has Opus' complexity.
  public var level = 5
  /// In hundredths of a decibel.
  public var gainMillibels = 0
  /// Frequencies below this are weakened; nil if none are.
  public var lowCutHertz: Int?

  public init() {}
}

extension ConfigurationTable {
  /// One of `tracks`.
  static var track: Group<TrackConfiguration> {
    Group(keys: [
      Key("name", \.name, .trackName, "What the track is called; no two have the same name."),
      Key(
        "channels", \.channels, .numbers(1...1024, atMost: Tracks.most),
        "The device's channels, counted from 1; an Opus track has at most two. Empty: what the keys"
          + " channels and pick say."),
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
      Key(
        "gain", \.gainMillibels, .gain(-6000...6000),
        "How much louder the track is made. What becomes louder than full scale is clipped."),
      Key(
        "lowCut", \.lowCutHertz, .lowCut(40...200),
        "Below this frequency the track is weakened, by 12 dB an octave: against wind and steps."),
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

extension Kind where Value == [TrackConfiguration] {
  /// The tracks of a take, which have to fit together.
  static var tracks: Kind {
    let list = list(
      of: ConfigurationTable.track, called: "tracks", standard: TrackConfiguration(),
      atMost: Tracks.most)
    return Kind(
      expected: list.expected,
      read: { item, reading in
        guard let tracks = list.read(item, &reading) else { return nil }
        guard let reason = reasonAgainst(tracks) else { return tracks }
        reading.wrong(at: item.offset, "expected \(reason)")
        return nil
      }, write: list.write, inner: list.inner)
  }

  /// Returns what the tracks should be, and which are not; nil if all are.
  private static func reasonAgainst(_ tracks: [TrackConfiguration]) -> String? {
    for (index, track) in tracks.enumerated() {
      if tracks[..<index].contains(where: { $0.name == track.name }) {
        return "tracks of different names; two are called \"\(track.name)\""
      }
      if track.format == .opus, track.channels.count > 2 {
        return "tracks in Opus with at most two channels each; \"\(track.name)\" has"
          + " \(track.channels.count)"
      }
    }
    let rates = Set(tracks.compactMap(\.rate)).sorted()
    if rates.count > 1 {
      return "tracks of one rate, since one device delivers all of them; there are"
        + " \(rates.map { "\($0)" }.joined(separator: ", ")) Hz"
    }
    let count = Set(tracks.flatMap(\.channels)).count
    if count > Tracks.mostChannels {
      return "tracks with at most \(Tracks.mostChannels) channels in all; there are \(count)"
    }
    return nil
  }
}

extension Kind where Value == Int {
  /// Hundredths of a decibel, written as decibels.
  static func gain(_ range: ClosedRange<Int>) -> Kind {
    Kind(
      "decibels from \(range.lowerBound / 100) to \(range.upperBound / 100), such as \"-6 dB\"",
      write: { quoted("\(plain(Double($0) / 100)) dB") },
      read: { item in
        guard case .string(let text) = item.value, text.hasSuffix("dB"),
          let decibels = Double(trimmed(text.dropLast(2))), decibels.isFinite,
          let gain = Int(exactly: (decibels * 100).rounded())
        else { return nil }
        return range.contains(gain) ? gain : nil
      })
  }
}

extension Kind where Value == Int? {
  /// A frequency, or none.
  static func lowCut(_ range: ClosedRange<Int>) -> Kind {
    Kind(
      "\"off\", or a frequency from \"\(range.lowerBound) Hz\" to \"\(range.upperBound) Hz\"",
      write: { $0.map { "\"\($0) Hz\"" } ?? "\"off\"" },
      read: { item in
        guard case .string(let text) = item.value else { return .none }
        if text == "off" { return .some(.none) }
        guard text.hasSuffix("Hz"), let hertz = Int(trimmed(text.dropLast(2))),
          range.contains(hertz)
        else { return .none }
        return .some(hertz)
      })
  }
}

extension Kind where Value == String {
  static var trackName: Kind {
    Kind(
      "a name of at most \(TrackPlan.limitBytes) bytes", write: { quoted($0) },
      read: { item in
        guard case .string(let text) = item.value, TrackPlan.name(text) == text else { return nil }
        return text
      })
  }
}

extension Configuration {
  /// The tracks of a take; one, if the file names none.
  public var takeTracks: [TrackConfiguration] {
    tracks.isEmpty ? [TrackConfiguration()] : tracks
  }

  /// Each track's name and the ending of its file.
  public var trackPlans: [TrackPlan] {
    zip(takeTracks, formats).map { TrackPlan(name: $0.name, ending: $1.ending) }
  }

  /// What each track is recorded as.
  public var formats: [TapeFormat] {
    takeTracks.map { track in
      guard track.format == .flac else { return .opus(opus) }
      var flac = FlacSettings()
      (flac.sampleRate, flac.channels) = (deviceRate, devicePicks(of: track).count)
      (flac.bits, flac.level) = (track.bits, track.level)
      return .flac(flac)
    }
  }

  /// The rate that the device is asked for.
  public var deviceRate: Int { takeTracks.lazy.compactMap(\.rate).first ?? sampleRate }

  /// The device's channels that a track has, counted from 0.
  private func devicePicks(of track: TrackConfiguration) -> [Int] {
    if !track.channels.isEmpty { return track.channels.map { $0 - 1 } }
    return pick.isEmpty ? Array(0..<channels) : pick
  }

  /// The device's channels that are recorded, counted from 0, each once.
  public var devicePicks: [Int] {
    var picks: [Int] = []
    for channel in takeTracks.flatMap(devicePicks) where !picks.contains(channel) {
      picks.append(channel)
    }
    return picks
  }

  /// Whether it matters which of the device's channels they are.
  public var picksChannels: Bool {
    !pick.isEmpty || takeTracks.contains { !$0.channels.isEmpty }
  }

  /// Whether a track keeps more than 16 bits, as made of what the device delivers.
  public var wantsDepth: Bool {
    takeTracks.contains {
      $0.format == .flac && $0.bits > 16 || $0.gainMillibels != 0 || $0.lowCutHertz != nil
    }
  }

  /// The places of a track's channels among those that are recorded. None stands for all: a device
  /// may have fewer than are asked for.
  public func places(of track: TrackConfiguration) -> [Int] {
    let (own, picks) = (devicePicks(of: track), devicePicks)
    return own == picks ? [] : own.compactMap { picks.firstIndex(of: $0) }
  }
}
