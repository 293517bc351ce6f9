// The protocol of the one-way loop: what a program defines so that the rest of this target can run
// it. Everything named here is a value or a pure function; nothing here may do I/O, read a clock or
// draw a random number.
//
//     world ──Action──▶ reduce(&State, Action) ──▶ [Command] ──▶ world
//                              │
//                              ├──▶ views            (passed on only when they changed)
//                              ├──▶ subscriptions    (started and stopped by difference)
//                              └──▶ observations     (the present value, every change, the end)

/// A program for the loop: one state, changed in one place, by one pure function.
///
/// Give the associated types names of your own, write `reduce`, and a `Driver` does the rest. The
/// same stamped actions, in the same order, must give the same states: `reduce` may look at nothing
/// but its two arguments.
public protocol Program {
  /// Everything the program knows. A value: no closures and no live objects. What the world owns
  /// (a file, a socket) is named in it by an id. Keep sets out of it, and keys of dictionaries
  /// `CodingKeyRepresentable`, so that its digest is the same on every machine.
  associatedtype State: Codable
  /// An event, or a request by a user or a program.
  associatedtype Action: Codable, Equatable
  /// An effect to be performed, as data, so that a test can compare it.
  associatedtype Command: Codable, Equatable
  /// Something that must go on as long as the state wants it: a timer, a stream of frames.
  associatedtype Subscription: Hashable
  /// Names something a client can observe.
  associatedtype Address: Hashable
  /// The value at an address.
  associatedtype Value
  /// A change at an address: added at, removed at, renamed from. It says more than "it changed".
  associatedtype Change

  /// The tables of the state, which the flight log keeps as rows.
  associatedtype Tables: FlightTables = NoTables<State, Action>
  where Tables.State == State, Tables.Action == Action

  /// The only place where state changes.
  static func reduce(_ state: inout State, _ action: Stamped<Action>) -> [Command]

  /// Returns the subscriptions that should run now, in the order in which they are to be started.
  static func subscriptions(_ state: State) -> [Subscription]

  /// Returns a number that grows with every change at an address; nil if nothing is there.
  static func revision(of address: Address, in state: State) -> UInt64?

  /// Returns the value at an address; nil exactly when `revision` is nil.
  static func value(of address: Address, in state: State) -> Value?

  /// Returns the change that a command announces; nil for a command that announces none.
  static func announcement(in command: Command) -> Announcement<Address, Change>?

  /// Returns whether a change says only that everything may be different. The observer then gets
  /// the present value, which includes the other changes of the same step.
  static func isReload(_ change: Change) -> Bool

  /// Estimates the size of the encoded state without its rows. The flight log skips a checkpoint
  /// that could not fit, without encoding it first.
  static func weightBytes(of state: State) -> Int
}

extension Program {
  public static func isReload(_ change: Change) -> Bool { false }
}

/// An action with its stamp: times and random bits, which a pure function cannot get by itself.
public struct Stamped<Action> {
  public let stamp: Stamp
  public let action: Action

  public init(_ action: Action, at stamp: Stamp) {
    self.stamp = stamp
    self.action = action
  }
}

extension Stamped: Equatable where Action: Equatable {}
extension Stamped: Sendable where Action: Sendable {}
extension Stamped: Codable where Action: Codable {
  private enum CodingKeys: String, CodingKey {
    case stamp = "at"
    case action = "do"
  }
}

/// The moment of an action: monotonic and wall time, and 128 fresh random bits for a new identity.
public struct Stamp: Equatable, Codable, Sendable {
  /// CLOCK_MONOTONIC. If the kernel stamps the event, that time, not the time of its handling.
  public let monotonicNanoseconds: Int64
  /// Since 1970, by the system's clock, which may be wrong.
  public let wallMilliseconds: Int64
  public let freshHigh: UInt64
  public let freshLow: UInt64

  public init(
    monotonicNanoseconds: Int64, wallMilliseconds: Int64, freshHigh: UInt64, freshLow: UInt64
  ) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallMilliseconds = wallMilliseconds
    self.freshHigh = freshHigh
    self.freshLow = freshLow
  }

  private enum CodingKeys: String, CodingKey {
    case monotonicNanoseconds = "mono"
    case wallMilliseconds = "wall"
    case freshHigh = "hi"
    case freshLow = "lo"
  }
}

/// A change at an address, for its observers.
public struct Announcement<Address, Change> {
  public let address: Address
  public let change: Change

  public init(_ change: Change, at address: Address) {
    self.address = address
    self.change = change
  }
}
