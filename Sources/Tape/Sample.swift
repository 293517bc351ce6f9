// What sound is made of: samples of 16 bits, and of floating point. Pure values; any thread.

/// A sound sample: 16-bit, or float between -1 and 1.
protocol Sample: BitwiseCopyable, Comparable {
  /// The value as 16 bits, clipped.
  var bits16: Int16 { get }
  /// The value between -1 and 1.
  var unit: Float { get }

  /// The lowest and the highest sample of each channel of whole frames, at least one.
  static func extremes(of samples: UnsafeBufferPointer<Self>, channels: Int) -> Extremes
}

extension Int16: Sample {
  var bits16: Int16 { self }
  var unit: Float { Float(self) / 32_768 }
}

extension Float: Sample {
  // Less 1.5 times a power of two whose last mantissa bit is worth one, a number is rounded to the
  // nearest whole one, a half to the even one, and the last bits tell which. Compilers vectorise
  // that; rounding is a call where SSE4.1 is not certain. The bits of numbers far below are still
  // in order, and NaN becomes the greatest.
  var bits16: Int16 {
    let sum = min(32_767, self * 32_768) - 0x1.8p23
    return Int16(clamping: Int32(bitPattern: 0xCB40_0000) &- Int32(bitPattern: sum.bitPattern))
  }
  var unit: Float { self }

  /// The value as a whole number, clipped: full scale is a power of two, 24 bits at most. NaN
  /// becomes the greatest.
  func whole(fullScale: Float) -> Int32 {
    let capped = min(fullScale - 1, self * fullScale)
    // Not by `max`, which vectors take more instructions for.
    let whole = capped > -fullScale ? capped : -fullScale
    return Int32(truncatingIfNeeded: (Double(whole) + 0x1.8p52).bitPattern)
  }
}
