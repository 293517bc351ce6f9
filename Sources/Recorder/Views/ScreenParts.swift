// The parts of the dashboard, top to bottom: the path, the lights, the take, the space left, the
// player, the list, the notices, and the line for keys or typing. Pure functions of the state;
// ScreenView puts them together.

typealias Span = ScreenView.Span

// MARK: Above the list

func heading(of console: Console, in state: State) -> [Span] {
  let path = state.pathText(of: state.place(of: console).folder)
  let place = Span(path.isEmpty ? "opening the card…" : path, .bold)
  let phase = state.host.isEnding ? "   finishing" : ""
  let root = state.host.root.isEmpty ? "" : "   in \(state.host.root)"
  return [Span("Reel  ", .heading), place, Span(phase + root, .dim)]
}

/// The three lights by name, and how each looks while it is lit.
private func signs(of state: State) -> [(name: String, sign: Span)] {
  let panel = PanelView(state)
  return [
    ("record", light(panel.record, .recording)), ("status", light(panel.status, .warning)),
    ("play", light(panel.play, .playing)),
  ]
}

/// If `areLive`, the lights are dim here, because the dashboard draws them as lamps.
func lights(of state: State, areLive: Bool) -> [Span] {
  var line: [Span] = []
  for (name, sign) in signs(of: state) {
    line += [Span(name + " ", .dim), areLive ? Span(sign.text, .dim) : sign, Span("   ", .dim)]
  }
  return line + [Span(meaning(of: state), state.isWell ? .dim : .warning)]
}

func lamps(of state: State, row: Int, columns: Int) -> [ScreenView.Lamp] {
  var column = 0
  return signs(of: state).compactMap { name, sign in
    let start = column + name.utf8.count + 1
    column = start + Text.columns(sign.text) + 3
    guard column - 3 < columns else { return nil }
    return ScreenView.Lamp(name: name, row: row, column: start, sign: sign)
  }
}

/// A light as text: its colour, and its pattern as a sign.
private func light(_ pattern: Pattern, _ style: ScreenView.Style) -> Span {
  switch pattern {
  case .off: Span("○", .dim)
  case .steady, .gaps: Span("●", style)
  case .slowBlink: Span("◐", style)
  case .fastBlink: Span("◉", style)
  case .winks(1, _): Span("·", .dim)
  case .winks(let count, _): Span(String(repeating: "•", count: count), style)
  }
}

private func meaning(of state: State) -> String {
  if let shown = state.transport.refusal { return shown.refusal.sentence }
  if case .failed(let why) = state.library.phase { return "The card failed: \(why)" }
  if case .absent(let why) = state.device.capture { return why ?? "No microphone" }
  if state.device.isSilent { return "The sound device delivers no sound" }
  if state.transport.take.running?.microphoneSeemsDead == true { return "No sound is coming in" }
  if (state.transport.take.running?.clippedFrames ?? 0) > 0 { return "Too loud: clipping" }
  if state.card.isReadOnly { return "The card is read-only" }
  if state.card.behindMilliseconds != nil { return "The card is slow; nothing is lost" }
  if state.isShortOfSpace { return "The card is nearly full" }
  if let fault = state.panel.faults.first { return fault }
  if state.panel.isLocked { return "Locked" }
  return state.isWell ? "all is well" : "see the notices"
}

func takeLine(of state: State) -> [Span] {
  switch state.transport.take {
  case .none:
    let word = state.closing.isEmpty ? "Ready" : "Writing the last pages"
    return [Span("■ \(word)", .bold), Span(state.settings.isArmed ? "   armed" : "", .dim)]
  case .greeting: return [Span("◌ Playing the greeting", .warning)]
  case .arming: return [Span("◌ About to record", .warning)]
  case .waitingForDevice: return [Span("◌ Waiting for the sound device", .warning)]
  case .recording(let take):
    let title = state.library.title(of: take.id) ?? ""
    let time = Duration.clock(milliseconds: state.takeMilliseconds)
    if state.device.isSilent {
      return [Span("◌ NO SOUND \(time)", .fault), Span("   \(title)", .bold)]
    }
    let marks = state.library.recordings[take.id]?.marks.count ?? 0
    var line = [Span("● RECORDING \(time)", .recording), Span("   \(title)", .bold)]
    if marks > 0 { line.append(Span("   \(marks) marked", .dim)) }
    if take.lostFrames > 0 { line.append(Span("   sound was lost", .fault)) }
    return line
  }
}

