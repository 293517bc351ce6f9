// Bytes of the serial port: keys do not depend on how the bytes are split, a terminal shows what
// the recorder draws, a console with status access changes nothing, and a flood is bounded.

import Emulator
import Systemd

@testable import Console
@testable import Recorder

extension FuzzTarget {
  static let serial = FuzzTarget(
    name: "serial", limitBytes: 1024,
    seeds: {
      let typed = [
        "ls\r", "help mv\r\n", "mv 11 /Int\t\r",
        "\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D\u{1B}[3~\u{1B}[5~",
        "\u{1B}[24;80R", "\u{1B}[200;500Rstatus\r", "\u{1B}[30;120Rls\r", "re\u{12}ls\u{12}\r",
        "mode json\rstatus\rmode text\r",
        "rm 7\ry", "record Käthe 漢字\rmark x\rstop\r", "\u{0C}\u{15}\u{17}\u{0B}\u{01}\u{05}",
        "\u{1B}",
      ]
      let modes: [UInt8] = [0, 1, 2, 4, 5, 8]
      let floods: [[UInt8]] = [[0x80, 4, 0, 9, 1, 255, 255, 0, 0]]
      return floods + modes.flatMap { mode in typed.map { [mode, 3] + Array($0.utf8) } }
    },
    run: { bytes in
      guard bytes.count > 2 else { return }
      if bytes[0] & 0x80 != 0 { return try checkFlood(bytes.dropFirst()) }
      try checkKeys(bytes[2...])
      let modes: [Recorder.Console.Mode] = [.screen, .plain, .json]
      let access: Recorder.Console.Access = bytes[0] & 4 == 0 ? .control : .status
      let port = try Port(modes[Int(bytes[0] & 3) % 3], access)
      let size = 1 + Int(bytes[1] & 31)
      for start in stride(from: 2, to: bytes.count, by: size) {
        try port.take(Array(bytes[start..<min(bytes.count, start + size)]))
      }
      try port.checkEnd()
    })

  private static func checkKeys(_ bytes: ArraySlice<UInt8>) throws {
    var (whole, pieces) = (KeyParser(), KeyParser())
    let atOnce = whole.parse(bytes)
    let oneByOne = bytes.flatMap { pieces.parse([$0]) }
    try prove(atOnce == oneByOne, "keys depend on how the bytes are cut")
    try prove(whole.nextReport() == pieces.nextReport(), "a report depends on how it is cut")
    try prove(whole.pending == pieces.pending && whole.pending.count <= 32, "what waits differs")
    for case .character(let text) in atOnce { try proveReadable(text) }
  }

  /// Reads pairs of bytes: an amount in units of 16 bytes, and the tenths of a second before it.
  private static func checkFlood(_ steps: ArraySlice<UInt8>) throws {
    var guardian = FloodGuard(nowNanoseconds: 0)
    var (now, passed): (Int64, Int64) = (0, 0)
    var rest = steps
    while let size = rest.popFirst(), let pause = rest.popFirst() {
      now += Int64(pause) * 100_000_000
      let count = Int(size) * 16
      if guardian.admit(count, nowNanoseconds: now) == .passes { passed += Int64(count) }
      let most = FloodGuard.burstBytes + now / 1_000_000_000 * FloodGuard.bytesPerSecond + 2000
      try prove(passed <= most, "\(passed) bytes were let in by \(now) ns")
      try prove((1...65_536).contains(guardian.appetiteBytes), "an appetite without bounds")
    }
  }
}

/// A serial console without a cable, the appliance behind it, and a terminal in front.
private final class Port {
  private let bench = Bench()
  private let loop: EventLoop
  private let console: SerialConsole
  private var seen: Int
  private let access: Recorder.Console.Access
  private var painter = ScreenPainter(hasColour: true)
  private var terminal = Emulator(columns: 80, rows: 24)
  private let id = 3

  init(_ mode: Recorder.Console.Mode, _ access: Recorder.Console.Access) throws {
    loop = try EventLoop()
    self.access = access
    let bench = bench
    bench.send(.request(.take(.start(title: nil)), from: .appliance))
    console = SerialConsole(
      id: id, path: "/dev/null", access: access, on: loop,
      send: { bench.send(.console($0)) }, logError: { _ in })
    seen = bench.commands.count
    let console = console
    bench.onAnswer = { [unowned console] answer, origin, isLast in
      if origin == .console(3) { console.write(answer, isLast: isLast) }
    }
    console.enter(mode)
  }

  func take(_ bytes: [UInt8]) throws {
    console.handle(bytes)
    try perform()
    try paint()
    try prove(console.line.count <= SerialConsole.unsentLimit, "a line without bounds")
  }

  func checkEnd() throws {
    console.handle(console.parser.flush())
    try perform()
    try paint()
    console.leave()
    try checkState(bench.state)
    try prove(bench.state.console(id) == nil, "a console that has left is still there")
  }

  /// Performs the reducer's commands for this console.
  private func perform() throws {
    while seen < bench.commands.count {
      let command = bench.commands[seen]
      seen += 1
      switch command {
      case .console(.began(id, let line)): console.begin(line)
      case .console(.answer): break  // It was written when it came.
      default: if access == .status { try proveLookedOnly([command]) }
      }
      try prove(seen < 10_000, "commands without end")
    }
  }

  /// Checks that painting only the changes shows the same as painting all. Large screens take too
  /// long.
  private func paint() throws {
    let state = bench.state
    console.show(PromptView(console: id, in: state))
    guard let view = ScreenView(console: id, in: state), let shown = state.console(id),
      shown.columns * shown.rows <= 4000
    else { return }
    if (terminal.columns, terminal.rows) != (shown.columns, shown.rows) {
      terminal = Emulator(columns: shown.columns, rows: shown.rows)
      painter.forget()
    }
    terminal.feed(painter.paint(view))
    var fresh = ScreenPainter(hasColour: true)
    var other = Emulator(columns: shown.columns, rows: shown.rows)
    other.feed(fresh.paint(view))
    try prove(terminal.text == other.text, "painted by what changed, the screen is another")
    try prove(
      terminal.showsCursor == other.showsCursor
        && (!terminal.showsCursor || terminal.cursor == other.cursor), "the cursor is elsewhere")
    try prove(terminal.unknown.isEmpty, "a terminal does not know \(terminal.unknown)")
  }
}
