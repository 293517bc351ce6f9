// The lowest and the highest sample of each channel in a block: every sample of every recording
// goes through here. Pure values; any thread. It must not allocate.

/// The extremes of up to eight interleaved channels. Eight samples at a time are compared, as many
/// whole frames as they hold: a lane always has samples of the same channel.
struct Extremes {
  private let channels: Int
  private let lowest: SIMD8<Float>
  private let highest: SIMD8<Float>

  /// `samples` are whole frames, at least one.
  fileprivate init<Lanes: SampleLanes>(
    _ samples: UnsafeBufferPointer<Lanes.Eight.Scalar>, channels: Int, as lanes: Lanes.Type
  ) {
    precondition((1...8).contains(channels) && samples.count >= channels, "there is a frame")
    let (bytes, step) = (UnsafeRawBufferPointer(samples), 8 / channels * channels)
    let stride = MemoryLayout<Lanes.Eight.Scalar>.stride
    func eight(_ index: Int) -> Lanes.Eight {
      bytes.loadUnaligned(fromByteOffset: index &* stride, as: Lanes.Eight.self)
    }
    var low = Lanes.Eight(repeating: samples[0])
    if samples.count >= 8 {
      low = eight(0)
    } else {
      for lane in 0..<8 { low[lane] = samples[lane % channels] }
    }
    var (high, next) = (low, 0)
    // Two vectors a turn take a third fewer instructions.
    while next &+ step &+ 8 <= samples.count {
      Lanes.widen(&low, &high, eight(next))
      Lanes.widen(&low, &high, eight(next &+ step))
      next &+= 2 &* step
    }
    while next &+ 8 <= samples.count {
      Lanes.widen(&low, &high, eight(next))
      next &+= step
    }
    for index in next..<samples.count {
      low[index - next] = min(low[index - next], samples[index])
      high[index - next] = max(high[index - next], samples[index])
    }
    var (lowest, highest) = (SIMD8<Float>(), SIMD8<Float>())
    for lane in 0..<8 { (lowest[lane], highest[lane]) = (low[lane].unit, high[lane].unit) }
    (self.channels, self.lowest, self.highest) = (channels, lowest, highest)
  }

  func range(of channel: Int) -> (lowest: Float, highest: Float) {
    if channels == 1 { return (lowest.min(), highest.max()) }
    var range = (lowest: lowest[channel], highest: highest[channel])
    if channels > 4 { return range }
    for lane in stride(from: channel, to: 8, by: channels) {
      range = (min(range.lowest, lowest[lane]), max(range.highest, highest[lane]))
    }
    return range
  }
}

/// Eight samples that are compared at once. For each type of sample, because compilers do not
/// vectorise a generic comparison.
private protocol SampleLanes {
  associatedtype Eight: SIMD & BitwiseCopyable where Eight.Scalar: Sample
  /// Extends each lane's range to its sample.
  static func widen(_ low: inout Eight, _ high: inout Eight, _ samples: Eight)
}

private enum Int16Lanes: SampleLanes {
  @inline(__always)
  static func widen(
    _ low: inout SIMD8<Int16>, _ high: inout SIMD8<Int16>, _ samples: SIMD8<Int16>
  ) {
    low.replace(with: samples, where: samples .< low)
    high.replace(with: samples, where: samples .> high)
  }
}

private enum FloatLanes: SampleLanes {
  @inline(__always)
  static func widen(
    _ low: inout SIMD8<Float>, _ high: inout SIMD8<Float>, _ samples: SIMD8<Float>
  ) {
    low.replace(with: samples, where: samples .< low)
    high.replace(with: samples, where: samples .> high)
  }
}

extension Int16 {
  static func extremes(of samples: UnsafeBufferPointer<Int16>, channels: Int) -> Extremes {
    Extremes(samples, channels: channels, as: Int16Lanes.self)
  }
}

extension Float {
  static func extremes(of samples: UnsafeBufferPointer<Float>, channels: Int) -> Extremes {
    Extremes(samples, channels: channels, as: FloatLanes.self)
  }
}
