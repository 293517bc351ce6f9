// The memory of a level meter: the loudest of the last two seconds stays marked. A plain value,
// used by whoever draws; it is told the time and reads no clock.

import Realtime

public struct MeterHold {
  private var heldDecibels = PeakLevel.floorDecibels
  private var heldUntilNanoseconds: Int64 = 0

  public init() {}

  /// The meter for a peak, 1 being full scale.
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
