// Makes the signal of a track out of a device's frames: picks channels, cuts low frequencies and
// applies a gain. The owning thread calls it; it allocates when it is made and never afterwards.
//
// The filter's state is kept from block to block, and over a gap: lost frames are silence in the
// file and do not pass through here. A microphone's offset is then filtered out behind the gap,
// too; a fresh filter would answer it with a thump.

import Glibc
import Realtime

/// Converts a device's frames to those of a track.
public struct TrackFilter: ~Copyable, Sendable {
  /// True if a track's frames are the device's: they are passed on without a copy.
  public let isIdentity: Bool

  private let channels: [Int]
  private let streamChannels: Int
  private let isFloat: Bool
  private let gain: Double
  /// One for each channel of the track; none without a low cut.
  private var lowCuts: [LowCut]
  /// Frames of the track; one byte if they are the device's.
  private let converted: Buffer<UInt8>
  private static let chunkFrames = 1_024

  /// - Parameters:
  ///   - channels: the channels of the stream that the track has, in its order, from 0.
  ///   - gainMillibels: hundredths of a decibel.
  ///   - lowCutHertz: below half the sample rate; nil for none.
  public init(
    channels: [Int], of streamChannels: Int, float: Bool, sampleRate: Int, gainMillibels: Int = 0,
    lowCutHertz: Int? = nil
  ) {
    precondition(
      !channels.isEmpty && channels.allSatisfy { 0..<streamChannels ~= $0 },
      "a track has channels of its stream")
    self.channels = channels
    self.streamChannels = streamChannels
    isFloat = float
    gain = pow(10, Double(gainMillibels) / 2_000)
    let lowCut = lowCutHertz.map { LowCut(hertz: $0, sampleRate: sampleRate) }
    lowCuts = lowCut.map { Array(repeating: $0, count: channels.count) } ?? []
    isIdentity =
      gainMillibels == 0 && lowCutHertz == nil && channels == Array(0..<streamChannels)
    let frameBytes = channels.count * (float ? 4 : 2)
    converted = Buffer(count: isIdentity ? 1 : Self.chunkFrames * frameBytes)
  }

  /// Passes the track's frames to `body`, in one or several pieces, which are valid during the call
  /// only.
  public mutating func apply<Failure: Error>(
    to frames: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if isIdentity { return try body(frames) }
    let frameBytes = streamChannels * (isFloat ? 4 : 2)
    precondition(frames.count % frameBytes == 0, "frames come whole")
    var rest = frames
    while !rest.isEmpty {
      let count = min(rest.count / frameBytes, Self.chunkFrames)
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<(count * frameBytes)])
      try body(convert(piece, frames: count))
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
    }
  }

  private mutating func convert(
    _ source: UnsafeRawBufferPointer, frames: Int
  ) -> UnsafeRawBufferPointer {
    let count = frames * channels.count
    if isFloat {
      convert(source.assumingMemoryBound(to: Float.self), into: converted.raw, frames: frames)
    } else {
      convert(source.assumingMemoryBound(to: Int16.self), into: converted.raw, frames: frames)
    }
    return UnsafeRawBufferPointer(rebasing: converted.raw[..<(count * (isFloat ? 4 : 2))])
  }

  private mutating func convert<S: TrackSample>(
    _ source: UnsafeBufferPointer<S>, into bytes: UnsafeMutableRawBufferPointer, frames: Int
  ) {
    let target = bytes.assumingMemoryBound(to: S.self)
    for place in channels.indices {
      let (channel, width) = (channels[place], channels.count)
      if lowCuts.isEmpty, gain == 1 {
        for frame in 0..<frames {
          target[frame * width + place] = source[frame * streamChannels + channel]
        }
      } else if lowCuts.isEmpty {
        for frame in 0..<frames {
          let sample = source[frame * streamChannels + channel].exact
          target[frame * width + place] = S(nearest: sample * gain)
        }
      } else {
        var lowCut = lowCuts[place]
        for frame in 0..<frames {
          let sample = lowCut.next(source[frame * streamChannels + channel].exact)
          target[frame * width + place] = S(nearest: sample * gain)
        }
        lowCut.settle()
        lowCuts[place] = lowCut
      }
    }
  }
}

/// A high-pass of the second order by Butterworth: the biquad of R. Bristow-Johnson's cookbook, in
/// transposed direct form II. In `Double`, since the poles of 20 Hz at 192 kHz lie closer to 1 than
/// a `Float` can tell.
private struct LowCut: Sendable {
  private let b0: Double
  private let b1: Double
  private let a1: Double
  private let a2: Double
  private var first = 0.0
  private var second = 0.0

  init(hertz: Int, sampleRate: Int) {
    precondition(hertz > 0 && 2 * hertz < sampleRate, "a low cut lies below half the rate")
    let angle = 2 * .pi * Double(hertz) / Double(sampleRate)
    let alpha = sin(angle) / (2 * 0.5.squareRoot())
    let whole = 1 + alpha
    b0 = (1 + cos(angle)) / 2 / whole
    b1 = -(1 + cos(angle)) / whole
    a1 = -2 * cos(angle) / whole
    a2 = (1 - alpha) / whole
  }

  mutating func next(_ input: Double) -> Double {
    let output = b0 * input + first
    first = b1 * input - a1 * output + second
    second = b0 * input - a2 * output
    return output
  }

  /// Clears a state that has faded, which some processors compute very slowly, or that a broken
  /// sample has blown up, which would last.
  mutating func settle() {
    if !(1e-30...1e30).contains(abs(first)) { first = 0 }
    if !(1e-30...1e30).contains(abs(second)) { second = 0 }
  }
}

/// A sample that can be computed with.
private protocol TrackSample: BitwiseCopyable {
  var exact: Double { get }
  init(nearest value: Double)
}

extension Int16: TrackSample {
  fileprivate var exact: Double { Double(self) }
  /// Saturates.
  fileprivate init(nearest value: Double) {
    self = Int16(Swift.max(-32_768, Swift.min(32_767, value.rounded())))
  }
}

extension Float: TrackSample {
  fileprivate var exact: Double { Double(self) }
  /// Keeps what is above full scale: the encoder limits it.
  fileprivate init(nearest value: Double) { self = Float(value) }
}
