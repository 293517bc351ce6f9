// News from the consoles: who came, who went, what was typed. Plain values; a key has been read and
// understood before it gets here.

public enum ConsoleEvent: Equatable, Codable, Sendable {
  case opened(ConsoleDescription)
  case closed(Int)
  case resized(Int, columns: Int, rows: Int)
  case key(Int, Key)
  /// Several that came at once: what they do is shown once.
  case keys(Int, [Key])
  case mode(Int, Console.Mode)
  /// What a command answered, in lines.
  case said(Int, [[ScreenView.Span]])
  /// How far the work of a command is; nil: it is over.
  case progress(Int, permille: Int?)
  /// What stands before the cursor goes on like this; several ways it may go on are lines.
  case completed(Int, part: String, to: String, ways: [[ScreenView.Span]])
  /// The command on this line is not carried out before somebody says so.
  case asked(Int, line: String, question: String)
}

public struct ConsoleDescription: Equatable, Codable, Sendable {
  public let id: Int
  public let kind: Console.Kind
  public let access: Console.Access
  public let mode: Console.Mode
  public let columns: Int
  public let rows: Int

  public init(
    id: Int, kind: Console.Kind, access: Console.Access, mode: Console.Mode = .screen,
    columns: Int = 80, rows: Int = 24
  ) {
    self.id = id
    self.kind = kind
    self.access = access
    self.mode = mode
    self.columns = columns
    self.rows = rows
  }
}

/// One key, as a terminal sends it, with the escape sequences already understood.
public enum Key: Equatable, Codable, Sendable {
  case character(String)
  case enter, escape, backspace, delete, tab
  case up, down, left, right, home, end, pageUp, pageDown
  case control(String)
}
