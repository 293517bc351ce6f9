// The state of the sound: the take (recording) and the deck (playing). Each is one enum, so that it
// is in one state only, and carries just the data of that state. They are separate because a device
// that can play while it records is allowed to.

/// The take and the deck.
public struct Transport: Equatable, Codable, Sendable {
  public internal(set) var take: Take = .none
  public internal(set) var deck: Deck = .empty
  /// The recording last played, and the frame where it stopped.
  public internal(set) var bookmark: Bookmark?
  var folderSearch: FolderSearch?
  /// The last refusal, while the record light shows it.
  public internal(set) var refusal: ShownRefusal?
}

/// The take, from the press to the file.
public enum Take: Equatable, Codable, Sendable {
  case none
  /// Pressed; the recording begins when the greeting is over, or at `until` at the latest.
  case greeting(TakePlan, until: Instant)
  /// Pressed, but something must be ready first. The time of the press is kept.
  case arming(TakePlan)
  case recording(RunningTake)
  /// The device was lost during the take; when it is back, the next part begins.
  case waitingForDevice(TakePlan, until: Instant)

  public var running: RunningTake? {
    if case .recording(let take) = self { take } else { nil }
  }
}

/// Everything about a take that is known before its first frame.
public struct TakePlan: Equatable, Codable, Sendable {
  public let id: ItemID
  public let folder: ItemID
  /// The instant of the request: that of the button's edge.
  public let pressed: Instant
  public let prerollMilliseconds: Int64
  public let continues: ItemID?
  public let part: Int
  /// The title of the whole take, if it was given one.
  public let title: String?
  /// Whether consoles ask for a name when it ends.
  public internal(set) var asksForName = true

  /// The same plan, to begin at `now` without a pre-roll.
  func now(_ now: Instant) -> TakePlan {
    TakePlan(
      id: id, folder: folder, pressed: now, prerollMilliseconds: 0, continues: continues,
      part: part, title: title, asksForName: asksForName)
  }
}

/// A take that the sound path is recording.
public struct RunningTake: Equatable, Codable, Sendable {
  public let request: TakePlan
  public internal(set) var start: Start
  /// Frames so far, from the last progress event.
  public internal(set) var frames: Int64 = 0
  public internal(set) var rate: Int
  public internal(set) var lostFrames: Int64 = 0
  /// Of the track that clipped most.
  public internal(set) var clippedFrames: Int64 = 0
  /// The tracks that clipped, if there are several.
  public internal(set) var clippedTracks: [String] = []
  public internal(set) var microphoneSeemsDead = false
  /// The first silent channel of several, counted from 1.
  public internal(set) var deadChannel: Int?

  public var id: ItemID { request.id }

  /// The plan for the part that goes on from this one.
  func nextPart(_ id: ItemID, at pressed: Instant) -> TakePlan {
    TakePlan(
      id: id, folder: request.folder, pressed: pressed, prerollMilliseconds: 0,
      continues: self.id, part: request.part + 1, title: request.title,
      asksForName: request.asksForName)
  }

  public enum Start: Equatable, Codable, Sendable {
    /// Estimated from the plan; the first frame is not known yet.
    case expected(Instant)
    /// The time of its first frame by the frame clock.
    case at(Instant)

    public var instant: Instant {
      switch self {
      case .expected(let instant), .at(let instant): instant
      }
    }
  }
}

/// What is loaded to be played.
public enum Deck: Equatable, Codable, Sendable {
  case empty
  case loading(Cue, startsPaused: Bool)
  case playing(Cue, Anchor)
  case paused(Cue, frame: Int64)

  public var cue: Cue? {
    switch self {
    case .empty: nil
    case .loading(let cue, _), .playing(let cue, _), .paused(let cue, _): cue
    }
  }
}

/// A recording to be played. Each load has a new id, so that late events of an earlier one are
/// ignored.
public struct Cue: Equatable, Codable, Sendable {
  public let id: ItemID
  public let item: ItemID
  public let startFrame: Int64
  public let lengthFrames: Int64
  public let rate: Int
  /// Which recording follows it.
  let followedBy: Follower

  enum Follower: Equatable, Codable, Sendable {
    /// The next one in the folder's order.
    case next
    /// The oldest one that has not been heard: it was chosen as such itself.
    case nextUnheard
  }

  public init(id: ItemID, item: ItemID, startFrame: Int64, lengthFrames: Int64, rate: Int) {
    self.init(
      id: id, item: item, startFrame: startFrame, lengthFrames: lengthFrames, rate: rate,
      followedBy: .next)
  }

  init(
    id: ItemID, item: ItemID, startFrame: Int64, lengthFrames: Int64, rate: Int,
    followedBy: Follower
  ) {
    self.followedBy = followedBy
    self.id = id
    self.item = item
    self.startFrame = startFrame
    self.lengthFrames = lengthFrames
    self.rate = rate
  }
}

/// A frame and the instant it is heard; the position at any other instant follows from it.
public struct Anchor: Equatable, Codable, Sendable {
  public let frame: Int64
  public let instant: Instant

  public init(frame: Int64, instant: Instant) {
    self.frame = frame
    self.instant = instant
  }
}

extension Deck {
  var isPaused: Bool {
    switch self {
    case .paused, .loading(_, startsPaused: true): true
    case .playing, .loading, .empty: false
    }
  }

  /// Returns the frame that is heard at an instant.
  public func frame(at now: Instant) -> Int64 {
    switch self {
    case .empty: return 0
    case .loading(let cue, _): return cue.startFrame
    case .paused(_, let frame): return frame
    case .playing(let cue, let anchor):
      let milliseconds = max(0, now.milliseconds(since: anchor.instant))
      let played = Frames.count(milliseconds: milliseconds, rate: cue.rate)
      return min(max(anchor.frame.clampedAdding(played), 0), cue.lengthFrames)
    }
  }
}

/// Where a recording was left.
public struct Bookmark: Equatable, Codable, Sendable {
  public let item: ItemID
  public let frame: Int64
}

/// A refusal that the record light shows.
public struct ShownRefusal: Equatable, Codable, Sendable {
  public let refusal: Refusal
  public let until: Instant
}