func roomLine(of state: State) -> [Span] {
  let left = state.leftMilliseconds.map { "\(Duration.words(seconds: $0 / 1000)) left" }
  let info = state.device.captureInfo
  let parts = [
    left, "\(state.unheardCount) unheard", info.map { "\($0.name), \($0.rate / 1000) kHz" },
    "volume \(state.device.volumePercent) %",
  ]
  return [Span(parts.compactMap { $0 }.joined(separator: "   "), .dim)]
}

/// Shows the player whichever folder is on show.
func playerLine(of state: State, columns: Int) -> [Span] {
  guard let deck = StatusView(state).deck else { return [Span("▷ nothing playing", .dim)] }
  let position = Duration.clock(milliseconds: deck.positionMilliseconds)
  let length = Duration.clock(milliseconds: deck.lengthMilliseconds)
  let times = "  \(position) / \(length)"
  let title = Text.fitted(Text.printable(deck.title), columns: max(8, columns / 3))
  let room = columns - Text.columns(title) - Text.columns(times) - 6
  let bar = bar(deck.positionMilliseconds, of: deck.lengthMilliseconds, columns: min(40, room))
  return [
    Span(deck.isPlaying ? "▶ " : "‖ ", .playing), Span(title), Span("  "), bar, Span(times, .dim),
  ]
}

private func bar(_ part: Int64, of whole: Int64, columns: Int) -> Span {
  guard columns > 3 else { return Span("") }
  let share = min(max(part, 0), whole).clampedMultiplied(by: Int64(columns))
  let filled = whole > 0 ? min(Int(share / whole), columns) : 0
  return Span(
    String(repeating: "━", count: filled) + String(repeating: "┄", count: columns - filled),
    .playing)
}

// MARK: The list

/// The output of commands if there is any, else the folder.
func middle(of console: Console, in state: State, rows: Int) -> [[Span]] {
  let output = console.commandLine?.output ?? Output()
  if output.isEmpty { return list(of: console, in: state, rows: rows) }
  var kept: [[Span]] = []
  if let permille = output.progress {
    let columns = min(40, console.columns - 8)
    kept.append([bar(Int64(permille), of: 1000, columns: columns), Span(" \(permille / 10) %")])
  }
  let room = rows - kept.count
  if room <= 0 { return kept }
  let hasMore = output.lines.count - output.top > room
  let shown = output.lines[output.top...].prefix(hasMore ? max(1, room - 1) : room)
  let rest = output.lines.count - output.top - shown.count
  let more = hasMore && room > 1 ? [[Span("  \(rest) more below: page down", .dim)]] : []
  return Array(shown) + more + kept
}

func list(of console: Console, in state: State, rows: Int) -> [[Span]] {
  let place = state.place(of: console)
  guard let folder = state.library.folders[place.folder] else { return [] }
  switch folder.reading {
  case .failed(let why): return [[Span("This folder cannot be read: \(why)", .fault)]]
  case .read where folder.items.isEmpty: return [[Span("Nothing here yet.", .dim)]]
  case _ where folder.items.isEmpty: return [[Span("reading…", .dim)]]
  case .unread, .reading, .read: break
  }
  let selected = place.selection.flatMap(state.library.index)
  return window(of: folder.items.count, around: selected, rows: rows).compactMap { index in
    ItemRow(folder.items[index], in: state).map {
      line(for: $0, isSelected: index == selected, columns: console.columns, state)
    }
  }
}

/// Returns the visible rows: the selected one in the middle, or the newest at the end.
func window(of count: Int, around selected: Int?, rows: Int) -> Range<Int> {
  guard count > rows else { return 0..<count }
  let middle = selected ?? count - 1
  let first = min(max(0, middle - rows / 2), count - rows)
  return first..<first + rows
}

private func line(
  for row: ItemRow, isSelected: Bool, columns: Int, _ state: State
) -> [Span] {
  let style: ScreenView.Style = isSelected ? .selected : .plain
  let (sign, tail) = signAndTail(row, state)
  let room = max(4, columns - Text.columns(tail) - 5)
  let title = Text.fitted(Text.printable(row.title), columns: room)
  let gap = columns - 4 - Text.columns(title) - Text.columns(tail) - 1
  return [
    Span(" \(sign) ", style), Span(title, style),
    .init(String(repeating: " ", count: max(1, gap)), style), Span(tail, style),
  ]
}

private func signAndTail(_ row: ItemRow, _ state: State) -> (String, String) {
  switch row.kind {
  case .folder(let tally):
    let unheard = tally.unheard > 0 ? ", \(tally.unheard) unheard" : ""
    return ("▸", "\(tally.recordings)\(unheard)")
  case .recording(let recording):
    let length = Duration.clock(milliseconds: recording.lengthMilliseconds)
    let doubt = recording.isDoubtful ? "! " : ""
    return (sign(recording, isPlaying: state.transport.deck.cue?.item == row.id), doubt + length)
  }
}

