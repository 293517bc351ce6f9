// Converts a peak to decibels. Pure; for any thread except realtime ones, which keep peaks as plain
// samples.

import Glibc

/// Peaks as decibels.
public enum PeakLevel {
  /// The lowest level reported: below any converter's noise.
  public static let floorDecibels = -120.0

  /// Returns the level of a peak; 1 is full scale, 0 dB.
  public static func decibels(_ peak: Float) -> Double {
    peak > 0 ? max(floorDecibels, 20 * log10(Double(peak))) : floorDecibels
  }
}
