// What systemd knows of the recorder's service, asked through systemctl, which any user may run.
// Waits for it a few seconds at most; a pure function parses its output.
import Glibc
import Recorder

/// What systemd reports about the recorder's service.
public struct ServiceAnswer: Equatable, Sendable {
  public let service: ServiceFacts
  /// The limits that the unit sets; nil if there is no unit.
  public let limits: LimitFacts?

  /// Asks systemctl about a unit. Waits a few seconds at most.
  public static func ask(unit: String = "reeld.service") -> ServiceAnswer {
    let keys =
      "LoadState,ActiveState,UnitFileState,NRestarts,Result,ExecMainStatus,LimitRTPRIO,LimitMEMLOCK"
    guard let text = ShortProgram.output(of: ["systemctl", "show", unit, "-p", keys]) else {
      return ServiceAnswer(service: .noSystemd, limits: nil)
    }
    return ServiceAnswer(text)
  }

  /// Whether the service runs, as far as is known.
  public var isRunning: Bool {
    if case .running = service { true } else { false }
  }

  public init(service: ServiceFacts, limits: LimitFacts?) {
    self.service = service
    self.limits = limits
  }

  /// Parses lines such as `NRestarts=0`.
  init(_ text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    guard values["LoadState"] == "loaded" else {
      self.init(service: values["LoadState"] == nil ? .noSystemd : .notInstalled, limits: nil)
      return
    }
    let startsAtBoot = values["UnitFileState"].map { $0.hasPrefix("enabled") } ?? false
    let restarts = values["NRestarts"].flatMap { Int($0) } ?? 0
    let service: ServiceFacts =
      switch values["ActiveState"] {
      case "active", "reloading", "activating":
        .running(restarts: restarts, startsAtBoot: startsAtBoot)
      case "failed": .failed(why: Self.failure(values))
      default: .stopped(startsAtBoot: startsAtBoot)
      }
    self.init(service: service, limits: Self.limits(values))
  }

  private static func failure(_ values: [Substring: Substring]) -> String {
    let result = values["Result"].map(String.init) ?? "unknown"
    guard result == "exit-code", let status = values["ExecMainStatus"] else { return result }
    return status == "78" ? "its configuration has a mistake" : "exit status \(status)"
  }

  private static func limits(_ values: [Substring: Substring]) -> LimitFacts? {
    guard let priority = values["LimitRTPRIO"], let locked = values["LimitMEMLOCK"] else {
      return nil
    }
    return .allowed(
      owner: "The service", realtimePriority: priority == "infinity" ? 99 : Int(priority) ?? 0,
      lockedBytes: locked == "infinity" ? nil : Int64(locked) ?? 0)
  }
}

extension LimitFacts {
  /// Returns the limits of this process.
  public static func ofThisProcess(owner: String) -> LimitFacts {
    if geteuid() == 0 { return .allowed(owner: owner, realtimePriority: 99, lockedBytes: nil) }
    var priority = rlimit()
    var locked = rlimit()
    getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &priority)
    getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &locked)
    return .allowed(
      owner: owner, realtimePriority: Int(clamping: priority.rlim_cur),
      lockedBytes: locked.rlim_cur == UInt.max ? nil : Int64(clamping: locked.rlim_cur))
  }
}
