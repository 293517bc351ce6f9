// Copies elsewhere as text: how many recordings exist only here, how the targets are, and what is
// not safe yet. Pure.

import Catalogue

extension AnswerText {
  static func lines(
    of report: CopiesReport, columns: Int, _ language: Language
  ) -> [[Span]] {
    let sum = summary(onlyHere: report.onlyHere)
    var lines = [[Span(language.say(sum), report.onlyHere == 0 ? .playing : .warning)]]
    lines += report.targets.map { [Span(printable(language.say(words(for: $0))), style(of: $0))] }
    let digits = report.items.map { "\($0.sequence ?? 0)".count }.max() ?? 1
    for item in report.items {
      lines.append(row(item, digits: digits, columns: columns, language))
      for copy in item.copies ?? [] where copy.state == .failed {
        lines.append([Span("  " + printable(language.say(words(for: copy))), .fault)])
      }
    }
    if let next = report.next {
      lines.append([Span(language.say("There are more; go on with --after \(next)"), .dim)])
    }
    return lines
  }

  static func summary(of copies: StatusView.CopiesView) -> Phrase {
    summary(onlyHere: copies.onlyHere)
  }

  private static func summary(onlyHere count: Int) -> Phrase {
    count == 0 ? "every recording has a copy elsewhere" : "\(count) only here"
  }

  static func words(for target: CopyTargetReport) -> Phrase {
    let name = target.name
    if !target.isRunning { return "\(name): reel-link is not running" }
    let waiting = target.waiting ?? 0
    let words: Phrase =
      switch target.state {
      case .sending: "\(name): sending, \(waiting) to go"
      case .failed: "\(name): failed, \(waiting) to go"
      case .waiting, .sent, .verified: waiting == 0 ? "\(name): well" : "\(name): \(waiting) to go"
      }
    return target.why.map { "\(words). \(Phrase.english($0))" } ?? words
  }

  static func style(of target: CopyTargetReport) -> ScreenView.Style {
    !target.isRunning || target.state == .failed ? .warning : .plain
  }

  static func words(for copy: CopyReport) -> Phrase {
    let name = copy.target
    switch copy.state {
    case .verified:
      let (when, remote) = (copy.verifiedAt?.local ?? "", copy.remote ?? "")
      guard let why = copy.why else { return "\(name): compared \(when), \(remote)" }
      return "\(name): compared \(when), \(remote). \(Phrase.english(why))"
    case .waiting: return "\(name): not yet"
    case .sending: return "\(name): being sent"
    case .sent: return "\(name): sent, not compared yet"
    case .failed:
      let why = Phrase.english(copy.why ?? "")
      return copy.nextTry.map { "\(name): failed. \(why) Next try \($0.local)" }
        ?? "\(name): failed. \(why)"
    }
  }

  static func style(of condition: CopyCondition) -> ScreenView.Style {
    switch condition {
    case .verified: .playing
    case .failed: .fault
    case .waiting, .sending, .sent: .plain
    }
  }
}

extension ItemReport {
  /// Whether there is a copy that was compared.
  var isCopied: Bool { copies?.contains { $0.state == .verified } ?? false }
}
