// What alsa-lib's errors mean to a running stream, how often it may retry, and which timestamps are
// plausible. Plain values, for realtime threads: no allocation, no lock, no call out of this
// module.
import Glibc

/// The meaning of a negative result.
enum AlsaInterruption {
  /// Nothing to read or write just now.
  case notNow
  /// The stream stopped, and can be restarted.
  case stopped, suspended
  case gone(errno: Int32)

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  init(_ result: Int) {
    switch Int32(truncatingIfNeeded: -result) {
    case EAGAIN, EINTR: self = .notNow
    case ESTRPIPE: self = .suspended
    // A card that was unplugged returns EIO, ENODEV or EBADFD; a dead sound server returns EIO.
    case EIO, ENODEV, EBADFD, ENXIO, ESHUTDOWN:
      self = .gone(errno: Int32(truncatingIfNeeded: -result))
    default: self = .stopped
    }
  }
}

/// The limits of a stream's retries: restarts, and polls that found nothing. A dead server that
/// reports no error would otherwise be polled without end, thousands of times a second.
struct AlsaRetries: Sendable {
  private var restarts: Int32 = 0
  private var emptyPolls: Int32 = 0

  /// Resets both counts, because frames arrived or left.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func reset() {
    restarts = 0
    emptyPolls = 0
  }

  /// Returns the back-off before the next restart in milliseconds, 0 before the first; nil after
  /// eight in a row, which take about two thirds of a second.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func pauseBeforeRestart() -> Int32? {
    restarts &+= 1
    if restarts > 8 { return nil }
    return restarts == 1 ? 0 : 5 << (restarts - 2)
  }

  /// Returns the pause after a poll that found nothing; nil after two seconds of that.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func pauseAfterEmptyPoll() -> Int32? {
    emptyPolls &+= 1
    return emptyPolls > 400 ? nil : 5
  }
}

enum AlsaTime {
  /// Returns the time of a device's position: its own stamp, if that is plausible; else now.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  static func moment(stamp: Int64, now: Int64) -> Int64 {
    let age = now &- stamp
    return stamp > 0 && age >= 0 && age <= 1_000_000_000 ? stamp : now
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  static func nanoseconds(frames: Int, rate: Int) -> Int64 {
    Int64(frames) &* 1_000_000_000 / Int64(rate)
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  static func frames(nanoseconds: Int64, rate: Int) -> Int {
    // An hour's worth of nanoseconds times any rate still fits.
    Int(min(nanoseconds, 3_600_000_000_000) &* Int64(rate) / 1_000_000_000)
  }
}
