// The vocabulary of the one-way loop: what a program has to say of itself so that the rest of this
// target can run it. Everything named here is a value or a pure function; nothing here may do I/O,
// read a clock or draw a random number.
//
//     world ──Action──▶ reduce(&State, Action) ──▶ [Command] ──▶ world
//                              │
//                              ├──▶ views            (handed on only when they changed)
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
  /// What happened, or what somebody wishes.
  associatedtype Action: Codable, Equatable
  /// What the world is asked to do, described as data so that a test can compare it.
  associatedtype Command: Codable, Equatable
  /// Something that must go on as long as the state wants it: a timer, a stream of frames.
  associatedtype Subscription: Hashable
  /// Names something a client can observe.
  associatedtype Address: Hashable
  /// What is at an address.
  associatedtype Value
  /// What happened at an address: added at, removed at, renamed from. More than "it changed".
  associatedtype Change

  /// The only place where state changes.
  static func reduce(_ state: inout State, _ action: Stamped<Action>) -> [Command]

  /// What should be running now; compared with what is.
  static func subscriptions(_ state: State) -> Set<Subscription>

  /// A number that grows whenever what is at the address changes; nil when nothing is there.
  static func revision(of address: Address, in state: State) -> UInt64?

  /// What is at the address; nil exactly when `revision` is nil.
  static func value(of address: Address, in state: State) -> Value?

  /// The change a command announces, if announcing is what it is for.
  static func announcement(in command: Command) -> Announcement<Address, Change>?

  /// Whether a change says no more than that everything may be different: then an observer is given
  /// the value as it is now, which holds all that was said in the same step.
  static func isReload(_ change: Change) -> Bool

  /// About how many bytes the state takes when written out. Lets the flight log skip a checkpoint
  /// that could not fit without first making it.
  static func weightBytes(of state: State) -> Int
}

extension Program {
  public static func isReload(_ change: Change) -> Bool { false }
}

/// An action with everything a pure function may want to know of the moment it happened in.
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
  /// CLOCK_MONOTONIC. Of the event itself where the kernel says it, not of its handling.
  public let monotonicNanoseconds: Int64
  /// Since 1970, as the system believed it then.
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

/// "This happened there", for whoever observes the address.
public struct Announcement<Address, Change> {
  public let address: Address
  public let change: Change

  public init(_ change: Change, at address: Address) {
    self.address = address
    self.change = change
  }
}
