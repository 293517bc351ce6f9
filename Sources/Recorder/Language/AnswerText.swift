// Answers as lines of styled text for people: the same on the serial console and in `reelctl`.
// Pure; the caller decides how a style looks.

/// Answers as lines of styled text.
public enum AnswerText {
  public typealias Span = ScreenView.Span

  /// Returns the lines of an answer, at most `columns` wide where possible.
  public static func lines(of answer: Answer, columns: Int) -> [[Span]] {
    switch answer {
    case .status(let status): return lines(of: status)
    case .listing(let listing): return lines(of: listing, columns: columns)
    case .item(let item): return lines(of: item)
    case .found(let hits): return lines(of: hits)
    case .notices(let notices): return lines(of: notices)
    case .done(let done): return [[Span(printable(done.sentence))]]
    case .progress(_, let permille): return [[Span("\(permille / 10) %", .dim)]]
    case .waveform(let waveform): return WaveformText.lines(of: waveform, columns: columns)
    case .panel(let panel): return lines(of: panel)
    case .line(let line): return [lines(of: line)]
    case .checkup(let checkup): return lines(of: checkup, columns: columns)
    case .told(let text): return plain(text)
    case .question(let text): return [[Span(printable(text), .warning)]]
    case .mode(let isJSON): return [[Span("Answers are \(isJSON ? "JSON" : "text") now.")]]
    case .completions(let words): return words.map { [Span(printable($0))] }
    case .failed(let failure): return plain(failure.sentence, .fault)
    }
  }

