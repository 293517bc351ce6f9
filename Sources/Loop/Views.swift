// Views handed on only when they changed. A view is built from the state by a pure function and
// compared with the last one its taker was given; equal ones go no further. Kept by `Store`, used
// on the loop's thread; builders must not do I/O, and takers must not block.

/// One view: how it is built, who takes it, what was given last.
struct ViewSlot<State> {
  let id: Int
  /// Builds, compares, and hands on if different.
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

/// Ends something when it is cancelled or when the last reference to it goes.
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
