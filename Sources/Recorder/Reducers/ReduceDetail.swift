// The detail screen: keys that move through one recording, change its texts and marks, and play it.
// Each change is a request, which may be refused. Pure.

extension State {
  private static let waveformPoints = 500

  /// Shows a recording on a console. Its waveform follows; during a take it is not drawn, because
  /// reading a long file would compete with the take.
  mutating func showDetail(of id: ItemID, on console: Int, _ step: inout Step) {
    guard let recording = library.recordings[id] else { return }
    let bookmark = transport.bookmark.flatMap { $0.item == id ? $0.frame : nil } ?? 0
    let position = Frames.milliseconds(bookmark, rate: recording.sound.rate)
    withConsole(console) { $0.dialog = .detail(Detail(id, positionMilliseconds: position)) }
    guard transport.take == .none, recording.isSettled else { return }
    let drawing = ItemRequest.work(.waveform(id, points: Self.waveformPoints))
    if refusal(to: .item(drawing), from: .console(console)) == nil {
      handle(.item(drawing), from: .console(console), at: now, &step)
    }
  }

  /// The waveform arrives as the reply to the console's request.
  mutating func showWaveform(_ reply: Reply, on console: Int) {
    switch reply {
    case .working(let ticket, _):
      guard let pending = library.pending[ticket] else { return }
      withDetail(on: console) { detail in
        let isOwn = pending.work.isWaveform(of: detail.item)
        if isOwn, detail.drawing == .none { detail.drawing = .waiting(ticket: ticket) }
      }
    case .waveform(let waveform):
      withDetail(on: console) { detail in
        if case .waiting = detail.drawing { detail.drawing = .drawn(waveform) }
      }
    case .done, .refused, .failed, .found, .uncopied, .opened, .manifest, .told, .verified: break
    }
  }

  private mutating func closeDetail(_ detail: Detail, on console: Int, _ step: inout Step) {
    withConsole(console) { $0.dialog = nil }
    guard case .waiting(let ticket) = detail.drawing, let pending = library.pending[ticket]
    else { return }
    // The reply goes nowhere.
    library.pending[ticket] = PendingWork(origin: .appliance, work: pending.work)
    step.emit(.card(.cancel(ticket: ticket)))
  }

  // MARK: Keys

  mutating func answer(_ detail: Detail, with key: Key, on console: Int, _ step: inout Step) {
    guard let recording = library.recordings[detail.item] else { return }
    var detail = detail
    // A mark may have been removed elsewhere: then the last line is selected.
    detail.move(0, in: recording)
    if let input = detail.input {
      return edit(input, of: detail, recording, with: key, on: console, &step)
    }
    switch key {
    case .escape, .control("c"), .backspace, .character("i"), .character("q"):
      closeDetail(detail, on: console, &step)
    case .up: withDetail(on: console) { $0.move(-1, in: recording) }
    case .down, .tab: withDetail(on: console) { $0.move(1, in: recording) }
    case .enter where detail.line == .position: play(detail, on: console, &step)
    case .enter: begin(detail, recording, on: console)
    default: change(detail, recording, with: key, on: console, &step)
    }
  }

  private mutating func change(
    _ detail: Detail, _ recording: Recording, with key: Key, on console: Int, _ step: inout Step
  ) {
    let here = positionMilliseconds(of: detail)
    switch key {
    case .left: seek(detail, to: here.clampedSubtracting(settings.seekMilliseconds), console, &step)
    case .right: seek(detail, to: here.clampedAdding(settings.seekMilliseconds), console, &step)
    case .home: seek(detail, to: 0, console, &step)
    case .end: seek(detail, to: .max, console, &step)
    case .character(","), .character("."):
      let (frame, direction) = (
        Frames.count(milliseconds: here, rate: recording.sound.rate),
        key == .character(".") ? 1 : -1
      )
      let mark = markedFrame(direction, in: detail.item, from: frame)
      guard let target = mark ?? (direction < 0 ? 0 : nil) else { return }
      seek(
        detail, to: Frames.milliseconds(target, rate: recording.sound.rate), console, &step)
    case .character(" "), .character("p"): play(detail, on: console, &step)
    case .character("m"):
      let frame = Frames.count(milliseconds: here, rate: recording.sound.rate)
      make(.mark(detail.item, .replace(nil, by: Mark(frame: frame, name: ""))), on: console, &step)
    case .character("z"): make(.undo, on: console, &step)
    case .character("v"), .character("d"), .delete:
      guard case .mark(let index) = detail.line else { return }
      let change =
        key == .character("v")
        ? MarkChange.move(index: index, toMilliseconds: here) : .remove(index: index)
      make(.mark(detail.item, change), on: console, &step)
    default: break
    }
  }

