// The parts of the dashboard, top to bottom: the path, the lights, the take, the space left, the
// player, the list, the notices, and the line for keys or typing. Pure functions of the state;
// ScreenView puts them together.

import Catalogue

typealias Span = ScreenView.Span

// MARK: Above the list

func heading(of console: Console, in state: State) -> [Span] {
  let folder = state.place(of: console).folder
  let path = state.library.path(to: folder).map { name(of: $0, in: state) }
    .joined(separator: " / ")
  let place = Span(path.isEmpty ? state.say("opening the card…") : path, .bold)
  let count = state.library.folders[folder].map { "   " + counts($0.tally, state) } ?? ""
  let limits = limits(of: folder, in: state)
  let phase = state.host.isEnding ? "   " + state.say("finishing") : ""
  let root = state.host.root.isEmpty ? "" : "   " + state.say("in \(state.host.root)")
  return [Span("Reel  ", .heading), place, Span(count, .dim)] + limits + [Span(phase + root, .dim)]
}

/// The root folder and the trash are named in each language; other names are people's.
private func name(of folder: Folder, in state: State) -> String {
  switch folder.id {
  case .root: state.say("Recordings")
  case .trash: state.say("Trash")
  default: folder.name
  }
}

/// What of a folder has nearly reached its limit.
private func limits(of id: ItemID, in state: State) -> [Span] {
  let items = state.library.folders[id]?.items.count ?? 0
  let depth = state.library.path(to: id).count
  let (itemsLimit, depthLimit) = (state.settings.itemsPerFolder, state.settings.folderDepth)
  var spans: [Span] = []
  if isNear(items, itemsLimit) {
    spans.append(Span("   " + state.say("\(items) of \(itemsLimit) items"), .warning))
  }
  if isNear(depth, depthLimit) {
    spans.append(Span("   " + state.say("\(depth) of \(depthLimit) deep"), .warning))
  }
  return spans
}

/// The number of marks, with its limit from 90 % on.
private func markCount(_ marks: Int, in state: State) -> Span {
  let limit = state.settings.marksPerRecording
  return isNear(marks, limit)
    ? Span("   " + state.say("\(marks) of \(limit) marked"), .warning)
    : Span("   " + state.say("\(marks) marked"), .dim)
}

private func isNear(_ number: Int, _ limit: Int) -> Bool { number >= limit - limit / 10 }

/// "12, 3 unheard".
private func counts(_ tally: Tally, _ state: State) -> String {
  tally.unheard > 0
    ? state.say("\(tally.recordings), \(tally.unheard) unheard") : "\(tally.recordings)"
}

/// The three lights by name, and how each looks while it is lit.
private func signs(of state: State) -> [(name: String, sign: Span)] {
  let panel = PanelView(state)
  return [
    ("record", light(panel.record, .recording)), ("status", light(panel.status, .warning)),
    ("play", light(panel.play, .playing)),
  ]
}

/// The name of a light as a person reads it.
private func label(ofLight name: String, in state: State) -> String {
  switch name {
  case "record": state.say("record")
  case "status": state.say("status")
  default: state.say("play")
  }
}

/// If `areLive`, the lights are dim here, because the dashboard draws them as lamps.
func lights(of state: State, areLive: Bool) -> [Span] {
  var line: [Span] = []
  for (name, sign) in signs(of: state) {
    let word = label(ofLight: name, in: state)
    line += [Span(word + " ", .dim), areLive ? Span(sign.text, .dim) : sign, Span("   ", .dim)]
  }
  return line + [Span(meaning(of: state), state.isWell ? .dim : .warning)]
}

func lamps(of state: State, row: Int, columns: Int) -> [ScreenView.Lamp] {
  var column = 0
  return signs(of: state).compactMap { name, sign in
    let start = column + Text.columns(label(ofLight: name, in: state)) + 1
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
  case .fastBlink, .digits: Span("◉", style)
  case .winks(1, _): Span("·", .dim)
  case .winks(let count, _): Span(String(repeating: "•", count: count), style)
  }
}

