// A screen in this terminal: turns bytes into keys and views into pictures, without knowing what
// they mean. The dashboard, a journey through a flight log and a spectator use it. Runs on the
// loop's thread and never blocks it: a terminal that accepts nothing gets the newest picture later.

import Glibc
import Realtime
import Recorder
import Systemd

/// A screen in the terminal that the program was started in.
public final class TerminalScreen {
  /// What happens at the terminal.
  public struct Handlers {
    let key: (Key) -> Void
    let resized: (_ columns: Int, _ rows: Int) -> Void
    /// The window was closed.
    let gone: () -> Void

    public init(
      key: @escaping (Key) -> Void, resized: @escaping (_ columns: Int, _ rows: Int) -> Void,
      gone: @escaping () -> Void
    ) {
      (self.key, self.resized, self.gone) = (key, resized, gone)
    }
  }

  private let terminal: Terminal
  private let handlers: Handlers
  private var painter: ScreenPainter
  private var parser = KeyParser()
  private var view: ScreenView?
  private var watch: FileWatch?
  private var resize: EventSource?
  private var escapeTimer: Timer?

  public init(on loop: EventLoop, _ handlers: Handlers) throws {
    terminal = try Terminal()
    self.handlers = handlers
    painter = ScreenPainter(hasColour: Self.wantsColour)
    watch = try loop.watch(fileDescriptor: terminal.fileDescriptor, for: [.readable, .hangup]) {
      [weak self] readiness in self?.handle(readiness)
    }
    resize = try loop.watch(signal: SIGWINCH) { [weak self] in self?.reportSize() }
    escapeTimer = try loop.timer(afterMilliseconds: 50, slackMilliseconds: 5) {
      [weak self] in self?.finishEscape()
    }
  }

  /// Whether the program was started in a terminal, with its output in it.
  public static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  public var size: (columns: Int, rows: Int) { terminal.size }

  public func show(_ view: ScreenView) {
    self.view = view
    repaint()
  }

  public func show(_ meter: Meter) {
    if terminal.isReady() { terminal.send(painter.paint(meter)) }
  }

  public func light(_ name: String, isOn: Bool) {
    let bytes = painter.paint(lamp: name, isLit: isOn)
    if terminal.isReady() { terminal.send(bytes) } else { painter.forget() }
  }

  /// Restores the terminal and prints a line on it. Later calls do nothing.
  public func restore(saying line: String = "") {
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
    } catch {
      // The rest of the picture is sent with the next change.
    }
  }

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) { repaint() }
    guard readiness.contains(.readable) || readiness.contains(.hangup) else { return }
    guard let bytes = terminal.read() else {
      watch?.stop()
      return handlers.gone()
    }
    for key in parser.parse(bytes) { handlers.key(key) }
    if parser.isWaiting {
      escapeTimer?.restart(afterMilliseconds: 50)
    } else {
      escapeTimer?.pause()
    }
  }

  /// Nothing followed an escape: it was the Escape key.
  private func finishEscape() {
    for key in parser.flush() { handlers.key(key) }
  }

  private func reportSize() {
    let size = terminal.size
    painter.forget()
    handlers.resized(size.columns, size.rows)
    repaint()
  }
}
