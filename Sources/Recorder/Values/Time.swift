// Time in the heart: the monotonic clock for durations and order, the wall clock for names, and
// frames for everything inside a recording. Each clock has a type of its own, so that one cannot be
// taken for the other. Sums saturate at 64 bits: a wrong clock must not bring the recorder down.

/// A moment of CLOCK_MONOTONIC.
public struct Instant: Comparable, Hashable, Codable, Sendable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  public func adding(milliseconds: Int64) -> Instant {
    Instant(nanoseconds: nanoseconds.clampedAdding(milliseconds.clampedMultiplied(by: 1_000_000)))
  }

  public func milliseconds(since earlier: Instant) -> Int64 {
    nanoseconds.clampedSubtracting(earlier.nanoseconds) / 1_000_000
  }
}

/// A moment of the calendar: milliseconds since 1970, UTC.
public struct WallTime: Comparable, Hashable, Codable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public func adding(milliseconds more: Int64) -> WallTime {
    WallTime(milliseconds: milliseconds.clampedAdding(more))
  }
}

/// How far a wall time can be trusted.
public enum ClockQuality: String, Codable, Sendable {
  /// No time service had set the clock since the board was switched on.
  case unsynchronised
  case synchronised
  /// Was unsynchronised, and has been corrected since.
  case corrected
}

/// When something happened: the boot, the instant in it and the wall time, so that a wrong clock
/// can be corrected later.
public struct Moment: Equatable, Codable, Sendable {
  public let boot: ItemID
  public let instant: Instant
  public internal(set) var wall: WallTime
  public internal(set) var quality: ClockQuality

  public init(boot: ItemID, instant: Instant, wall: WallTime, quality: ClockQuality) {
    self.boot = boot
    self.instant = instant
    self.wall = wall
    self.quality = quality
  }

  /// Nil while the clock was not set.
  @inlinable
  public var date: WallTime? { quality == .unsynchronised ? nil : wall }

  func adding(milliseconds: Int64) -> Moment {
    Moment(
      boot: boot, instant: instant.adding(milliseconds: milliseconds),
      wall: wall.adding(milliseconds: milliseconds), quality: quality)
  }
}

extension FixedWidthInteger {
  func clampedAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  func clampedSubtracting(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  func clampedMultiplied(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

/// Frames to milliseconds and back, without overflow and without floating point.
public enum Frames {
  public static func milliseconds(_ frames: Int64, rate: Int) -> Int64 {
    guard rate > 0 else { return 0 }
    let whole = frames / Int64(rate)
    let rest = frames % Int64(rate)
    let part = rest.clampedMultiplied(by: 1000) / Int64(rate)
    return whole.clampedMultiplied(by: 1000).clampedAdding(part)
  }

  public static func count(milliseconds: Int64, rate: Int) -> Int64 {
    let whole = (milliseconds / 1000).clampedMultiplied(by: Int64(rate))
    let part = (milliseconds % 1000).clampedMultiplied(by: Int64(rate)) / 1000
    return whole.clampedAdding(part)
  }
}
