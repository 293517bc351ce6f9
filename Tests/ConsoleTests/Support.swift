// Shared by these tests: random numbers that are the same in every run, and screens made of them.
// Any thread.

@testable import Recorder

/// SplitMix64.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Returns random bytes of the kinds that break parsers.
func awkwardBytes(_ count: Int, using generator: inout Seeded) -> [UInt8] {
  let awkward: [UInt8] =
    Array("\u{1B}[O;0159~ABrä€😀\r\u{7F}".utf8) + [0x1B, 0x1B, 0x9B, 0xC0, 0xFF]
  return (0..<count).map { _ in
    Bool.random(using: &generator)
      ? awkward.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
  }
}

extension ScreenView {
  /// Plain rows.
  init(_ rows: [String], meterRow: Int? = nil, lamps: [Lamp] = [], cursor: Cursor? = nil) {
    self.init(
      rows: rows.map { Row(spans: [Span($0)]) }, meterRow: meterRow, lamps: lamps,
      cursor: cursor)
  }

  /// Rows of all styles and widths, some exactly as wide as the screen, none wider.
  static func random(columns: Int, rows: Int, using generator: inout Seeded) -> ScreenView {
    let lines = (0..<rows).map { _ in Row.random(columns: columns, using: &generator) }
    let hasMeter = Bool.random(using: &generator)
    let meterRow = hasMeter ? Int.random(in: 0..<rows, using: &generator) : nil
    return ScreenView(
      rows: lines.enumerated().map { $0 == meterRow ? Row(spans: []) : $1 }, meterRow: meterRow,
      lamps: [],
      cursor: Bool.random(using: &generator)
        ? Cursor(
          row: Int.random(in: 0..<rows, using: &generator),
          column: Int.random(in: 0..<columns, using: &generator)) : nil)
  }
}

extension ScreenView.Row {
  fileprivate static func random(columns: Int, using generator: inout Seeded) -> Self {
    let signs = ["a", " ", "ü", "e\u{301}", "━", "漢", "🎙", "…"]
    let styles: [ScreenView.Style] = [
      .plain, .dim, .bold, .heading, .recording, .playing, .warning, .fault, .selected, .key,
    ]
    var left =
      [0, columns, Int.random(in: 0...columns, using: &generator)]
      .randomElement(using: &generator) ?? 0
    var spans: [ScreenView.Span] = []
    while left > 0 {
      let sign = left > 1 ? signs.randomElement(using: &generator) ?? "a" : "z"
      left -= Text.columns(sign)
      spans.append(ScreenView.Span(sign, styles.randomElement(using: &generator) ?? .plain))
    }
    return Self(spans: spans)
  }
}
