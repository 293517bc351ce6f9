// Everything about one folder or recording as text; a recording's waveform in characters. Pure.

import Catalogue

extension AnswerText {
  static func lines(of item: ItemReport, _ language: Language) -> [[Span]] {
    let title = [[Span(printable(item.title), .bold)]]
    if item.kind == .folder { return title + facts(of: item, language) }
    var lines = Labelled(language: language)
    lines.add("place", item.place.map { .verbatim($0) })
    lines.add("speaker", item.speaker.map { .verbatim($0) })
    let notes = item.notes?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    for (index, line) in notes.enumerated() {
      lines.add(index == 0 ? "notes" : "", .verbatim(String(line)))
    }
    for (index, mark) in (item.marks ?? []).enumerated() {
      let time = Duration.clock(milliseconds: mark.milliseconds)
      lines.add("mark \(index + 1)", .verbatim("\(time)  \(mark.name)"))
    }
    return title + facts(of: item, language) + lines.lines + judgement(of: item, language)
  }

  /// The facts of an item, which the recorder finds out itself.
  static func facts(of item: ItemReport, _ language: Language) -> [[Span]] {
    var lines = Labelled(language: language)
    lines.add("path", .verbatim(item.path))
    lines.add("number", item.sequence.map { "\($0)" })
    lines.add("id", .verbatim("\(item.id)"))
    if item.kind == .folder {
      lines.add("recordings", "\(item.recordings ?? 0), \(item.unheard ?? 0) unheard")
      lines.add("newest", item.latest.map { .verbatim($0.local) })
      lines.add("order", item.order.map { words(for: $0) })
      return lines.lines
    }
    lines.add("file", item.file.map { .verbatim($0) })
    lines.add("began", item.began.map(words))
    lines.add(
      "length", item.lengthMilliseconds.map { .verbatim(Duration.clock(milliseconds: $0)) })
    lines.add("sound", sound(of: item))
    let tracks = item.tracks ?? []
    for (index, track) in tracks.enumerated() where tracks.count > 1 {
      lines.add("track \(index + 1)", sound(of: track))
    }
    lines.add("heard", item.heard.map { $0 ? "yes" : "no" })
    for copy in item.copies ?? [] { lines.add("copy", words(for: copy), style(of: copy.state)) }
    if let part = item.part, part > 1 { lines.add("part", "\(part), goes on from the one before") }
    return lines.lines
  }

  /// Gaps, clipping, loudness, and how a recording ended.
  static func judgement(of item: ItemReport, _ language: Language) -> [[Span]] {
    var lines = Labelled(language: language)
    guard let integrity = item.integrity else { return [] }
    for (text, style) in judgement(integrity, item) { lines.add("", text, style) }
    return lines.lines
  }

  /// Lines with a label each.
  private struct Labelled {
    let language: Language
    private(set) var lines: [[Span]] = []

    init(language: Language) { self.language = language }

    mutating func add(_ name: Phrase, _ text: Phrase?, _ style: ScreenView.Style = .plain) {
      guard let text else { return }
      let label = padded(language.say(name), 12)
      lines.append([Span(label, .dim), Span(printable(language.say(text)), style)])
    }
  }

  static func lines(of report: VerifyReport, _ language: Language) -> [[Span]] {
    let sum = language.translate(report.sentence)
    let hashes = report.sentenceOnHashes.map { [[Span(language.say($0), .dim)]] } ?? []
    return [[Span(sum, report.isWell ? .playing : .fault)]] + hashes
      + report.faults.map { fault in
        let place = fault.file.map { [Span(printable($0) + "  ", .dim)] } ?? []
        return place + [Span(printable(language.translate(fault.sentence)), .fault)]
      }
  }

  private static func words(for order: Folder.SortOrder) -> Phrase {
    switch order {
    case .byName: "by name"
    case .byDate: "by date"
    case .byLength: "by length"
    case .byHand: "by hand"
    }
  }

  private static func words(_ began: BeganReport) -> Phrase {
    switch began.quality {
    case .synchronised: .verbatim(began.local)
    case .corrected: "\(began.local), put right later"
    case .unsynchronised: "\(began.local) by a clock that was not set"
    }
  }

  private static func sound(of item: ItemReport) -> Phrase {
    let (channels, rate) = (channels(item.channels ?? 0), item.rate ?? 0)
    let size = Amount.bytes(item.sizeBytes ?? 0)
    // Of several tracks, each has a line.
    if let tracks = item.tracks, tracks.count == 1, tracks[0].bits != nil {
      return "\(channels), \(rate) Hz, \(format(of: tracks[0])), \(size)"
    }
    return "\(channels), \(rate) Hz, \(size)"
  }

  private static func sound(of track: TrackReport) -> Phrase {
    let (channels, size) = (channels(track.channels), Amount.bytes(track.sizeBytes))
    return "\(track.name): \(channels), \(track.rate) Hz, \(format(of: track)), \(size)"
  }

  private static func format(of track: TrackReport) -> String {
    track.format + (track.bits.map { " \($0)" } ?? "")
  }

