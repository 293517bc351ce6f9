// How a panel is wired, as plain values: which line, light output or key is which. Read from the
// configuration elsewhere, checked by `mistakes`, never changed while a panel runs.
import Recorder

/// The lines, lights and keys of a panel.
public struct PanelPlan: Equatable, Sendable {
  public var buttons: [ButtonPlan]
  public var lights: [LightPlan]
  public var inputs: [InputPlan]
  public var timings: Timings

  public init(
    buttons: [ButtonPlan] = [], lights: [LightPlan] = [], inputs: [InputPlan] = [],
    timings: Timings = Timings()
  ) {
    self.buttons = buttons
    self.lights = lights
    self.inputs = inputs
    self.timings = timings
  }
}

/// The address of a line. Never the number of a chip: it changes from one kernel to the next.
public enum LineAddress: Hashable, Sendable {
  case name(String)
  case chip(label: String, offset: Int)
}

/// The pull resistor of an input.
public enum Bias: String, CaseIterable, Sendable {
  case asIs = "as-is"
  case none
  case pullUp = "pull-up"
  case pullDown = "pull-down"
}

/// How an output drives its pin.
public enum Drive: String, CaseIterable, Sendable {
  case pushPull = "push-pull"
  case openDrain = "open-drain"
  case openSource = "open-source"
}

/// The function of a button or a key.
public enum ButtonUse: Hashable, Sendable {
  case control(Control)
  /// While it is on, the panel is locked.
  case holdSwitch

  public var name: String {
    switch self {
    case .control(let control): control.name
    case .holdSwitch: "hold-switch"
    }
  }

  public init(named name: String) {
    self = name == "hold-switch" ? .holdSwitch : .control(Control(named: name))
  }
}

/// A button, by default between its line and ground.
public struct ButtonPlan: Equatable, Sendable {
  public var use: ButtonUse
  public var line: LineAddress
  public var bias = Bias.pullUp
  public var isActiveLow = true
  /// Overrides the panel's time; nil: the panel's.
  public var debounceMilliseconds: Int64?
  public var stuckMilliseconds: Int64?

  public init(_ use: ButtonUse, _ line: LineAddress) {
    self.use = use
    self.line = line
  }
}

/// The three lights.
public enum LightName: String, Codable, CaseIterable, Sendable {
  case record, status, play
}

/// What a light is connected to.
public enum LightOutput: Equatable, Sendable {
  case line(LineAddress, isActiveLow: Bool, Drive)
  /// A kernel LED, such as the board's own.
  case led(String)
  case none
}

/// A light and how it is driven.
public struct LightPlan: Equatable, Sendable {
  public var light: LightName
  public var output: LightOutput

  public init(_ light: LightName, _ output: LightOutput) {
    self.light = light
    self.output = output
  }
}

/// An input device that sends keys: a pedal, a keypad, the kernel's `gpio-keys`.
public struct InputPlan: Equatable, Sendable {
  /// A name in /dev/input/by-id or by-path, the device's own name, or a path.
  public var device: String
  /// What each key is for, by the name Linux has for it (`KEY_A`), or by its number.
  public var keys: [String: ButtonUse]
  /// Whether it is taken exclusively: other programs do not get its keys.
  public var isGrabbed = true

  public init(_ device: String, keys: [String: ButtonUse]) {
    self.device = device
    self.keys = keys
  }
}

/// The panel's time limits, as in `GestureTiming`.
public struct Timings: Equatable, Sendable {
  public var glitchMilliseconds: Int64 = 2
  public var debounceMilliseconds: Int64 = 30
  public var holdMilliseconds: Int64 = 1000
  public var doublePressMilliseconds: Int64 = 400
  public var stuckMilliseconds: Int64 = 60_000

  public init() {}
}

extension PanelPlan {
  func timing(of button: ButtonPlan) -> GestureTiming {
    GestureTiming(
      glitchMilliseconds: timings.glitchMilliseconds,
      debounceMilliseconds: button.debounceMilliseconds ?? timings.debounceMilliseconds,
      holdMilliseconds: timings.holdMilliseconds,
      doublePressMilliseconds: timings.doublePressMilliseconds,
      stuckMilliseconds: stuck(button.use, button.stuckMilliseconds))
  }

  /// The device that sends a key has debounced it.
  func timingOfKey(_ use: ButtonUse) -> GestureTiming {
    timing(of: use, debounceMilliseconds: min(10, timings.debounceMilliseconds))
  }

  /// A virtual button does not bounce, and several presses may come at once.
  func timingOfVirtual(_ use: ButtonUse) -> GestureTiming {
    timing(of: use, debounceMilliseconds: 0)
  }

  private func timing(of use: ButtonUse, debounceMilliseconds: Int64) -> GestureTiming {
    GestureTiming(
      glitchMilliseconds: 0, debounceMilliseconds: debounceMilliseconds,
      holdMilliseconds: timings.holdMilliseconds,
      doublePressMilliseconds: timings.doublePressMilliseconds,
      stuckMilliseconds: stuck(use, nil))
  }

  /// A hold switch stays where it is put: by default it is never stuck.
  private func stuck(_ use: ButtonUse, _ own: Int64?) -> Int64 {
    own ?? (use == .holdSwitch ? 0 : timings.stuckMilliseconds)
  }
}

extension LineAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .name(let name): name
    case .chip(let label, let offset): "\(label) \(offset)"
    }
  }
}
