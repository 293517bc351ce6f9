// One button: a line, a key, or a virtual one. It keeps its gestures and the facts that a console
// shows of it. Loop thread only.
import Recorder

final class PanelButton {
  let use: ButtonUse
  /// As in "the button record".
  let owner: String
  let source: PanelProbe.Source
  private(set) var gestures: Gestures
  private(set) var isActive: Bool
  private(set) var edgeCount = 0
  private(set) var lastEdge: Edge?
  private(set) var fault: PanelFault?

  init(
    _ use: ButtonUse, owner: String, source: PanelProbe.Source, _ timing: GestureTiming,
    isActive: Bool, at now: Instant
  ) {
    self.use = use
    self.owner = owner
    self.source = source
    self.isActive = isActive
    gestures = Gestures(timing, isActive: isActive, at: now)
  }

  func handle(_ edge: Edge) -> [GestureEffect] {
    edgeCount += 1
    lastEdge = edge
    isActive = edge.isActive
    return noticing(gestures.handle(edge))
  }

  func advance(to now: Instant) -> [GestureEffect] { noticing(gestures.advance(to: now)) }

  private func noticing(_ effects: [GestureEffect]) -> [GestureEffect] {
    for effect in effects {
      switch effect {
      case .stuck:
        let seconds = gestures.timing.stuckMilliseconds / 1000
        fault = PanelFault(
          .stuck,
          "\(owner.prefix(1).uppercased() + owner.dropFirst()) has been down for \(seconds) s;"
            + " is it stuck, its wire short, or activeLow the wrong way round?"
            + " If it may stay down, give it stuck: \"never\" in reel.json.")
      case .freed: fault = nil
      case .gesture, .turned: break
      }
    }
    return effects
  }

  /// Returns the event that an effect sends; nil if it sends none.
  func event(_ effect: GestureEffect) -> PanelEvent? {
    switch (use, effect) {
    case (.control(let control), .gesture(let gesture, let instant)):
      .gesture(control, gesture, at: instant)
    case (.holdSwitch, .turned(let isOn, _)): .hold(isOn)
    case (.control, _), (.holdSwitch, _): nil
    }
  }

  var probe: PanelProbe.Button {
    PanelProbe.Button(
      name: use.name, source: source, isActive: isActive, isDown: gestures.isDown,
      edges: edgeCount, strays: gestures.strays, lastEdge: lastEdge)
  }
}

extension GestureEffect {
  var instant: Instant {
    switch self {
    case .gesture(_, let instant), .turned(_, let instant): instant
    case .stuck(let instant), .freed(let instant): instant
    }
  }
}
