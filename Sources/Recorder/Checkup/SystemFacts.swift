// Facts about the system around the recorder, and the checks made from them: the service, the
// configuration, limits, the clock and the board. Pure.

/// The service's state, as systemd reports it.
public enum ServiceFacts: Equatable, Sendable {
  case noSystemd
  case notInstalled
  case byHand
  /// Not running, and virtual or with a directory of its own: systemd's service is not concerned.
  case apart
  case running(restarts: Int, startsAtBoot: Bool)
  case stopped(startsAtBoot: Bool)
  case failed(why: String)

  var checks: [CheckupView.Check] {
    self == .apart ? [] : [Self.check(self)]
  }

  private static func check(_ service: ServiceFacts) -> CheckupView.Check {
    func said(
      _ verdict: CheckupView.Verdict, _ sentence: String, _ advice: String? = nil
    ) -> CheckupView.Check { .init("service", verdict, sentence, advice) }
    switch service {
    case .byHand: return said(.well, "reeld was started by hand; nothing starts it again.")
    case .running(let restarts, _) where restarts > 0:
      let times = restarts == 1 ? "once" : "\(restarts) times"
      return said(
        .wrong, "reeld runs, but has had to be started again \(times).",
        "See why with `journalctl -u reeld -x`; what it recorded is repaired and kept.")
    case .running(_, startsAtBoot: false):
      return said(
        .wrong, "reeld runs, but is not started when the board is.",
        "Run `systemctl enable reeld`.")
    case .running: return said(.well, "reeld runs, and is started when the board is.")
    case .stopped(let startsAtBoot):
      let command = startsAtBoot ? "start" : "enable --now"
      return said(.wrong, "reeld is stopped.", "Run `systemctl \(command) reeld`.")
    case .failed(let why):
      return said(
        .wrong, "reeld could not go on (\(why)).",
        "See why with `journalctl -u reeld -x`, then `systemctl restart reeld`.")
    case .notInstalled:
      return said(
        .unknown, "There is no service reeld on this system.", "Install the package reel.")
    case .noSystemd, .apart: return said(.unknown, "There is no systemd here to ask.")
    }
  }
}

/// What a checkup finds of the configuration.
public enum ConfigurationFacts: Equatable, Sendable {
  case absent(file: String)
  case understood(file: String)
  case wrong(file: String, mistakes: [String])

  var checks: [CheckupView.Check] {
    switch self {
    case .absent(let file):
      [.init("configuration", .well, "There is no \(file): everything has its default.")]
    case .understood(let file): [.init("configuration", .well, "\(file) is understood.")]
    case .wrong(let file, let mistakes):
      [
        .init(
          "configuration", .wrong,
          (mistakes.first ?? file)
            + (mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""),
          "Correct it: reeld does not start with it. `reeld --check-config` lists all.")
      ]
    }
  }
}

/// The limits of the sound threads.
public enum LimitFacts: Equatable, Sendable {
  /// The sound is virtual.
  case notNeeded
  /// The denials of the running recorder.
  case asked(denials: [String])
  /// The configured limits; nil: no limit. `owner` names whose limits they are.
  case allowed(owner: String, realtimePriority: Int, lockedBytes: Int64?)

  /// The highest priority that a thread of the recorder requests.
  static let neededPriority = 50
  static let neededLockedBytes: Int64 = 64 << 20

  var checks: [CheckupView.Check] {
    switch self {
    case .notNeeded:
      return [.init("realtime", .well, "Virtual sound needs no priority and no locked memory.")]
    case .asked(denials: []):
      return [.init("realtime", .well, "The sound threads have their priority, and their memory.")]
    case .asked(let denials): return denials.map { .init("realtime", .wrong, $0) }
    case .allowed(let owner, let priority, let bytes):
      var checks: [CheckupView.Check] = []
      if priority < Self.neededPriority {
        checks.append(
          .init(
            "realtime", .wrong,
            "\(owner) may have a realtime priority of \(priority) at most;"
              + " \(Self.neededPriority) is needed.",
            "Set LimitRTPRIO=60 in the unit, or rtprio in /etc/security/limits.d for a login."))
      }
      if let bytes, bytes < Self.neededLockedBytes {
        checks.append(
          .init(
            "realtime", .wrong,
            "\(owner) may lock \(Amount.bytes(bytes)) of memory;"
              + " \(Amount.bytes(Self.neededLockedBytes)) are needed.",
            "Set LimitMEMLOCK=256M in the unit, or memlock in /etc/security/limits.d for a login."))
      }
      if !checks.isEmpty { return checks }
      return [.init("realtime", .well, "\(owner) may have priority \(priority), and lock memory.")]
    }
  }
}

