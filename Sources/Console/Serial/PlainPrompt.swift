// A prompt on a terminal that can do nothing but print: changed by printing over it. A plain value
// that knows what stands on the line and gives the bytes that make it something else.

import Recorder

struct PlainPrompt {
  private var shown = ""

  /// What the line is to be. Most often a character was added at its end.
  mutating func update(to prompt: PromptView) -> [UInt8] {
    let wanted = prompt.label + prompt.text
    defer { shown = wanted }
    if wanted == shown { return [] }
    if wanted.hasPrefix(shown) { return Array(wanted.dropFirst(shown.count).utf8) }
    return Array((erasing + wanted).utf8)
  }

  /// Lines above the prompt, which comes again below them.
  mutating func lines(_ lines: [String]) -> [UInt8] {
    let text = lines.map { $0 + "\r\n" }.joined()
    return Array((erasing + text + shown).utf8)
  }

  /// The line stays as it is, and another begins.
  mutating func newLine() -> [UInt8] { Array(("\r\n" + shown).utf8) }

  mutating func forget() { shown = "" }

  private var erasing: String {
    shown.isEmpty ? "" : "\r" + String(repeating: " ", count: Text.columns(shown)) + "\r"
  }
}
