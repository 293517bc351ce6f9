// Where programs are let in: the control socket joined to the desk, the store and the rooms; and
// what the desk tells of the panel, made of what the panel knows. Used by the loop's thread.

import Console
import Glibc
import Loop
import Panel
import Recorder
import Systemd

extension Consoles {
  /// What is heard of the sound, past the state.
  struct SoundRoom {
    let peak: () -> Float?
    let meter: (Bool) -> Void
  }

  func listen(
    at path: String, group: String, access: Recorder.Console.Access, on loop: EventLoop,
    _ driver: Driver<Appliance>, _ sound: SoundRoom, _ files: ControlSocket.Files
  ) throws {
    let store = driver.store
    socket = try ControlSocket(
      at: path, group: group, access: access, on: loop,
      ControlSocket.World(
        state: { store.state }, send: { [unowned driver] in driver.send($0) }, desk: desk,
        observe: { store.observe($0, with: $1) },
        showStatus: { store.show(StatusView.init, to: $0) }, peak: sound.peak, meter: sound.meter,
        files: files))
  }
}

/// Listens to lines that nothing uses, while somebody wants to know which one a button is on.
final class LineSearch {
  private let loop: EventLoop
  private var finder: LineFinder?

  init(on loop: EventLoop) { self.loop = loop }

  func listen(pullsDown: Bool, _ moved: ((LineReport) -> Void)?) -> Failure? {
    finder = nil
    guard let moved else { return nil }
    do {
      let found = try LineFinder(on: loop, bias: pullsDown ? .pullDown : .pullUp) { line in
        moved(
          LineReport(
            chip: line.chip, offset: line.offset, name: line.name, isActive: line.edge.isActive))
      }
      if found.count == 0 {
        return Failure("noLines", "There is no free line to listen to on this computer.")
      }
      finder = found
      return nil
    } catch { return Failure("failed", error.description) }
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

extension Pattern {
  fileprivate var words: String {
    switch self {
    case .off: "off"
    case .steady: "steady"
    case .slowBlink: "blinking slowly"
    case .fastBlink: "blinking fast"
    case .winks(let count, let period): "\(count) winks every \(period) ms"
    case .gaps(let count, let period): "steady with \(count) gaps every \(period) ms"
    }
  }
}
