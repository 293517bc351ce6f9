// Proves of the detector that two threads in one loop are caught with both their call sites named,
// and that a callback that sends is not taken for a second thread. Debug builds only: a release
// build has no detector.

#if DEBUG
  import Glibc
  import Synchronization
  import Testing

  @testable import Loop

  @Suite struct EntryGuardTests {
    @Test("Two threads in one loop are reported with both places named")
    func twoThreads() throws {
      let reports = Mutex<[String]>([])
      let box = Box { inside, entering in reports.withLock { $0 += [inside, entering] } }
      #expect(box.enter(CallSite(file: "Here.swift", line: 11)))
      try onAnotherThread { _ = box.enter(CallSite(file: "There.swift", line: 22)) }
      #expect(reports.withLock { $0 } == ["Here.swift:11", "There.swift:22"])
    }

    @Test("After the one thread has left, another may come in")
    func oneAfterTheOther() throws {
      let box = Box { _, _ in Issue.record("nobody was inside") }
      let site = CallSite(file: "Here.swift", line: 1)
      #expect(box.enter(site))
      box.leave()
      let entered = Atomic(false)
      try onAnotherThread { entered.store(box.enter(site), ordering: .relaxed) }
      let didEnter = entered.load(ordering: .relaxed)
      #expect(didEnter)
    }

    @Test("Sending from inside a command, a view or a subscription is one thread")
    func reentrancyIsFine() {
      let reports = Mutex<[String]>([])
      var driver: Driver<Counters>?
      let world = World<Counters>(
        now: { Stamp(monotonicNanoseconds: 0, wallMilliseconds: 0, freshHigh: 0, freshLow: 0) },
        perform: { if $0 == .done("a") { driver?.send(.set("b", 1)) } },
        start: { if $0 == "b" { driver?.send(.set("c", 1)) } },
        stop: { _ in })
      driver = Driver(Counters.State(), world: world) { inside, entering in
        reports.withLock { $0 += [inside, entering] }
      }
      driver?.send(.set("a", 1))
      driver?.idle()
      #expect(driver?.store.state.counters.count == 3)
      #expect(reports.withLock { $0 }.isEmpty)
    }

    /// A detector that two threads can reach.
    private final class Box: Sendable {
      private let guardian: EntryGuard
      init(_ onViolation: @escaping @Sendable (String, String) -> Void) {
        guardian = EntryGuard(onViolation: onViolation)
      }
      func enter(_ site: CallSite) -> Bool { guardian.enter(site) }
      func leave() { guardian.leave() }
    }

    private func onAnotherThread(_ body: @escaping @Sendable () -> Void) throws {
      final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      }
      var thread = pthread_t()
      let work = Unmanaged.passRetained(Work(body)).toOpaque()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        }, work)
      try #require(code == 0)
      pthread_join(thread, nil)
    }
  }
#endif
