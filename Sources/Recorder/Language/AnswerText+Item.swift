// The details of one folder or recording as text; a recording's waveform in characters. Pure.

extension AnswerText {
  static func lines(of item: ItemReport) -> [[Span]] {
    var lines = [[Span(printable(item.title), .bold)]]
    func add(_ name: String, _ text: String?, _ style: ScreenView.Style = .plain) {
      guard let text else { return }
      lines.append([Span(padded(name, 12), .dim), Span(printable(text), style)])
    }
    add("path", item.path)
    add("number", item.sequence.map { "\($0)" })
    add("id", "\(item.id)")
    if item.kind == .folder {
      add("recordings", "\(item.recordings ?? 0), \(item.unheard ?? 0) unheard")
      add("order", item.order.map { words(for: $0) })
      return lines
    }
    add("file", item.file)
    add("began", item.began.map(words))
    add("length", item.lengthMilliseconds.map { Duration.clock(milliseconds: $0) })
    add("sound", sound(of: item))
    add("heard", item.heard.map { $0 ? "yes" : "no" })
    if let part = item.part, part > 1 { add("part", "\(part), goes on from the one before") }
    for mark in item.marks ?? [] {
      add("mark", "\(Duration.clock(milliseconds: mark.milliseconds))  \(mark.name)")
    }
    if let integrity = item.integrity {
      for (text, style) in judgement(integrity, item) { add("", text, style) }
    }
    return lines
  }

  private static func words(for order: Folder.SortOrder) -> String {
    switch order {
    case .byName: "by name"
    case .byDate: "by date"
    case .byLength: "by length"
    case .byHand: "by hand"
    }
  }

  private static func words(_ began: BeganReport) -> String {
    switch began.quality {
    case .synchronised: began.local
    case .corrected: "\(began.local), put right later"
    case .unsynchronised: "\(began.local) by a clock that was not set"
    }
  }

  private static func sound(of item: ItemReport) -> String {
    let channels = item.channels == 1 ? "mono" : "\(item.channels ?? 0) channels"
    return "\(channels), \(item.rate ?? 0) Hz, \(Amount.bytes(item.sizeBytes ?? 0))"
  }

  /// Returns lines about a recording's integrity, such as gaps, clipping and how it ended.
  private static func judgement(
    _ integrity: IntegrityReport, _ item: ItemReport
  ) -> [(String, ScreenView.Style)] {
    var found: [(String, ScreenView.Style)] = []
    if let peak = integrity.peakDecibels {
      let loudness = integrity.loudnessLUFS.map { ", \(Amount.decimal($0)) LUFS" } ?? ""
      found.append(("peak \(Amount.decimal(peak)) dB\(loudness)", .dim))
    }
    if !integrity.device.isEmpty { found.append(("from \(integrity.device)", .dim)) }
    for gap in integrity.gaps {
      let place = Frames.milliseconds(gap.frame, rate: item.rate ?? Sound.fileRate)
      let length = Frames.milliseconds(gap.frames, rate: item.rate ?? Sound.fileRate)
      let words = "\(Duration.words(milliseconds: length)) lost (\(gap.cause.rawValue))"
      found.append(("at \(Duration.clock(milliseconds: place)) \(words)", .fault))
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
      let cut = integrity.recoveredCutBytes.map { ", \($0) bytes had to go" } ?? ""
      found.append(("recovered\(cut)", .warning))
    }
    if !integrity.isDoubtful, !integrity.recovered, item.stage == .finished {
      found.append(("whole", .playing))
    }
    return found
  }

  private static func words(for reason: StopReason) -> String {
    switch reason {
    case .pressed, .split, .shutdown: reason.rawValue
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
  public static func lines(of waveform: WaveformReport, columns: Int) -> [[ScreenView.Span]] {
    let room = max(10, columns)
    let peaks = resampled(waveform.peaks, to: room).map { Double($0) / 32_767 }
    let half = 4
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