private func meaning(of state: State) -> String {
  if let shown = state.transport.refusal { return state.translated(shown.refusal.sentence) }
  if case .failed(let why) = state.library.phase {
    return state.translated("The card failed: \(why)")
  }
  if case .absent(let why) = state.device.capture {
    return state.translated(why ?? "No microphone")
  }
  if state.device.isSilent { return state.say("The sound device delivers no sound") }
  if state.transport.take.running?.microphoneSeemsDead == true {
    return state.say("No sound is coming in")
  }
  if (state.transport.take.running?.clippedFrames ?? 0) > 0 {
    return state.say("Too loud: clipping")
  }
  if state.card.isReadOnly { return state.say("The card is read-only") }
  if state.card.behindMilliseconds != nil {
    return state.say("The card is slow; nothing is lost")
  }
  if state.isShortOfSpace { return state.say("The card is nearly full") }
  if let fault = state.panel.faults.first { return state.translated(fault) }
  if state.panel.isLocked { return state.say("Locked") }
  return state.say(state.isWell ? "all is well" : "see the notices")
}

func takeLine(of state: State) -> [Span] {
  switch state.transport.take {
  case .none:
    let word = state.say(state.closing.isEmpty ? "Ready" : "Writing the last pages")
    let armed = state.settings.isArmed ? "   " + state.say("armed") : ""
    return [Span("■ \(word)", .bold), Span(armed, .dim)]
  case .greeting: return [Span("◌ " + state.say("Playing the greeting"), .warning)]
  case .arming: return [Span("◌ " + state.say("About to record"), .warning)]
  case .waitingForDevice:
    return [Span("◌ " + state.say("Waiting for the sound device"), .warning)]
  case .recording(let take):
    let title = state.library.title(of: take.id) ?? ""
    let time = Duration.clock(milliseconds: state.takeMilliseconds)
    if state.device.isSilent {
      return [Span("◌ " + state.say("NO SOUND \(time)"), .fault), Span("   \(title)", .bold)]
    }
    let marks = state.library.recordings[take.id]?.marks.count ?? 0
    var line = [
      Span("● " + state.say("RECORDING \(time)"), .recording), Span("   \(title)", .bold),
    ]
    if marks > 0 { line.append(markCount(marks, in: state)) }
    if take.lostFrames > 0 { line.append(Span("   " + state.say("sound was lost"), .fault)) }
    return line
  }
}

func roomLine(of state: State) -> [Span] {
  let left = state.leftMilliseconds.map {
    state.say("\(Duration.phrase(seconds: $0 / 1000)) left")
  }
  let info = state.device.captureInfo
  let parts = [
    left, state.say("\(state.unheardCount) unheard"),
    info.map { "\($0.name), \($0.rate / 1000) kHz" },
    state.say("volume \(state.device.volumePercent) %"),
  ]
  return [Span(parts.compactMap { $0 }.joined(separator: "   "), .dim)]
}

