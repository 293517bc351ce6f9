// The values of a level meter: peak and root mean square since the last reading, frames that
// clipped, and whether a microphone seems dead. The owning thread adds blocks; it allocates
// nothing.

/// Measures peaks, clipping and silence.
public struct Levels: Sendable {
  public struct Channel: Equatable, Sendable {
    /// Highest sample since the last reading, 1 being full scale.
    public fileprivate(set) var peak: Float = 0
    /// Root mean square since the last reading; 0 if it is not measured.
    public fileprivate(set) var rms: Float = 0
    /// The samples of the last seconds differ no more than a converter's noise: nothing is plugged
    /// in, or it is switched off.
    public fileprivate(set) var seemsDead = false
  }

  /// What was measured since the last reading.
  public struct Reading: Equatable, Sendable {
    public var left = Channel()
    /// The same as left if there is one channel.
    public var right = Channel()
    /// In the whole recording: frames with a sample at full scale, and the highest sample.
    public var clippedFrames: Int64 = 0
    public var highestPeak: Float = 0
  }

  /// A microphone that hears nothing for this long seems dead.
  static let deadAfterSeconds = 5
  /// A live microphone varies by more than four steps of 16 bits in a second.
  static let stillRange: Float = 4 / 32_768

  private let channels: Int
  private let sampleRate: Int
  private let measuresMean: Bool
  private var left = Tally()
  private var right = Tally()
  private var framesSinceLook = 0
  private var framesInSecond = 0
  private var clippedFrames: Int64 = 0
  private var highestPeak: Float = 0

  private struct Tally: Sendable {
    var peak: Float = 0
    var squares = 0.0
    var lowest = Float.infinity
    var highest = -Float.infinity
    var stillSeconds = 0

    mutating func add(_ range: (lowest: Float, highest: Float)) {
      peak = max(peak, -range.lowest, range.highest)
      lowest = min(lowest, range.lowest)
      highest = max(highest, range.highest)
    }

    mutating func endSecond() {
      stillSeconds = highest - lowest <= Levels.stillRange ? stillSeconds + 1 : 0
      (lowest, highest) = (.infinity, -.infinity)
    }

    mutating func read(frames: Int) -> Channel {
      defer { (peak, squares) = (0, 0) }
      let mean = frames > 0 ? squares / Double(frames) : 0
      return Channel(
        peak: peak, rms: Float(mean.squareRoot()),
        seemsDead: stillSeconds >= Levels.deadAfterSeconds)
    }
  }

  /// The mean costs more than all the rest: measure it only to show it.
  public init(channels: Int, sampleRate: Int, measuresMean: Bool = true) {
    precondition((1...2).contains(channels) && sampleRate > 0, "a meter has channels and a rate")
    self.channels = channels
    self.sampleRate = sampleRate
    self.measuresMean = measuresMean
  }

  public mutating func add(_ samples: UnsafeBufferPointer<Int16>) { addAny(samples) }
  public mutating func add(_ samples: UnsafeBufferPointer<Float>) { addAny(samples) }

  private mutating func addAny<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    precondition(samples.count % channels == 0, "frames come whole")
    var rest = samples
    while !rest.isEmpty {
      let frames = min(rest.count / channels, sampleRate - framesInSecond)
      addWithinSecond(UnsafeBufferPointer(rebasing: rest[..<(frames * channels)]))
      rest = UnsafeBufferPointer(rebasing: rest[(frames * channels)...])
      framesSinceLook += frames
      framesInSecond += frames
      if framesInSecond < sampleRate { continue }
      framesInSecond = 0
      left.endSecond()
      right.endSecond()
    }
  }

  private mutating func addWithinSecond<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    let peak: Float
    if channels == 2 {
      let ranges = samples.ranges
      left.add(ranges.even)
      right.add(ranges.odd)
      peak = max(-ranges.even.lowest, ranges.even.highest, -ranges.odd.lowest, ranges.odd.highest)
    } else {
      let range = samples.range
      left.add(range)
      peak = max(-range.lowest, range.highest)
    }
    highestPeak = max(highestPeak, peak)
    if peak >= Self.clip { countClipped(samples) }
    if measuresMean { addSquares(samples) }
  }

  /// Full scale of 16 bits on either side.
  private static let clip: Float = 32_767 / 32_768

  private mutating func countClipped<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    for index in stride(from: 0, to: samples.count, by: channels) {
      let peak = max(abs(samples[index].unit), abs(samples[index + channels - 1].unit))
      if peak >= Self.clip { clippedFrames += 1 }
    }
  }

  private mutating func addSquares<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    for index in stride(from: 0, to: samples.count, by: channels) {
      left.squares += Double(samples[index].unit * samples[index].unit)
      let last = samples[index + channels - 1].unit
      if channels == 2 { right.squares += Double(last * last) }
    }
  }

  /// Returns a reading and begins the next one.
  public mutating func read() -> Reading {
    let first = left.read(frames: framesSinceLook)
    let second = channels == 2 ? right.read(frames: framesSinceLook) : first
    framesSinceLook = 0
    return Reading(
      left: first, right: second, clippedFrames: clippedFrames, highestPeak: highestPeak)
  }
}

extension UnsafeBufferPointer where Element: Sample {
  typealias Extent = (lowest: Float, highest: Float)

  /// The lowest and the highest sample. It runs on every sample of every recording, so this and the
  /// next are written so that compilers vectorise them.
  fileprivate var range: Extent {
    guard let first else { return (0, 0) }
    var (lowest, highest) = (first, first)
    for sample in self {
      lowest = sample < lowest ? sample : lowest
      highest = sample > highest ? sample : highest
    }
    return (lowest.unit, highest.unit)
  }

  /// Like `range`, for even and for odd samples, which come in pairs.
  fileprivate var ranges: (even: Extent, odd: Extent) {
    guard let start = baseAddress, count > 1 else { return ((0, 0), (0, 0)) }
    var even = (lowest: start[0], highest: start[0])
    var odd = (lowest: start[1], highest: start[1])
    for pair in Element.widen(&even, &odd, self)..<count / 2 {
      let (one, other) = (start[2 &* pair], start[2 &* pair &+ 1])
      even = (one < even.lowest ? one : even.lowest, one > even.highest ? one : even.highest)
      odd = (other < odd.lowest ? other : odd.lowest, other > odd.highest ? other : odd.highest)
    }
    return ((even.lowest.unit, even.highest.unit), (odd.lowest.unit, odd.highest.unit))
  }
}
