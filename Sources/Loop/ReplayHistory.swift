// A flight log in which a reader goes to and fro: every action with the state it led to. All
// records are read at once, so a bad log is refused at once; an action is reduced when it is first
// asked for. States are kept at intervals, so that a step back reduces few actions again. Pure;
// used at a desk.

import JSON

/// The moments of a flight log, each reached from any other.
public struct ReplayHistory<P: Program> {
  /// An action and the state it led to.
  public struct Moment {
    public let index: Int
    /// The action as the log holds it, without its `rowCount` rows.
    public let action: Stamped<P.Action>
    public let rowCount: Int
    public let commands: [P.Command]
    public let state: P.State
    /// What the log did not keep just before this moment: states from here on may differ.
    public let missing: [String]
  }

  private struct Entry {
    let outline: Stamped<P.Action>
    let rowCount: Int
    /// Nil if its rows are damaged; it is not reduced then.
    let whole: P.Action?
    /// The state that a checkpoint gives before this action.
    let checkpoint: P.State?
    let missing: [String]
  }

  /// Every so many actions a state is kept.
  static var interval: Int { 64 }

  private let entries: [Entry]
  /// States before the action of their index.
  private var kept: [Int: P.State] = [:]
  /// The moment that was reached last.
  private var last: (index: Int, state: P.State, commands: [P.Command])?

  /// Reads a log. Throws if it cannot be read or has no checkpoint to begin from.
  public init(_ log: [UInt8]) throws(FlightLogError) {
    var entries: [Entry] = []
    var checkpoint: P.State?
    var missing: [String] = []
    var hasState = false
    for record in try FlightTape.read(log).joined() where hasState || record.kind == .checkpoint {
      switch try ReplayStep<P>.read(record, number: entries.count, in: log) {
      case .elided(let what): if hasState { missing.append(what) }
      case .checkpoint(let state): (checkpoint, hasState) = (state, true)
      case .action(let outline, let rowCount, let whole):
        var action: P.Action?
        switch whole {
        case .action(let read): action = read
        case .missing(let what): missing.append(what)
        }
        entries.append(
          Entry(
            outline: outline, rowCount: rowCount, whole: action, checkpoint: checkpoint,
            missing: missing))
        (checkpoint, missing) = (nil, [])
      }
    }
    if !hasState { throw .noCheckpoint }
    self.entries = entries
  }

  /// The number of actions; the first has the index 0.
  public var count: Int { entries.count }

  /// Returns the stamp of an action.
  public func stamp(of index: Int) -> Stamp { entries[index].outline.stamp }

  /// Returns an action as one line of JSON.
  public func text(of index: Int) -> String { Self.line(entries[index].outline.action) }

  /// Returns a command as one line of JSON.
  public static func text(of command: P.Command) -> String { line(command) }

  /// A program's values are plain and always encode; if one did not, its type stands for it.
  private static func line(_ value: some Encodable) -> String {
    do { return String(decoding: try JSON.encode(value), as: UTF8.self) } catch {
      return "\(type(of: value))"
    }
  }

  /// Returns the moment after an action, whose index must be below `count`.
  public mutating func moment(_ index: Int) -> Moment {
    let (state, commands) = reach(index)
    let entry = entries[index]
    return Moment(
      index: index, action: entry.outline, rowCount: entry.rowCount, commands: commands,
      state: state, missing: entry.missing)
  }

  // MARK: Looking for a change

  /// Returns the next action after which `sign` is another than before it; nil if none follows.
  public mutating func change<Sign: Equatable>(
    after index: Int, of sign: (Moment) -> Sign
  ) -> Int? {
    let before = sign(moment(index))
    return (index + 1..<max(index + 1, count)).first { sign(moment($0)) != before }
  }

  /// Returns the last action before this one after which `sign` is another than before it.
  public mutating func change<Sign: Equatable>(
    before index: Int, of sign: (Moment) -> Sign
  ) -> Int? {
    var end = index
    // Each block runs forward from the state that is kept at its beginning.
    while end > 1 {
      let start = max(1, (end - 1) / Self.interval * Self.interval)
      var before = sign(moment(start - 1))
      var found: Int?
      for number in start..<end {
        let now = sign(moment(number))
        if now != before { found = number }
        before = now
      }
      if let found { return found }
      end = start
    }
    return nil
  }

  // MARK: Reducing

  private mutating func reach(_ index: Int) -> (P.State, [P.Command]) {
    precondition(entries.indices.contains(index), "an action of this log")
    if let last, last.index == index { return (last.state, last.commands) }
    var (number, state) = start(before: index)
    var commands: [P.Command] = []
    while number <= index {
      let entry = entries[number]
      if let checkpoint = entry.checkpoint {
        state = checkpoint
      } else if number % Self.interval == 0 {
        kept[number] = state
      }
      commands =
        entry.whole.map { P.reduce(&state, Stamped($0, at: entry.outline.stamp)) } ?? []
      number += 1
    }
    last = (index, state, commands)
    return (state, commands)
  }

  /// Returns the nearest known state before the action, and the index of the action to go on with.
  private mutating func start(before index: Int) -> (Int, P.State) {
    let reached = last.take()
    for number in stride(from: index, through: 0, by: -1) {
      if let state = entries[number].checkpoint ?? kept[number] { return (number, state) }
      if let reached, reached.index == number - 1 { return (number, reached.state) }
    }
    preconditionFailure("a history begins with a checkpoint")
  }
}
