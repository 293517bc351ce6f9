// A track of a take: the channels of the stream it records, what is done to their signal, and its
// format. Plain values; any thread.

import Recorder
import Tape

/// The settings of a track.
public struct TrackSettings: Equatable, Sendable {
  public var name = TrackPlan.usualName
  /// The channels of the stream that it records, from 0; if empty, all of them.
  public var channels: [Int] = []
  public var gainMillibels = 0
  /// Frequencies below this are attenuated; nil: none are.
  public var lowCutHertz: Int?
  public var format = TapeFormat.opus(OpusSettings())

  public init() {}

  public var plan: TrackPlan { TrackPlan(name: name, ending: format.ending) }
}

extension TrackSettings {
  /// The same with the channels and the rate of a stream.
  func adapted(to stream: StreamFormat) -> TrackSettings {
    var track = self
    if channels.isEmpty { track.channels = Array(0..<stream.channels) }
    track.format = format.adapted(rate: stream.rate, channels: track.channels.count)
    return track
  }

  /// Throws if the stream does not have its channels, or if the format cannot encode them.
  func validate(for stream: StreamFormat) throws(TapeError) {
    if let missing = channels.first(where: { !(0..<stream.channels).contains($0) }) {
      throw TapeError(
        .badSettings,
        "The track \(name) needs channel \(missing + 1), and the device has \(stream.channels).")
    }
    if let lowCutHertz, lowCutHertz <= 0 || 2 * lowCutHertz >= stream.rate {
      throw TapeError(
        .badSettings,
        "The low cut of the track \(name) must be below half of \(stream.rate) Hz.")
    }
    try adapted(to: stream).format.validate()
  }

  /// The filter of an adapted track.
  func filter(for stream: StreamFormat) -> TrackFilter {
    TrackFilter(
      channels: channels, of: stream.channels, float: stream.samples == .float,
      sampleRate: stream.rate, gainMillibels: gainMillibels, lowCutHertz: lowCutHertz)
  }

  /// The path of its file, if it is the track of that index, beside that of the first track.
  func path(_ index: Int, beside first: CardPath) -> CardPath {
    guard index > 0, let name = first.components.last else { return first }
    return CardPath(
      components: first.components.dropLast() + [
        FileName.track(index, of: name, ending: format.ending)
      ])
  }
}

/// Which track of a take a file holds.
struct TrackPlace: Equatable, Sendable {
  /// From 0.
  let index: Int
  let count: Int
  let plan: TrackPlan

  /// What the file's tags say of it; nil if nothing.
  var fact: TrackFact? { TrackFact(telling: index + 1, of: count, name: plan.name) }
}
