// The keys of a dashboard and what they do: the line at its foot and the help. A key whose request
// would be refused now is dim. Pure functions of the state.

import Catalogue

/// The keys of a dashboard, in the order of their importance and in that of the help.
enum KeyHints {
  private struct Hint {
    let key: String
    let word: Phrase
    /// What the key asks for; nil if it cannot be refused.
    var request: Request?

    init(_ key: String, _ word: Phrase, _ request: Request? = nil) {
      (self.key, self.word, self.request) = (key, word, request)
    }
  }

  /// The most important keys, as many as fit.
  static func line(of console: Console, in state: State) -> [Span] {
    var left = console.columns
    let fitting = foot(of: state).prefix { hint in
      left -= Text.columns(hint.key + state.say(hint.word)) + 1
      defer { left -= 2 }
      return left >= 0
    }
    return Array(fitting.map { spans(of: $0, console, state) }.joined(separator: [Span("  ")]))
  }

  /// The help, a row for each subject; what does not fit across goes on below.
  static func help(of console: Console, in state: State) -> [[Span]] {
    var rows: [[Span]] = []
    for hints in subjects(of: state) {
      var row: [Span] = []
      var columns = 0
      for hint in hints {
        let width = Text.columns(hint.key + state.say(hint.word)) + 1
        if columns > 0, columns + width > console.columns {
          rows.append(row)
          (row, columns) = ([], 0)
        }
        row += spans(of: hint, console, state) + [Span("   ")]
        columns += width + 3
      }
      rows.append(row)
    }
    let note = state.say("capitals R M P F D hold a button down; any key closes this")
    return rows + [[Span(note, .dim)]]
  }

  private static func spans(of hint: Hint, _ console: Console, _ state: State) -> [Span] {
    // A spectator's picture of the panel is no console: its keys are the panel's buttons.
    let origin = state.console(console.id) == nil ? Origin.panel : .console(console.id)
    let isRefused = hint.request.map { state.refusal(to: $0, from: origin) != nil } ?? false
    return [
      Span(hint.key, isRefused ? .dim : .key),
      Span(" " + state.say(hint.word), isRefused ? .dim : .plain),
    ]
  }

  private static func foot(of state: State) -> [Hint] {
    [
      record(state), play(state), Hint("?", "help"), Hint("q", "quit"), Hint("↑↓", "select"),
      Hint("enter", "open", .browse(.open)),
    ] + changes(of: state)
  }

  private static func subjects(of state: State) -> [[Hint]] {
    [
      [
        record(state), Hint("m", "mark", .take(.mark(name: ""))), Hint("x", "split", .take(.split)),
      ],
      [
        play(state), Hint("s", "stop", state.transport.take == .none ? .deck(.stop) : .take(.stop)),
        Hint("← →", "seek", .deck(.seek(.by(milliseconds: 0)))),
        Hint(",", "mark before", .deck(.previousMark)), Hint(".", "next mark", .deck(.nextMark)),
        Hint("[", "previous", .deck(.previous)), Hint("]", "next", .deck(.next)),
        Hint("+ -", "volume"),
      ],
      [
        Hint("↑ ↓", "select"), Hint("enter", "open", .browse(.open)), Hint("u", "up"),
        Hint("i", "show one recording"),
        Hint("f", "next folder", .browse(.nextFolder)),
        Hint("t", "trash", .browse(.enter(.trash))), Hint("g", "go to what is new elsewhere"),
      ],
      changes(of: state),
      [
        Hint("l", "lock", .system(.lock(true))),
        Hint("a", "acknowledge notices", .system(.acknowledge)),
        Hint("w", "pair a browser", .system(.askForCode)),
      ],
    ]
  }

  private static func changes(of state: State) -> [Hint] {
    let name = state.panel.place.selection.flatMap(state.library.title) ?? ""
    return [
      Hint("n", "new folder", .item(.makeFolder(name: newName, in: nil))),
      Hint("e", "rename", .item(.rename(nil, to: name))), delete(state), undo(state),
    ]
  }

  /// Asks whether another folder can be made, whatever its name.
  private static let newName = "\u{FFFD}\u{FFFD}\u{FFFD}"

  private static func record(_ state: State) -> Hint {
    Hint("r", state.transport.take == .none ? "record" : "stop", .take(.toggle))
  }

  private static func play(_ state: State) -> Hint {
    if case .playing = state.transport.deck { return Hint("space", "pause", .deck(.toggle)) }
    return Hint("space", "play", .deck(.toggle))
  }

  private static func delete(_ state: State) -> Hint {
    Hint("d", "delete", state.panel.place.folder == .trash ? nil : .item(.delete(nil)))
  }

  /// Names what would be undone.
  private static func undo(_ state: State) -> Hint {
    let kind = state.undo.steps.last?.kind
    return Hint("z", kind.map { "undo \($0.word)" } ?? "undo", .item(.undo))
  }
}
