// A console's screen: rows of styled text, built from the state for the console's size and place. A
// plain value: it is compared, tested and replayed without a terminal. The level meter changes
// faster than the state: the console draws it into `meterRow`.

import Catalogue

/// A whole screen of text.
public struct ScreenView: Equatable, Codable, Sendable {
  public let rows: [Row]
  /// The row of the level meter; nil while no device is open.
  public let meterRow: Int?
  /// The panel's lights on a terminal's dashboard, where the console draws them as they blink.
  public let lamps: [Lamp]
  public let cursor: Cursor?
  /// The language of what the console adds by itself.
  public internal(set) var language = Language.english

  /// A light as the dashboard draws it.
  public struct Lamp: Equatable, Codable, Sendable {
    public let name: String
    public let row: Int
    public let column: Int
    /// The look of the lit lamp; the row itself shows it dim.
    public let sign: Span
  }

  public struct Row: Equatable, Codable, Sendable {
    public let spans: [Span]
  }

  public struct Span: Equatable, Codable, Sendable {
    public let text: String
    public let style: Style
  }

  public struct Cursor: Equatable, Codable, Sendable {
    public let row: Int
    public let column: Int
  }

  public enum Style: String, Codable, Sendable {
    case plain, dim, bold, heading, recording, playing, warning, fault, selected, key
  }

  public var text: String { rows.map(\.text).joined(separator: "\n") }
}

extension ScreenView.Row {
  public var text: String { spans.map(\.text).joined() }
}

extension ScreenView {
  /// Nil when there is no such console, or it has no screen.
  public init?(console id: Int, in state: State) {
    guard let console = state.console(id), console.showsScreen else { return nil }
    self.init(of: console, areLive: console.kind == .dashboard, in: state)
  }

  /// - Parameter areLive: whether the console draws the lights as they blink; else each is a sign.
  init(of console: Console, areLive: Bool, in state: State) {
    let foot = footer(of: console, in: state).fitting(console.rows - 2)
    let room = console.rows - foot.rows.count - max(1, console.rows / 4)
    var page = Page(columns: console.columns, rows: console.rows)
    var meterRow: Int?
    var lamps: [Lamp] = []
    for part in Part.fitting(room) {
      if part == .meter, state.device.isRunning { meterRow = page.rows.count }
      if part == .lights, areLive {
        lamps = Recorder.lamps(of: state, row: page.rows.count, columns: console.columns)
      }
      page.add(part.spans(of: console, areLive: areLive, in: state))
    }
    let listRows = max(1, console.rows - page.rows.count - foot.rows.count)
    // A spectator is shown no code.
    let code = areLive && console.kind == .dashboard ? state.pairing.code : nil
    let lines =
      code.map { pairingRows($0, in: state, rows: listRows, columns: console.columns) }
      ?? middle(of: console, in: state, rows: listRows)
    for line in lines { page.add(line) }
    page.fill(upTo: console.rows - foot.rows.count)
    let footRow = page.rows.count
    for line in foot.rows { page.add(line) }
    rows = page.rows
    language = state.settings.language
    self.meterRow = meterRow
    self.lamps = lamps
    cursor = foot.cursorColumn.map {
      Cursor(row: footRow + foot.cursorRow, column: min($0, console.columns - 1))
    }
  }
}

/// The rows above the list, from the top down.
private enum Part: CaseIterable {
  case heading, lights, upperRule, take, meter, room, player, lowerRule

  /// The rows that a small screen omits, the least important first.
  private static let dispensable: [Part] = [
    .lowerRule, .upperRule, .meter, .player, .heading, .room, .lights,
  ]

  static func fitting(_ rows: Int) -> [Part] {
    let gone = dispensable.prefix(max(0, allCases.count - rows))
    return allCases.filter { !gone.contains($0) }
  }

  func spans(of console: Console, areLive: Bool, in state: State) -> [ScreenView.Span] {
    switch self {
    case .heading: Recorder.heading(of: console, in: state)
    case .lights: Recorder.lights(of: state, areLive: areLive)
    case .upperRule, .lowerRule: [.init(String(repeating: "─", count: console.columns), .dim)]
    case .take: takeLine(of: state)
    case .meter: []
    case .room: roomLine(of: state)
    case .player: playerLine(of: state, columns: console.columns)
    }
  }
}

/// Collects rows, each cut to the width of the screen.
struct Page {
  let columns: Int
  let limit: Int
  private(set) var rows: [ScreenView.Row] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    limit = rows
  }

  mutating func add(_ spans: [ScreenView.Span]) {
    guard rows.count < limit else { return }
    var left = columns
    var kept: [ScreenView.Span] = []
    for span in spans where left > 0 {
      let text = Text.fitted(Text.printable(span.text), columns: left)
      left -= Text.columns(text)
      if !text.isEmpty { kept.append(ScreenView.Span(text: text, style: span.style)) }
    }
    rows.append(ScreenView.Row(spans: kept))
  }

  mutating func fill(upTo count: Int) {
    while rows.count < min(count, limit) { add([]) }
  }
}

extension ScreenView.Span {
  public init(_ text: String, _ style: ScreenView.Style = .plain) {
    self.text = text
    self.style = style
  }

  /// Blanks that align the text after them.
  static func gap(_ columns: Int) -> ScreenView.Span {
    .init(String(repeating: " ", count: max(0, columns)))
  }
}
