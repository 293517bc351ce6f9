// Proves that the store shows views in order and only when they changed, and that an ended view is
// not called again, even if it ends in the middle of a step.

import Testing

@testable import Loop

@Suite struct StoreTests {
  let store = Store<Counters>(Counters.State())
  let log = Log()

  private func step(_ action: Counters.Action) -> [Counters.Command] { store.step(.at(1, action)) }

  @Test("A step reduces, and returns the commands for the caller to perform")
  func stepGivesCommands() {
    #expect(step(.add(2, to: "a")) == [.added(2, to: "a"), .done("a")])
    #expect(store.state.counters["a"]?.value == 2)
  }

  @Test("A view is shown at once, and after that only when it changed")
  func viewsOnlyWhenChanged() {
    let token = store.show({ $0.counters["a"]?.value ?? 0 }, to: { self.log.note("a=\($0)") })
    _ = step(.add(1, to: "b"))
    _ = step(.set("a", 0))
    _ = step(.set("a", 5))
    #expect(log.lines == ["a=0", "a=5"])
    token.cancel()
  }

  @Test("Views are shown in the order in which they were registered")
  func viewsInOrder() {
    let tokens = (1...5).map { number in
      store.show({ $0.counters["a"]?.value }, to: { _ in self.log.note("\(number)") })
    }
    _ = log.take()
    _ = step(.add(1, to: "a"))
    #expect(log.lines == ["1", "2", "3", "4", "5"])
    for token in tokens { token.cancel() }
  }

  @Test("A view ends with its token: when cancelled, or when the token is released")
  func tokensEndViews() {
    var token: Token? = store.show({ $0.counters.count }, to: { self.log.note("first \($0)") })
    let other = store.show({ $0.counters.count }, to: { self.log.note("second \($0)") })
    _ = log.take()
    token = nil
    other.cancel()
    other.cancel()
    _ = step(.add(1, to: "a"))
    #expect(log.lines.isEmpty)
    #expect(token == nil)
  }

  @Test("A view that another view ends in the middle of a step is not shown")
  func viewEndsAnother() {
    var later: Token?
    let first = store.show(
      { $0.counters.count },
      to: { count in
        self.log.note("first \(count)")
        if count > 0 { later?.cancel() }
      })
    later = store.show({ $0.counters.count }, to: { self.log.note("later \($0)") })
    _ = step(.add(1, to: "a"))
    #expect(log.lines == ["first 0", "later 0", "first 1"])
    first.cancel()
  }

  @Test("A view that is added by a view in the middle of a step is shown once")
  func viewAddsAnother() {
    var added: Token?
    let first = store.show(
      { $0.counters.count },
      to: { count in
        guard count == 1 else { return }
        added = self.store.show({ $0.counters.count }, to: { self.log.note("added \($0)") })
      })
    _ = step(.add(1, to: "a"))
    _ = step(.add(1, to: "b"))
    #expect(log.lines == ["added 1", "added 2"])
    first.cancel()
    added?.cancel()
  }
}
