// What can be undone: the last changes to folders and recordings, each with the requests that
// reverse it. It is lost with the process, and when the card is opened anew. Plain values.

/// The changes that can be undone.
public struct UndoHistory: Equatable, Codable, Sendable {
  /// The newest last.
  public private(set) var steps: [UndoStep] = []
  /// The change that is being undone.
  var run: UndoRun?

  public static let limit = 10
  /// So many items changed by one command are undone as one.
  static let itemLimit = 1000

  /// Adds a change. Changes of the same kind by one command are one step.
  mutating func append(_ step: UndoStep) {
    if let last = steps.last, last.isContinued(by: step) {
      steps[steps.count - 1].join(step)
    } else {
      steps.append(step)
      if steps.count > Self.limit { steps.removeFirst() }
    }
  }

  /// Removes the newest change, and returns it.
  mutating func takeNewest() -> UndoStep? { steps.popLast() }

  mutating func clear() { steps = [] }
}

/// A change that can be undone.
public struct UndoStep: Equatable, Codable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case move, rename, describe, delete, restore, mark, sort
  }

  public let kind: Kind
  /// The item, the first of several, as it was called before.
  public let title: String
  /// How many items were changed.
  public private(set) var count = 1
  /// The command that made the change; nil for a button, a key and the sound path.
  let command: CommandID?
  /// The requests that reverse the change, in the order in which they are made.
  private(set) var reversals: [ItemRequest]

  init(_ kind: Kind, _ title: String, by command: CommandID?, _ reversals: [ItemRequest]) {
    self.kind = kind
    self.title = title
    self.command = command
    self.reversals = reversals
  }

  /// "delete “Kitchen”", "move 3 items".
  public var name: String { ChangeReport(self).name }

  func isContinued(by step: UndoStep) -> Bool {
    command != nil && command == step.command && kind == step.kind
      && count < UndoHistory.itemLimit
  }

  /// The last change is reversed first.
  mutating func join(_ step: UndoStep) {
    count += 1
    reversals = step.reversals + reversals
  }
}

/// Identifies a command in progress.
struct CommandID: Equatable, Codable, Sendable {
  let origin: Origin
  let began: Instant
}

/// A change that is being undone, one request after another.
struct UndoRun: Equatable, Codable, Sendable {
  let origin: Origin
  let name: String
  var left: [ItemRequest]
  /// The ticket of the card's work for the present request; nil between two.
  var ticket: Int?
}
