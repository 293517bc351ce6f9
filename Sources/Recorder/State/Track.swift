// The tracks of a take: each is a file of its own, with other channels of the device or the same in
// another format. All begin with the same frame of the device, and share gaps, marks and splits. A
// recording has the sound of its first track; here are the rest. Plain values.

/// A track that a take is to have: its name, and the ending of its file.
public struct TrackPlan: Equatable, Codable, Sendable {
  public let name: String
  public let ending: String

  /// The name of the only track of a take, unless the configuration says otherwise.
  public static let usualName = "main"
  public static let usual = TrackPlan(name: usualName, ending: FileName.ending)

  public init(name: String, ending: String) {
    self.name = name
    self.ending = ending
  }
}

/// A track of a recording beside the first.
public struct Track: Equatable, Codable, Sendable {
  public let plan: TrackPlan
  public var sound: Sound

  public init(_ plan: TrackPlan, sound: Sound = Sound()) {
    self.plan = plan
    self.sound = sound
  }
}

/// The tracks of a recording: the name of the first, and the others with their files.
public struct Tracks: Equatable, Codable, Sendable {
  /// The most tracks of a take.
  public static let most = 8

  public var firstName: String
  public var others: [Track]

  public init(firstName: String = TrackPlan.usualName, others: [Track] = []) {
    self.firstName = firstName
    self.others = others
  }

  /// The tracks of a new take; the first of the plans is that of its main file.
  public init(_ plans: [TrackPlan]) {
    firstName = plans.first?.name ?? TrackPlan.usualName
    others = plans.dropFirst().prefix(Self.most - 1).map { Track($0) }
  }

  public var isUsual: Bool { others.isEmpty && firstName == TrackPlan.usualName }
}

extension Recording {
  /// Its tracks, in a box: few recordings have more than one file, and a listing may have 10,000.
  indirect enum TrackBox: Equatable, Codable, Sendable {
    case usual
    case full(Tracks)
  }

  public var tracks: Tracks {
    get { if case .full(let tracks) = trackBox { tracks } else { Tracks() } }
    set { trackBox = newValue.isUsual ? .usual : .full(newValue) }
  }

  public func with(_ tracks: Tracks) -> Recording {
    var recording = self
    recording.tracks = tracks
    return recording
  }

  /// The names of its files within its folder, if the first is called `file`.
  public func fileNames(_ file: String) -> [String] {
    guard case .full(let tracks) = trackBox else { return [file] }
    return [file]
      + tracks.others.enumerated().map { index, track in
        FileName.track(index + 1, of: file, ending: track.plan.ending)
      }
  }

  /// The bytes of all its files.
  public var sizeBytes: Int64 {
    guard case .full(let tracks) = trackBox else { return sound.sizeBytes }
    return tracks.others.reduce(sound.sizeBytes) { $0.clampedAdding($1.sound.sizeBytes) }
  }
}
