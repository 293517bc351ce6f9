// News from the sound path: devices that come and go, what happens within a take, how far playing
// is. Plain values, told by threads that do not wait for an answer.

public enum SoundEvent: Equatable, Codable, Sendable {
  /// A device is there, and is not open.
  case found(CaptureInfo)
  case opened(CaptureInfo)
  case closed
  /// No device, or no longer; why, when somebody could be helped by it.
  case lost(String?)
  case output(canPlay: Bool, whileRecording: Bool)
  case denied([String])
  /// The greeting before a take has been heard to its end; without a time, it cannot be.
  case greeted(ItemID, at: Instant?)
  case take(ItemID, TakeEvent)
  case deck(cue: ItemID, DeckEvent)
}

public enum TakeEvent: Equatable, Codable, Sendable {
  /// The first frame, by the frame clock.
  case began(at: Instant, rate: Int)
  /// How far it is, about once a second; and how far the card is behind, if it is.
  case progress(frames: Int64, behindMilliseconds: Int64?)
  case gap(Gap)
  case clipped(frames: Int64)
  case microphoneSeemsDead(Bool)
  case marked(Mark)
  case ended(TakeReport)
}

/// What the sound path has to say of a take when its last page is written.
public struct TakeReport: Equatable, Codable, Sendable {
  public let sound: Sound
  public let integrity: Integrity

  public init(sound: Sound, integrity: Integrity) {
    self.sound = sound
    self.integrity = integrity
  }
}

public enum DeckEvent: Equatable, Codable, Sendable {
  case playing(Anchor)
  case paused(frame: Int64)
  case reachedEnd
  case failed(String)
}
