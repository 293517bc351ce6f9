// Proves that the driver never nests steps, keeps the order of actions however they arrive, shows
// views before it performs commands, and updates subscriptions by the difference in state.

import Testing

@testable import Loop

@Suite struct DriverTests {
  let log = Log()

  /// Makes a driver whose effects log everything and answer some of it.
  private func makeDriver(
    perform: @escaping (Driver<Counters>, Counters.Command) -> Void = { _, _ in },
    start: @escaping (Driver<Counters>, String) -> Void = { _, _ in },
    stop: @escaping (Driver<Counters>, String) -> Void = { _, _ in }
  ) -> Driver<Counters> {
    begun(begins: true, perform, start, stop).0
  }

  private func begun(
    begins: Bool, _ perform: @escaping (Driver<Counters>, Counters.Command) -> Void = { _, _ in },
    _ start: @escaping (Driver<Counters>, String) -> Void = { _, _ in },
    _ stop: @escaping (Driver<Counters>, String) -> Void = { _, _ in }
  ) -> (Driver<Counters>, Effects<Counters>) {
    let log = self.log
    weak var weakDriver: Driver<Counters>?
    let effects = Effects<Counters>(
      perform: { command in
        log.note("do \(command)")
        if let driver = weakDriver { perform(driver, command) }
      },
      start: { name in
        log.note("start \(name)")
        if let driver = weakDriver { start(driver, name) }
      },
      stop: { name in
        log.note("stop \(name)")
        if let driver = weakDriver { stop(driver, name) }
      })
    let driver = Driver<Counters>(Counters.State(), now: stampZero)
    weakDriver = driver
    if begins { driver.begin(with: effects) }
    return (driver, effects)
  }

  @Test("Views are shown before commands are performed")
  func viewsBeforeCommands() {
    let driver = makeDriver()
    let token = driver.store.show(
      { $0.counters["a"]?.value }, to: { if let value = $0 { self.log.note("shows \(value)") } })
    driver.send(.set("a", 3))
    #expect(log.lines == ["shows 3", "do done(\"a\")", "start a"])
    token.cancel()
  }

  @Test("An action sent from a command waits until the step and its other commands are done")
  func sendFromCommandWaits() {
    let driver = makeDriver(perform: { driver, command in
      if case .added(1, to: "a") = command { driver.send(.set("b", 1)) }
    })
    driver.send(.add(1, to: "a"))
    #expect(
      log.lines == [
        "do added(1, to: \"a\")", "do done(\"a\")", "do done(\"b\")", "start a", "start b",
      ])
    #expect(driver.store.state.counters.count == 2)
  }

  @Test("An action sent from a view waits too, and many keep their order")
  func sendFromViewWaits() {
    let driver = makeDriver()
    let token = driver.store.show(
      { $0.counters["a"]?.value },
      to: { value in
        guard value == 1 else { return }
        for number in 2...5 { driver.send(.set("a", number)) }
        #expect(driver.store.state.counters["a"]?.value == 1)
      })
    let shown = driver.store.show({ $0.counters["a"]?.value ?? 0 }, to: { self.log.note("\($0)") })
    driver.send(.set("a", 1))
    #expect(log.lines.filter { Int($0) != nil } == ["0", "1", "2", "3", "4", "5"])
    token.cancel()
    shown.cancel()
  }

  @Test("Old subscriptions are stopped before new ones are started")
  func stopBeforeStart() {
    let driver = makeDriver(perform: { driver, command in
      if command == .done("b") { driver.send(.remove("a")) }
    })
    driver.send(.set("a", 1))
    _ = log.take()
    driver.send(.set("b", 1))
    #expect(log.lines == ["do done(\"b\")", "stop a", "start b"])
  }

  @Test("An unchanged subscription is left alone")
  func unchangedIsLeftAlone() {
    let driver = makeDriver()
    driver.send(.set("a", 1))
    _ = log.take()
    driver.send(.set("a", 2))
    #expect(log.lines == ["do done(\"a\")"])
  }

  @Test("Starting and stopping may send, a thousand times in a row")
  func startAndStopMaySend() {
    let driver = makeDriver(
      start: { driver, name in
        if let number = Int(name), number < 1000 { driver.send(.remove(name)) }
      },
      stop: { driver, name in if let number = Int(name) { driver.send(.set("\(number + 1)", 0)) } })
    driver.send(.set("0", 0))
    #expect(driver.store.state.counters.keys.sorted() == ["1000"])
    #expect(log.lines.suffix(3) == ["stop 999", "do done(\"1000\")", "start 1000"])
  }

  @Test("Actions sent before the driver begins wait for it")
  func waitsForItsBeginning() {
    let (driver, effects) = begun(begins: false)
    driver.send(.set("a", 1))
    #expect(log.lines.isEmpty && driver.store.state.counters.isEmpty)
    driver.begin(with: effects)
    #expect(log.lines == ["do done(\"a\")", "start a"])
  }
}

/// A stamp for tests that do not depend on time.
func stampZero() -> Stamp {
  Stamp(monotonicNanoseconds: 0, wallMilliseconds: 0, freshHigh: 0, freshLow: 0)
}
