// A peak as people read it. Pure, and for any thread but the realtime ones, which keep peaks bare.

import Glibc

public enum PeakLevel {
  /// What is as good as nothing: below any converter's noise.
  public static let floorDecibels = -120.0

  /// 1 is full scale.
  public static func decibels(_ peak: Float) -> Double {
    peak > 0 ? max(floorDecibels, 20 * log10(Double(peak))) : floorDecibels
  }
}
