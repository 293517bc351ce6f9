// The peak hold of a level meter: the loudest level of the last two seconds stays marked. A plain
// value for the code that draws; the caller passes the time, and no clock is read.

import Realtime

/// Keeps the loudest level in sight.
public struct MeterHold {
  private var heldDecibels = PeakLevel.floorDecibels
  private var heldUntilNanoseconds: Int64 = 0

  public init() {}

  /// Returns the meter for a peak, where 1 is full scale.
  public mutating func meter(peak: Float, nowNanoseconds: Int64) -> Meter {
    let decibels = PeakLevel.decibels(peak)
    if decibels >= heldDecibels || nowNanoseconds >= heldUntilNanoseconds {
      heldDecibels = decibels
      heldUntilNanoseconds = nowNanoseconds + 2_000_000_000
    }
    return Meter(
      levelDecibels: decibels, heldDecibels: heldDecibels, isClipping: peak >= 32_767 / 32_768)
  }
}
