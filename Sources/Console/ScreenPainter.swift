// Turns a screen into the bytes that show it on a terminal. Only changed rows are sent. It keeps
// what was sent last, does not know where the bytes go, and never waits for anything.

import Catalogue
import Recorder

/// Paints what changed of a screen.
public struct ScreenPainter {
  private let hasColour: Bool
  private var shown: ScreenView?
  private var shownMeter = ""
  /// The names of the lights that are on.
  private var lit: Set<String> = []

  public init(hasColour: Bool) { self.hasColour = hasColour }

  /// Forgets what the terminal shows, so that the next picture is sent whole.
  public mutating func forget() {
    shown = nil
    shownMeter = ""  // the terminal may be narrower by now
  }

  /// Returns the bytes that turn the last painted view into this one.
  public mutating func paint(_ view: ScreenView) -> [UInt8] {
    var out = hideCursor
    let isWhole = shown == nil || shown?.rows.count != view.rows.count
    if isWhole { out += "\u{1B}[0m\u{1B}[2J" }
    for (index, row) in view.rows.enumerated()
    where index != view.meterRow
      && (isWhole || shown?.rows[index] != row || shown?.meterRow == index)
    {
      out += emptied(index) + row.spans.map(styled).joined()
    }
    if let row = view.meterRow, isWhole || shown?.meterRow != row {
      out += emptied(row) + shownMeter
    }
    for lamp in view.lamps where isWhole || isNew(lamp, in: view) { out += painted(lamp) }
    out += placeCursor(view.cursor)
    shown = view
    return Array(out.utf8)
  }

  /// Returns the bytes for the meter's row; none without such a row, or if it looks the same.
  public mutating func paint(_ meter: Meter) -> [UInt8] {
    guard let view = shown, let row = view.meterRow else { return [] }
    let columns = view.rows.map { Text.columns($0.text) }.max() ?? 80
    let text = meter.spans(columns: columns, in: view.language).map(styled).joined()
    if text == shownMeter { return [] }
    shownMeter = text
    return Array((hideCursor + emptied(row) + text + placeCursor(view.cursor)).utf8)
  }

  /// Returns the bytes that show a light on or off; none if the view does not have it.
  public mutating func paint(lamp name: String, isLit: Bool) -> [UInt8] {
    if isLit { lit.insert(name) } else { lit.remove(name) }
    guard let view = shown, let lamp = view.lamps.first(where: { $0.name == name }) else {
      return []
    }
    return Array((hideCursor + painted(lamp) + placeCursor(view.cursor)).utf8)
  }

  private func isNew(_ lamp: ScreenView.Lamp, in view: ScreenView) -> Bool {
    guard let shown else { return true }
    return shown.rows[lamp.row] != view.rows[lamp.row] || !shown.lamps.contains(lamp)
  }

  private func painted(_ lamp: ScreenView.Lamp) -> String {
    let sign = lit.contains(lamp.name) ? lamp.sign : .init(lamp.sign.text, .dim)
    return "\u{1B}[\(lamp.row + 1);\(lamp.column + 1)H\u{1B}[0m" + styled(sign)
  }

  private var hideCursor: String { "\u{1B}[?25l" }

  /// Erases a row before it is written. After a row that fills the width, the terminal's cursor
  /// stays on the last column, and erasing from there would delete its character.
  private func emptied(_ row: Int) -> String { "\u{1B}[\(row + 1);1H\u{1B}[0m\u{1B}[K" }

  private func placeCursor(_ cursor: ScreenView.Cursor?) -> String {
    guard let cursor else { return "" }
    return "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
  }

  private func styled(_ span: ScreenView.Span) -> String {
    Self.styled(span, hasColour: hasColour)
  }

  /// Returns a styled line for a terminal that is written to from the top down.
  public static func text(of line: [ScreenView.Span], hasColour: Bool) -> String {
    line.map { styled($0, hasColour: hasColour) }.joined()
  }

  private static func styled(_ span: ScreenView.Span, hasColour: Bool) -> String {
    let code = code(of: span.style, hasColour: hasColour)
    let text = Text.isolated(span.text)
    return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// Without colour, bold and inverse mark what must stand out.
  private static func code(of style: ScreenView.Style, hasColour: Bool) -> String {
    switch style {
    case .plain: ""
    case .dim: "2"
    case .bold: "1"
    case .heading: hasColour ? "1;36" : "1"
    case .recording: hasColour ? "1;31" : "1"
    case .playing: hasColour ? "32" : ""
    case .warning: hasColour ? "33" : "1"
    case .fault: hasColour ? "1;31" : "1;7"
    case .selected: "7"
    case .key: hasColour ? "36" : "1"
    }
  }
}

/// The level now, and the held peak of the last seconds, in dBFS.
public struct Meter: Equatable, Sendable {
  public let levelDecibels: Double
  public let heldDecibels: Double
  public let isClipping: Bool

  static let floorDecibels = -60.0

  public init(levelDecibels: Double, heldDecibels: Double, isClipping: Bool) {
    self.levelDecibels = Self.sane(levelDecibels)
    self.heldDecibels = Self.sane(heldDecibels)
    self.isClipping = isClipping
  }

  /// Clamps a level: silence is minus infinity, and a broken device may yield NaN.
  private static func sane(_ decibels: Double) -> Double {
    decibels.isNaN ? floorDecibels : min(max(decibels, floorDecibels), 99)
  }

  /// Returns a bar with a stroke at the held peak, and the peak as a number.
  public func spans(columns: Int, in language: Language = .english) -> [ScreenView.Span] {
    let figure =
      heldDecibels <= Self.floorDecibels
      ? " " + language.say("silent") : " \(Int(heldDecibels.rounded())) dB"
    let room = max(1, min(60, columns - 16))
    let filled = place(of: levelDecibels, in: room)
    let held = place(of: heldDecibels, in: room)
    var bar = Array(repeating: Character("┄"), count: room)
    for index in 0..<filled { bar[index] = "━" }
    if held > 0 { bar[held - 1] = "┃" }
    let style: ScreenView.Style = isClipping ? .fault : levelDecibels > -6 ? .warning : .playing
    let word = isClipping ? " " + language.say("CLIP") : ""
    return [.init("  ", .plain), .init(String(bar), style), .init(figure + word, .dim)]
  }

  private func place(of decibels: Double, in columns: Int) -> Int {
    guard decibels > Self.floorDecibels else { return 0 }
    let share = (decibels - Self.floorDecibels) / -Self.floorDecibels
    return min(columns, max(0, Int((share * Double(columns)).rounded())))
  }
}
