// Whether an open microphone delivers frames. A driver or a sound server may stop without an error,
// and then only time tells. A plain value of the encode thread: it is given the time and reads no
// clock.

struct DeliveryWatch: Sendable {
  /// Without frames for this long, the device counts as silent: it is reported within two seconds.
  static let silentNanoseconds: Int64 = 1_500_000_000
  /// Without frames for this long, the device is given up and opened anew.
  static let lostNanoseconds: Int64 = 10_000_000_000
  /// A stop waits for outstanding frames for this long: it is answered within a second.
  static let graceNanoseconds: Int64 = 600_000_000
  /// At most this much of the time between two scans counts: the process may have been stopped
  /// meanwhile.
  private static let mostAtOnceNanoseconds: Int64 = 1_600_000_000

  /// How long nothing has been delivered, as far as this thread was there to see it.
  private(set) var quietNanoseconds: Int64 = 0
  private var scannedAt: Int64
  private var blocks = 0
  private var letGoAt: Int64?

  init(now: Int64) { scannedAt = now }

  var isSilent: Bool { quietNanoseconds >= Self.silentNanoseconds }
  var isLost: Bool { quietNanoseconds >= Self.lostNanoseconds }

  /// - Parameters:
  ///   - blocks: how many blocks have been delivered so far.
  ///   - heardUntil: when the last frame was heard; it was not delivered before that.
  mutating func scan(blocks: Int, heardUntil: Int64, now: Int64) {
    let passed = max(0, now &- scannedAt)
    if blocks == self.blocks {
      quietNanoseconds &+= min(passed, Self.mostAtOnceNanoseconds)
    } else {
      quietNanoseconds = min(max(0, now &- heardUntil), passed, Self.silentNanoseconds &- 1)
    }
    self.blocks = blocks
    scannedAt = now
  }

  /// Returns whether a stop is overdue: it was ordered that long ago, and nothing was delivered
  /// since.
  func isOverdue(orderedAt: Int64) -> Bool {
    min(quietNanoseconds, scannedAt &- orderedAt) >= Self.graceNanoseconds
  }

  /// Returns whether the stream was told to end and its thread has not ended in time: it hangs in
  /// the device.
  mutating func hangs(isLetGo: Bool) -> Bool {
    guard isLetGo else { return false }
    let since = letGoAt ?? scannedAt
    letGoAt = since
    return scannedAt &- since >= Self.graceNanoseconds
  }

  /// When the device would count as silent, from the last scan on.
  var restMilliseconds: Int {
    Int(max(100_000_000, Self.silentNanoseconds &- quietNanoseconds) / 1_000_000)
  }
}
