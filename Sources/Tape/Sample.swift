// What sound is made of: samples of 16 bits, and of floating point. Pure values; any thread.

/// A sound sample: 16-bit, or float between -1 and 1.
protocol Sample: BitwiseCopyable, Comparable {
  /// The value as 16 bits, clipped.
  var bits16: Int16 { get }
  /// The value between -1 and 1.
  var unit: Float { get }

  typealias Extremes = (lowest: Self, highest: Self)
  /// Widens the ranges of even and of odd samples by the pairs that fill whole vectors; returns the
  /// number of pairs. By hand, because compilers do not vectorise it.
  static func widen(
    _ even: inout Extremes, _ odd: inout Extremes, _ samples: UnsafeBufferPointer<Self>
  ) -> Int
}

extension Sample {
  static func widen(
    _ even: inout Extremes, _ odd: inout Extremes, _ samples: UnsafeBufferPointer<Self>
  ) -> Int { 0 }
}

extension Int16: Sample {
  var bits16: Int16 { self }
  var unit: Float { Float(self) / 32_768 }

  static func widen(
    _ even: inout Extremes, _ odd: inout Extremes, _ samples: UnsafeBufferPointer<Int16>
  ) -> Int {
    let bytes = UnsafeRawBufferPointer(samples)
    let vectors = samples.count / 8
    var low = SIMD8<Int16>(repeating: even.lowest)
    low.oddHalf = SIMD4(repeating: odd.lowest)
    var high = SIMD8<Int16>(repeating: even.highest)
    high.oddHalf = SIMD4(repeating: odd.highest)
    for index in 0..<vectors {
      let vector = bytes.loadUnaligned(fromByteOffset: index &* 16, as: SIMD8<Int16>.self)
      low.replace(with: vector, where: vector .< low)
      high.replace(with: vector, where: vector .> high)
    }
    even = (low.evenHalf.min(), high.evenHalf.max())
    odd = (low.oddHalf.min(), high.oddHalf.max())
    return vectors * 4
  }
}

extension Float: Sample {
  // Added to 1.5 times a power of two whose last mantissa bit is worth one, a number is rounded to
  // the nearest whole one, a half to the even one, and the sum's last bits are its own. Compilers
  // vectorise that; rounding is a call where SSE4.1 is not certain. NaN becomes the greatest.
  var bits16: Int16 {
    let whole = max(-32_768, min(32_767, self * 32_768))
    return Int16(truncatingIfNeeded: (whole + 0x1.8p23).bitPattern)
  }
  var unit: Float { self }

  /// The value as 24 bits, clipped.
  var bits24: Int32 {
    let whole = max(-8_388_608, min(8_388_607, self * 8_388_608))
    return Int32(truncatingIfNeeded: (Double(whole) + 0x1.8p52).bitPattern)
  }
}
