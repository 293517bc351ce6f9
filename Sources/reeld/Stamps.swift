// The source of the appliance's time and fresh identities. The only place that reads a clock for
// the loop. Any thread.

import Glibc
import Loop
import Realtime
import Recorder

enum Stamps {
  static func now() -> Stamp {
    var generator = SystemRandomNumberGenerator()
    return Stamp(
      monotonicNanoseconds: nanoseconds(CLOCK_MONOTONIC),
      wallMilliseconds: nanoseconds(CLOCK_REALTIME) / 1_000_000,
      freshHigh: generator.next(), freshLow: generator.next())
  }

  static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The kernel's id of this boot; a random one if it has none.
  static var boot: ItemID {
    let stamp = now()
    return SmallFile.line(of: "/proc/sys/kernel/random/boot_id").flatMap { ItemID($0) }
      ?? ItemID(high: stamp.freshHigh, low: stamp.freshLow)
  }
}
