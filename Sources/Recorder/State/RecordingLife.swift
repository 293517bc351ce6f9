// The life of a recording: a take from its first frame until its last page is on the card, then
// finished or recovered. What comes before the first frame, from the request on, is `Take`. Plain
// values.

extension Recording {
  /// How far a recording has come, from its request to its end.
  public enum Life: Equatable, Codable, Sendable {
    /// The sound path records it, or its last pages are on their way to the card. Before the card
    /// is open it has no entry there, and the sound is kept in memory.
    case take(CardEntry?)
    case finished(CardEntry)
    /// It was cut short by a power cut or a crash, and repaired.
    case recovered(CardEntry)
  }

  /// What the card knows a recording by.
  public struct CardEntry: Equatable, Codable, Sendable {
    /// Unique on a card, whatever the clock says; nil for sound that Reel did not record.
    public let sequence: Int?
    /// Its file's name within its folder, chosen by the card; nil until the card has made it.
    public internal(set) var file: String?

    public init(sequence: Int?, file: String? = nil) {
      self.sequence = sequence
      self.file = file
    }
  }

  /// The word for a recording's life, on the card, in views and in answers.
  public enum Stage: String, Codable, Sendable {
    case recording
    /// The take has ended; its last pages are on their way to the card.
    case closing
    case finished
    case recovered
  }

  public var entry: CardEntry? { life.entry }

  /// The word for its life on the card, where a take that is closing needs none of its own: after a
  /// power cut both are repaired.
  public var stage: Stage {
    switch life {
    case .take: .recording
    case .finished: .finished
    case .recovered: .recovered
    }
  }

  public var sequence: Int? { life.sequence }

  public var file: String? { life.file }

  /// Finished or recovered: it can be played, moved and deleted.
  @inlinable
  public var isSettled: Bool { life.isSettled }

  /// A take that was not handed to the card, because the card is not open yet.
  var waitsForCard: Bool { life == .take(nil) }

  /// Names its file; without an entry on the card there is none to name.
  mutating func setFile(_ file: String) {
    guard var entry else { return }
    entry.file = file
    switch life {
    case .take: life = .take(entry)
    case .finished: life = .finished(entry)
    case .recovered: life = .recovered(entry)
    }
  }

  /// Its last page is on the card.
  mutating func finish() {
    if case .take(let entry?) = life { life = .finished(entry) }
  }
}

// The card asks a life rather than its recording for each of 10,000 items, because a function of
// another module copies the whole recording.
extension Recording.Life {
  @inlinable
  public var entry: Recording.CardEntry? {
    switch self {
    case .take(let entry): entry
    case .finished(let entry), .recovered(let entry): entry
    }
  }

  @inlinable
  public var sequence: Int? { entry.flatMap(\.sequence) }

  @inlinable
  public var file: String? { entry.flatMap(\.file) }

  @inlinable
  public var isSettled: Bool {
    switch self {
    case .take: false
    case .finished, .recovered: true
    }
  }

  /// A take that has neither number nor file has no entry.
  public init(_ stage: Recording.Stage, _ entry: Recording.CardEntry) {
    switch stage {
    case .recording, .closing:
      self = .take(entry.sequence == nil && entry.file == nil ? nil : entry)
    case .finished: self = .finished(entry)
    case .recovered: self = .recovered(entry)
    }
  }

}

extension State {
  /// The word for a recording's life in views and answers.
  public func stage(of recording: Recording) -> Recording.Stage {
    let isRunning = transport.take.running?.id == recording.id
    return recording.isSettled || isRunning ? recording.stage : .closing
  }

  /// The takes that have ended and are still being written out, the oldest first.
  public var closing: [ItemID] {
    let running = transport.take.running?.id
    return library.takes.filter { $0 != running }
  }
}
