// How the board itself is, as far as it tells: its temperature, its supply, whether it slows itself
// down. Reads small files of the kernel; on the host room's thread.
import Glibc
import Recorder

struct BoardHealth: Equatable {
  var isUnderVoltage = false
  var isThrottled = false
  var temperatureCelsius: Int?

  /// - Parameter system: `/sys` on a board.
  static func read(_ system: String = "/sys") -> BoardHealth {
    var health = BoardHealth()
    health.temperatureCelsius = number(in: system + "/class/thermal/thermal_zone0/temp")
      .map { $0 / 1000 }
    // Raspberry Pi: the monitor of the supply, and the firmware's own word on all of it.
    for index in 0..<8 {
      let monitor = system + "/class/hwmon/hwmon\(index)"
      guard text(in: monitor + "/name") == "rpi_volt" else { continue }
      health.isUnderVoltage = number(in: monitor + "/in0_lcrit_alarm") == 1
    }
    let firmware = system + "/devices/platform/soc/soc:firmware/get_throttled"
    if let bits = text(in: firmware).flatMap({ Int($0, radix: 16) }) {
      health.isUnderVoltage = health.isUnderVoltage || bits & 1 != 0
      health.isThrottled = bits & 0b1110 != 0
    }
    return health
  }

  /// Whether it is worth an action: a degree up or down is not.
  func differs(from last: BoardHealth?) -> Bool {
    guard let last else { return self != BoardHealth() }
    let degrees = abs((temperatureCelsius ?? 0) - (last.temperatureCelsius ?? 0))
    return isUnderVoltage != last.isUnderVoltage || isThrottled != last.isThrottled
      || (temperatureCelsius == nil) != (last.temperatureCelsius == nil) || degrees >= 3
  }

  var event: HostEvent {
    .health(
      isUnderVoltage: isUnderVoltage, isThrottled: isThrottled,
      temperatureCelsius: temperatureCelsius)
  }

  private static func number(in file: String) -> Int? { text(in: file).flatMap { Int($0) } }

  private static func text(in file: String) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
