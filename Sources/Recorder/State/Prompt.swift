// The command line: its text, its history and the search in it. A plain value that handles keys and
// returns their outcome; it runs nothing itself.

/// A command line that is edited.
public struct Prompt: Equatable, Codable, Sendable {
  public internal(set) var input = LineInput()
  /// Commands entered before, the newest last.
  public private(set) var history: [String] = []
  private var stage = Stage.typing

  static let historyLimit = 100

  private enum Stage: Equatable, Codable, Sendable {
    case typing
    /// An entry of the history is shown; `draft` is the text that was typed before.
    case recalling(index: Int, draft: String)
    /// The text searched for, and the index in the history where it was found.
    case searching(String, found: Int?, draft: String)
  }

  enum Outcome: Equatable {
    case edited
    case entered(String)
    /// The part before the cursor is to be completed.
    case completes(String)
    /// Escape on an empty line, and keys that are not for editing.
    case unused
  }

  /// The text searched for in the history; nil outside a search.
  public var search: String? {
    if case .searching(let text, _, _) = stage { text } else { nil }
  }

  mutating func handle(_ key: Key) -> Outcome {
    if case .searching(let text, let found, let draft) = stage {
      if let outcome = search(for: text, found: found, draft: draft, key) { return outcome }
      stage = .typing
    }
    switch key {
    case .enter: return .entered(enter())
    case .tab: return .completes(String(input.text.prefix(input.cursor)))
    case .up, .control("p"): recall(older: true)
    case .down, .control("n"): recall(older: false)
    case .control("r"): stage = .searching("", found: nil, draft: input.text)
    case .escape where input.text.isEmpty: return .unused
    case .escape, .control("c"), .control("g"): clear()
    default: return input.handle(key) ? .edited : .unused
    }
    return .edited
  }

  /// Replaces the part before the cursor by its completion.
  mutating func complete(to completed: String) {
    guard completed.utf8.count <= LineInput.limitBytes else { return }
    let rest = input.text.dropFirst(input.cursor)
    input = LineInput(completed, rest: String(rest))
  }

  mutating func clear() {
    input = LineInput()
    stage = .typing
  }

  private mutating func enter() -> String {
    let line = input.text
    let isBlank = line.allSatisfy { $0 == " " }
    if !isBlank, history.last != line { history.append(line) }
    if history.count > Self.historyLimit { history.removeFirst() }
    clear()
    return isBlank ? "" : line
  }

  // MARK: History

  private mutating func recall(older: Bool) {
    var index = history.count
    var draft = input.text
    if case .recalling(let shown, let kept) = stage { (index, draft) = (shown, kept) }
    index = min(max(0, index + (older ? -1 : 1)), history.count)
    let isDraft = index == history.count
    stage = isDraft ? .typing : .recalling(index: index, draft: draft)
    input = LineInput(isDraft ? draft : history[index])
  }

  /// Returns nil if the key ends the search; the key then has its usual meaning.
  private mutating func search(
    for text: String, found: Int?, draft: String, _ key: Key
  ) -> Outcome? {
    var text = text
    var below = history.count
    switch key {
    case .character(let typed) where text.utf8.count + typed.utf8.count <= 256: text += typed
    case .backspace: text = String(text.dropLast())
    case .control("r"): below = found ?? history.count
    case .escape, .control("c"), .control("g"):
      stage = .typing
      input = LineInput(draft)
      return .edited
    default: return nil
    }
    let hit = text.isEmpty ? nil : history[..<below].lastIndex { $0.contains(text) }
    // If there is no older match, the present one stays.
    let kept = hit ?? (key == .control("r") ? found : nil)
    stage = .searching(text, found: kept, draft: draft)
    input = LineInput(kept.map { history[$0] } ?? draft)
    return .edited
  }
}

/// The output of commands, shown in place of the folder until it is cleared.
public struct Output: Equatable, Codable, Sendable {
  public private(set) var lines: [[ScreenView.Span]] = []
  /// The first visible line.
  public private(set) var top = 0
  /// The progress of long work, in thousandths.
  public internal(set) var progress: Int?

  static let limit = 2000

  init(_ lines: [[ScreenView.Span]] = []) { append(lines) }

  public var isEmpty: Bool { lines.isEmpty && progress == nil }

  mutating func append(_ added: [[ScreenView.Span]]) {
    lines += added
    let tooMany = lines.count - Self.limit
    if tooMany > 0 { lines.removeFirst(tooMany) }
  }

  mutating func scroll(by rows: Int) {
    top = min(max(0, top + rows), max(0, lines.count - 1))
  }
}
