// The interface of a sound device, real or virtual. A device waits and reads, or waits and writes;
// everything else happens before its stream is started. The stream belongs to one realtime thread:
// after the start it may not allocate, lock, log or throw. It reports in plain values.

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

  /// How many frames one wait brings at most: four periods.
  public var mostFrames: Int { periodFrames * 4 }

  /// How many frames to wait for, if that many are wanted: whole periods, since a device wakes its
  /// reader at the end of one.
  func waitFrames(wanted: Int, atMost most: Int) -> Int {
    let periods = (wanted &+ periodFrames &- 1) / periodFrames
    return max(1, min(periods, most / periodFrames)) &* periodFrames
  }
}

/// The result of one wait for the microphone.
public enum Arrival: Equatable, Sendable {
  /// Frames, and when the first of them was heard, by CLOCK_MONOTONIC. `isBehind`: the device holds
  /// so many more frames that a late block does not mean lost time.
  case frames(Int, firstAtNanoseconds: Int64, isBehind: Bool)
  /// Nothing came before the wait timed out.
  case nothing
  /// Frames were lost and the stream was restarted. The next block's time tells how many.
  case restarted(Loss)
  /// The device is gone, or cannot be restarted.
  case gone(errno: Int32)

  /// Why frames were lost.
  public enum Loss: UInt8, Sendable { case overrun, suspended, stalled }
}

/// A microphone that is open and running.
public protocol CaptureStream: ~Copyable, Sendable {
  var format: StreamFormat { get }

  /// Waits for frames, at most half a second, and copies no more than fit.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival

  /// From now on a wait may go on until that many frames are there. It may end earlier.
  mutating func allowWait(frames: Int)
}

extension CaptureStream where Self: ~Copyable {
  public mutating func allowWait(frames: Int) {}
}

/// The result of one write to the speaker.
public enum Departure: Equatable, Sendable {
  /// How many frames were taken, and when the first of them will be heard, by CLOCK_MONOTONIC.
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

  /// Discards the frames that were not heard yet, for a pause or a seek.
  mutating func drop()

  /// Waits until the frames taken so far have been heard.
  mutating func drain()
}
