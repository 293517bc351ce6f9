// What the sound path asks of a sound device, real or virtual. A device waits and reads, or waits
// and writes; whatever else it does, it does before its stream is started. The stream belongs to
// one realtime thread: after the start it may not allocate, lock, log or throw. What it has to say
// fits into plain values.

/// A stream as it was opened. Frames are interleaved.
public struct StreamFormat: Equatable, Sendable {
  public let rate: Int
  public let channels: Int
  public let samples: Samples
  /// How many frames a wait usually brings.
  public let periodFrames: Int

  /// What a sample is once the device has converted it: 16 bits stay 16 bits, all else is float.
  public enum Samples: Sendable { case int16, float }

  public init(rate: Int, channels: Int, samples: Samples, periodFrames: Int) {
    self.rate = rate
    self.channels = channels
    self.samples = samples
    self.periodFrames = periodFrames
  }

  public var frameBytes: Int { channels * (samples == .int16 ? 2 : 4) }
}

/// What one wait for the microphone brought.
public enum Arrival: Equatable, Sendable {
  /// Frames, and when the first of them was heard, by CLOCK_MONOTONIC. `isBehind`: the device holds
  /// so much more that this block's lateness says nothing about lost time.
  case frames(Int, firstAtNanoseconds: Int64, isBehind: Bool)
  /// Nothing came in the time a wait may take.
  case nothing
  /// Frames were lost and the stream was started again. How many follows from the next block's
  /// time.
  case restarted(Loss)
  /// The device is no longer there, or cannot be made to go on.
  case gone(errno: Int32)

  public enum Loss: UInt8, Sendable { case overrun, suspended, stalled }
}

/// A microphone that is open and running.
public protocol CaptureStream: ~Copyable, Sendable {
  var format: StreamFormat { get }

  /// Waits for frames, at most half a second, and copies no more than fit.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival
}

/// What became of frames for the speaker.
public enum Departure: Equatable, Sendable {
  /// So many were taken; the first of them will be heard at that time of CLOCK_MONOTONIC.
  case taken(Int, heardAtNanoseconds: Int64)
  case nothing
  case restarted
  case gone(errno: Int32)
}

/// A speaker that is open and running.
public protocol PlaybackStream: ~Copyable, Sendable {
  var format: StreamFormat { get }

  /// Waits for room, at most half a second, and takes what fits.
  mutating func write(from source: UnsafeRawBufferPointer) -> Departure

  /// Forgets what was not heard yet, for a pause or a seek.
  mutating func drop()

  /// Lets what was taken be heard to its end.
  mutating func drain()
}
