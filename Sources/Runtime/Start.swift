// The inputs of a start: from the configuration, the clock, the last run and the card's small
// files. Plain values.

import Recorder

/// The inputs of a start.
public struct Start {
  public let settings: Settings
  public let zone: ZoneOffsets
  public let isClockSet: Bool
  public let boot: Boot
  public let remembered: Remembered?
  /// Sentences about files that could not be read and were set aside.
  public let damages: [String]

  public init(
    settings: Settings, zone: ZoneOffsets, isClockSet: Bool, boot: Boot,
    remembered: Remembered?, damages: [String] = []
  ) {
    (self.settings, self.zone, self.isClockSet) = (settings, zone, isClockSet)
    (self.boot, self.remembered, self.damages) = (boot, remembered, damages)
  }
}