  private mutating func make(_ request: ItemRequest, on console: Int, _ step: inout Step) {
    handle(.item(request), from: .console(console), at: now, &step)
  }

  // MARK: Typing

  private mutating func begin(_ detail: Detail, _ recording: Recording, on console: Int) {
    let text: String
    switch detail.line {
    case .title: text = recording.title
    case .text(let field): text = recording.details[field]
    case .mark(let index):
      guard recording.marks.indices.contains(index) else { return }
      text = recording.marks[index].name
    case .position: return
    }
    withDetail(on: console) { $0.input = LineInput(text) }
  }

  private mutating func edit(
    _ input: LineInput, of detail: Detail, _ recording: Recording, with key: Key,
    on console: Int, _ step: inout Step
  ) {
    var input = input
    switch key {
    case .escape, .control("c"): withDetail(on: console) { $0.input = nil }
    case .enter:
      guard let request = request(for: input.text, detail) else { return }
      if let refusal = refusal(to: .item(request), from: .console(console)) {
        return answer(.console(console), .refused(refusal), &step)
      }
      withDetail(on: console) { $0.input = nil }
      make(request, on: console, &step)
    case .control("n") where detail.line == .text(.notes):
      _ = input.handle(.character("\n"))
      withDetail(on: console) { $0.input = input }
    default:
      if input.handle(key) { withDetail(on: console) { $0.input = input } }
    }
  }

  private func request(for text: String, _ detail: Detail) -> ItemRequest? {
    switch detail.line {
    case .title: .rename(detail.item, to: text)
    case .text(let field): .describe(detail.item, field, text)
    case .mark(let index): .mark(detail.item, .rename(index: index, to: text))
    case .position: nil
    }
  }

  // MARK: The position

  /// The player's position, if it has the recording.
  func positionMilliseconds(of detail: Detail) -> Int64 {
    guard let cue = transport.deck.cue, cue.item == detail.item else {
      return detail.positionMilliseconds
    }
    return Frames.milliseconds(transport.deck.frame(at: now), rate: cue.rate)
  }

  private mutating func seek(
    _ detail: Detail, to milliseconds: Int64, _ console: Int, _ step: inout Step
  ) {
    guard let recording = library.recordings[detail.item] else { return }
    let length = Frames.milliseconds(recording.sound.frames, rate: recording.sound.rate)
    let target = min(max(milliseconds, 0), length)
    withDetail(on: console) { $0.positionMilliseconds = target }
    guard transport.deck.cue?.item == detail.item else { return }
    handle(.deck(.seek(.to(milliseconds: target))), from: .console(console), at: now, &step)
  }

  /// Pauses and resumes this recording, or plays it from its position.
  private mutating func play(_ detail: Detail, on console: Int, _ step: inout Step) {
    let origin = Origin.console(console)
    if transport.deck.cue?.item == detail.item {
      return handle(.deck(.toggle), from: origin, at: now, &step)
    }
    handle(.deck(.play(detail.item)), from: origin, at: now, &step)
    if transport.deck.cue?.item == detail.item {
      let target = Seek.to(milliseconds: detail.positionMilliseconds)
      handle(.deck(.seek(target)), from: origin, at: now, &step)
    }
  }

  private mutating func withDetail(on console: Int, _ change: (inout Detail) -> Void) {
    withConsole(console) { console in
      guard case .detail(var detail) = console.dialog else { return }
      change(&detail)
      console.dialog = .detail(detail)
    }
  }
}

extension CardWork {
  fileprivate func isWaveform(of item: ItemID) -> Bool {
    if case .long(.waveform(item, _)) = self { true } else { false }
  }
}
