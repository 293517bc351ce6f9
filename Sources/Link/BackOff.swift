// When what failed is tried again. A recording that fails waits by itself; what fails at the target
// as a whole, or many recordings one after the other, holds the target. Pure: time and chance come
// in as values.

/// The delays between tries: doubled each time, with jitter, within bounds.
public struct BackOff: Equatable, Sendable {
  public var firstSeconds: Int64 = 60
  public var lastSeconds: Int64 = 6 * 3600

  public init() {}

  /// Returns the delay after so many failures in a row. `chance` is from 0 to 1 and adds up to a
  /// half, so that many boxes don't come back at the same moment. A server that asks for more time
  /// gets it.
  public func delaySeconds(
    failures: Int, chance: Double, retryAfterSeconds: Int64? = nil
  ) -> Int64 {
    let doublings = min(max(0, failures - 1), 40)
    let base = min(firstSeconds << Int64(doublings), lastSeconds - lastSeconds / 3)
    let delay = base + Int64(Double(base) / 2 * min(max(0, chance), 1))
    return max(delay, min(retryAfterSeconds ?? 0, RetryAfter.maximumSeconds))
  }
}

/// What failed in a row, and when the next try is. One for each recording, and one for the target.
public struct Retry: Equatable, Sendable {
  public private(set) var failures = 0
  /// On the clock that the caller uses.
  public private(set) var nextSeconds: Int64 = 0

  public init() {}

  public mutating func fail(
    nowSeconds: Int64, chance: Double, retryAfterSeconds: Int64? = nil, _ backOff: BackOff
  ) {
    failures += 1
    let delay = backOff.delaySeconds(
      failures: failures, chance: chance, retryAfterSeconds: retryAfterSeconds)
    nextSeconds = nowSeconds + delay
  }

  public mutating func succeed() { self = Retry() }

  public func isDue(nowSeconds: Int64) -> Bool { nowSeconds >= nextSeconds }
}

/// Whether a target may be asked now.
public struct TargetHealth: Equatable, Sendable {
  public private(set) var retry = Retry()
  private var failuresInARow = 0
  public var backOff = BackOff()

  /// So many recordings that fail one after the other are no accident of theirs.
  static let recordingsMaximum = 5

  public init() {}

  /// Takes the outcome of a job. Returns whether the recording has to step back by itself; false if
  /// the target waits as a whole, or all is well.
  public mutating func note(
    _ error: LinkError?, nowSeconds: Int64, chance: Double
  ) -> Bool {
    guard let error else {
      retry.succeed()
      failuresInARow = 0
      return false
    }
    // What is wrong with the card is not the target's fault.
    if error.code == .source { return true }
    failuresInARow += 1
    let isOfTarget = error.scope == .target || failuresInARow >= Self.recordingsMaximum
    if isOfTarget {
      failuresInARow = 0
      retry.fail(
        nowSeconds: nowSeconds, chance: chance, retryAfterSeconds: error.retryAfterSeconds,
        backOff)
    }
    return error.scope == .recording
  }

  public func mayAsk(nowSeconds: Int64) -> Bool { retry.isDue(nowSeconds: nowSeconds) }
}
