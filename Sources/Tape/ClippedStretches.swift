// Finds where a track clips, and keeps the places in a list that is bounded. The thread that
// examines a recording calls it; memory does not grow with the recording's length.
//
// What counts as clipped follows the recorder's own meter (`Levels`): a sample at full scale of 16
// bits, on either side. Without loss one such sample is enough, since a converter has no higher
// value to give, and a sample that was not clipped loses next to nothing by being replaced. A codec
// with loss does not keep the flat top of a clipped wave: it decodes as a ripple about full scale,
// and the peaks of sound that was not clipped overshoot for a sample or two. There, three samples
// in a row above -0.2 dBFS count.

/// What counts as clipped.
struct ClippingRule: Equatable, Sendable {
  /// From this on, on either side, a sample may be clipped.
  let level: Float
  /// So many of them in a row are clipped.
  let leastFrames: Int

  static let lossless = ClippingRule(level: 32_767 / 32_768, leastFrames: 1)
  /// -0.2 dBFS.
  static let lossy = ClippingRule(level: 0.977, leastFrames: 3)
}

/// A part of a recording that is replaced in some of its channels.
struct ClippedStretch: Equatable, Sendable {
  /// From the first clipped frame to behind the last.
  var frames: Range<Int64>
  /// A bit for each channel that is replaced, the lowest for the first.
  var channels: UInt8
  /// The safety track clips in it, too.
  var isSafetyClipped = false

  /// The frames between the end of another stretch and the beginning of this one.
  func gap(after other: ClippedStretch) -> Int64 {
    frames.lowerBound - other.frames.upperBound
  }

  mutating func formUnion(_ other: ClippedStretch) {
    frames =
      min(
        frames.lowerBound, other.frames.lowerBound)..<max(
        frames.upperBound, other.frames.upperBound)
    channels |= other.channels
    isSafetyClipped = isSafetyClipped || other.isSafetyClipped
  }
}

/// Stretches in order, none of which touches another's fades.
struct ClippedStretches: Sendable {
  private(set) var all: [ClippedStretch] = []
  /// Stretches that are nearer to each other are one.
  let nearestFrames: Int64
  private let most: Int

  /// - Parameters:
  ///   - nearestFrames: at least the length of two fades.
  ///   - most: if there are more, neighbours are joined; what lies between them is replaced, too.
  init(nearestFrames: Int64, most: Int) {
    precondition(nearestFrames > 0 && most > 1, "a list of stretches has limits")
    (self.nearestFrames, self.most) = (nearestFrames, most)
  }

  /// Adds a stretch that ends no earlier than those before.
  mutating func add(_ stretch: ClippedStretch) {
    var stretch = stretch
    while let last = all.last, stretch.gap(after: last) < nearestFrames {
      stretch.formUnion(last)
      all.removeLast()
    }
    all.append(stretch)
    if all.count > most { joinNeighbours() }
  }

  /// Joins pairs of neighbours, those that are nearer to each other than most: a quarter of all
  /// stretches and more is gone then. Never three at once, so that no stretch swallows all others.
  private mutating func joinNeighbours() {
    let gaps = zip(all, all.dropFirst()).map { $1.gap(after: $0) }
    let median = gaps.sorted()[gaps.count / 2]
    var joined: [ClippedStretch] = []
    joined.reserveCapacity(most + 1)
    var isPair = true
    for stretch in all {
      if !isPair, let last = joined.last, stretch.gap(after: last) <= median {
        joined[joined.count - 1].formUnion(stretch)
        isPair = true
      } else {
        joined.append(stretch)
        isPair = false
      }
    }
    all = joined
  }
}

/// Finds clipped stretches in blocks of a main track, beside which are those of its safety track.
struct ClippingFinder: Sendable {
  private(set) var stretches: ClippedStretches
  /// The highest sample of the main track.
  private(set) var mainPeak: Float = 0
  private(set) var channels: [Channel]
  private let rule: ClippingRule
  private let safetyRule: ClippingRule
  private var position: Int64 = 0

