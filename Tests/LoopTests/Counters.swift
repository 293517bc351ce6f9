// A small program to test the loop with: named counters. Adding to one announces the change;
// setting one does not; observers of its name get both. It wants one subscription for each counter.

@testable import Loop

enum Counters: Program {
  struct State: Codable, Equatable {
    var counters: [String: Counter] = [:]
    var lastRevision: UInt64 = 0
    /// Makes the state, and so its checkpoint, as large as a test needs.
    var ballast = ""
  }

  struct Counter: Codable, Equatable {
    var value = 0
    var revision: UInt64 = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int, to: String)
    case set(String, Int)
    case remove(String)
    case load(String)
  }

  enum Command: Codable, Equatable {
    case added(Int, to: String)
    case done(String)
  }

  static func reduce(_ state: inout State, _ action: Stamped<Action>) -> [Command] {
    switch action.action {
    case .add(let amount, let name):
      change(&state, name) { $0 += amount }
      return [.added(amount, to: name), .done(name)]
    case .set(let name, let value):
      change(&state, name) { $0 = value }
      return [.done(name)]
    case .remove(let name):
      state.counters[name] = nil
      return []
    case .load(let ballast):
      state.ballast = ballast
      return []
    }
  }

  private static func change(_ state: inout State, _ name: String, _ body: (inout Int) -> Void) {
    state.lastRevision += 1
    body(&state.counters[name, default: Counter()].value)
    state.counters[name]?.revision = state.lastRevision
  }

  static func subscriptions(_ state: State) -> [String] { state.counters.keys.sorted() }
  static func revision(of name: String, in state: State) -> UInt64? {
    state.counters[name]?.revision
  }
  static func value(of name: String, in state: State) -> Int? { state.counters[name]?.value }
  static func announcement(in command: Command) -> Announcement<String, Int>? {
    if case .added(let amount, let name) = command { Announcement(amount, at: name) } else { nil }
  }
  static func weightBytes(of state: State) -> Int { 200 + state.ballast.utf8.count }
}

/// A list of what happened, in order.
final class Log {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

extension Stamped where Action == Counters.Action {
  static func at(_ tick: Int64, _ action: Action) -> Self {
    Stamped(
      action,
      at: Stamp(
        monotonicNanoseconds: tick, wallMilliseconds: tick, freshHigh: 0, freshLow: UInt64(tick)))
  }
}

extension Observation where Value == Int, Change == Int {
  var words: String {
    switch self {
    case .present(let value): "present \(value)"
    case .changed(let changes): "changed \(changes.map(String.init).joined(separator: ","))"
    case .reloaded(let value): "reloaded \(value)"
    case .ended: "ended"
    }
  }
}
