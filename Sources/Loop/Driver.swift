// The driver joins a store to the world. It stamps actions, keeps their order however they arrive,
// writes them to the flight log before they are reduced (so that a crash in `reduce` leaves the
// culprit behind), carries commands to the interpreter and keeps the subscriptions right.
// Used by one thread, the loop's; other threads post to that thread first. Nothing the interpreter
// does may block.

/// The world as a driver needs it: how to carry out a command, start and stop a subscription, and
/// where time and fresh identities come from.
public struct World<P: Program> {
  public let now: () -> Stamp
  public let perform: (P.Command) -> Void
  public let start: (P.Subscription) -> Void
  public let stop: (P.Subscription) -> Void

  public init(
    now: @escaping () -> Stamp,
    perform: @escaping (P.Command) -> Void,
    start: @escaping (P.Subscription) -> Void,
    stop: @escaping (P.Subscription) -> Void
  ) {
    self.now = now
    self.perform = perform
    self.start = start
    self.stop = stop
  }
}

public final class Driver<P: Program> {
  public let store: Store<P>

  private let world: World<P>
  private let flight: FlightRecorder<P>?
  private var waiting: [Stamped<P.Action>] = []
  private var isRunning = false
  private var subscriptions = Subscriptions<P.Subscription>()
  private let guardian: EntryGuard

  public init(_ state: P.State, world: World<P>, flight: FlightRecorder<P>? = nil) {
    self.store = Store(state)
    self.world = world
    self.flight = flight
    self.guardian = EntryGuard()
  }

  #if DEBUG
    /// For the test of the detector: a violation is reported instead of trapping.
    init(
      _ state: P.State, world: World<P>, onViolation: @escaping @Sendable (String, String) -> Void
    ) {
      self.store = Store(state)
      self.world = world
      self.flight = nil
      self.guardian = EntryGuard(onViolation: onViolation)
    }
  #endif

  /// Starts what the first state wants.
  public func begin(file: StaticString = #fileID, line: UInt = #line) {
    inside(CallSite(file: file, line: line)) { if !isRunning { drain() } }
  }

  /// Sends an action stamped with this moment.
  public func send(_ action: P.Action, file: StaticString = #fileID, line: UInt = #line) {
    send(Stamped(action, at: world.now()), file: file, line: line)
  }

  /// Sends an action stamped by whoever saw it happen. From inside a step, a view or a command it
  /// waits its turn: there is never a step within a step.
  public func send(_ action: Stamped<P.Action>, file: StaticString = #fileID, line: UInt = #line) {
    inside(CallSite(file: file, line: line)) {
      waiting.append(action)
      if !isRunning { drain() }
    }
  }

  /// To be called when there is nothing to do: moves the flight log on while nobody waits for it.
  public func idle(file: StaticString = #fileID, line: UInt = #line) {
    inside(CallSite(file: file, line: line)) { flight?.tidy(store.state) }
  }

  private func drain() {
    isRunning = true
    repeat {
      stepThrough()
      subscriptions.want(P.subscriptions(store.state), start: world.start, stop: world.stop)
    } while !waiting.isEmpty  // starting or stopping something may have sent
    isRunning = false
  }

  private func stepThrough() {
    var next = 0
    while next < waiting.count {
      let action = waiting[next]
      next += 1
      flight?.record(action, before: store.state)
      for command in store.step(action) { world.perform(command) }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func inside(_ site: CallSite, _ body: () -> Void) {
    let isOutermost = guardian.enter(site)
    body()
    if isOutermost { guardian.leave() }
  }
}
