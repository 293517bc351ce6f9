// Sound as it is heard now, on its way from the room that has a microphone to the room that has
// clients, which do not know each other. A value, for ordinary threads.

/// A piece of sound of one channel.
public struct LiveBlock: Equatable, Sendable {
  /// Its first frame, counted from the opening of the microphone.
  public let firstFrame: Int64
  /// When that frame was heard, by the monotonic clock.
  public let nanoseconds: Int64
  public let samples: [Int16]

  public init(firstFrame: Int64, nanoseconds: Int64, samples: [Int16]) {
    (self.firstFrame, self.nanoseconds) = (firstFrame, nanoseconds)
    self.samples = samples
  }
}