  /// What is known of one channel.
  struct Channel: Sendable {
    /// The extremes of the safety track in this channel's stretches.
    fileprivate(set) var lowest: Float = 0
    fileprivate(set) var highest: Float = 0
    /// The highest sample of the safety track.
    fileprivate(set) var safetyPeak: Float = 0
    // Extremes since the last stretch, which count if another one follows near to it.
    fileprivate var lowestSince: Float = 0
    fileprivate var highestSince: Float = 0
    fileprivate var runFrames: Int64 = 0
    fileprivate var safetyRunFrames = 0
    fileprivate var isSafetyClipped = false
    fileprivate var lastEnd: Int64 = -1 << 40
  }

  init(
    channels: Int, rule: ClippingRule, safetyRule: ClippingRule, stretches: ClippedStretches
  ) {
    self.channels = Array(repeating: Channel(), count: channels)
    (self.rule, self.safetyRule, self.stretches) = (rule, safetyRule, stretches)
  }

  /// Adds interleaved frames of both tracks.
  mutating func add(
    _ main: UnsafePointer<Float>, _ safety: UnsafePointer<Float>, frames: Int
  ) {
    for index in channels.indices {
      let peak = Self.peak(main + index, frames, stride: channels.count)
      mainPeak = max(mainPeak, peak)
      let safetyPeak = Self.peak(safety + index, frames, stride: channels.count)
      channels[index].safetyPeak = max(channels[index].safetyPeak, safetyPeak)
      let isNear = position - channels[index].lastEnd < stretches.nearestFrames
      if peak >= rule.level || channels[index].runFrames > 0 || isNear {
        scan(index, main + index, safety + index, frames)
      }
    }
    position += Int64(frames)
  }

  /// Ends a stretch that reaches to the end of the sound.
  mutating func finish() {
    for index in channels.indices { endRun(index, at: position) }
  }

  private static func peak(_ samples: UnsafePointer<Float>, _ frames: Int, stride: Int) -> Float {
    var peak: Float = 0
    for frame in 0..<frames {
      let height = abs(samples[frame &* stride])
      peak = height > peak ? height : peak
    }
    return peak
  }

  private mutating func scan(
    _ index: Int, _ main: UnsafePointer<Float>, _ safety: UnsafePointer<Float>, _ frames: Int
  ) {
    let stride = channels.count
    for frame in 0..<frames {
      let place = position + Int64(frame)
      if abs(main[frame * stride]) >= rule.level {
        if channels[index].runFrames == 0 { beginRun(index, at: place) }
        channels[index].runFrames += 1
        noteSafety(index, safety[frame * stride])
        if channels[index].runFrames >= rule.leastFrames { channels[index].keepExtremes() }
      } else {
        endRun(index, at: place)
        channels[index].widenSince(safety[frame * stride])
      }
    }
  }

  private mutating func beginRun(_ index: Int, at place: Int64) {
    if place - channels[index].lastEnd >= stretches.nearestFrames {
      (channels[index].lowestSince, channels[index].highestSince) = (0, 0)
    }
    (channels[index].safetyRunFrames, channels[index].isSafetyClipped) = (0, false)
  }

  private mutating func noteSafety(_ index: Int, _ sample: Float) {
    channels[index].widenSince(sample)
    let isHigh = abs(sample) >= safetyRule.level
    channels[index].safetyRunFrames = isHigh ? channels[index].safetyRunFrames + 1 : 0
    if channels[index].safetyRunFrames >= safetyRule.leastFrames {
      channels[index].isSafetyClipped = true
    }
  }

  private mutating func endRun(_ index: Int, at place: Int64) {
    let frames = channels[index].runFrames
    channels[index].runFrames = 0
    guard frames >= rule.leastFrames else { return }
    channels[index].lastEnd = place
    stretches.add(
      ClippedStretch(
        frames: place - frames..<place, channels: 1 << index,
        isSafetyClipped: channels[index].isSafetyClipped))
  }
}

extension ClippingFinder.Channel {
  fileprivate mutating func widenSince(_ sample: Float) {
    lowestSince = min(lowestSince, sample)
    highestSince = max(highestSince, sample)
  }

  fileprivate mutating func keepExtremes() {
    lowest = min(lowest, lowestSince)
    highest = max(highest, highestSince)
  }
}
