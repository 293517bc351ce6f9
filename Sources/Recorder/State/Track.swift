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

  /// Returns a track's name as it is kept: one line of text, not empty. Nil if it is none.
  public static func name(_ text: String) -> String? {
    let name = Text.cleaned(text, keepingLines: false)
    return name.isEmpty || name.utf8.count > limitBytes ? nil : name
  }

  /// The most bytes of a name.
  public static let limitBytes = 60

  /// Whether it may name a file.
  public var isBelievable: Bool {
    Self.name(name) == name && FileName.takeEndings.contains(ending)
  }
}

/// A track of a recording beside the first.
public struct Track: Equatable, Codable, Sendable {
  /// From 2: it stays when another track's file is lost.
  public let number: Int
  public let plan: TrackPlan
  public var sound: Sound

  public init(_ number: Int, _ plan: TrackPlan, sound: Sound = Sound()) {
    self.number = number
    self.plan = plan
    self.sound = sound
  }
}

extension Track {
  /// Whether it may be in an index: its name and number lead to no other file.
  public var isBelievable: Bool { plan.isBelievable && (2...Tracks.most).contains(number) }

  /// The name of its file, if that of the first track is `first`.
  public func fileName(besides first: String) -> String {
    FileName.track(number - 1, of: first, ending: plan.ending)
  }
}

/// The tracks of a recording: the name of the first, and the others with their files.
public struct Tracks: Equatable, Codable, Sendable {
  /// The most tracks of a take, and the most channels of all of them.
  public static let most = 8
  public static let mostChannels = 8

  /// A track of this name repairs what is clipped in another.
  public static let safetyName = "safety"

  public var firstName: String
  public var others: [Track]

  public init(firstName: String = TrackPlan.usualName, others: [Track] = []) {
    self.firstName = firstName
    self.others = others
  }

  /// The tracks of a new take; the first of the plans is that of its main file.
  public init(_ plans: [TrackPlan]) {
    firstName = plans.first?.name ?? TrackPlan.usualName
    others = plans.prefix(Self.most).enumerated().dropFirst().map { Track($0 + 1, $1) }
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

  public consuming func with(_ tracks: Tracks) -> Recording {
    var recording = self
    recording.tracks = tracks
    return recording
  }

  /// The number of the track called so; without a name, of the first. Nil if there is none.
  public func trackNumber(named name: String?) -> Int? {
    guard let name, name != tracks.firstName else { return 1 }
    return tracks.others.first { $0.plan.name == name }?.number
  }

  /// The sound of the track of that number; of the first if there is none.
  public func sound(ofTrack number: Int) -> Sound {
    tracks.others.first { $0.number == number }?.sound ?? sound
  }

  /// The sound of the track called so; of the first if there is none.
  func sound(ofTrackNamed name: String?) -> Sound {
    sound(ofTrack: trackNumber(named: name) ?? 1)
  }

  /// The names of its files within its folder, if the first is called `file`.
  public func fileNames(_ file: String) -> [String] {
    guard case .full(let tracks) = trackBox else { return [file] }
    return [file] + tracks.others.map { $0.fileName(besides: file) }
  }

  /// The bytes of all its files.
  public var sizeBytes: Int64 {
    guard case .full(let tracks) = trackBox else { return sound.sizeBytes }
    return tracks.others.reduce(sound.sizeBytes) { $0.clampedAdding($1.sound.sizeBytes) }
  }
}
