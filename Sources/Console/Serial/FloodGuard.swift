// Limits how fast a serial console accepts input. Input faster than any person or script types is
// read and discarded, so that noise on the cable, or a host that echoes what it is shown, costs the
// recorder next to nothing. A plain value; the caller passes the time.

struct FloodGuard {
  private var credit: Int64
  private var lastNanoseconds: Int64
  private(set) var isFlooded = false

  /// Enough for a long script pasted at once.
  static let burstBytes: Int64 = 4096
  static let bytesPerSecond: Int64 = 2000
  /// A flood is over after this long without input.
  static let quietNanoseconds: Int64 = 500_000_000

  init(nowNanoseconds: Int64) {
    credit = Self.burstBytes
    lastNanoseconds = nowNanoseconds
  }

  enum Verdict: Equatable {
    case passes
    /// A flood begins with this input: report it once.
    case floodBegins
    case forgotten
  }

  /// How many bytes to read at once. Normally few, because each key costs time and other events
  /// come first; in a flood many, because discarding costs nothing.
  var appetiteBytes: Int { isFlooded ? 65_536 : 256 }

  mutating func admit(_ count: Int, nowNanoseconds: Int64) -> Verdict {
    let passed = max(0, nowNanoseconds - lastNanoseconds)
    lastNanoseconds = nowNanoseconds
    let earned = min(passed, 60_000_000_000) * Self.bytesPerSecond / 1_000_000_000
    credit = min(Self.burstBytes, credit + earned)
    if isFlooded {
      if passed < Self.quietNanoseconds { return .forgotten }
      isFlooded = false
    }
    credit -= Int64(count)
    if credit >= 0 { return .passes }
    credit = 0
    isFlooded = true
    return .floodBegins
  }
}
