// Proves that one observing call gives the present value and every change after it once, without a
// gap, whichever observers join or leave during delivery; and one end.

import Testing

@testable import Loop

@Suite struct ObserverTests {
  let store = Store<Counters>(Counters.State(counters: ["a": .init(value: 7)], lastRevision: 1))
  let log = Log()

  private func step(_ action: Counters.Action) { _ = store.step(.at(1, action)) }

  private func observe(_ address: String, as name: String = "") -> Token? {
    store.observe(address) { self.log.note(name + $0.words) }
  }

  @Test("The present value is given in the observing call itself")
  func presentAtOnce() {
    let token = observe("a")
    #expect(token != nil && log.lines == ["present 7"])
  }

  @Test("Observing a name that does not exist ends at once")
  func nothingThere() {
    #expect(observe("nowhere") == nil)
    #expect(log.lines == ["ended"])
  }

  @Test("Announced changes are delivered, others as a new value, and none of other addresses")
  func changesFollow() {
    let token = observe("a")
    step(.add(1, to: "a"))
    step(.add(1, to: "b"))
    step(.set("a", 20))
    step(.load("x"))
    #expect(log.lines == ["present 7", "changed 1", "reloaded 20"])
    token?.cancel()
    step(.add(1, to: "a"))
    #expect(log.lines.count == 3)
  }

  @Test("Deletion is delivered once, and nothing follows it, not even a new value of that name")
  func oneEnd() {
    let token = observe("a")
    step(.remove("a"))
    step(.remove("a"))
    step(.add(1, to: "a"))
    #expect(log.lines == ["present 7", "ended"])
    token?.cancel()
  }

  @Test("An observer that joins during delivery has the change in its present value only")
  func joinDuringDelivery() {
    var late: Token?
    let early = store.observe("a") { observation in
      self.log.note("early " + observation.words)
      if case .changed = observation, late == nil { late = self.observe("a", as: "late ") }
    }
    step(.add(1, to: "a"))
    step(.add(2, to: "a"))
    #expect(
      log.lines == [
        "early present 7", "early changed 1", "late present 8", "early changed 2", "late changed 2",
      ])
    early?.cancel()
    late?.cancel()
  }

  @Test("An observer that is cancelled during delivery gets nothing more")
  func leaveDuringDelivery() {
    var second: Token?
    let first = store.observe("a") { observation in
      self.log.note("first " + observation.words)
      if case .changed = observation { second?.cancel() }
    }
    second = observe("a", as: "second ")
    step(.add(1, to: "a"))
    #expect(log.lines == ["first present 7", "second present 7", "first changed 1"])
    first?.cancel()
  }

  @Test("An observer that joins from a view, before delivery of that step, gets nothing twice")
  func joinFromView() {
    var token: Token?
    let view = store.show(
      { $0.counters["a"]?.value },
      to: { if $0 == 8 { token = self.observe("a") } })
    step(.add(1, to: "a"))
    step(.add(1, to: "a"))
    #expect(log.lines == ["present 8", "changed 1"])
    view.cancel()
    token?.cancel()
  }
}
