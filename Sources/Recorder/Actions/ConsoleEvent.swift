// News from the consoles: who came, who went, what was typed. Plain values; a key has been read and
// understood before it gets here.

public enum ConsoleEvent: Equatable, Codable, Sendable {
  case opened(ConsoleDescription)
  case closed(Int)
  case resized(Int, columns: Int, rows: Int)
  case key(Int, Key)
}

public struct ConsoleDescription: Equatable, Codable, Sendable {
  public let id: Int
  public let kind: Console.Kind
  public let access: Console.Access
  public let columns: Int
  public let rows: Int

  public init(
    id: Int, kind: Console.Kind, access: Console.Access, columns: Int = 80, rows: Int = 24
  ) {
    self.id = id
    self.kind = kind
    self.access = access
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
