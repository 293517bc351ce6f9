// The store: the state, and the one way to change it. Each step reduces one action, passes on the
// views that changed, notifies the observers, and returns the commands for the driver to perform.
// Used by one thread, the loop's; does no I/O and performs no command itself.

/// Folders and recordings on a card.
public final class Store<P: Program> {
  /// The present state; only `step` changes it.
  public private(set) var state: P.State

  private var views: [ViewSlot<P.State>] = []
  private var observers = Observers<P>()
  private var lastToken = 0
  private var isStepping = false

  public init(_ state: P.State) { self.state = state }

  /// Reduces one action. Views come before commands: what a person sees must not wait for work.
  public func step(_ action: Stamped<P.Action>) -> [P.Command] {
    precondition(!isStepping, "never a step within a step: send through the driver, which queues")
    isStepping = true
    defer { isStepping = false }
    let commands = P.reduce(&state, action)
    // A view may end another one, which is then no longer shown.
    for view in views where views.contains(where: { $0.id == view.id }) { view.refresh(state) }
    tellObservers(commands)
    return commands
  }

  /// Shows a view at once, and again after each step that changed it, in the order of these calls.
  /// The view ends with its token.
  public func show<View: Equatable>(
    _ build: @escaping (P.State) -> View, to take: @escaping (View) -> Void
  ) -> Token {
    let slot = ViewSlot<P.State>(id: nextToken(), build: build, take: take)
    views.append(slot)
    slot.refresh(state)
    return Token { [weak self] in self?.views.removeAll { $0.id == slot.id } }
  }

  /// Observes an address: the present value now, then every change, then the end. Returns nil,
  /// after an immediate end, if nothing is at the address.
  public func observe(
    _ address: P.Address, with take: @escaping (Observation<P.Value, P.Change>) -> Void
  ) -> Token? {
    guard let revision = P.revision(of: address, in: state),
      let value = P.value(of: address, in: state)
    else {
      take(.ended)
      return nil
    }
    let id = nextToken()
    observers.add(id, at: address, revision: revision, take: take)
    take(.present(value))
    return Token { [weak self] in self?.observers.remove(id) }
  }

  private func tellObservers(_ commands: [P.Command]) {
    if observers.isEmpty { return }
    let said = commands.compactMap { P.announcement(in: $0) }
    for (id, observation) in observers.due(in: state, said: said) {
      observers.taker(of: id, for: observation)?(observation)
    }
  }

  private func nextToken() -> Int {
    lastToken += 1
    return lastToken
  }
}
