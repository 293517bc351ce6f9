// What goes out on a serial port. A screen that is not taken is dropped, and the newest is painted
// when the port takes something again; lines wait, up to a bound. Runs on the loop's thread.

import Recorder
import Systemd

extension SerialConsole {
  public func show(_ view: ScreenView?) {
    self.view = view
    guard mode == .screen, view != nil else { return }
    if now - lastPaint >= 50_000_000 { repaint() } else { start(.paint) }
  }

  public func show(_ meter: Meter) {
    if mode == .screen, unsent.isEmpty { put(painter.paint(meter)) }
  }

  public func show(_ prompt: PromptView?) {
    self.prompt = prompt
    if mode == .plain, let prompt { put(plain.update(to: prompt)) }
  }

  /// To those that see no screen, notices come as they happen.
  public func show(_ notice: Notice?) {
    if mode == .plain, let notice { putLines(["! " + notice.sentence]) }
  }

  /// A terminal that does not take its bytes misses pictures, and is sent the newest when it does.
  func repaint() {
    guard mode == .screen, let view else { return }
    if unsent.isEmpty {
      lastPaint = now
      put(painter.paint(view))
    } else {
      painter.forget()
    }
  }

  func putLines(_ lines: [String]) { put(plain.lines(lines.map(Text.printable))) }

  func put(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, unsent.count + bytes.count <= Self.unsentLimit else { return }
    let wasEmpty = unsent.isEmpty
    unsent += bytes
    send(isFirst: wasEmpty)
  }

  func drain() {
    send(isFirst: false)
    if unsent.isEmpty { repaint() }
  }

  func send(isFirst: Bool) {
    guard let port else {
      unsent = []
      return
    }
    let count = port.write(unsent[...])
    unsent.removeFirst(count)
    if unsent.isEmpty { timers[.stuck]?.pause() } else if isFirst || count > 0 { start(.stuck) }
    wantWritable()
  }

  func wantWritable() {
    do {
      try watch?.change(
        to: unsent.isEmpty ? [.readable, .hangup] : [.readable, .writable, .hangup])
    } catch { complain(error.description) }
  }
}
