// Maps the channels of a sound to those of a speaker or of a file that has fewer or more. Pure.

/// Maps interleaved frames of some channels to frames of others.
public struct ChannelMix: Equatable, Sendable {
  public let from: Int
  public let to: Int

  public init(from: Int, to: Int) {
    precondition(from > 0 && to > 0, "sound has channels")
    (self.from, self.to) = (from, to)
  }

  /// Each channel becomes the mean of those that fall to it; to more channels, they are repeated.
  public func apply(
    to frames: Int, of source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<frames {
      for channel in 0..<to {
        var sum: Float = 0
        var count: Float = 0
        for place in stride(from: channel % from, to: from, by: to) {
          sum += source[frame * from + place]
          count += 1
        }
        let mean = sum / count
        target[frame * to + channel] = mean.isFinite ? mean : 0
      }
    }
  }
}
