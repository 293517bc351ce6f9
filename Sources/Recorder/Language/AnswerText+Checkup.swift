// A checkup as lines: a sign, the name of the check, the finding and the advice. A check that does
// not fit on one line is wrapped and indented. Pure.

extension AnswerText {
  static func lines(of checkup: CheckupView, columns: Int) -> [[Span]] {
    let width = (checkup.checks.map { Text.columns($0.name) }.max() ?? 0) + 2
    return checkup.checks.flatMap { lines(of: $0, nameWidth: width, columns: columns) }
  }

  private static func lines(
    of check: CheckupView.Check, nameWidth: Int, columns: Int
  ) -> [[Span]] {
    let (sign, style): (String, ScreenView.Style) =
      switch check.verdict {
      case .well: ("✓ ", .dim)
      case .unknown: ("? ", .warning)
      case .wrong: ("✗ ", .fault)
      }
    let said = printable(check.sentence + (check.advice.map { " " + $0 } ?? ""))
    let room = columns == .max ? Int.max : max(20, columns - nameWidth - 2)
    let margin = String(repeating: " ", count: nameWidth + 2)
    return Text.wrapped(said, columns: room).enumerated().map { index, text in
      let words = Span(text, check.verdict == .well ? .plain : style)
      return index > 0
        ? [Span(margin), words]
        : [Span(sign, style), Span(padded(printable(check.name), nameWidth), .dim), words]
    }
  }
}
