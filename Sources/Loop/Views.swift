// Passes views on only when they changed. A view is built from the state by a pure function and
// dropped if it equals the last one passed on. Owned by `Store`, used on the loop's thread;
// builders must not do I/O, and receivers must not block.

/// One view: its builder, its receiver, and the value last passed on.
struct ViewSlot<State> {
  let id: Int
  /// Builds the view, and passes it on if it changed.
  let refresh: (State) -> Void

  init<View: Equatable>(
    id: Int, build: @escaping (State) -> View, take: @escaping (View) -> Void
  ) {
    var last: View?
    self.id = id
    self.refresh = { state in
      let view = build(state)
      if view == last { return }
      last = view
      take(view)
    }
  }
}

/// Ends a view or an observation when it is cancelled or dropped.
public final class Token {
  private var end: (() -> Void)?

  init(_ end: @escaping () -> Void) { self.end = end }

  public func cancel() {
    let end = self.end
    self.end = nil
    end?()
  }

  deinit { end?() }
}