private func sign(_ recording: ItemRow.RecordingRow, isPlaying: Bool) -> String {
  switch recording.stage {
  case .recording: "●"
  case .closing: "◌"
  case .finished, .recovered: isPlaying ? "▶" : (recording.isHeard ? " " : "*")
  }
}

// MARK: Below the list

struct Footer {
  var rows: [[Span]] = []
  var cursorRow = 0
  var cursorColumn: Int?

  /// Returns the last rows, because the cursor is in them.
  func fitting(_ limit: Int) -> Footer {
    let kept = Array(rows.suffix(max(1, limit)))
    return Footer(
      rows: kept, cursorRow: max(0, cursorRow - (rows.count - kept.count)),
      cursorColumn: cursorColumn)
  }
}

func footer(of console: Console, in state: State) -> Footer {
  var footer = Footer()
  for notice in state.notices.unacknowledged.suffix(console.rows >= 18 ? 2 : 1) {
    let style: ScreenView.Style = notice.severity == .fault ? .fault : .warning
    let time = state.calendar(notice.wall).listed
    footer.rows.append([Span("\(time)  ", .dim), Span(notice.sentence, style)])
  }
  if let message = console.message {
    footer.rows.append([Span(message.text, message.isRefusal ? .warning : .plain)])
  } else if console.kind == .dashboard, let shown = state.transport.refusal {
    footer.rows.append([Span(shown.refusal.sentence, .warning)])
  }
  if let dialog = console.dialog {
    add(dialog, of: console, in: state, to: &footer)
  } else if let line = console.commandLine {
    let prompt = PromptView(line, of: console)
    footer.cursorRow = footer.rows.count
    footer.cursorColumn = prompt.cursorColumn
    footer.rows.append([Span(prompt.label, .key), Span(prompt.text)])
  } else {
    footer.rows.append(keys(in: state, columns: console.columns))
  }
  return footer
}

/// The most important keys, as many as fit.
private func keys(in state: State, columns: Int) -> [Span] {
  let record = state.transport.take == .none ? "record" : "stop"
  let play: String
  if case .playing = state.transport.deck { play = "pause" } else { play = "play" }
  let pairs = [
    ("r", record), ("space", play), ("?", "help"), ("q", "quit"), ("↑↓", "select"),
    ("enter", "open"), ("n", "new folder"), ("e", "rename"), ("d", "delete"),
  ]
  var left = columns
  let fitting = pairs.prefix { key, word in
    left -= Text.columns(key + word) + 1
    defer { left -= 2 }
    return left >= 0
  }
  return Array(
    fitting.map { [Span($0.0, .key), Span(" \($0.1)", .dim)] }.joined(separator: [Span("  ")]))
}

private func add(
  _ dialog: Dialog, of console: Console, in state: State, to footer: inout Footer
) {
  func ask(_ question: String, _ input: LineInput) {
    footer.cursorRow = footer.rows.count
    let before = String(input.text.prefix(input.cursor))
    footer.cursorColumn = Text.columns(question + Text.printable(before))
    footer.rows.append([Span(question, .key), Span(input.text)])
  }
  func confirm(_ question: String) { footer.rows.append([Span(question, .key)]) }
  switch dialog {
  case .newFolder(let input): ask("Name of the new folder: ", input)
  case .rename(_, let input): ask("New name: ", input)
  case .delete(let id):
    confirm("Move “\(state.library.title(of: id) ?? "")” to the trash? y/n")
  case .emptyTrash:
    confirm("In the trash: r restores the one selected, y deletes all for good, n neither")
  case .quit: confirm("A recording is running. End it and quit? y/n")
  case .confirm(_, let question): confirm(question + " y/n")
  case .help: for line in helpLines { footer.rows.append([Span(line, .plain)]) }
  }
}

private let helpLines = [
  "r record, stop          space play, pause      s stop",
  "m mark  x split         ← → seek               [ ] previous, next",
  "↑ ↓ select              enter open, play       u up        f next folder",
  "n new folder            e rename               d delete    t trash",
  "+ - volume              l lock                 a acknowledge notices",
  "R M P F D hold down the buttons record, mark, play, folder, delete",
  "any key closes this",
]

extension State {
  var isWell: Bool {
    !hasCardTrouble && !hasNoMicrophone && !hasOtherFault && notices.unacknowledged.isEmpty
  }
}

extension Text {
  /// Replaces the characters that would move a terminal's cursor or reverse its writing.
  public static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }
}
