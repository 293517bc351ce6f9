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
    /// The first channel.
    public var left = Channel()
    /// The second channel; the same as left if there is one.
    public var right = Channel()
    /// Whether all channels seem dead; and if only some do, the first of them, from 0.
    public var seemsDead = false
    public var deadChannel: Int?
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
  /// From the third channel on.
  private var others: [Tally]
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

    var seemsDead: Bool { stillSeconds >= Levels.deadAfterSeconds }

    mutating func read(frames: Int) -> Channel {
      defer { (peak, squares) = (0, 0) }
      let mean = frames > 0 ? squares / Double(frames) : 0
      return Channel(peak: peak, rms: Float(mean.squareRoot()), seemsDead: seemsDead)
    }
  }

  /// The mean costs more than all the rest: measure it only to show it.
  public init(channels: Int, sampleRate: Int, measuresMean: Bool = true) {
    precondition((1...8).contains(channels) && sampleRate > 0, "a meter has channels and a rate")
    self.channels = channels
    others = Array(repeating: Tally(), count: max(0, channels - 2))
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
      for index in others.indices { others[index].endSecond() }
    }
  }

  private mutating func addWithinSecond<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    let extremes = S.extremes(of: samples, channels: channels)
    var peak: Float = 0
    for channel in 0..<channels {
      let range = extremes.range(of: channel)
      peak = max(peak, -range.lowest, range.highest)
      switch channel {
      case 0: left.add(range)
      case 1: right.add(range)
      default: others[channel - 2].add(range)
      }
    }
    highestPeak = max(highestPeak, peak)
    if peak >= Self.clip { countClipped(samples) }
    if measuresMean { addSquares(samples) }
  }

  /// Full scale of 16 bits on either side.
  private static let clip: Float = 32_767 / 32_768

  private mutating func countClipped<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    for index in stride(from: 0, to: samples.count, by: channels) {
      let isClipped = (index..<index + channels).contains { abs(samples[$0].unit) >= Self.clip }
      if isClipped { clippedFrames += 1 }
    }
  }

  private mutating func addSquares<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    for index in stride(from: 0, to: samples.count, by: channels) {
      left.squares += Double(samples[index].unit * samples[index].unit)
      if channels == 1 { continue }
      let second = samples[index + 1].unit
      right.squares += Double(second * second)
    }
  }

  /// Returns a reading and begins the next one.
  public mutating func read() -> Reading {
    let first = left.read(frames: framesSinceLook)
    let second = channels > 1 ? right.read(frames: framesSinceLook) : first
    framesSinceLook = 0
    let dead = (0..<channels).first(where: seemsDead)
    let living = (0..<channels).first { !seemsDead($0) }
    return Reading(
      left: first, right: second, seemsDead: living == nil,
      deadChannel: living == nil ? nil : dead, clippedFrames: clippedFrames,
      highestPeak: highestPeak)
  }

  private func seemsDead(_ channel: Int) -> Bool {
    switch channel {
    case 0: left.seemsDead
    case 1: right.seemsDead
    default: others[channel - 2].seemsDead
    }
  }
}
