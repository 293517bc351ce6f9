// The loudness of a whole recording by EBU R 128. The owning thread adds blocks; memory does not
// grow with length. libebur128, with which the tests compare it, costs a sixth of what encoding
// does: this costs a hundredth, by working on 1.6 s at a time.
//
// All channels have the same weight: they are a recorder's inputs, not the places of a surround
// sound.

import Realtime

/// Measures loudness.
public struct Loudness: ~Copyable, Sendable {
  private let weighting: KWeighting
  private let channels: Int
  /// Frames in a tenth of a second. A gating block is four tenths, and one begins at each.
  private let stretch: Int
  private let leadIn: Int
  /// The lead-in and sixteen stretches.
  private let samples: Buffer<Int16>
  private let energies = Buffer<Float>(count: 16)
  private var filled: Int
  private var gate = LoudnessGate()

  public static func open(channels: Int, sampleRate: Int) throws(TapeError) -> Loudness {
    guard (1...8).contains(channels), sampleRate >= 4_000 else {
      throw TapeError(
        .badSettings,
        "The loudness of \(channels) channels at \(sampleRate) Hz cannot be measured.")
    }
    return Loudness(channels, sampleRate)
  }

  private init(_ channels: Int, _ sampleRate: Int) {
    weighting = KWeighting(sampleRate: sampleRate)
    self.channels = channels
    stretch = (sampleRate + 10) / 20 * 2
    leadIn = stretch / 4 * 2
    samples = Buffer(count: (leadIn + 16 * stretch) * channels + KWeighting.spareSamples)
    filled = leadIn
  }

  public mutating func add(_ samples: UnsafeBufferPointer<Int16>) { addAny(samples) }
  /// Samples above full scale count as full scale.
  public mutating func add(_ samples: UnsafeBufferPointer<Float>) { addAny(samples) }

  private mutating func addAny<S: Sample>(_ added: UnsafeBufferPointer<S>) {
    precondition(added.count % channels == 0, "frames come whole")
    var rest = added[...]
    while !rest.isEmpty {
      let frames = min(rest.count / channels, capacityFrames - filled)
      slice(filled..<filled + frames)
        .fill(from: UnsafeBufferPointer(rebasing: rest.prefix(frames * channels)))
      rest = rest.dropFirst(frames * channels)
      filled += frames
      if filled == capacityFrames { measure() }
    }
  }

  private var capacityFrames: Int { leadIn + 16 * stretch }

  private func slice(_ frames: Range<Int>) -> UnsafeMutableBufferPointer<Int16> {
    samples.slice(frames.lowerBound * channels..<frames.upperBound * channels)
  }

  private mutating func measure() {
    weigh()
    for energy in energies.all { gate.add(energy) }
    let end = slice(capacityFrames - leadIn..<capacityFrames)
    slice(0..<leadIn).fill(from: UnsafeBufferPointer(end))
    filled = leadIn
  }

  private func weigh() {
    weighting.energies(
      of: samples.start, channels: channels, leadIn: leadIn, stretch: stretch, into: energies.all)
  }

  /// Integrated loudness in LUFS; nil if nothing was loud enough to count, or lasted 0.4 s.
  public var integrated: Double? {
    var gate = gate
    slice(filled..<capacityFrames).update(repeating: 0)
    weigh()
    for energy in energies.all.prefix((filled - leadIn) / stretch) { gate.add(energy) }
    return gate.loudness
  }

  /// The value of the tag R128_TRACK_GAIN: the gain to -23 LUFS, in 1/256 dB.
  public var trackGain: Int? {
    integrated.map { max(-32_768, min(32_767, Int((256 * (-23 - $0)).rounded()))) }
  }
}

extension UnsafeMutableBufferPointer<Int16> {
  fileprivate func fill<S: Sample>(from source: UnsafeBufferPointer<S>) {
    if S.self == Int16.self {
      UnsafeMutableRawBufferPointer(self).copyMemory(from: UnsafeRawBufferPointer(source))
    } else {
      for index in source.indices { self[index] = source[index].bits16 }
    }
  }
}
