// The dashboard in this terminal: turns keys into actions, and views into pictures, without knowing
// what they mean. Runs on the loop's thread and never blocks it.

import Console
import Recorder
import Systemd

final class Dashboard {
  /// The id of this console.
  static let id = 1

  private let screen: TerminalScreen

  init(on loop: EventLoop, send: @escaping (Action) -> Void) throws {
    screen = try TerminalScreen(
      on: loop,
      TerminalScreen.Handlers(
        key: { send(.console(.key(Self.id, $0))) },
        resized: { send(.console(.resized(Self.id, columns: $0, rows: $1))) },
        // Shuts down, so that a recording is ended properly.
        gone: { send(.request(.system(.shutDown), from: .appliance)) }))
  }

  var description: ConsoleDescription {
    let size = screen.size
    return ConsoleDescription(
      id: Self.id, kind: .terminal, access: .control, columns: size.columns, rows: size.rows)
  }

  func show(_ view: ScreenView) { screen.show(view) }

  func show(_ meter: Meter) { screen.show(meter) }

  func light(_ name: String, isOn: Bool) { screen.light(name, isOn: isOn) }

  func restore(saying line: String) { screen.restore(saying: line) }
}
