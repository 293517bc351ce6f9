// What alsa-lib's answers mean to a stream that runs, how often it may try again, and which of the
// times it gives can be believed. Plain values, for realtime threads: no allocation, no lock, no
// call out of this module.
import Glibc

/// What a negative answer means.
enum AlsaTrouble {
  /// Nothing to read or write just now.
  case notNow
  /// It stopped, and can be started again.
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
    // A card that was pulled out says EIO, ENODEV or EBADFD; a dead sound server says EIO.
    case EIO, ENODEV, EBADFD, ENXIO, ESHUTDOWN:
      self = .gone(errno: Int32(truncatingIfNeeded: -result))
    default: self = .stopped
    }
  }
}

/// How often a stream is started again, or looked into in vain, before it is given up. A server
/// that is dead and does not say so would have us try without end, thousands of times a second.
struct AlsaPatience: Sendable {
  private var restarts: Int32 = 0
  private var vainLooks: Int32 = 0

  /// There were frames: all is forgiven.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func reward() {
    restarts = 0
    vainLooks = 0
  }

  /// How many milliseconds to pause before the next restart, none before the first; nil when
  /// patience is at its end: eight in a row, in about two thirds of a second.
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

  /// How long to pause when the device was ready and had nothing; nil after two seconds of that.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func pauseAfterVainLook() -> Int32? {
    vainLooks &+= 1
    return vainLooks > 400 ? nil : 5
  }
}

enum AlsaTime {
  /// The moment a device's position is about: its own stamp, if that can be; else now.
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
