// Sound on its way to a file of another rate: whatever it is made of, it is one stream for the
// resampler, so that no part of a take begins with a seam. Its owner's thread calls it; memory is
// fixed once it is made. The end must be asked for: the resampler holds the last frames back.

import Realtime

final class RateConversion {
  typealias Sink = (UnsafeBufferPointer<Float>) throws(TapeError) -> Void

  private let resampler: Resampler
  private let channels: Int
  private let rates: (from: Int, to: Int)
  private let output: Buffer<Float>
  /// Frames at the one rate and at the other.
  private var (taken, made): (Int64, Int64) = (0, 0)

  private static let blockFrames = 4_096

  init(channels: Int, from: Int, to: Int) throws(TapeError) {
    resampler = try Resampler.open(channels: channels, from: from, to: to, quality: .listening)
    self.channels = channels
    rates = (from, to)
    output = Buffer(count: Self.blockFrames * channels)
  }

  func convert(_ samples: UnsafeBufferPointer<Float>, to sink: Sink) throws(TapeError) {
    taken += Int64(samples.count / channels)
    try pass(samples, atMost: .max, to: sink)
  }

  /// Converts silence until there is as much sound as was given.
  func finish(to sink: Sink) throws(TapeError) {
    let silence = Buffer<Float>(count: Self.blockFrames * channels)
    let whole = scaled(taken, from: rates.from, to: rates.to)
    while made < whole { try pass(UnsafeBufferPointer(silence.all), atMost: whole, to: sink) }
  }

  private func pass(
    _ samples: UnsafeBufferPointer<Float>, atMost whole: Int64, to sink: Sink
  ) throws(TapeError) {
    var rest = samples
    while let start = rest.baseAddress, !rest.isEmpty, made < whole {
      let capacity = Int(min(Int64(Self.blockFrames), whole - made))
      let done = resampler.convert(
        start, frames: rest.count / channels, into: output.start, capacity: capacity)
      precondition(done.taken > 0 || done.made > 0, "a resampler gets on")
      made += Int64(done.made)
      try sink(UnsafeBufferPointer(output.slice(0..<done.made * channels)))
      rest = UnsafeBufferPointer(rebasing: rest[(done.taken * channels)...])
    }
  }
}
