// A prompt on a terminal without escape sequences: it is changed by printing over it. A plain value
// that keeps what the line shows and returns the bytes that change it.

import Recorder

struct PlainPrompt {
  private var shown = ""

  /// Returns the bytes that change the line to `prompt`. Most often a character was appended.
  mutating func update(to prompt: PromptView) -> [UInt8] {
    let wanted = prompt.label + prompt.text
    defer { shown = wanted }
    if wanted == shown { return [] }
    if wanted.hasPrefix(shown) { return Array(wanted.dropFirst(shown.count).utf8) }
    return Array((erasing + wanted).utf8)
  }

  /// Returns the bytes that print lines above the prompt.
  mutating func lines(_ lines: [String]) -> [UInt8] {
    let text = lines.map { $0 + "\r\n" }.joined()
    return Array((erasing + text + shown).utf8)
  }

  /// Returns the bytes that leave the line as it is and begin another.
  mutating func newLine() -> [UInt8] { Array(("\r\n" + shown).utf8) }

  mutating func forget() { shown = "" }

  private var erasing: String {
    shown.isEmpty ? "" : "\r" + String(repeating: " ", count: Text.columns(shown)) + "\r"
  }
}
