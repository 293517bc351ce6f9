// What a reader of a flight log sees: the action, its commands, the lights and the status of the
// moment, and below them the screen of then. Pure functions of the place in the log.

import Catalogue
import Loop

extension Travel {
  /// The size of a picture without a terminal, and that at which screens are compared.
  static let standardColumns = 80
  static let standardRows = 24
  static let neededColumns = 40
  static let neededRows = 14

  /// The picture for the reader's terminal.
  public var screen: ScreenView {
    guard columns >= Self.neededColumns, rows >= Self.neededRows else {
      return .tooSmall(
        columns: columns, rows: rows, neededColumns: Self.neededColumns,
        neededRows: Self.neededRows, in: language)
    }
    var page = Page(columns: columns, rows: rows)
    for line in head { page.add(line) }
    for line in body(rows: rows - page.rows.count - 1) { page.add(line) }
    page.fill(upTo: rows - 1)
    let (foot, cursor) = foot
    page.add(foot)
    return ScreenView(
      page,
      cursor: cursor.map { ScreenView.Cursor(row: rows - 1, column: min($0, columns - 1)) })
  }

  /// Returns the moment for output that is no terminal: the action and its commands in full, the
  /// screen in its own size, no keys, and no empty rows at the end.
  public var text: String {
    let rows = (head + body(rows: rows)).map { line in
      ScreenView.Row(spans: line.map { Span(Text.printable($0.text), $0.style) })
    }
    return ScreenView(rows: rows, meterRow: nil, lamps: [], cursor: nil).plainText
  }

  // MARK: Above the screen

  private var head: [[Span]] {
    let state = moment.state
    let panel = PanelView(state)
    let patterns: [(Phrase, Pattern)] = [
      ("record", panel.record), ("status", panel.status), ("play", panel.play),
    ]
    let lights = patterns.map { "\(language.say($0.0)) \(language.say($0.1.phrase))" }
    let status = StatusView(state)
    var lines = [
      place, [label("does"), Span(history.text(of: index), .bold), Span(rowsOfAction)],
      [label("leads to"), Span(commands)],
      [label("lights"), Span(lights.joined(separator: ", "))],
      [label("status"), Span("\(status.state.rawValue): \(language.say(status.phrase))")],
    ]
    if !moment.missing.isEmpty {
      let what = moment.missing.joined(separator: "; ")
      lines.append([
        Span(language.say("not kept: \(what); states from here on may differ"), .warning)
      ])
    }
    return lines + [[Span(String(repeating: "─", count: columns), .dim)]]
  }

  private func label(_ word: Phrase) -> Span {
    Span(AnswerText.padded(language.say(word), 9), .dim)
  }

  private var place: [Span] {
    let time = moment.state.calendar(moment.state.wall)
    let milliseconds = sinceBeginning / 1_000_000
    let thousandths = "\(1000 + abs(milliseconds) % 1000)".dropFirst()
    return [
      Span(language.say("action \(index)"), .heading),
      Span(" " + language.say("of 0 to \(count - 1)") + "   ", .dim),
      Span(time.exact), Span("   +\(milliseconds / 1000).\(thousandths) s   ", .dim),
      Span(language.say(source.phrase), .key),
    ]
  }

  private var rowsOfAction: String {
    moment.rowCount == 0 ? "" : "  " + language.say("with \(moment.rowCount) rows")
  }

  private var commands: String {
    moment.commands.isEmpty
      ? language.say("nothing to do")
      : moment.commands.map { History.text(of: $0) }.joined(separator: " ")
  }

  // MARK: The screen

  private func body(rows: Int) -> [[Span]] {
    if mode == .help { return help }
    guard let view = ScreenView(of: source, columns: columns, rows: rows, in: moment.state) else {
      return [[Span(language.translate(moment.state.sentence(without: source)), .warning)]]
    }
    return view.rows.map(\.spans)
  }

  // MARK: The foot

  private var foot: ([Span], cursor: Int?) {
    switch mode {
    case .asking(let question, let input):
      let asked = language.say(question == .text ? "Find in the actions:" : "Go to action:")
      let label = asked + " "
      let before = String(input.text.prefix(input.cursor))
      return (
        [Span(label, .key), Span(input.text)], Text.columns(label + Text.printable(before))
      )
    case .help: return ([Span(language.say("any key closes this"), .dim)], nil)
    case .looking:
      if let message { return ([Span(language.say(message), .warning)], nil) }
      let keys: [(String, Phrase)] = [
        ("← →", "action"), ("?", "help"), ("q", "quit"), ("s", "screen"), ("f", "notice"),
        ("/", "find"), ("c", "console"),
      ]
      return (keys.flatMap { [Span($0.0, .key), Span(" \(language.say($0.1))  ")] }, nil)
    }
  }

  private var help: [[Span]] {
    Self.keys.map { key, word in
      let key = language.say(key)
      return [Span("  " + key, .key), .gap(16 - Text.columns(key)), Span(language.say(word))]
    }
  }

  private static let keys: [(Phrase, Phrase)] = [
    ("← →", "the action before, the next one"), ("↑ ↓", "ten actions back, forward"),
    ("page up, down", "a hundred back, forward"), ("home, end", "the first action, the last one"),
    ("g", "go to an action by its number"),
    ("s S", "the next change of this screen, the one before"),
    ("f F", "the next notice or change of the status light, the one before"),
    ("/ n N", "find a text in the actions, the next one, the one before"),
    ("c", "show the panel or another console"), ("q", "quit"),
  ]
}
