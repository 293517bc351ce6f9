// Events from the sound path: devices that come and go, the course of a take, the player's
// position. Plain values, sent by threads that do not wait for an answer.

/// What happened in the sound room.
public enum SoundEvent: Equatable, Codable, Sendable {
  /// A device is present but not open.
  case found(CaptureInfo)
  case opened(CaptureInfo)
  /// An open device stopped delivering frames (false), or delivers them again.
  case delivers(Bool)
  case closed
  /// No device is present, or the device was lost. The reason is set if it helps the user.
  case lost(String?)
  case output(canPlay: Bool, whileRecording: Bool)
  case denied([String])
  /// The thousandths of a processor core that encoding a take needs: measured with noise when the
  /// first device was opened, then every ten seconds of a take.
  case encoding(permille: Int)
  /// The greeting before a take has ended; without an instant, it could not be played.
  case greeted(ItemID, at: Instant?)
  case take(ItemID, TakeEvent)
  case deck(cue: ItemID, DeckEvent)
}

/// What happened within a take.
public enum TakeEvent: Equatable, Codable, Sendable {
  /// The instant of the first frame, by the frame clock.
  case began(at: Instant, rate: Int)
  /// Sent about once a second. `behindMilliseconds` is the card's backlog; nil if it keeps up.
  case progress(frames: Int64, behindMilliseconds: Int64?)
  case gap(Gap)
  /// `track` names which, if there are several.
  case clipped(frames: Int64, track: String? = nil)
  case microphoneSeemsDead(Bool)
  /// The first silent channel of several, counted from 1; nil when none is silent any more.
  case channelSeemsDead(Int?, of: Int)
  case marked(Mark)
  case ended(TakeReport)
}

/// The sound path's report on a take, sent when its last page is written.
public struct TakeReport: Equatable, Codable, Sendable {
  /// That of the first track.
  public let sound: Sound
  public let integrity: Integrity
  public let tracks: Tracks

  public init(sound: Sound, integrity: Integrity, tracks: Tracks = Tracks()) {
    self.sound = sound
    self.integrity = integrity
    self.tracks = tracks
  }
}

/// What happened to what is loaded.
public enum DeckEvent: Equatable, Codable, Sendable {
  case playing(Anchor)
  case paused(frame: Int64)
  case reachedEnd
  case failed(String)
}
