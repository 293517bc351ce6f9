// A command in progress: a line that was typed, or words that a client sent. It is part of the
// state, so that a replay shows which commands ran and what each waited for. Plain values; any
// thread.

/// A command in progress.
public struct RunningCommand: Equatable, Codable, Sendable {
  public let origin: Origin
  public let words: [String]
  /// The numbers of open files that were passed with it.
  let files: [Int]
  let began: Instant
  public internal(set) var phase = Phase.reading([])
  /// The ticket of the card's work for the present request.
  var ticket: Int?
  /// The items that the replies named.
  var done: [ItemID] = []
  /// The texts that the replies carried.
  var texts: [String] = []

  /// What a command in progress waits for.
  public enum Phase: Equatable, Codable, Sendable {
    /// Names can be looked up when these folders have been read.
    case reading([ItemID])
    /// A request was made; these come after it.
    case requesting(PlannedRequests)
    case awaiting(AwaitedEvent, until: Instant)
    /// Another room answers.
    case inquiring(Inquiry)
  }

  static let readingMilliseconds: Int64 = 15_000

  init(_ words: [String], files: [Int], from origin: Origin, at began: Instant) {
    self.words = words
    self.files = files
    self.origin = origin
    self.began = began
  }

  /// When it ends although what it waits for has not come.
  var due: Instant? {
    switch phase {
    case .reading: began.adding(milliseconds: Self.readingMilliseconds)
    case .awaiting(_, let until): until
    case .requesting, .inquiring: nil
    }
  }
}

extension State {
  /// Returns the command that runs for an origin.
  public func command(of origin: Origin) -> RunningCommand? {
    commands.first { $0.origin == origin }
  }

  mutating func withCommand(of origin: Origin, _ change: (inout RunningCommand) -> Void) {
    guard let index = commands.firstIndex(where: { $0.origin == origin }) else { return }
    change(&commands[index])
  }
}
