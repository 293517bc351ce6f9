// A checkup as lines: a sign, the name of the check, the finding and the advice. A check that does
// not fit on one line is wrapped and indented. Pure.

import Catalogue

extension AnswerText {
  static func lines(
    of checkup: CheckupView, columns: Int, _ language: Language
  ) -> [[Span]] {
    let width = (checkup.checks.map { Text.columns(name(of: $0, language)) }.max() ?? 0) + 2
    return checkup.checks.flatMap {
      lines(of: $0, nameWidth: width, columns: columns, language)
    }
  }

  private static func name(of check: CheckupView.Check, _ language: Language) -> String {
    language.say(Phrase(stringLiteral: check.name))
  }

  private static func lines(
    of check: CheckupView.Check, nameWidth: Int, columns: Int, _ language: Language
  ) -> [[Span]] {
    let (sign, style): (String, ScreenView.Style) =
      switch check.verdict {
      case .well: ("✓ ", .dim)
      case .unknown: ("? ", .warning)
      case .wrong: ("✗ ", .fault)
      }
    let advice = check.advice.map { " " + language.translate($0) } ?? ""
    let said = printable(language.translate(check.sentence) + advice)
    let room = columns == .max ? Int.max : max(20, columns - nameWidth - 2)
    let margin = String(repeating: " ", count: nameWidth + 2)
    return Text.wrapped(said, columns: room).enumerated().map { index, text in
      let words = Span(text, check.verdict == .well ? .plain : style)
      return index > 0
        ? [Span(margin), words]
        : [
          Span(sign, style),
          Span(padded(printable(name(of: check, language)), nameWidth), .dim), words,
        ]
    }
  }
}
