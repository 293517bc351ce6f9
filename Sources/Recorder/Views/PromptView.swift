// The command line as it is shown: its label, the part of the line that fits, and the cursor in it.
// A pure function of a console; plain consoles show nothing else.

import Catalogue

/// A command line as it is shown.
public struct PromptView: Equatable, Codable, Sendable {
  public let label: String
  /// The part of the line around its cursor that fits.
  public let text: String
  public let cursorColumn: Int
  /// The language of the lines that the console prints above it.
  public internal(set) var language = Language.english
}

extension PromptView {
  init(_ line: CommandConsole, of console: Console, in language: Language) {
    self.language = language
    let prompt = line.prompt
    if case .confirm(_, let question)? = console.dialog {
      label = Text.printable(language.say("\(.english(question)) y/n")) + " "
    } else if let search = prompt.search {
      label = language.say("search \u{201C}\(Text.printable(search))\u{201D}:") + " "
    } else {
      label = "reel> "
    }
    let room = max(8, console.columns - Text.columns(label) - 1)
    let characters = console.dialog == nil ? Array(prompt.input.text) : []
    let cursor = min(prompt.input.cursor, characters.count)
    // Drops characters on the left until the cursor is visible.
    var start = 0
    var before = Text.columns(Text.printable(String(characters[..<cursor])))
    while before > room, start < cursor {
      before -= Text.columns(Text.printable(String(characters[start])))
      start += 1
    }
    text = Text.fitted(Text.printable(String(characters[start...])), columns: room)
    cursorColumn = Text.columns(label) + before
  }

  /// Nil when there is no such console, or it has no command line.
  public init?(console id: Int, in state: State) {
    guard let console = state.console(id), let line = console.commandLine else { return nil }
    self.init(line, of: console, in: state.settings.language)
  }
}
