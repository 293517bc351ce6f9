// Pictures as bytes: what the painter sends makes a terminal show the view, first whole and then by
// its changes. The terminal is an emulator of our own that follows xterm.

import Emulator
import Testing

@testable import Console
@testable import Recorder

@Suite struct ScreenPainterTests {
  private var painter = ScreenPainter(hasColour: true)
  private var terminal = Emulator(columns: 20, rows: 3)

  private mutating func show(_ view: ScreenView) { terminal.feed(painter.paint(view)) }

  private func sent(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("the first picture replaces whatever was there")
  mutating func first() {
    terminal.fill(with: "x")
    show(ScreenView(["one", "two", ""]))
    #expect(terminal.text == ["one", "two", ""])
  }

  @Test("of the next picture only the rows that changed are sent")
  mutating func difference() {
    show(ScreenView(["one", "two", "three"]))
    let bytes = painter.paint(ScreenView(["one", "2", "three"]))
    terminal.feed(bytes)
    #expect(terminal.text == ["one", "2", "three"])
    #expect(terminal.erasures == 1)
    #expect(!sent(bytes).contains("one") && !sent(bytes).contains("three"))
  }

  @Test("after the picture is forgotten it is sent whole")
  mutating func forgotten() {
    let view = ScreenView(["one", "two", "three"])
    show(view)
    terminal.fill(with: "x")
    show(view)
    #expect(terminal.text == Array(repeating: String(repeating: "x", count: 20), count: 3))
    painter.forget()
    show(view)
    #expect(terminal.text == ["one", "two", "three"])
  }

  @Test("a change in the number of rows is painted")
  mutating func rows() {
    show(ScreenView(["one", "two", "three"]))
    show(ScreenView(["one", "two"]))
    #expect(terminal.text == ["one", "two", ""])
  }

  @Test("a light shows while it is lit, also after its row was repainted")
  mutating func lamps() {
    let lamp = ScreenView.Lamp(name: "record", row: 1, column: 7, sign: .init("●", .recording))
    show(ScreenView(["one", "record ●", "three"], lamps: [lamp]))
    let lit = painter.paint(lamp: "record", isLit: true)
    #expect(sent(lit).contains("\u{1B}[2;8H\u{1B}[0m\u{1B}[1;31m●"))
    let bytes = painter.paint(ScreenView(["one", "record ● x", "three"], lamps: [lamp]))
    #expect(sent(bytes).contains("\u{1B}[1;31m●"))
    let dark = painter.paint(lamp: "record", isLit: false)
    #expect(sent(dark).contains("\u{1B}[2m●"))
    #expect(painter.paint(lamp: "play", isLit: true).isEmpty)
    for bytes in [lit, bytes, dark] { terminal.feed(bytes) }
    #expect(terminal.text == ["one", "record ● x", "three"] && terminal.unknown.isEmpty)
  }

  @Test("a row as wide as the screen keeps its last column")
  mutating func fullWidth() {
    let wide = String(repeating: "─", count: 20)
    show(ScreenView([wide, "", wide]))
    #expect(terminal.text == [wide, "", wide])
  }

  @Test("the cursor shows where the view has it, and is hidden otherwise")
  mutating func cursor() {
    show(ScreenView(["reel> ", "", ""], cursor: .init(row: 0, column: 6)))
    #expect(terminal.showsCursor)
    #expect(terminal.cursor == (0, 6))
    show(ScreenView(["", "", ""]))
    #expect(!terminal.showsCursor)
  }

  @Test("without colour nothing is coloured, and styles still stand out")
  func colours() {
    let styles: [ScreenView.Style] = [.heading, .recording, .warning, .fault, .selected, .key]
    for style in styles {
      let view = ScreenView(
        rows: [.init(spans: [ScreenView.Span("text", style)])], meterRow: nil, lamps: [],
        cursor: nil)
      var plain = ScreenPainter(hasColour: false)
      let bytes = plain.paint(view)
      var terminal = Emulator(columns: 20, rows: 1)
      terminal.feed(bytes)
      #expect(!terminal.hasSeenColour, "\(style)")
      #expect(sent(bytes).contains("m" + "text\u{1B}[0m"), "\(style)")
    }
  }

  @Test("with colour a recording is coloured")
  mutating func coloured() {
    let row = ScreenView.Row(spans: [ScreenView.Span("RECORDING", .recording)])
    show(ScreenView(rows: [row, row, row], meterRow: nil, lamps: [], cursor: nil))
    #expect(terminal.hasSeenColour)
  }

  @Test("a title from right to left is isolated, and the columns beside it stay in place")
  func rightToLeft() {
    func columns(of title: String) -> [String] {
      let gap = String(repeating: " ", count: 12 - Text.columns(title))
      let row = ScreenView.Row(
        spans: [.init(" * "), .init(title), .init(gap), .init("12:31", .dim)])
      var painter = ScreenPainter(hasColour: false)
      let bytes = painter.paint(
        ScreenView(rows: [row], meterRow: nil, lamps: [], cursor: nil))
      let isolated = "\u{2068}\(title)\u{2069}"
      #expect(sent(bytes).contains(isolated) == (title != "Kitchen"), "\(title)")
      var terminal = Emulator(columns: 24, rows: 1)
      terminal.feed(bytes)
      let line = terminal.text[0]
      return [String(line.suffix(5)), "\(Text.columns(line))"]
    }
    let latin = columns(of: "Kitchen")
    #expect(latin == ["12:31", "20"])
    #expect(columns(of: "שלום") == latin)
    #expect(columns(of: "مقابلة") == latin)
  }

  // MARK: The meter

  private static let loud = Meter(levelDecibels: -3, heldDecibels: -2, isClipping: false)

  @Test("the meter is drawn into its row and nowhere else, and leaves the cursor where it was")
  mutating func meter() {
    show(ScreenView(["one", "", "three"], meterRow: 1, cursor: .init(row: 2, column: 5)))
    terminal.feed(painter.paint(Self.loud))
    #expect(terminal.text[0] == "one" && terminal.text[2] == "three")
    #expect(terminal.text[1].contains("-2 dB"))
    #expect(terminal.cursor == (2, 5))
    #expect(terminal.showsCursor)
  }

  @Test("a meter that looks the same, or has no row, sends nothing")
  mutating func sameMeter() {
    #expect(painter.paint(Self.loud) == [])
    show(ScreenView(["", "", ""]))
    #expect(painter.paint(Self.loud) == [])
    show(ScreenView(["", "", ""], meterRow: 0))
    #expect(painter.paint(Self.loud) != [])
    #expect(painter.paint(Self.loud) == [])
  }

  @Test("the meter moves with its row and vanishes with it")
  mutating func moves() {
    show(ScreenView(["", "b", "c"], meterRow: 0))
    terminal.feed(painter.paint(Self.loud))
    show(ScreenView(["a", "", "c"], meterRow: 1))
    #expect(terminal.text[0] == "a")
    #expect(terminal.text[1].contains("-2 dB"))
    show(ScreenView(["a", "b", "c"]))
    #expect(terminal.text == ["a", "b", "c"])
  }

  @Test("on a terminal that became narrower the old meter does not wrap")
  mutating func narrower() {
    terminal.resize(columns: 80, rows: 3)
    show(ScreenView([String(repeating: "─", count: 80), "", "c"], meterRow: 1))
    terminal.feed(painter.paint(Self.loud))
    terminal.resize(columns: 20, rows: 3)
    painter.forget()
    show(ScreenView(["a", "", "c"], meterRow: 1))
    #expect(terminal.text == ["a", "", "c"])
  }

  // MARK: All together

  @Test(
    "after any views in a row the terminal shows the last", arguments: 1...30 as ClosedRange<UInt64>
  )
  func random(_ seed: UInt64) {
    var generator = Seeded(seed)
    var size = (columns: 30, rows: 8)
    var painter = ScreenPainter(hasColour: seed % 2 == 0)
    var terminal = Emulator(columns: size.columns, rows: size.rows)
    for _ in 0..<15 {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        size.columns = Int.random(in: 20...120, using: &generator)
        size.rows = Int.random(in: 5...30, using: &generator)
        terminal.resize(columns: size.columns, rows: size.rows)
        painter.forget()
      }
      let view = ScreenView.random(columns: size.columns, rows: size.rows, using: &generator)
      terminal.feed(painter.paint(view))
      let level = Double.random(in: -70...0, using: &generator)
      terminal.feed(
        painter.paint(Meter(levelDecibels: level, heldDecibels: level, isClipping: level > -1)))
      expect(terminal, shows: view)
    }
    #expect(terminal.unknown == [])
  }

  private func expect(_ terminal: Emulator, shows view: ScreenView) {
    var expected = view.rows.map { trimmed($0.text) }
    let text = terminal.text
    if let row = view.meterRow {
      #expect(text[row].contains(" dB") || text[row].contains("silent"))
      expected[row] = text[row]
    }
    #expect(text == expected)
    #expect(terminal.showsCursor == (view.cursor != nil))
    if let cursor = view.cursor { #expect(terminal.cursor == (cursor.row, cursor.column)) }
  }
}
