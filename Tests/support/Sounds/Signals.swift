// Sound that is the same on every run: a sweep with clicks at known frames, noise, a voice. It is
// a target of its own because it is optimised, which tests are not. Any thread.
import Glibc

public enum Signals {
  public static let clickHeight: Int16 = 28_000

  /// A quiet sweep, interleaved, with one-sample clicks in every channel at these frames.
  public static func sweep(
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

  public static func noise(count: Int, height: Int, seed: UInt64 = 1) -> [Int16] {
    var random = Random(seed: seed)
    return (0..<count).map { _ in Int16(random.below(2 * height + 1) - height) }
  }

  /// Like a voice: noise that comes and goes, with pauses, over hum and an offset.
  public static func voice(seconds: Int, rate: Int, channels: Int) -> [Int16] {
    let noise = noise(count: seconds * rate * channels, height: 9_000)
    return noise.enumerated().map { index, value in
      let time = Double(index / channels) / Double(rate)
      let loud = max(0, sin(time * 2.1)) * max(0, sin(time * 11))
      return Int16(Double(value) * loud + 300 * sin(time * 2 * .pi * 50) + 200)
    }
  }

  public static func tone(hertz: Int, frames: Int, rate: Int) -> [Int16] {
    let step = 2 * Double.pi * Double(hertz) / Double(rate)
    return (0..<frames).map { Int16(8_000 * sin(step * Double($0))) }
  }

  /// Returns a sound of that many channels, with this one in one of them and silence in the others.
  public static func placed(_ mono: [Int16], in channel: Int, of channels: Int) -> [Int16] {
    var samples = [Int16](repeating: 0, count: mono.count * channels)
    for frame in mono.indices { samples[frame * channels + channel] = mono[frame] }
    return samples
  }

  /// Returns the frame of the highest sample near a place, in the first channel.
  public static func peak(
    in samples: [Int16], near frame: Int, channels: Int = 1, within: Int = 240
  )
    -> Int
  {
    let frames = samples.count / channels
    return (max(0, min(frames, frame - within))..<min(frames, frame + within)).max {
      abs(Int(samples[$0 * channels])) < abs(Int(samples[$1 * channels]))
    } ?? -1
  }
}

/// Numbers that are the same on every run.
public struct Random {
  private var state: UInt64

  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  public mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  public mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
}
