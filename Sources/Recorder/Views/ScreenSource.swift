// Whose screen a spectator sees: the panel's, or a console's. The spectator's own size counts, and
// its lights are signs, because no console draws them as they blink. Pure functions of the state.

import Catalogue

/// Whose screen is drawn for a spectator.
public enum ScreenSource: Hashable, Sendable {
  /// A dashboard at the panel's place.
  case panel
  case console(Int)
}

extension ScreenSource {
  /// The sizes of a screen: those of a console.
  public static let columns = Console.columnLimits
  public static let rows = Console.rowLimits

  /// "the panel", or "console 2", in English.
  public var name: String { phrase.english }

  /// The name for people.
  public var phrase: Phrase {
    switch self {
    case .panel: "the panel"
    case .console(let id): "console \(id)"
    }
  }
}

extension State {
  /// What a spectator can choose, the panel first.
  public var screenSources: [ScreenSource] {
    [.panel] + consoles.filter(\.showsScreen).map { .console($0.id) }
  }

  /// Says why there is no screen of a console, and of which there is one, in English.
  public func sentence(without source: ScreenSource) -> String {
    let others = screenSources.map(\.name).joined(separator: ", ")
    let name = source.name.prefix(1).uppercased() + source.name.dropFirst()
    guard case .console(let id) = source, console(id) != nil else {
      return "There is no \(source.name); a screen is there of \(others)."
    }
    return "\(name) shows no screen; a screen is there of \(others)."
  }
}

extension ScreenView {
  /// Returns nil when there is no such console, or it has no screen. A size that no console may
  /// have is brought to the nearest.
  public init?(of source: ScreenSource, columns: Int, rows: Int, in state: State) {
    let seen: Console
    switch source {
    case .panel:
      seen = Console(
        ConsoleDescription(
          id: 0, kind: .terminal, access: .control, columns: columns, rows: rows),
        at: state.panel.place)
    case .console(let id):
      guard var console = state.console(id), console.showsScreen else { return nil }
      console.resize(columns: columns, rows: rows)
      seen = console
    }
    self.init(of: seen, areLive: false, in: state)
  }

  /// Returns what a screen shows that is too small for anything else.
  public static func tooSmall(
    columns: Int, rows: Int, neededColumns: Int, neededRows: Int, in language: Language
  ) -> ScreenView {
    var page = Page(columns: max(1, columns), rows: max(1, rows))
    page.add([Span(language.say("Too small: \(neededColumns) x \(neededRows) needed"), .warning)])
    page.fill(upTo: rows)
    return ScreenView(page, cursor: nil)
  }

  /// Returns the screen with one more row below it.
  public func adding(_ line: [Span], columns: Int) -> ScreenView {
    var page = Page(columns: columns, rows: 1)
    page.add(line)
    return ScreenView(rows: rows + page.rows, meterRow: meterRow, lamps: lamps, cursor: cursor)
  }

  /// Returns the rows without the blanks at their ends, for output that is no terminal.
  public var plainText: String {
    var lines = rows.map { row in
      let text = row.text
      return text.lastIndex { $0 != " " }.map { String(text[...$0]) } ?? ""
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { $0 + "\n" }.joined()
  }

  init(_ page: Page, cursor: Cursor?) {
    self.init(rows: page.rows, meterRow: nil, lamps: [], cursor: cursor)
  }
}
