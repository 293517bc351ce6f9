// Events from the consoles: opened, closed, resized, typed on. Plain values; the consoles parse the
// keys before they send them.

/// What happened on a console.
public enum ConsoleEvent: Equatable, Codable, Sendable {
  case opened(ConsoleDescription)
  case closed(Int)
  case resized(Int, columns: Int, rows: Int)
  case key(Int, Key)
  /// Keys that were read together: views are updated once for all of them.
  case keys(Int, [Key])
  case mode(Int, Console.Mode)
  /// A line that a program sent, as a person would type it.
  case line(Int, String)
  /// A command in words, with the numbers of open files that were passed with it.
  case command([String], files: [Int], from: Origin)
  /// What another room answers to an inquiry.
  case answered(Answer, to: Origin, isLast: Bool)
  /// The console warns its user.
  case warned(Int, String)
}

/// A console as it is opened.
public struct ConsoleDescription: Equatable, Codable, Sendable {
  public enum Kind: String, Codable, Sendable {
    /// A dashboard whose keys are the panel's buttons.
    case terminal
    /// A dashboard above a command line.
    case serial
    /// A client on the socket.
    case socket
  }

  public let id: Int
  public let kind: Kind
  public let access: Console.Access
  public let mode: Console.Mode
  public let columns: Int
  public let rows: Int

  public init(
    id: Int, kind: Kind, access: Console.Access, mode: Console.Mode = .screen,
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

/// One key; escape sequences are already parsed.
public enum Key: Equatable, Codable, Sendable {
  case character(String)
  case enter, escape, backspace, delete, tab
  case up, down, left, right, home, end, pageUp, pageDown
  case control(String)
}
