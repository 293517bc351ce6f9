// A history from its first line to its last: the board is switched on, daemons come and go, and
// after each end the card is checked. One thread.

@testable import Library
@testable import Recorder

extension World {
  func live() throws {
    let end = Int64(script.hours * 3_600_000) * 1_000_000
    // These reference each other in cycles.
    defer { (daemon, pipelines, timers, hanging) = (nil, [], [], []) }
    powerOn()
    while now < end {
      run(until: end)
      if let broken { throw broken }
      if let down { try restart(after: down, end) }
    }
    try comeToAnEnd()
    tally.hours = Double(now) / 3.6e12
  }

  /// Ends all faults, lets everything under way finish, and checks everything.
  private func comeToAnEnd() throws {
    within = nil
    trouble.end(on: self)
    device.isPlugged = true
    try settle(milliseconds: 5000)
    if daemon?.state.transport.take != Take.none { press(0, milliseconds: 100) }
    try settle(milliseconds: 120_000)
    try watch.lookAtTheEnd()
    stopRequested = (now, 0)
    daemon?.send(.request(.system(.shutDown), from: .appliance))
    run(until: now + 70_000_000_000)
    if let broken { throw broken }
    guard isDown else { throw Broken("the daemon did not end when it was told to") }
    try ledger.look(at: observed { $0.ifCutNow.outcome(1) }, after: nil)
  }

  private func settle(milliseconds: Int64) throws {
    run(until: now + milliseconds * 1_000_000)
    if let broken { throw broken }
    guard let down else { return }
    try restart(after: down, now)
    try settle(milliseconds: milliseconds + 60_000)
  }

  private func powerOn() {
    poweredAt = now - 2_000_000_000 - below(20_000_000_000)
    isClockSet = setup.hasClock
    wallOffset = setup.hasClock ? Self.epoch : -now / 1_000_000
    boots += 1
    start(nil)
  }

  /// When histories begin, in milliseconds since 1970.
  static let epoch: Int64 = 1_790_000_000_000

  /// - Parameter mayBeginAnew: The interrupted take had no file yet.
  private func start(_ interrupted: TakeContinuation?, mayBeginAnew: Bool = false) {
    card.now = max(0, wall) * 1_000_000
    trouble.apply(to: card)
    card.beforeEach { [unowned self] operation in meet(operation) }
    let made = SimDaemon(self, number: boots, keepsFlight: setup.keepsFlight)
    boots += 1
    daemon = made
    ledger.begin()
    watch.begin(mayBeginAnew: mayBeginAnew)
    let boot = Boot(
      id: ItemID(high: 0xB007, low: UInt64(bitPattern: poweredAt)), version: "simulated",
      continuation: interrupted)
    made.begin(boot, remembered, setup.settings)
  }

  private func restart(after how: Down, _ end: Int64) throws {
    let fallen = daemon
    let hadFile = fallen?.hasFileOfTake ?? false
    for pipeline in pipelines { device.close(pipeline.session.number) }
    watch.noteWhatIsHeard()
    (daemon, pipelines, hanging) = (nil, [], [])
    timers.removeAll { !$0.isLasting }
    (soundDue, cardNewsDue, within, stopRequested) = (.max, .max, nil, nil)
    try withExtendedLifetime(fallen) { try lookAfter(how) }
    down = nil
    let milliseconds =
      switch how {
      case .cut(_, let milliseconds), .killed(let milliseconds), .stopped(let milliseconds):
        milliseconds
      }
    passTimeOff(until: min(end, now + milliseconds * 1_000_000))
    switch how {
    case .cut: powerOn()
    case .killed where setup.isService:
      start(continuation, mayBeginAnew: continuation != nil && !hadFile)
    case .killed: start(nil)
    case .stopped: start(nil)
    }
  }

  private func lookAfter(_ how: Down) throws {
    switch how {
    case .cut(let seed, _):
      card = observed { $0.cut().outcome(seed) }
      trouble.applyAnew(to: card, observed { $0.freeBytes })
      try ledger.look(at: observed { $0.ifCutNow.outcome(1) }, after: .cut)
    case .killed: try ledger.look(at: observed { $0.ifCutNow.outcome(1) }, after: .kill)
    case .stopped: try ledger.look(at: observed { $0.ifCutNow.outcome(1) }, after: nil)
    }
  }

  /// While the recorder is off, only devices and the card are affected.
  private func passTimeOff(until time: Int64) {
    while nextHappening < script.happenings.count,
      script.happenings[nextHappening].atMilliseconds * 1_000_000 <= time
    {
      let happening = script.happenings[nextHappening]
      nextHappening += 1
      if happening.kind.concernsThings { happen(happening) }
    }
    now = max(now, time)
  }
}
