// When each light is on: patterns played in time. A pure function of the views shown and the time;
// it reads no clock and sets no light. `due` is when the one timer must fire; nil while nothing
// blinks.
import Recorder

/// A light goes on or off.
public struct LightChange: Equatable, Sendable {
  public let light: LightName
  public let isOn: Bool
}

/// What each light does at an instant.
public struct LightShow: Equatable, Sendable {
  private var lights = LightName.allCases.map { Light(name: $0) }

  public init() {}

  /// Shows a view. A light whose pattern did not change goes on in its round.
  public mutating func show(_ view: PanelView, at now: Instant) -> [LightChange] {
    for index in lights.indices { lights[index].play(view.pattern(lights[index].name), from: now) }
    return advance(to: now)
  }

  /// Returns the lights that change up to `now`.
  public mutating func advance(to now: Instant) -> [LightChange] {
    var changes: [LightChange] = []
    for index in lights.indices {
      guard let isOn = lights[index].turn(at: now) else { continue }
      changes.append(LightChange(light: lights[index].name, isOn: isOn))
    }
    return changes
  }

  /// When the next light changes.
  public var due: Instant? { lights.compactMap(\.due).min() }

  public func isOn(_ light: LightName) -> Bool {
    lights.contains { $0.name == light && $0.isOn }
  }
}

private struct Light: Equatable, Sendable {
  let name: LightName
  var isOn = false
  private(set) var due: Instant?
  private var pattern = Pattern.off
  private var phases = Pattern.off.round
  private var begin = Instant(nanoseconds: 0)

  init(name: LightName) { self.name = name }

  mutating func play(_ pattern: Pattern, from now: Instant) {
    if pattern == self.pattern { return }
    self.pattern = pattern
    phases = pattern.round
    begin = now
  }

  /// Returns the new level if it changes now. A late call does not shift the round.
  mutating func turn(at now: Instant) -> Bool? {
    let (phase, end) = phase(at: now)
    due = end
    if phase == isOn { return nil }
    isOn = phase
    return phase
  }

  private func phase(at now: Instant) -> (isOn: Bool, end: Instant?) {
    let length = phases.reduce(Int64(0)) { $0 + Int64($1.milliseconds) }
    guard length > 0 else { return (phases.first?.isOn ?? false, nil) }
    let rounds = max(0, now.milliseconds(since: begin)) / length
    var end = begin.adding(milliseconds: rounds * length)
    for phase in phases {
      end = end.adding(milliseconds: Int64(phase.milliseconds))
      if now < end { return (phase.isOn, end) }
    }
    // Reached only if `end` has been clamped to the largest instant.
    return (isOn, nil)
  }
}

extension PanelView {
  func pattern(_ light: LightName) -> Pattern {
    switch light {
    case .record: record
    case .status: status
    case .play: play
    }
  }
}
