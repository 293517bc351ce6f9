// A code for a browser, as a dashboard shows it in place of the folder, and as the answer to a
// command. Pure functions.

import Catalogue

/// A code for a browser with the address as a QR code, if there is room for it.
func pairingRows(_ code: PairingCode, in state: State, rows: Int, columns: Int) -> [[Span]] {
  let words = [
    Span(state.say("Open \(code.address) and type \(code.spaced) there."), .bold),
    Span(state.say("Esc hides this"), .dim),
  ]
  let lines = code.lines
  let width = lines.first.map(Text.columns) ?? 0
  guard !lines.isEmpty, lines.count <= rows, width + 2 + Text.columns(words[0].text) <= columns
  else {
    return words.map { [$0] }
  }
  let first = lines.count / 2 - 1
  return lines.enumerated().map { index, line in
    let word = words.indices.contains(index - first) ? [words[index - first]] : []
    return [Span(line), .gap(2)] + word
  }
}

extension AnswerText {
  static func lines(of code: PairingCode, columns: Int, _ language: Language) -> [[Span]] {
    let words = language.say("Open \(code.address) and type \(code.spaced) there.")
    return [[Span(words)]] + code.lines.filter { Text.columns($0) <= columns }.map { [Span($0)] }
  }
}
