// The loudness of a whole recording by EBU R 128. The owning thread adds blocks; memory does not
// grow with length. libebur128, with which the tests compare it, costs a sixth of what encoding
// does: this costs a hundredth, by working on 1.6 s at a time.
//
// All channels have the same weight: they are a recorder's inputs, not the places of a surround
// sound. More channels than two are kept and weighted in pairs.

import Realtime

/// Measures loudness.
public struct Loudness: ~Copyable, Sendable {
  private let weighting: KWeighting
  private let channels: Int
  /// Frames in a tenth of a second. A gating block is four tenths, and one begins at each.
  private let stretch: Int
  private let leadIn: Int
  /// The lead-in and sixteen stretches of each pair of channels, one pair behind the other.
  private let samples: Buffer<Int16>
  private let energies = Buffer<Float>(count: 16)
  private let pairEnergies = Buffer<Float>(count: 16)
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
    samples = Buffer(count: (leadIn + 16 * stretch) * channels)
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
      put(UnsafeBufferPointer(rebasing: rest.prefix(frames * channels)), frames: frames)
      rest = rest.dropFirst(frames * channels)
      filled += frames
      if filled == capacityFrames { measure() }
    }
  }

  private var capacityFrames: Int { leadIn + 16 * stretch }
  private var pairs: Int { (channels + 1) / 2 }
  /// How many channels a pair has: the last of an odd number is alone.
  private func width(_ pair: Int) -> Int { min(2, channels - 2 * pair) }

  /// The samples of some frames of a pair.
  private func slice(_ pair: Int, _ frames: Range<Int>) -> UnsafeMutableBufferPointer<Int16> {
    let (start, width) = (2 * pair * capacityFrames, width(pair))
    return samples.slice(start + frames.lowerBound * width..<start + frames.upperBound * width)
  }

  private func put<S: Sample>(_ added: UnsafeBufferPointer<S>, frames: Int) {
    for pair in 0..<pairs {
      let room = slice(pair, filled..<filled + frames)
      if channels <= 2 { return room.fill(from: added) }
      let width = width(pair)
      for frame in 0..<frames {
        for side in 0..<width {
          room[frame * width + side] = added[frame * channels + 2 * pair + side].bits16
        }
      }
    }
  }

  private mutating func measure() {
    weigh()
    for energy in energies.all { gate.add(energy) }
    for pair in 0..<pairs {
      let (start, end) = (
        slice(pair, 0..<leadIn), slice(pair, capacityFrames - leadIn..<capacityFrames)
      )
      for index in start.indices { start[index] = end[index] }
    }
    filled = leadIn
  }

  private func weigh() {
    weigh(0, into: energies.all)
    for pair in 1..<max(1, pairs) {
      weigh(pair, into: pairEnergies.all)
      // By pointers: with ThreadSanitizer, Swift 6.3 makes no valid code of `all[index] +=`.
      for index in 0..<energies.count { energies.start[index] += pairEnergies.start[index] }
    }
  }

  private func weigh(_ pair: Int, into energies: UnsafeMutableBufferPointer<Float>) {
    weighting.energies(
      of: samples.start + 2 * pair * capacityFrames, channels: width(pair), leadIn: leadIn,
      stretch: stretch, into: energies)
  }

  /// Integrated loudness in LUFS; nil if nothing was loud enough to count, or lasted 0.4 s.
  public var integrated: Double? {
    var gate = gate
    for pair in 0..<pairs { slice(pair, filled..<capacityFrames).update(repeating: 0) }
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
