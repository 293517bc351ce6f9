// What the lines, keys, lights and gestures of a panel are doing, as values that a console can
// print, to debug wiring. Made on request; the log of events is bounded.
import Recorder

/// What the panel's lines do right now.
public struct PanelProbe: Equatable, Codable, Sendable {
  public let buttons: [Button]
  public let lights: [Light]
  /// The latest events, oldest first.
  public let recent: [Happening]
  public let faults: [PanelFault]
  /// Of libgpiod: 1 or 2.
  public let libraryGeneration: Int

  public enum Source: Equatable, Codable, Sendable {
    case line(chip: String, offset: Int, name: String)
    case key(device: String, key: String)
    case virtual
  }

  public struct Button: Equatable, Codable, Sendable {
    public let name: String
    public let source: Source
    /// The raw level, bounces included.
    public let isActive: Bool
    /// The debounced level.
    public let isDown: Bool
    public let edges: Int
    /// How many spikes and bounces were ignored: a few are normal for a contact, many are a loose
    /// wire or a missing bias.
    public let strays: Int
    public let lastEdge: Edge?
  }

  public struct Light: Equatable, Codable, Sendable {
    public let light: LightName
    public let isOn: Bool
    public let pattern: Pattern
  }

  public struct Happening: Equatable, Codable, Sendable {
    public let button: String
    public let what: What
    public let at: Instant

    public enum What: Equatable, Codable, Sendable {
      case edge(isActive: Bool)
      case gesture(Gesture)
      case hold(Bool)
      case stuck
      case freed
    }
  }
}

extension PanelProbe.Source: CustomStringConvertible {
  public var description: String {
    switch self {
    case .line(let chip, let offset, let name):
      name.isEmpty ? "\(chip) \(offset)" : "\(name) (\(chip) \(offset))"
    case .key(let device, let key): "\(key) of \(device)"
    case .virtual: "virtual"
    }
  }
}

/// The latest events, a bounded number.
struct PanelHistory {
  private(set) var happenings: [PanelProbe.Happening] = []
  private static let kept = 64

  mutating func add(_ button: PanelButton, _ edge: Edge) {
    add(
      PanelProbe.Happening(
        button: button.use.name, what: .edge(isActive: edge.isActive), at: edge.at))
  }

  mutating func add(_ button: PanelButton, _ effect: GestureEffect) {
    let what: PanelProbe.Happening.What
    switch (button.use, effect) {
    case (.control, .gesture(let gesture, _)): what = .gesture(gesture)
    case (.holdSwitch, .turned(let isOn, _)): what = .hold(isOn)
    case (_, .stuck): what = .stuck
    case (_, .freed): what = .freed
    case (.control, .turned), (.holdSwitch, .gesture): return
    }
    add(PanelProbe.Happening(button: button.use.name, what: what, at: effect.instant))
  }

  private mutating func add(_ happening: PanelProbe.Happening) {
    if happenings.count == Self.kept { happenings.removeFirst() }
    happenings.append(happening)
  }
}
