// The middle of a screen that shows one recording: its texts, waveform, position and marks, then
// the facts. Pure functions of the state.

import Catalogue

enum DetailView {
  /// The rows around the selected one.
  static func rows(
    of detail: Detail, on console: Console, in state: State, limit: Int
  ) -> [[Span]] {
    guard let recording = state.library.recordings[detail.item] else { return [] }
    var detail = detail
    // A selected mark may have been removed.
    detail.move(0, in: recording)
    var page: [(spans: [Span], line: Detail.Line?)] = []
    for line in Detail.lines(of: recording) {
      if line == .position {
        page += waveform(of: detail, recording, columns: console.columns, state).map { ($0, nil) }
      }
      let isSelected = line == detail.line
      page += rows(of: line, detail, recording, console, state).map { text in
        ([Span(text, isSelected ? .selected : .plain)], line)
      }
    }
    if let report = ItemReport(detail.item, in: state)?.withTracks(in: state) {
      page += AnswerText.facts(of: report, state.settings.language).map { ($0, nil) }
      page += AnswerText.judgement(of: report, state.settings.language).map { ($0, nil) }
    }
    let selected = page.firstIndex { $0.line == detail.line }
    return window(of: page.count, around: selected, rows: limit).map { page[$0].spans }
  }

  private static func rows(
    of line: Detail.Line, _ detail: Detail, _ recording: Recording, _ console: Console,
    _ state: State
  ) -> [String] {
    switch line {
    case .title: [named(state.say("title"), recording.title)]
    case .text(let field):
      recording.details[field].split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated().map { named($0 == 0 ? label(of: field, state) : "", String($1)) }
    case .position: [position(of: detail, recording, console, state)]
    case .mark(let index): [mark(index, of: recording, state)]
    }
  }

  private static func label(of field: RecordingField, _ state: State) -> String {
    switch field {
    case .notes: state.say("notes")
    case .place: state.say("place")
    case .speaker: state.say("speaker")
    }
  }

  private static func named(_ name: String, _ text: String) -> String {
    " " + AnswerText.padded(name + " ", 11) + text
  }

  private static func mark(_ index: Int, of recording: Recording, _ state: State) -> String {
    let mark = recording.marks[index]
    let time = Frames.milliseconds(mark.frame, rate: recording.sound.rate)
    return named(
      state.say("mark \(index + 1)"), "\(Duration.clock(milliseconds: time))  \(mark.name)")
  }

  private static func position(
    of detail: Detail, _ recording: Recording, _ console: Console, _ state: State
  ) -> String {
    let here = state.positionMilliseconds(of: detail)
    let length = Frames.milliseconds(recording.sound.frames, rate: recording.sound.rate)
    let times = "\(Duration.clock(milliseconds: here)) / \(Duration.clock(milliseconds: length))"
    let bar = bar(here, of: length, columns: console.columns - 12 - Text.columns(times) - 2)
    let name = isPlaying(detail, state) ? "▶" : state.say("position")
    return named(name, "\(times)  \(bar.text)")
  }

  private static func isPlaying(_ detail: Detail, _ state: State) -> Bool {
    if case .playing(let cue, _) = state.transport.deck { cue.item == detail.item } else { false }
  }

  private static func waveform(
    of detail: Detail, _ recording: Recording, columns: Int, _ state: State
  ) -> [[Span]] {
    switch detail.drawing {
    case .none: return []
    case .waiting:
      return
        [[Span(String(repeating: " ", count: 12) + state.say("drawing the waveform…"), .dim)]]
    case .drawn(let waveform):
      let report = WaveformReport(id: recording.id, title: recording.title, waveform)
      return WaveformText.lines(of: report, columns: columns, half: 1)
    }
  }

  // MARK: Below

  /// The question that a line being typed answers.
  static func question(of detail: Detail) -> Phrase {
    switch detail.line {
    case .title: "Title:"
    case .text(.notes): "Notes (Ctrl-N begins a line):"
    case .text(.place): "Place:"
    case .text(.speaker): "Speaker:"
    case .mark(let index): "Name of mark \(index + 1):"
    case .position: ""
    }
  }

  static func keys(of detail: Detail, in state: State) -> [Span] {
    let own: [(String, Phrase)]
    switch detail.line {
    case .title, .text: own = [("enter", "edit")]
    case .position: own = [("enter", "play")]
    case .mark: own = [("enter", "name"), ("v", "move to the position"), ("d", "remove")]
    }
    let all =
      own + [
        ("esc", "back"), ("↑↓", "select"), ("←→", "position"), ("space", "play"), ("m", "mark"),
        (", .", "marks"), ("z", "undo"),
      ]
    return all.flatMap { [Span($0.0, .key), Span(" \(state.say($0.1))  ")] }
  }
}
