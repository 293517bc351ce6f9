// Facts about microphone, speaker and panel, and the checks made from them. Pure.

/// What a checkup finds of the microphone.
public enum MicrophoneFacts: Equatable, Sendable {
  /// No microphone can be used: why, and what to do.
  case none(String)
  case notLookedAt(String)
  /// Present, and open only while a recording runs.
  case closed(name: String)
  /// Open, with the highest peak measured; nil if no frames arrived.
  case open(name: String, rate: Int, channels: Int, periodFrames: Int?, peakDecibels: Double?)

  /// No microphone is that quiet.
  public static let silenceDecibels = -120.0

  var checks: [CheckupView.Check] { [check] }

  private var check: CheckupView.Check {
    switch self {
    case .none(let why): return .init("microphone", .wrong, why)
    case .notLookedAt(let why): return .init("microphone", .unknown, why)
    case .closed(let name):
      return .init(
        "microphone", .well, "\(name) is there; it is opened when a recording begins (armed).")
    case .open(let name, let rate, let channels, let period, let peak):
      let form = "\(name), \(rate) Hz, \(channels == 1 ? "mono" : "\(channels) channels")"
      let pace = period.map { ", \(Amount.decimal(Double($0) * 1000 / Double(rate))) ms a time" }
      return Self.check(form + (pace ?? ""), peak)
    }
  }

  private static func check(_ form: String, _ peak: Double?) -> CheckupView.Check {
    guard let peak else {
      return .init(
        "microphone", .wrong, "\(form): nothing arrives.",
        "Pull it out and plug it in again; another port or hub may help.")
    }
    if peak <= silenceDecibels {
      return .init(
        "microphone", .wrong, "\(form): only silence arrives.",
        "See whether it is muted (`alsamixer`), switched on, and in the right socket.")
    }
    let level = "the loudest of a second was \(Amount.decimal(peak)) dB"
    if peak >= -0.1 {
      return .init(
        "microphone", .wrong, "\(form): \(level), and that is too loud.",
        "Step its level down (`alsamixer`), or set capture in reel.json.")
    }
    return .init("microphone", .well, "\(form): \(level).")
  }
}

/// What a checkup finds of the speaker.
public struct SpeakerFacts: Equatable, Sendable {
  /// Nil: nothing to play on.
  public var name: String?

  public init(name: String?) { self.name = name }

  var checks: [CheckupView.Check] {
    guard let name else {
      return [.init("speaker", .well, "There is nothing to play on; recording needs none.")]
    }
    return [.init("speaker", .well, "\(name).")]
  }
}

/// What a checkup finds of the panel.
public struct PanelFacts: Equatable, Sendable {
  /// Each button or light with its line: "record on GPIO17 (pinctrl-bcm2711 17)".
  public var lines: [String]
  /// The same for keys of input devices.
  public var keys: [String]
  /// What does not work, and what to do.
  public var faults: [String]

  public init(lines: [String] = [], keys: [String] = [], faults: [String] = []) {
    self.lines = lines
    self.keys = keys
    self.faults = faults
  }

  var checks: [CheckupView.Check] {
    let faults = faults.map { CheckupView.Check("panel", .wrong, $0) }
    if lines.isEmpty, keys.isEmpty, faults.isEmpty {
      return [.init("panel", .well, "No buttons and lights are configured.")]
    }
    var checks: [CheckupView.Check] = []
    if !lines.isEmpty { checks.append(.init("pins", .well, list(lines))) }
    if !keys.isEmpty { checks.append(.init("inputs", .well, list(keys))) }
    return checks + faults
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") + "." }
}

extension State {
  /// The microphone of the running recorder; `peakDecibels` comes from the level meter, not the
  /// state.
  public func microphoneFacts(peakDecibels: Double?) -> MicrophoneFacts {
    switch device.capture {
    case .running(let info):
      .open(
        name: info.name, rate: info.rate, channels: info.channels, periodFrames: nil,
        peakDecibels: peakDecibels)
    case .closed(let info): .closed(name: info.name)
    case .silent(let info):
      .open(
        name: info.name, rate: info.rate, channels: info.channels, periodFrames: nil,
        peakDecibels: nil)
    case .opening(let info, _): .notLookedAt("\(info.name) is being opened; ask again in a moment.")
    case .unknown: .notLookedAt("The microphone is being looked for; ask again in a moment.")
    case .absent(let why): .none(why ?? "No microphone has been found.")
    }
  }

  public var speakerFacts: SpeakerFacts {
    SpeakerFacts(name: device.canPlay ? "There is one" : nil)
  }
}
