// The board's health as far as the kernel reports it: temperature, supply voltage, throttling.
// Reads small files of the kernel; on the host room's thread.
import Realtime
import Recorder

struct BoardHealth: Equatable {
  var isUnderVoltage = false
  var isThrottled = false
  var temperatureCelsius: Int?
  /// Whether it was so at any time since the board started.
  var hasBeenUnderVoltage = false
  var hasBeenThrottled = false
  /// Whether the board reports its supply at all.
  var tells = false

  /// - Parameter system: `/sys` on a board.
  static func read(_ system: String = "/sys") -> BoardHealth {
    var health = BoardHealth()
    health.temperatureCelsius = number(in: system + "/class/thermal/thermal_zone0/temp")
      .map { $0 / 1000 }
    // Raspberry Pi: the supply's voltage monitor, and the firmware's throttling flags.
    for index in 0..<8 {
      let monitor = system + "/class/hwmon/hwmon\(index)"
      guard SmallFile.line(of: monitor + "/name") == "rpi_volt" else { continue }
      health.tells = true
      health.isUnderVoltage = number(in: monitor + "/in0_lcrit_alarm") == 1
    }
    let firmware = system + "/devices/platform/soc/soc:firmware/get_throttled"
    if let bits = SmallFile.line(of: firmware).flatMap({ Int($0, radix: 16) }) {
      health.isUnderVoltage = health.isUnderVoltage || bits & 1 != 0
      health.isThrottled = bits & 0b1110 != 0
      health.hasBeenUnderVoltage = bits & 1 << 16 != 0
      health.hasBeenThrottled = bits >> 16 & 0b1110 != 0
      health.tells = true
    }
    return health
  }

  /// Whether the change is worth an action: one of less than three degrees is not.
  func differs(from last: BoardHealth?) -> Bool {
    guard let last else { return event != BoardHealth().event }
    let degrees = abs((temperatureCelsius ?? 0) - (last.temperatureCelsius ?? 0))
    return isUnderVoltage != last.isUnderVoltage || isThrottled != last.isThrottled
      || (temperatureCelsius == nil) != (last.temperatureCelsius == nil) || degrees >= 3
  }

  var event: HostEvent {
    .health(
      isUnderVoltage: isUnderVoltage, isThrottled: isThrottled,
      temperatureCelsius: temperatureCelsius)
  }

  private static func number(in file: String) -> Int? {
    SmallFile.line(of: file).flatMap { Int($0) }
  }
}

extension BoardFacts {
  /// - Parameter system: `/sys` on a board.
  public static func read(_ system: String = "/sys") -> BoardFacts {
    let health = BoardHealth.read(system)
    var facts = BoardFacts(temperatureCelsius: health.temperatureCelsius)
    if health.isUnderVoltage {
      facts.supply = .tooLowNow
    } else if health.isThrottled {
      facts.supply = .slowedNow
    } else if health.hasBeenUnderVoltage {
      facts.supply = .tooLowSinceBoot
    } else if health.hasBeenThrottled {
      facts.supply = .slowedSinceBoot
    } else if health.tells {
      facts.supply = .well
    }
    return facts
  }
}
