// Makes the panel's report for commands from the panel's probe; and searches for a button's line.
// Used by the loop's thread.

import Console
import Glibc
import Panel
import Recorder
import Systemd

/// Listens to unused lines while `panel identify` runs, which finds the line of a button.
final class LineSearch {
  private let loop: EventLoop
  private var finder: LineFinder?

  init(on loop: EventLoop) { self.loop = loop }

  func listen(pullsDown: Bool, _ moved: ((LineReport) -> Void)?) -> CommandError? {
    finder = nil
    guard let moved else { return nil }
    do {
      let found = try LineFinder(on: loop, bias: pullsDown ? .pullDown : .pullUp) { line in
        moved(
          LineReport(
            chip: line.chip, offset: line.offset, name: line.name, isActive: line.edge.isActive))
      }
      if found.count == 0 {
        return CommandError("noLines", "There is no free line to listen to on this computer.")
      }
      finder = found
      return nil
    } catch { return CommandError("failed", error.description) }
  }
}

extension PanelReport {
  init(_ probe: PanelProbe) {
    self.init(
      buttons: probe.buttons.map { button in
        Button(
          name: button.name, source: button.source.description, isActive: button.isActive,
          isDown: button.isDown, edges: button.edges, strays: button.strays)
      },
      lights: probe.lights.map { light in
        Light(name: light.light.rawValue, isOn: light.isOn, pattern: light.pattern.words)
      },
      recent: probe.recent.map { "\($0.button) \($0.what.words)" },
      faults: probe.faults.map(\.sentence))
  }
}

extension PanelProbe.Happening.What {
  fileprivate var words: String {
    switch self {
    case .edge(let isActive): isActive ? "touched" : "let go"
    case .gesture(let gesture): "means \(gesture.rawValue)"
    case .hold(let isOn): isOn ? "locked" : "unlocked"
    case .stuck: "is stuck"
    case .freed: "is free again"
    }
  }
}