  private static func plain(_ text: String, _ style: ScreenView.Style = .plain) -> [[Span]] {
    if text.isEmpty { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map {
      [Span(printable(String($0)), style)]
    }
  }

  /// Replaces characters that would move a terminal's cursor.
  static func printable(_ text: String) -> String { Text.printable(text) }

  // MARK: Status

  private static func lines(of status: StatusView) -> [[Span]] {
    let style: ScreenView.Style =
      switch status.state {
      case .recording: .recording
      case .playing: .playing
      case .refused, .waiting, .arming: .warning
      case .starting, .idle, .paused, .stopping, .stopped: .bold
      }
    var lines = [[Span(printable(status.sentence), style)]]
    func add(_ name: String, _ text: String?, _ style: ScreenView.Style = .plain) {
      guard let text, !text.isEmpty else { return }
      lines.append([Span(padded(name, 12), .dim), Span(printable(text), style)])
    }
    if let take = status.take {
      let marks = take.marks > 0 ? ", \(take.marks) marked" : ""
      let length = Duration.clock(milliseconds: Frames.milliseconds(take.seconds, rate: 1))
      add("take", "\(take.title), \(length)\(marks)")
      if take.lostFrames > 0 { add("", "sound was lost: \(take.lostFrames) frames", .fault) }
      if take.clippedFrames > 0 { add("", "too loud: clipping", .warning) }
      if take.microphoneSeemsDead { add("", "no sound is coming in", .fault) }
      if let channel = take.deadChannel { add("", "channel \(channel) is silent", .warning) }
    }
    if let deck = status.deck {
      let position = Duration.clock(milliseconds: deck.positionMilliseconds)
      let length = Duration.clock(milliseconds: deck.lengthMilliseconds)
      add(deck.isPlaying ? "playing" : "paused", "\(deck.title), \(position) / \(length)")
    }
    add("folder", status.folder)
    add("recordings", "\(status.recordings), \(status.unheard) unheard")
    add("card", card(status), status.cardState == .ready ? .plain : .warning)
    if let behind = status.cardBehindMilliseconds {
      add("", "\(Duration.words(milliseconds: behind)) behind; nothing is lost", .warning)
    }
    add("microphone", microphone(status.device), status.device.name == nil ? .fault : .plain)
    for denied in status.device.denied { add("", denied, .warning) }
    add("volume", "\(status.volumePercent) %\(status.device.canPlay ? "" : ", nothing to play on")")
    if !status.clockIsSynchronised { add("clock", "not set yet", .warning) }
    if status.isLocked { add("panel", "locked", .warning) }
    for fault in status.panelFaults { add("panel", fault, .fault) }
    if status.unseenNotices > 0 {
      add("notices", "\(status.unseenNotices) not seen; see `notices`", .warning)
    }
    return lines
  }

  private static func card(_ status: StatusView) -> String {
    let words =
      switch status.cardState {
      case .ready: "ready"
      case .opening: "being opened"
      case .full: "full"
      case .readOnly: "can only be read"
      case .exported: "given to a computer"
      case .failed: "failed"
      }
    let left = status.leftSeconds.map { ", \(Duration.words(seconds: $0)) left" } ?? ""
    return words + left + (status.freeBytes.map { ", \(Amount.bytes($0)) free" } ?? "")
  }

  private static func microphone(_ device: StatusView.DeviceView) -> String {
    guard let name = device.name else { return device.why ?? "none" }
    let channels = device.channels == 1 ? "mono" : "\(device.channels ?? 0) channels"
    let form = "\(device.rate ?? 0) Hz, \(channels)"
    return "\(name), \(form)\(device.isOpen ? "" : ", closed")"
  }

  // MARK: Lists

  private static func lines(of listing: FolderListing, columns: Int) -> [[Span]] {
    if listing.total == 0 { return [[Span("Nothing here.", .dim)]] }
    let digits = listing.items.map { "\($0.sequence ?? 0)".count }.max() ?? 1
    var lines = listing.items.map { row($0, digits: digits, columns: columns) }
    let shown = listing.from + listing.items.count
    if shown < listing.total {
      lines.append([Span("\(shown) of \(listing.total); go on with --from \(shown)", .dim)])
    }
    return lines
  }

  private static func row(_ item: ItemReport, digits: Int, columns: Int) -> [Span] {
    let number = padded(item.sequence.map { "\($0)" } ?? "", digits, isRight: true)
    let (sign, tail, style) = signAndTail(item)
    let room = max(8, columns - digits - 4 - Text.columns(tail) - 2)
    let title = Text.fitted(printable(item.title), columns: room)
    let gap = String(repeating: " ", count: max(2, room - Text.columns(title) + 2))
    return [
      Span(number + " ", .dim), Span(sign + " ", style), Span(title, style), Span(gap + tail, .dim),
    ]
  }

  private static func signAndTail(_ item: ItemReport) -> (String, String, ScreenView.Style) {
    if item.kind == .folder {
      let unheard = item.unheard ?? 0
      let count = "\(item.recordings ?? 0)\(unheard > 0 ? ", \(unheard) unheard" : "")"
      return ("▸", count, .bold)
    }
    let length = Duration.clock(milliseconds: item.lengthMilliseconds ?? 0)
    let doubt = item.integrity?.isDoubtful == true ? "! " : ""
    let began = item.began.map { $0.synchronised ? $0.local : "no clock" } ?? ""
    let tail = "\(doubt)\(began)  \(padded(length, 7, isRight: true))"
    switch item.stage {
    case .recording: return ("●", tail, .recording)
    case .closing: return ("◌", tail, .warning)
    case .finished, .recovered, nil: return (item.heard == false ? "*" : " ", tail, .plain)
    }
  }

  private static func lines(of hits: [FoundReport]) -> [[Span]] {
    if hits.isEmpty { return [[Span("Nothing found.", .dim)]] }
    return hits.map { hit in
      [
        Span(String("\(hit.id)".prefix(8)) + "  ", .dim),
        Span(printable(hit.path ?? hit.title)),
      ]
    }
  }

  private static func lines(of notices: [NoticeReport]) -> [[Span]] {
    if notices.isEmpty { return [[Span("Nothing happened that was not seen.", .dim)]] }
    return notices.map { notice in
      let style: ScreenView.Style =
        notice.acknowledged ? .dim : notice.severity == "fault" ? .fault : .warning
      return [Span(notice.local + "  ", .dim), Span(printable(notice.sentence), style)]
    }
  }

  // MARK: The panel

  private static func lines(of panel: PanelReport) -> [[Span]] {
    var lines: [[Span]] = panel.faults.map { [Span(printable($0), .fault)] }
    let names = panel.buttons.map(\.name) + panel.lights.map(\.name)
    let width = names.map(Text.columns).max() ?? 0
    for button in panel.buttons {
      let strays = button.strays > 0 ? ", \(button.strays) strays" : ""
      let state = button.isDown ? "down" : button.isActive ? "touched" : "up"
      lines.append([
        Span(padded(button.name, width + 2)),
        Span(padded(state, 9), button.isDown ? .recording : .dim),
        Span("\(button.edges) edges\(strays)  \(printable(button.source))", .dim),
      ])
    }
    for light in panel.lights {
      lines.append([
        Span(padded(light.name, width + 2)),
        Span(padded(light.isOn ? "● on" : "○ off", 9), light.isOn ? .warning : .dim),
        Span(light.pattern, .dim),
      ])
    }
    for happening in panel.recent.suffix(8) { lines.append([Span(printable(happening), .dim)]) }
    return lines.isEmpty ? [[Span("The panel has no buttons and no lights.", .dim)]] : lines
  }

  private static func lines(of line: LineReport) -> [Span] {
    let place = "\(line.chip) \(line.offset)"
    let name = line.name.isEmpty ? place : "\(line.name) (\(place))"
    return [Span(name, .bold), Span(line.isActive ? "  pressed" : "  released")]
  }

  // MARK: The pieces

  /// Pads with blanks to `columns`.
  static func padded(_ text: String, _ columns: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - Text.columns(text)))
    return isRight ? blanks + text : text + blanks
  }
}

extension IntegrityReport {
  /// Whether the recording has a defect: gaps, clipping, silence or an early end.
  public var isDoubtful: Bool {
    !gaps.isEmpty || clipped > 0 || microphoneSeemsDead || deadChannel != nil
      || stopReason?.isCutShort ?? false
  }
}
