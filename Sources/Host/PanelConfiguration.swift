// The panel's wiring as the configuration file has it: buttons, lights, keys and times. Plain
// values, which the daemon converts to the panel's own plan. Whether a line exists is not checked
// here.
import Recorder

/// The panel's part of the configuration.
public struct PanelConfiguration: Equatable, Sendable {
  public var buttons: [ButtonConfiguration] = []
  public var lights: [LightConfiguration] = []
  public var inputs: [InputConfiguration] = []
  public var glitchMilliseconds: Int64 = 2
  public var debounceMilliseconds: Int64 = 30
  public var holdMilliseconds: Int64 = 1000
  public var doublePressMilliseconds: Int64 = 400
  public var stuckMilliseconds: Int64 = 60_000

  public init() {}
}

/// A GPIO line, by its name, or by its chip's label and its offset there.
public enum LineConfiguration: Equatable, Sendable {
  case name(String)
  case chip(label: String, offset: Int)
}

/// A button in the configuration.
public struct ButtonConfiguration: Equatable, Sendable {
  public enum Bias: String, CaseIterable, Sendable {
    case asIs = "as-is"
    case none
    case pullUp = "pull-up"
    case pullDown = "pull-down"
  }

  /// The name of a control, or `hold-switch`.
  public var control = ""
  public var line = LineConfiguration.name("")
  public var bias = Bias.pullUp
  public var isActiveLow = true
  /// If nil, the panel's value applies.
  public var debounceMilliseconds: Int64?
  public var stuckMilliseconds: Int64?

  public init() {}
}

/// A light in the configuration.
public struct LightConfiguration: Equatable, Sendable {
  public enum Name: String, CaseIterable, Sendable { case record, status, play }
  public enum Drive: String, CaseIterable, Sendable {
    case pushPull = "push-pull"
    case openDrain = "open-drain"
    case openSource = "open-source"
  }

  public var light = Name.record
  public var line: LineConfiguration?
  public var led: String?
  public var isActiveLow = false
  public var drive = Drive.pushPull

  public init() {}
}

/// An input device in the configuration.
public struct InputConfiguration: Equatable, Sendable {
  public var device = ""
  /// The use of each key: the name of a control, or `hold-switch`.
  public var keys: [String: String] = [:]
  public var isGrabbed = true

  public init() {}
}
