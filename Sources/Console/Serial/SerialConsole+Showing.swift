// The output of a serial port. If the port accepts nothing, screens are dropped, and the newest is
// painted once it accepts bytes again; lines are queued up to a bound. Runs on the loop's thread.

import Catalogue
import Recorder
import Systemd

extension SerialConsole {
  /// Paints the screen, at most every 50 ms.
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

  /// Without a screen, notices are printed as they happen.
  public func show(_ notice: Notice?) {
    if mode == .plain, let notice { putLines(["! " + language.say(notice.phrase)]) }
  }

  /// If earlier bytes are still queued, this picture is skipped; `drain` paints the newest.
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
    if unsent.count + bytes.count <= Self.unsentLimit { putWhole(bytes) }
  }

  /// Queues all bytes, even beyond `unsentLimit`.
  func putWhole(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    let wasEmpty = unsent.isEmpty
    unsent += bytes
    send(isFirst: wasEmpty)
  }

  func drain() {
    send(isFirst: false)
    guard unsent.isEmpty else { return }
    repaint()
    goOn()
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
    } catch { logError(error.description) }
  }
}
