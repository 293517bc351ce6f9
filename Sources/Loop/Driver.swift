// The driver joins a store to its effects. It stamps actions, reduces them in the order they were
// sent, writes each to the flight log first (so that after a crash in `reduce` the log ends with
// the culprit), performs the commands, and starts and stops subscriptions. Used by one thread, the
// loop's: it is not Sendable. Other threads post to that thread first. No effect may block.

/// How a driver performs a command and starts and stops a subscription.
public struct Effects<P: Program> {
  public let perform: (P.Command) -> Void
  public let start: (P.Subscription) -> Void
  public let stop: (P.Subscription) -> Void

  public init(
    perform: @escaping (P.Command) -> Void,
    start: @escaping (P.Subscription) -> Void,
    stop: @escaping (P.Subscription) -> Void
  ) {
    self.perform = perform
    self.start = start
    self.stop = stop
  }
}

/// Joins a store to its effects.
public final class Driver<P: Program> {
  public let store: Store<P>

  private let now: () -> Stamp
  /// Nil until `begin`.
  private var effects: Effects<P>?
  private let flight: FlightRecorder<P>?
  private var waiting: [Stamped<P.Action>] = []
  private var isRunning = false
  private var subscriptions = Subscriptions<P.Subscription>()

  /// `now` gives each action its time, and the random bits for new identities.
  public init(
    _ state: P.State, now: @escaping () -> Stamp, flight: FlightRecorder<P>? = nil
  ) {
    self.store = Store(state)
    self.now = now
    self.flight = flight
  }

  /// Reduces the actions sent before, and starts the subscriptions that the state wants.
  public func begin(with effects: Effects<P>) {
    precondition(self.effects == nil, "a driver begins once")
    self.effects = effects
    drain(effects)
  }

  /// Sends an action stamped with this moment.
  public func send(_ action: P.Action) { send(Stamped(action, at: now())) }

  /// Sends an action that carries the stamp of its event. An action sent from inside a step, a view
  /// or a command is queued: steps never nest. Before `begin` it is queued, too.
  public func send(_ action: Stamped<P.Action>) {
    waiting.append(action)
    if !isRunning, let effects { drain(effects) }
  }

  private func drain(_ effects: Effects<P>) {
    isRunning = true
    repeat {
      stepThrough(effects)
      subscriptions.want(P.subscriptions(store.state), start: effects.start, stop: effects.stop)
    } while !waiting.isEmpty  // starting or stopping may have sent an action
    isRunning = false
  }

  private func stepThrough(_ effects: Effects<P>) {
    var next = 0
    while next < waiting.count {
      let action = waiting[next]
      next += 1
      flight?.record(action, before: store.state)
      for command in store.step(action) { effects.perform(command) }
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
