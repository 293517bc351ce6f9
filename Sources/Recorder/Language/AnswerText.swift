// Answers as lines of styled text for people: the same on the serial console and in `reelctl`.
// Pure; the caller decides how a style looks.

import Catalogue

/// Answers as lines of styled text.
public enum AnswerText {
  public typealias Span = ScreenView.Span

  /// Returns the lines of an answer, at most `columns` wide where possible.
  public static func lines(
    of answer: Answer, columns: Int, in language: Language = .english
  ) -> [[Span]] {
    switch answer {
    case .status(let status): return lines(of: status, language)
    case .listing(let listing): return lines(of: listing, columns: columns, language)
    case .item(let item): return lines(of: item, language)
    case .found(let hits): return lines(of: hits, language)
    case .copies(let report): return lines(of: report, columns: columns, language)
    case .notices(let notices): return lines(of: notices, language)
    case .opened(let file): return plain(file.file)
    case .manifest(let facts): return lines(of: facts, language)
    case .about(let report): return lines(of: report, language)
    case .pairing(let code): return lines(of: code, columns: columns, language)
    case .changes(let changes): return lines(of: changes, language)
    case .done(let done): return plain(language.translate(done.sentence))
    case .progress(_, let permille): return [[Span("\(permille / 10) %", .dim)]]
    case .verified(let report): return lines(of: report, language)
    case .waveform(let waveform): return WaveformText.lines(of: waveform, columns: columns)
    case .panel(let panel): return lines(of: panel, language)
    case .line(let line): return [lines(of: line, language)]
    case .checkup(let checkup): return lines(of: checkup, columns: columns, language)
    case .told(let text): return plain(language.translate(text))
    case .help(let help): return plain(help.text(in: language))
    case .question(let text): return plain(language.translate(text), .warning)
    case .mode(let isJSON):
      return plain(language.say(isJSON ? "Answers are JSON now." : "Answers are text now."))
    case .completions(let words): return words.map { [Span(printable($0))] }
    case .failed(let failure): return plain(language.translate(failure.sentence), .fault)
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

  private static func lines(of status: StatusView, _ language: Language) -> [[Span]] {
    let style: ScreenView.Style =
      switch status.state {
      case .recording: .recording
      case .playing: .playing
      case .refused, .waiting, .arming: .warning
      case .starting, .idle, .paused, .stopping, .stopped: .bold
      }
    var lines = [[Span(printable(language.say(status.phrase)), style)]]
    func add(_ name: Phrase, _ text: Phrase?, _ style: ScreenView.Style = .plain) {
      guard let text = text.map(language.say), !text.isEmpty else { return }
      lines.append([Span(padded(language.say(name), 12), .dim), Span(printable(text), style)])
    }
    if let take = status.take {
      let length = Duration.clock(milliseconds: Frames.milliseconds(take.seconds, rate: 1))
      let named: Phrase = "\(take.title), \(length)"
      add("take", take.marks > 0 ? "\(named), \(take.marks) marked" : named)
      if take.lostFrames > 0 { add("", "sound was lost: \(take.lostFrames) frames", .fault) }
      if take.clippedFrames > 0 {
        let tracks = take.clippedTracks.joined(separator: ", ")
        add("", tracks.isEmpty ? "too loud: clipping" : "too loud: clipping in \(tracks)", .warning)
      }
      if take.microphoneSeemsDead { add("", "no sound is coming in", .fault) }
      if let channel = take.deadChannel { add("", "channel \(channel) is silent", .warning) }
    }
    if let deck = status.deck {
      let position = Duration.clock(milliseconds: deck.positionMilliseconds)
      let length = Duration.clock(milliseconds: deck.lengthMilliseconds)
      add(deck.isPlaying ? "playing" : "paused", "\(deck.title), \(position) / \(length)")
    }
    add("folder", .verbatim(status.folder))
    add("recordings", "\(status.recordings), \(status.unheard) unheard")
    if let copies = status.copies {
      add("copies", summary(of: copies), copies.onlyHere == 0 ? .plain : .warning)
      for target in copies.targets { add("", words(for: target), Self.style(of: target)) }
    }
    add("card", card(status), status.cardState == .ready ? .plain : .warning)
    if let behind = status.cardBehindMilliseconds {
      add("", "\(Duration.phrase(milliseconds: behind)) behind; nothing is lost", .warning)
    }
    if let encoding = status.encoding {
      add("encoding", Self.encoding(encoding), encoding.isHeavy ? .warning : .plain)
    }
    add("microphone", microphone(status.device), status.device.name == nil ? .fault : .plain)
    for denied in status.device.denied { add("", .english(denied), .warning) }
    let volume: Phrase = "\(status.volumePercent) %"
    add("volume", status.device.canPlay ? volume : "\(volume), nothing to play on")
    if !status.clockIsSynchronised { add("clock", "not set yet", .warning) }
    if status.isLocked { add("panel", "locked", .warning) }
    for fault in status.panelFaults { add("panel", .english(fault), .fault) }
    if status.unseenNotices > 0 {
      add("notices", "\(status.unseenNotices) not seen; see `notices`", .warning)
    }
    return lines
  }

  private static func encoding(_ encoding: StatusView.EncodingView) -> Phrase {
    let share: Phrase = "\(encoding.percent) % of a processor core"
    return encoding.isHeavy
      ? "\(share); record fewer tracks, or set a lower rate, level or complexity" : share
  }

  private static func card(_ status: StatusView) -> Phrase {
    let words: Phrase =
      switch status.cardState {
      case .ready: "ready"
      case .opening: "being opened"
      case .full: "full"
      case .readOnly: "can only be read"
      case .exported: "given to a computer"
      case .failed: "failed"
      }
    let left = status.leftSeconds.map { "\(Duration.phrase(seconds: $0)) left" as Phrase }
    let free = status.freeBytes.map { "\(Amount.bytes($0)) free" as Phrase }
    return [left, free].compactMap { $0 }.reduce(words) { "\($0), \($1)" }
  }

  private static func microphone(_ device: StatusView.DeviceView) -> Phrase {
    guard let name = device.name else { return device.why.map { .english($0) } ?? "none" }
    let channels: Phrase = device.channels == 1 ? "mono" : "\(device.channels ?? 0) channels"
    let open: Phrase = "\(name), \(device.rate ?? 0) Hz, \(channels)"
    return device.isOpen ? open : "\(open), closed"
  }

  // MARK: Lists

  private static func lines(
    of listing: FolderListing, columns: Int, _ language: Language
  ) -> [[Span]] {
    if listing.total == 0 { return [[Span(language.say("Nothing here."), .dim)]] }
    let digits = listing.items.map { "\($0.sequence ?? 0)".count }.max() ?? 1
    var lines = listing.items.map { row($0, digits: digits, columns: columns, language) }
    let shown = listing.from + listing.items.count
    if shown < listing.total {
      let rest = language.say("\(shown) of \(listing.total); go on with --from \(shown)")
      lines.append([Span(rest, .dim)])
    }
    return lines
  }

  static func row(
    _ item: ItemReport, digits: Int, columns: Int, _ language: Language
  ) -> [Span] {
    let number = padded(item.sequence.map { "\($0)" } ?? "", digits, isRight: true)
    let (sign, tail, style) = signAndTail(item, columns: columns, language)
    let room = max(8, columns - digits - 4 - Text.columns(tail) - 2)
    let title = Text.fitted(printable(item.title), columns: room)
    let gap = String(repeating: " ", count: max(2, room - Text.columns(title) + 2))
    return [
      Span(number + " ", .dim), Span(sign + " ", style), Span(title, style), Span(gap + tail, .dim),
    ]
  }

  private static func signAndTail(
    _ item: ItemReport, columns: Int, _ language: Language
  ) -> (String, String, ScreenView.Style) {
    if item.kind == .folder {
      let (recordings, unheard) = (item.recordings ?? 0, item.unheard ?? 0)
      let count: Phrase = unheard > 0 ? "\(recordings), \(unheard) unheard" : "\(recordings)"
      // On a narrow screen the name needs the room.
      let latest = columns < 60 ? nil : item.latest.map { "   " + $0.local }
      return ("▸", language.say(count) + (latest ?? ""), .bold)
    }
    let length = Duration.clock(milliseconds: item.lengthMilliseconds ?? 0)
    let doubt = item.integrity?.isDoubtful == true ? "! " : item.isCopied ? "✓ " : ""
    let began = item.began.map { $0.synchronised ? $0.local : language.say("no clock") } ?? ""
    let tail = "\(doubt)\(began)  \(padded(length, 7, isRight: true))"
    switch item.stage {
    case .recording: return ("●", tail, .recording)
    case .closing: return ("◌", tail, .warning)
    case .finished, .recovered, nil: return (item.heard == false ? "*" : " ", tail, .plain)
    }
  }

  private static func lines(of hits: [FoundReport], _ language: Language) -> [[Span]] {
    if hits.isEmpty { return [[Span(language.say("Nothing found."), .dim)]] }
    return hits.map { hit in
      [
        Span(String("\(hit.id)".prefix(8)) + "  ", .dim),
        Span(printable(hit.path ?? hit.title)),
      ]
    }
  }

  private static func lines(of notices: [NoticeReport], _ language: Language) -> [[Span]] {
    if notices.isEmpty {
      return [[Span(language.say("Nothing happened that was not seen."), .dim)]]
    }
    return notices.map { notice in
      let style: ScreenView.Style =
        notice.acknowledged ? .dim : notice.severity == "fault" ? .fault : .warning
      let phrase = Notice.phrase(notice.code, sentence: notice.sentence)
      return [Span(notice.local + "  ", .dim), Span(printable(language.say(phrase)), style)]
    }
  }

  private static func lines(of changes: [ChangeReport], _ language: Language) -> [[Span]] {
    if changes.isEmpty { return [[Span(language.say("There is nothing to undo."), .dim)]] }
    return changes.map { [Span(printable(language.say($0.phrase)))] }
  }

  // MARK: The panel

  private static func lines(of panel: PanelReport, _ language: Language) -> [[Span]] {
    var lines = panel.faults.flatMap { plain(language.translate($0), .fault) }
    let names = panel.buttons.map(\.name) + panel.lights.map(\.name)
    let width = names.map(Text.columns).max() ?? 0
    for button in panel.buttons {
      let state: Phrase = button.isDown ? "down" : button.isActive ? "touched" : "up"
      let edges: Phrase = "\(button.edges) edges"
      let counts = button.strays > 0 ? "\(edges), \(button.strays) strays" : edges
      lines.append([
        Span(padded(button.name, width + 2)),
        Span(padded(language.say(state), 9), button.isDown ? .recording : .dim),
        Span("\(language.say(counts))  \(printable(button.source))", .dim),
      ])
    }
    for light in panel.lights {
      let state = light.isOn ? "● " + language.say("on") : "○ " + language.say("off")
      lines.append([
        Span(padded(light.name, width + 2)),
        Span(padded(state, 9), light.isOn ? .warning : .dim),
        Span(language.translate(light.pattern), .dim),
      ])
    }
    for happening in panel.recent.suffix(8) {
      lines += plain(language.translate(happening), .dim)
    }
    if lines.isEmpty {
      return [[Span(language.say("The panel has no buttons and no lights."), .dim)]]
    }
    return lines
  }

  private static func lines(of line: LineReport, _ language: Language) -> [Span] {
    let place = "\(line.chip) \(line.offset)"
    let name = line.name.isEmpty ? place : "\(line.name) (\(place))"
    let state = language.say(line.isActive ? "pressed" : "released")
    return [Span(name, .bold), Span("  " + state)]
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
