// The outline of a recording: for each point, the largest sample and the power of the samples up to
// the next. The reader of the sound adds it in blocks; adding allocates nothing, and the block size
// does not change the outline. Belongs to one thread.

import Glibc

/// The largest sample and the power at each point of a recording.
public struct Outline: Sendable {
  public let channels: Int
  /// The recording's claimed length. Frames beyond it go to the last point.
  public let frames: Int64
  public private(set) var addedFrames: Int64 = 0

  private var peaks: [Int]
  private var squares: [Double]
  private var counts: [Int]
  private var point = 0

  /// Has no more points than frames, but always one.
  public init(frames: Int64, channels: Int, points: Int) {
    precondition(channels > 0 && points > 0, "an outline has channels and points")
    self.frames = max(0, frames)
    self.channels = channels
    let count = Int(clamping: max(1, min(Int64(points), frames)))
    (peaks, counts) = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
    squares = [Double](repeating: 0, count: count)
  }

  public mutating func add(_ samples: UnsafeBufferPointer<Int16>) {
    precondition(samples.count % channels == 0, "frames come whole")
    var rest = samples
    while !rest.isEmpty {
      while addedFrames >= end(of: point) { point += 1 }
      let frames = Int(min(Int64(rest.count / channels), end(of: point) - addedFrames))
      add(UnsafeBufferPointer(rebasing: rest[..<(frames * channels)]), to: point)
      addedFrames += Int64(frames)
      rest = UnsafeBufferPointer(rebasing: rest[(frames * channels)...])
    }
  }

  private mutating func add(_ samples: UnsafeBufferPointer<Int16>, to point: Int) {
    var peak: Int32 = 0
    var sum: UInt64 = 0
    for sample in samples {
      let value = Int32(sample)
      peak = max(peak, abs(value))
      sum &+= UInt64(truncatingIfNeeded: value &* value)
    }
    peaks[point] = max(peaks[point], min(Int(peak), Int(Int16.max)))
    squares[point] += Double(sum)
    counts[point] += samples.count
  }

  /// The first frame of the next point.
  private func end(of point: Int) -> Int64 {
    if point == peaks.count - 1 { return .max }
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: Int64(peaks.count))
    let next = Int64(point) + 1
    return whole * next + rest * next / Int64(peaks.count)
  }

  /// The largest sample of each point, from 0 to 32767.
  public var largest: [Int] { peaks }

  /// The root mean square of each point, from 0 to 32767.
  public var effective: [Int] {
    zip(squares, counts).map { sum, count in
      count == 0 ? 0 : min(Int((sum / Double(count)).squareRoot().rounded()), Int(Int16.max))
    }
  }
}
