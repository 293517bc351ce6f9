// How much somebody may type. What comes faster than any hand or any script has reason to is read
// and forgotten, so that a cable full of noise, or a host that sends back whatever it is shown,
// costs the recorder next to nothing. A plain value; it is told the time.

struct FloodGuard {
  private var credit: Int64
  private var lastNanoseconds: Int64
  private(set) var isFlooded = false

  /// As much as a long script pasted at once.
  static let burstBytes: Int64 = 4096
  static let bytesPerSecond: Int64 = 2000
  /// So long a flood must have stopped.
  static let quietNanoseconds: Int64 = 500_000_000

  init(nowNanoseconds: Int64) {
    credit = Self.burstBytes
    lastNanoseconds = nowNanoseconds
  }

  enum Verdict: Equatable {
    case passes
    /// The first of a flood: say so once.
    case floodBegins
    case forgotten
  }

  /// How much is to be read at once: a little, since every key costs something and whatever else
  /// waits comes first; of a flood a lot, since it costs nothing.
  var appetiteBytes: Int { isFlooded ? 65_536 : 256 }

  mutating func take(_ count: Int, nowNanoseconds: Int64) -> Verdict {
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