  private static func channels(_ count: Int) -> Phrase {
    count == 1 ? "mono" : "\(count) channels"
  }

  /// Returns lines about a recording's integrity, such as gaps, clipping and how it ended.
  private static func judgement(
    _ integrity: IntegrityReport, _ item: ItemReport
  ) -> [(Phrase, ScreenView.Style)] {
    var found: [(Phrase, ScreenView.Style)] = []
    if let peak = integrity.peakDecibels {
      let words: Phrase = "peak \(Amount.decimal(peak)) dB"
      let loudness = integrity.loudnessLUFS.map { "\(words), \(Amount.decimal($0)) LUFS" as Phrase }
      found.append((loudness ?? words, .dim))
    }
    if !integrity.device.isEmpty { found.append(("from \(integrity.device)", .dim)) }
    for gap in integrity.gaps {
      let place = Frames.milliseconds(gap.frame, rate: item.rate ?? Sound.fileRate)
      let length = Frames.milliseconds(gap.frames, rate: item.rate ?? Sound.fileRate)
      let lost: Phrase = "\(Duration.phrase(milliseconds: length)) lost (\(words(for: gap.cause)))"
      found.append(("at \(Duration.clock(milliseconds: place)) \(lost)", .fault))
    }
    if integrity.clipped > 0 { found.append(("too loud: \(integrity.clipped) frames", .warning)) }
    if integrity.microphoneSeemsDead { found.append(("the microphone was silent", .fault)) }
    if let channel = integrity.deadChannel {
      found.append(("channel \(channel) was silent", .warning))
    }
    if let reason = integrity.stopReason, reason.isCutShort {
      found.append(("cut short: \(words(for: reason))", .fault))
    }
    if integrity.recovered {
      let cut = integrity.recoveredCutBytes.map { "recovered, \($0) bytes had to go" as Phrase }
      found.append((cut ?? "recovered", .warning))
    }
    if !integrity.isDoubtful, !integrity.recovered, item.stage == .finished {
      found.append(("whole", .playing))
    }
    return found
  }

  private static func words(for cause: Gap.Cause) -> Phrase {
    switch cause {
    case .overrun: "overrun"
    case .suspended: "suspended"
    case .stalled: "stalled"
    case .cut: "cut"
    }
  }

  private static func words(for reason: StopReason) -> Phrase {
    switch reason {
    case .pressed: "pressed"
    case .split: "split"
    case .shutdown: "shutdown"
    case .deviceLost: "the sound device went away"
    case .cardFull: "the card was full"
    case .cardFailed: "the card failed"
    case .cut: "the power went, or the daemon died"
    case .failed: "the sound path failed"
    }
  }
}

/// A recording drawn with characters: its loudness above and below a middle line.
public enum WaveformText {
  /// - Parameter half: how many rows are above the middle, and below it.
  public static func lines(
    of waveform: WaveformReport, columns: Int, half: Int = 4
  ) -> [[ScreenView.Span]] {
    let room = max(10, columns)
    let peaks = resampled(waveform.peaks, to: room).map { Double($0) / 32_767 }
    let rows = (0..<half * 2).map { row in
      // This row's distance from the middle; rows are counted from the top.
      let distance = row < half ? half - row : row - half + 1
      return peaks.map { cell(at: distance, of: half, peak: $0, isAbove: row < half) }.joined()
    }
    let length = Duration.clock(
      milliseconds: Frames.milliseconds(waveform.frames, rate: waveform.rate))
    let gap = String(repeating: " ", count: max(1, room - 1 - length.count))
    return rows.map { [ScreenView.Span($0, .playing)] }
      + [[ScreenView.Span("0" + gap + length, .dim)]]
  }

  /// Returns a recording in one line, a step in height for each 6 dB below full scale.
  public static func line(of waveform: WaveformReport, columns: Int) -> String {
    resampled(waveform.peaks, to: max(1, columns)).map { peak in
      // 15 bits are full scale.
      let bits = Int.bitWidth - min(max(peak, 0), 32_767).leadingZeroBitCount
      return eighths[max(0, bits - 7)]
    }.joined()
  }

  private static let eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  private static func cell(
    at distance: Int, of half: Int, peak: Double, isAbove: Bool
  ) -> String {
    let height = min(max(peak, 0), 1) * Double(half) - Double(distance - 1)
    if isAbove {
      return height <= 0 ? " " : eighths[min(8, max(1, Int((height * 8).rounded())))]
    }
    // Few fonts have eighth blocks that hang from the top: half blocks are near enough.
    if height <= 0.25 { return " " }
    return height < 0.75 ? "▀" : "█"
  }

  /// Returns the maximum of the values in each column.
  static func resampled(_ values: [Int], to columns: Int) -> [Int] {
    guard !values.isEmpty else { return Array(repeating: 0, count: columns) }
    return (0..<columns).map { column in
      let first = column * values.count / columns
      let last = max(first + 1, (column + 1) * values.count / columns)
      return values[first..<min(last, values.count)].max() ?? 0
    }
  }
}