/// Shows the player whichever folder is on show.
func playerLine(of state: State, columns: Int) -> [Span] {
  guard let deck = StatusView(state).deck else {
    return [Span("▷ " + state.say("nothing playing"), .dim)]
  }
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

func bar(_ part: Int64, of whole: Int64, columns: Int) -> Span {
  guard columns > 3 else { return Span("") }
  let share = min(max(part, 0), whole).clampedMultiplied(by: Int64(columns))
  let filled = whole > 0 ? min(Int(share / whole), columns) : 0
  return Span(
    String(repeating: "━", count: filled) + String(repeating: "┄", count: columns - filled),
    .playing)
}

// MARK: The list

/// One recording if it is shown, else the output of commands if there is any, else the folder.
func middle(of console: Console, in state: State, rows: Int) -> [[Span]] {
  if case .detail(let detail) = console.dialog {
    return DetailView.rows(of: detail, on: console, in: state, limit: rows)
  }
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
  let more =
    hasMore && room > 1 ? [[Span("  " + state.say("\(rest) more below: page down"), .dim)]] : []
  return Array(shown) + more + kept
}

func list(of console: Console, in state: State, rows: Int) -> [[Span]] {
  let place = state.place(of: console)
  guard let folder = state.library.folders[place.folder] else { return [] }
  switch folder.reading {
  case .failed(let why):
    return [[Span(state.translated("This folder cannot be read: \(why)"), .fault)]]
  case .read where folder.items.isEmpty:
    return [[Span(state.say("Nothing here yet."), .dim)]]
  case _ where folder.items.isEmpty: return [[Span(state.say("reading…"), .dim)]]
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
  let (sign, tail) = signAndTail(row, columns: columns, state)
  let room = max(4, columns - Text.columns(tail) - 5)
  let title = Text.fitted(Text.printable(row.title), columns: room)
  let gap = columns - 4 - Text.columns(title) - Text.columns(tail) - 1
  return [
    Span(" \(sign) ", style), Span(title, style),
    .init(String(repeating: " ", count: max(1, gap)), style), Span(tail, style),
  ]
}

private func signAndTail(
  _ row: ItemRow, columns: Int, _ state: State
) -> (String, String) {
  switch row.kind {
  case .folder(let summary):
    // On a narrow screen the name needs the room.
    let latest = columns < 60 ? nil : summary.latest.map { "   " + state.localTime($0) }
    return ("▸", counts(summary.tally, state) + (latest ?? ""))
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
    footer.rows.append([Span("\(time)  ", .dim), Span(state.say(notice.phrase), style)])
  }
  if let message = console.message {
    footer.rows.append([Span(state.translated(message.text), message.isRefusal ? .warning : .plain)]
    )
  } else if let arrival = console.arrival, let title = state.library.title(of: arrival.item),
    let folder = state.library.parent(of: arrival.item)
  {
    let key = console.kind == .dashboard ? "g" : "Ctrl-O"
    footer.rows.append([
      Span(state.say("New in \(state.library.pathName(of: folder)): “\(title)”") + "  "),
      Span(key, .key), Span(" " + state.say("goes there"), .dim),
    ])
  } else if console.kind == .dashboard, let shown = state.transport.refusal {
    footer.rows.append([Span(state.translated(shown.refusal.sentence), .warning)])
  }
  if let dialog = console.dialog {
    add(dialog, of: console, in: state, to: &footer)
  } else if let line = console.commandLine {
    let prompt = PromptView(line, of: console, in: state.settings.language)
    footer.cursorRow = footer.rows.count
    footer.cursorColumn = prompt.cursorColumn
    footer.rows.append([Span(prompt.label, .key), Span(prompt.text)])
  } else {
    footer.rows.append(KeyHints.line(of: console, in: state))
  }
  return footer
}

private func add(
  _ dialog: Dialog, of console: Console, in state: State, to footer: inout Footer
) {
  func ask(_ phrase: Phrase, _ input: LineInput, _ hint: String = "") {
    let question = state.say(phrase) + " "
    footer.cursorRow = footer.rows.count
    let before = String(input.text.prefix(input.cursor))
    footer.cursorColumn = Text.columns(question + Text.printable(before))
    let text = input.text.replacing("\n", with: "⏎")
    footer.rows.append([
      Span(question, .key), Span(text, input.isSelected ? .selected : .plain),
      Span(hint, .dim),
    ])
  }
  func confirm(_ question: Phrase) {
    footer.rows.append([Span(state.say(question), .key)])
  }
  switch dialog {
  case .newFolder(let input):
    ask("Name of the new folder:", input)
    let request = Request.item(.makeFolder(name: input.text, in: nil))
    if !input.text.isEmpty, let refusal = state.refusal(to: request, from: .console(console.id)) {
      footer.rows.insert([Span(state.translated(refusal.sentence), .warning)], at: footer.cursorRow)
      footer.cursorRow += 1
    }
  case .rename(_, let input): ask("New name:", input)
  case .nameTake(_, let input, _):
    let hint = input.isSelected ? "  " + state.say("Enter keeps it") : ""
    ask("Name of the recording:", input, hint)
  case .detail(let detail):
    if let input = detail.input {
      ask(DetailView.question(of: detail), input)
    } else {
      footer.rows.append(DetailView.keys(of: detail, in: state))
    }
  case .delete(let id):
    confirm("Move “\(state.library.title(of: id) ?? "")” to the trash? y/n")
  case .emptyTrash:
    confirm("In the trash: r restores the one selected, y deletes all for good, n neither")
  case .quit: confirm("A recording is running. End it and quit? y/n")
  case .confirm(_, let question): confirm("\(.english(question)) y/n")
  case .help: footer.rows += KeyHints.help(of: console, in: state)
  }
}

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