/// What a checkup finds of the clock.
public struct ClockFacts: Equatable, Sendable {
  /// Nil if it cannot be determined.
  public var isSynchronised: Bool?
  /// The clock's largest possible error, according to the kernel.
  public var errorMicroseconds: Int64?

  /// The kernel's error while no time service has set a better one.
  private static let unknownMicroseconds: Int64 = 16_000_000

  public init(isSynchronised: Bool? = nil, errorMicroseconds: Int64? = nil) {
    self.isSynchronised = isSynchronised
    self.errorMicroseconds = errorMicroseconds
  }

  var checks: [CheckupView.Check] {
    switch isSynchronised {
    case true?:
      // A virtual recorder trusts the clock of its computer, even one with an unknown error.
      let known = errorMicroseconds.flatMap { $0 < Self.unknownMicroseconds ? $0 : nil }
      let within = known.map { "Set, and right to \(Amount.time(microseconds: $0))." }
      return [.init("clock", .well, within ?? "Set.")]
    case false?:
      return [
        .init(
          "clock", .wrong,
          "It is not set: recordings are numbered, but their times may be wrong.",
          "Connect the board to a network with a time service (systemd-timesyncd or chrony), or fit"
            + " a clock with a battery.")
      ]
    case nil:
      return [.init("clock", .unknown, "It cannot be asked here whether it is set.")]
    }
  }
}

/// The board's health, as far as it reports it.
public struct BoardFacts: Equatable, Sendable {
  /// Nil: the board does not report it.
  public var supply: Supply?
  public var temperatureCelsius: Int?
  /// The root directory is in memory and is lost with the power.
  public var isRootVolatile = false

  public enum Supply: Equatable, Sendable {
    case well, tooLowNow, tooLowSinceBoot, slowedNow, slowedSinceBoot
  }

  static let hotCelsius = 80

  public init(
    supply: Supply? = nil, temperatureCelsius: Int? = nil, isRootVolatile: Bool = false
  ) {
    self.supply = supply
    self.temperatureCelsius = temperatureCelsius
    self.isRootVolatile = isRootVolatile
  }

  var checks: [CheckupView.Check] {
    var checks = [power]
    if let degrees = temperatureCelsius {
      checks.append(
        degrees >= Self.hotCelsius
          ? .init(
            "temperature", .wrong, "\(degrees) °C: the board slows itself down.",
            "Give it air, or a heat sink.")
          : .init("temperature", .well, "\(degrees) °C."))
    }
    if isRootVolatile {
      checks.append(
        .init(
          "root", .well,
          "The root directory is kept in memory: only what is mounted elsewhere outlasts a restart."
        ))
    }
    return checks
  }

  private var power: CheckupView.Check {
    let advice = "Use a supply made for this board, and a short, thick cable."
    switch supply {
    case .well?: return .init("power", .well, "The supply has been well since the board started.")
    case .tooLowNow?:
      return .init("power", .wrong, "The supply is too weak at this moment.", advice)
    case .tooLowSinceBoot?:
      return .init("power", .wrong, "The supply has been too weak since the board started.", advice)
    case .slowedNow?:
      return .init(
        "power", .wrong, "The board slows itself down at this moment.", "Give it air. " + advice)
    case .slowedSinceBoot?:
      return .init(
        "power", .wrong, "The board has slowed itself down since it started.",
        "Give it air. " + advice)
    case nil: return .init("power", .unknown, "This board does not tell how its supply is.")
    }
  }
}
