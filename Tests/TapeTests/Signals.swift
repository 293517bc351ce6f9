// Sound that is the same on every run: a sweep with clicks at known frames, and noise.
import Glibc

enum Signals {
  static let clickHeight: Int16 = 28_000

  /// A quiet sweep, interleaved, with one-sample clicks in every channel at these frames.
  static func sweep(
    frames: Int, rate: Int = 48_000, channels: Int = 1, clicks: [Int] = []
  ) -> [Int16] {
    var samples = [Int16](repeating: 0, count: frames * channels)
    var phase = 0.0
    for frame in 0..<frames {
      // Up to a sixth of the rate, repeated every two seconds.
      let place = Double(frame % (2 * rate)) / Double(2 * rate)
      phase += 2 * .pi * (100 + place * Double(rate) / 6) / Double(rate)
      if phase > 2 * .pi { phase -= 2 * .pi }
      for channel in 0..<channels {
        samples[frame * channels + channel] = Int16(2_000 * sin(phase + Double(channel)))
      }
    }
    for click in clicks {
      for channel in 0..<channels { samples[click * channels + channel] = clickHeight }
    }
    return samples
  }

  static func noise(count: Int, height: Int, seed: UInt64 = 1) -> [Int16] {
    var random = Random(seed: seed)
    return (0..<count).map { _ in Int16(random.below(2 * height + 1) - height) }
  }

  /// Returns the frame of the highest sample near a place, in the first channel.
  static func peak(in samples: [Int16], near frame: Int, channels: Int = 1, within: Int = 240)
    -> Int
  {
    let frames = samples.count / channels
    return (max(0, min(frames, frame - within))..<min(frames, frame + within)).max {
      abs(Int(samples[$0 * channels])) < abs(Int(samples[$1 * channels]))
    } ?? -1
  }
}

/// Numbers that are the same on every run.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
}
