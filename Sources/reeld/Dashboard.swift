// The dashboard in this terminal: turns keys into actions, and views into pictures, without knowing
// what they mean. Runs on the loop's thread and never blocks it.

import Console
import Glibc
import Recorder
import Systemd

final class Dashboard {
  /// The id of this console.
  static let id = 1

  private let terminal: Terminal
  private let loop: EventLoop
  private let send: (Action) -> Void
  private var painter: ScreenPainter
  private var parser = KeyParser()
  private var view: ScreenView?
  private var watch: FileWatch?
  private var resize: EventSource?
  private var escapeTimer: Timer?

  init(on loop: EventLoop, send: @escaping (Action) -> Void) throws {
    terminal = try Terminal()
    self.loop = loop
    self.send = send
    painter = ScreenPainter(hasColour: Self.wantsColour)
    watch = try loop.watch(fileDescriptor: terminal.fileDescriptor, for: [.readable, .hangup]) {
      [weak self] readiness in self?.handle(readiness)
    }
    resize = try loop.watch(signal: SIGWINCH) { [weak self] in self?.reportSize() }
    escapeTimer = try loop.timer(afterMilliseconds: 50, slackMilliseconds: 5) {
      [weak self] in self?.finishEscape()
    }
  }

  var description: ConsoleDescription {
    let size = terminal.size
    return ConsoleDescription(
      id: Self.id, kind: .terminal, access: .control, columns: size.columns, rows: size.rows)
  }

  func show(_ view: ScreenView) {
    self.view = view
    repaint()
  }

  func show(_ meter: Meter) {
    if terminal.isReady() { terminal.send(painter.paint(meter)) }
  }

  func light(_ name: String, isOn: Bool) {
    let bytes = painter.paint(lamp: name, isLit: isOn)
    if terminal.isReady() { terminal.send(bytes) } else { painter.forget() }
  }

  func restore(saying line: String) {
    watch?.stop()
    terminal.restore(saying: line)
  }

  /// As no-color.org defines it: no colour if NO_COLOR is set and not empty.
  private static var wantsColour: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }

  /// If the terminal is not ready, this picture is skipped; it gets the newest when it is ready.
  private func repaint() {
    guard let view else { return }
    if terminal.isReady() { terminal.send(painter.paint(view)) } else { painter.forget() }
    wantWritable(terminal.hasUnsent)
  }

  private func wantWritable(_ isWanted: Bool) {
    do {
      try watch?.change(to: isWanted ? [.readable, .writable, .hangup] : [.readable, .hangup])
    } catch { logError(error.description) }
  }

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) { repaint() }
    guard readiness.contains(.readable) || readiness.contains(.hangup) else { return }
    guard let bytes = terminal.read() else {
      // The window was closed: shut down, so that a recording is ended properly.
      watch?.stop()
      return send(.request(.system(.shutDown), from: .appliance))
    }
    for key in parser.parse(bytes) { send(.console(.key(Self.id, key))) }
    if parser.isWaiting {
      escapeTimer?.restart(afterMilliseconds: 50)
    } else {
      escapeTimer?.pause()
    }
  }

  /// Nothing followed an escape: it was the Escape key.
  private func finishEscape() {
    for key in parser.flush() { send(.console(.key(Self.id, key))) }
  }

  private func reportSize() {
    let size = terminal.size
    painter.forget()
    send(.console(.resized(Self.id, columns: size.columns, rows: size.rows)))
    repaint()
  }
}
