// The source of the appliance's time and fresh identities. The only place that reads a clock for
// the loop. Any thread.

import Glibc
import Loop
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
    var text = [CChar](repeating: 0, count: 64)
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let count = read(file, &text, text.count - 1)
    let bytes = text.prefix(max(0, count)).map { UInt8(bitPattern: $0) }.filter { $0 > 0x20 }
    let stamp = now()
    return ItemID(String(decoding: bytes, as: UTF8.self))
      ?? ItemID(high: stamp.freshHigh, low: stamp.freshLow)
  }
}
