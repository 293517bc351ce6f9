// A gain that moves only in steps too small to click, and its application to samples. Plain values
// and loops over memory, for the realtime section: no allocation, no lock, no call into C.

/// A gain that moves linearly to its target.
struct PlayGain: Sendable {
  private(set) var value: Float
  var target: Float
  /// How far it moves in one frame.
  let step: Float

  /// - Parameter frames: how long the whole way from 0 to 1 takes.
  @_noLocks
  init(_ value: Float, frames: Int) {
    self.value = value
    target = value
    step = 1 / Float(max(1, frames))
  }

  var isAtRest: Bool { value == target }

  @_noLocks
  mutating func jump(to value: Float) {
    self.value = value
    target = value
  }

  @_noLocks
  mutating func next() -> Float {
    skip(1)
    return value
  }

  @_noLocks
  mutating func skip(_ frames: Int) {
    // Slightly more than the way, so that rounding leaves no tiny last step.
    let way = step * (Float(frames) + 0.01)
    let left = target - value
    value = left.magnitude <= way ? target : value + (left < 0 ? -step : step) * Float(frames)
  }

  /// How many frames it takes to reach the target, one at least.
  var framesLeft: Int {
    @_noLocks get {
      max(1, Int((target - value).magnitude / step + 0.99))
    }
  }

  /// Returns the gain of a volume in percent. Cubed, because a step should sound as large wherever
  /// it is made: half is a quarter as loud to the ear, 18 dB less.
  static func ofVolume(percent: Int) -> Float {
    let part = Float(min(max(percent, 0), 100)) / 100
    return part * part * part
  }
}

/// A tone that is playing.
struct PlayVoice: Sendable {
  /// Index among the samples of all tones.
  private var place: Int
  private(set) var framesLeft: Int
  private let channels: Int
  private var gain: PlayGain

  /// - Parameter fadeFrames: how long it takes to fade if it is ended early.
  @_noLocks
  init(_ tone: ToneBank.Place, channels: Int, fadeFrames: Int) {
    place = tone.start
    framesLeft = tone.frames
    self.channels = channels
    gain = PlayGain(1, frames: fadeFrames)
  }

  @_noLocks
  mutating func end() {
    gain.target = 0
    framesLeft = min(framesLeft, gain.framesLeft)
  }

  @_noLocks
  mutating func mix(
    _ samples: UnsafeMutablePointer<Int16>, into target: UnsafeMutableRawPointer, frames: Int,
    _ kind: StreamFormat.Samples
  ) {
    let count = min(frames, framesLeft)
    for frame in 0..<count {
      let level = gain.next()
      for channel in 0..<channels {
        let index = frame &* channels &+ channel
        let sample = Float(samples[place &+ index]) * level
        switch kind {
        case .int16:
          let into = target.assumingMemoryBound(to: Int16.self) + index
          into.pointee = rounded(Float(into.pointee) + sample)
        case .float:
          (target.assumingMemoryBound(to: Float.self) + index).pointee += sample / 32_768
        }
      }
    }
    place &+= count &* channels
    framesLeft &-= count
  }
}

/// Turns sound down by two gains at once, in place. At full gain the samples are not changed.
@_noLocks
func turnDown(
  _ target: UnsafeMutableRawPointer, frames: Int, _ format: StreamFormat,
  _ volume: inout PlayGain, _ fade: inout PlayGain
) {
  if volume.isAtRest, fade.isAtRest, volume.value * fade.value == 1 { return }
  for frame in 0..<frames {
    let level = volume.next() * fade.next()
    for channel in 0..<format.channels {
      let index = frame &* format.channels &+ channel
      switch format.samples {
      case .int16:
        let sample = target.assumingMemoryBound(to: Int16.self) + index
        sample.pointee = rounded(Float(sample.pointee) * level)
      case .float:
        (target.assumingMemoryBound(to: Float.self) + index).pointee *= level
      }
    }
  }
}

private func rounded(_ value: Float) -> Int16 {
  let value = max(-32_768, min(32_767, value))
  return Int16(value < 0 ? value - 0.5 : value + 0.5)
}
