// Where the appliance listens for commands: the desk that carries them out and the control socket
// in front of it, joined to the loop and to what other rooms know. Used by the loop's thread.

import Console
import Glibc
import Loop
import Panel
import Recorder
import Systemd

final class Talk {
  /// What it asks of the rooms.
  struct Rooms {
    let peak: () -> Float?
    let meter: (Bool) -> Void
    let panel: () -> PanelRoom?
  }

  let desk: CommandDesk
  private let loop: EventLoop
  private let driver: Driver<Appliance>
  private let rooms: Rooms
  private let send: (Action) -> Void
  private var socket: ControlSocket?

  init(
    on loop: EventLoop, _ driver: Driver<Appliance>, flightLog: String, _ rooms: Rooms,
    send: @escaping (Action) -> Void
  ) {
    self.loop = loop
    self.driver = driver
    self.rooms = rooms
    self.send = send
    let lateWork = LateWork(on: loop)
    let finder = LineSearch(on: loop)
    var outside = CommandDesk.Outside()
    outside.later = { lateWork.add(afterMilliseconds: $0, $1) }
    outside.panel = { rooms.panel().map { PanelReport($0.probe) } }
    outside.identify = { finder.listen(pullsDown: $0, $1) }
    outside.flightLog = { flightLog }
    desk = CommandDesk(state: { driver.store.state }, send: send, outside: outside)
  }

  /// To be called when there is something to talk about: from then on clients are let in.
  func listen(at path: String) throws {
    let store = driver.store
    socket = try ControlSocket(
      at: path, on: loop,
      ControlSocket.World(
        state: { store.state }, send: send, desk: desk,
        observe: { store.observe($0, with: $1) },
        showStatus: { store.show(StatusView.init, to: $0) }, peak: rooms.peak, meter: rooms.meter))
  }

  /// No more is said or heard.
  func end() { socket = nil }

  /// Where it listens when nobody said: beside the service's other things of this run.
  static func path(root: String) -> String {
    let runtime = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? ""
    // systemd may name several; the first is the service's own.
    let first = runtime.split(separator: ":").first.map(String.init)
    return (first ?? root + "/run") + "/control.sock"
  }
}

/// Work that is to be done once, after a while.
private final class LateWork {
  private let loop: EventLoop
  private var timers: [Int: Timer] = [:]
  private var last = 0

  init(on loop: EventLoop) { self.loop = loop }

  func add(afterMilliseconds delay: Int64, _ work: @escaping () -> Void) {
    last += 1
    let id = last
    do {
      timers[id] = try loop.timer(afterMilliseconds: delay, slackMilliseconds: 100) {
        [unowned self] in
        timers.removeValue(forKey: id)?.stop()
        work()
      }
    } catch { complain("a timer could not be set: \(error)") }
  }
}

/// Listens to lines that nothing uses, while somebody wants to know which one a button is on.
private final class LineSearch {
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
  fileprivate init(_ probe: PanelProbe) {
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
