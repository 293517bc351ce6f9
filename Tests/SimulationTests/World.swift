// The world of a simulation: one time, one order of things, one thread. It knows what is due next
// and does it, lets time pass while the card makes somebody wait, and takes the power away in the
// middle. All chance comes from the seed, so the same history goes the same way again.

import Glibc
import Loop
import Realtime
import Tape

@testable import Audio
@testable import Library
@testable import Recorder

// Sendable: a simulation has one thread.
final class World: @unchecked Sendable {
  let script: Script
  let setup: Setup
  /// Where sound is put that must be found by a path.
  let directory: String
  /// Nanoseconds since the history began; the monotonic clock counts from the start of the board.
  private(set) var now: Int64 = 0
  private(set) var poweredAt: Int64 = 0
  var wallOffset: Int64 = 0
  var isClockSet = false
  var random: SplitMix64
  let device: SimDevice
  let speakerFaults = SpeakerFaults()
  private(set) var card: MemoryCard
  private(set) var daemon: SimDaemon?
  private(set) var pipelines: [SimPipeline] = []
  let ledger = Ledger()
  let watch = Watch()
  var tally = SimTally()
  var remembered: Remembered?

  // What is due.
  private var nextHappening = 0
  private var timers: [Timer] = []
  private var soundDue: Int64 = .max
  private var cardNewsDue: Int64 = .max
  private var nextIdleLook: Int64 = 0
  private var boots = 0

  // How the card is.
  var trouble = CardTrouble()
  private var isLooking = false
  private var depth = 0
  /// So many operations of the card are left until it goes down.
  var within: (left: Int64, down: Down)?

  /// How a daemon came to its end; it starts again after so long.
  enum Down {
    case cut(seed: UInt64, milliseconds: Int64)
    case killed(milliseconds: Int64)
    case stopped(milliseconds: Int64)
  }
  private(set) var down: Down?
  private(set) var broken: Broken?
  /// How far the encoder looks ahead, on Opus' clock.
  private(set) lazy var lookaheadTicks: Int64 = {
    var opus = setup.record.opus
    opus.sampleRate = setup.format.rate
    do { return Int64(try OpusEncoder.open(opus).lookahead) * 48_000 / Int64(opus.sampleRate) }
    catch { return 0 }
  }()
  var stopRequested: (at: Int64, milliseconds: Int64)?

  struct Timer {
    let due: Int64
    /// It is no daemon's, and outlives them.
    let isLasting: Bool
    let work: () -> Void
  }

  init(_ script: Script, directory: String) {
    self.script = script
    self.directory = directory
    setup = Setup(seed: script.seed)
    random = SplitMix64(seed: script.seed &+ 77)
    card = MemoryCard(setup.card)
    var jitter = SplitMix64(seed: script.seed &+ 5)
    let isCalm = setup.isCalm
    device = SimDevice(
      format: setup.format, isCalm: isCalm, drift: setup.drift,
      stampJitter: {
        if isCalm { return 0 }
        return Int64(jitter.below(jitter.below(50) == 0 ? 3_000_000 : 600_000))
      })
    ledger.world = self
    watch.world = self
  }

  // MARK: Time and chance

  var isDown: Bool { down != nil }
  var mono: Int64 { now - poweredAt }
  var times: (now: Int64, mono: Int64) { (now, mono) }
  var wall: Int64 { now / 1_000_000 + wallOffset }

  func below(_ limit: Int64) -> Int64 { Int64(random.below(Int(limit))) }

  /// How long somebody who was woken takes to get up.
  func latency() -> Int64 {
    if setup.isCalm { return 50_000 }
    return random.below(40) == 0 ? below(8_000_000) : below(400_000)
  }

  var stamp: Stamp {
    Stamp(
      monotonicNanoseconds: mono, wallMilliseconds: wall, freshHigh: random.next(),
      freshLow: random.next())
  }

  func fail(_ sentence: @autoclosure () -> String) {
    if broken == nil { broken = Broken("\(seconds(now)): \(sentence())") }
  }

  func seconds(_ nanoseconds: Int64) -> String {
    "\(nanoseconds / 1_000_000_000).\(String(nanoseconds / 1_000_000 % 1000 + 1000).dropFirst()) s"
  }

  func at(_ due: Int64, isLasting: Bool = false, _ work: @escaping () -> Void) {
    let timer = Timer(due: max(due, now), isLasting: isLasting, work: work)
    let index = timers.firstIndex { $0.due > timer.due } ?? timers.count
    timers.insert(timer, at: index)
  }

  func at(mono: Int64, _ work: @escaping () -> Void) { at(mono + poweredAt, work) }

  func after(
    milliseconds: Int64, isLasting: Bool = false, _ work: @escaping () -> Void
  ) {
    at(now + milliseconds * 1_000_000, isLasting: isLasting, work)
  }

  // MARK: A whole life

  func live() throws {
    let end = Int64(script.hours * 3_600_000) * 1_000_000
    // Who holds whom in here goes round in circles.
    defer { (daemon, pipelines, timers) = (nil, [], []) }
    powerOn()
    while now < end {
      run(until: end)
      if let broken { throw broken }
      if let down { try restart(after: down, end) }
    }
    try comeToAnEnd()
    tally.hours = Double(now) / 3.6e12
  }

  /// Nothing more happens; what is under way comes to its end, and everything is looked at.
  private func comeToAnEnd() throws {
    within = nil
    trouble.end(on: self)
    device.isPlugged = true
    try settle(milliseconds: 5000)
    if daemon?.state.transport.take != Take.none { press(0, milliseconds: 100) }
    try settle(milliseconds: 120_000)
    try watch.lookAtTheEnd()
    stopRequested = (now, 0)
    daemon?.send(.wish(.system(.shutDown), from: .appliance))
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
    start(wasInterrupted: false)
  }

  /// When histories begin, in milliseconds since 1970.
  static let epoch: Int64 = 1_790_000_000_000

  private func start(wasInterrupted: Bool) {
    card.now = max(0, wall) * 1_000_000
    card.faults.renamesFoldersAtOnce = true
    trouble.apply(to: card)
    card.beforeEach { [unowned self] in meet($0) }
    let made = SimDaemon(self, number: boots, keepsFlight: setup.keepsFlight)
    boots += 1
    daemon = made
    ledger.begin()
    watch.begin(wasInterrupted)
    let boot = Boot(
      id: ItemID(high: 0xB007, low: UInt64(bitPattern: poweredAt)), version: "simulated",
      wasInterrupted: wasInterrupted)
    made.begin(boot, remembered, setup.settings)
  }

  private func restart(after how: Down, _ end: Int64) throws {
    let wasTaking = watch.isTaking
    let fallen = daemon
    for pipeline in pipelines { device.close(pipeline.session.number) }
    watch.noteWhatIsHeard()
    (daemon, pipelines) = (nil, [])
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
    case .killed: start(wasInterrupted: wasTaking && setup.isService)
    case .stopped: start(wasInterrupted: false)
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

  /// Nobody is there to notice what happens now, but the things themselves.
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

  // MARK: What is next

  /// Everything in its order, until then, or until the daemon is down.
  func run(until end: Int64) {
    while !isDown, broken == nil {
      for pipeline in pipelines { pipeline.listen(at: now, latency: latency) }
      daemon?.player.listen()
      let (turn, time) = next()
      if time > end { break }
      now = max(now, time)
      take(turn)
    }
    if !isDown, broken == nil { now = max(now, end) }
  }

  private enum Turn {
    case happening, timer, sound, cardNews, card, deck, speaker
    case pipeline(Int, SimPipeline.Worker)
  }

  private func next() -> (Turn, Int64) {
    var best: (Turn, Int64) = (.happening, happeningDue)
    func offer(_ turn: Turn, _ time: Int64) { if time < best.1 { best = (turn, time) } }
    if let timer = timers.first { offer(.timer, timer.due) }
    offer(.sound, soundDue)
    offer(.cardNews, cardNewsDue)
    if let daemon {
      if !daemon.card.isBusy { offer(.card, daemon.card.due) }
      offer(.deck, daemon.player.deckDue)
      offer(.speaker, daemon.player.speakerDue)
    }
    for (index, pipeline) in pipelines.enumerated() {
      if let (worker, time) = pipeline.next { offer(.pipeline(index, worker), time) }
    }
    return best
  }

  private var happeningDue: Int64 {
    nextHappening < script.happenings.count
      ? script.happenings[nextHappening].atMilliseconds * 1_000_000 : .max
  }

  private func take(_ turn: Turn) {
    switch turn {
    case .happening:
      nextHappening += 1
      happen(script.happenings[nextHappening - 1])
    case .timer: timers.removeFirst().work()
    case .sound:
      soundDue = .max
      daemon?.collectSound()
      pipelines.removeAll { $0.isOver }
    case .cardNews:
      cardNewsDue = .max
      for event in daemon?.card.collect() ?? [] { daemon?.send(.card(event)) }
    case .card: daemon?.card.step()
    case .deck: daemon?.player.stepDeck()
    case .speaker: daemon?.player.stepSpeaker()
    case .pipeline(let index, let worker): step(pipelines[index], worker)
    }
  }

  private func step(_ pipeline: SimPipeline, _ worker: SimPipeline.Worker) {
    switch worker {
    case .capture:
      pipeline.stepCapture(at: now, jitter: setup.isCalm ? 0 : below(900_000))
      if now >= nextIdleLook { shortenWait(pipeline) }
    case .encode: pipeline.stepEncode(at: now)
    case .write: pipeline.stepWrite { now }
    }
  }

  /// While nobody records, and nothing happens for a while, the microphone falls silent as one on
  /// a server that stalls; it is back some time before.
  private func shortenWait(_ pipeline: SimPipeline) {
    nextIdleLook = now + 15_000_000_000
    let end = min(happeningDue, Int64(script.hours * 3.6e12))
    guard setup.shortensWaits, end - now > 60_000_000_000, watch.isQuiet else { return }
    device.sleep(until: end - 20_000_000_000)
    pipeline.delayCapture(until: end - 20_000_000_000)
    tally.hoursShortened += Double(end - now) / 3.6e12
  }

  // MARK: Rooms

  func startPipeline(
    _ stream: consuming SimMicrophone, _ order: PipelineOrder
  ) throws -> Pipeline {
    guard let session = device.session else { throw Absence("It is gone again.") }
    let made = try SimPipeline(stream, of: device, session, order, card: card) { [unowned self] in
      times
    }
    pipelines.append(made)
    return made.pipeline
  }

  func soundIsNew(_ daemon: Int) {
    guard self.daemon?.number == daemon else { return }
    soundDue = min(soundDue, now + latency())
  }

  func cardIsNew() { cardNewsDue = min(cardNewsDue, now + latency()) }

  func heardFromPlayer(_ event: SoundEvent) {
    let number = daemon?.number
    at(now + latency()) { [unowned self] in
      if daemon?.number == number { daemon?.send(.sound(event)) }
    }
  }

  /// What a cut or a kill may take; nil while the card or somebody else was held up.
  var lossLimitMilliseconds: Int64? {
    guard let down, !trouble.isRecent(at: now, withinSeconds: 40),
      now > watch.heldUpUntil + 5_000_000_000
    else { return nil }
    let period = Int64(setup.format.periodFrames) * 1000 / Int64(setup.format.rate)
    let slow = setup.slowOneIn == 0 ? 0 : 62 * Int64(setup.slowOneIn == 40 ? 8 : 3)
    let extra = 2 * max(0, period - 20) + slow
    if case .cut = down { return 1200 + extra }
    return 500 + extra
  }

  func delayEncoders(until time: Int64) {
    for pipeline in pipelines { pipeline.delayEncoder(until: time) }
  }

  // MARK: The card

  /// Looks at the card without being one of those who use it.
  func observed<Answer>(_ body: (MemoryCard) throws -> Answer) rethrows -> Answer {
    let wasLooking = isLooking
    isLooking = true
    defer { isLooking = wasLooking }
    return try body(card)
  }

  /// Before each operation: it may take a while, and meanwhile the world goes on; or be the last.
  private func meet(_ operation: MemoryCardOperation) {
    if isLooking || isDown || broken != nil { return }
    if daemon?.isInLoop == true { fail("the loop itself did \(operation.kind) on the card") }
    if let (left, how) = within {
      within = left > 1 ? (left - 1, how) : nil
      if left <= 1 { return goDown(how) }
    }
    if now < trouble.stalledUntil {
      wait(until: trouble.stalledUntil)
    } else if setup.slowOneIn > 0, random.below(setup.slowOneIn) == 0 {
      wait(until: now + 1_000_000 + below(60_000_000))
    }
  }

  private func wait(until time: Int64) {
    // Whoever waits within somebody's waiting waits on the kernel's stack in truth, not on ours.
    if depth > 6 { return }
    depth += 1
    run(until: time)
    depth -= 1
  }

  // MARK: Going down

  func goDown(_ how: Down) {
    if isDown { return }
    switch how {
    case .cut:
      tally.cuts += 1
      observed { _ = $0.cut() }
    case .killed:
      tally.kills += 1
      // In the middle of somebody's step: what it does after this is done on a card that nobody
      // will see.
      if depth > 0 || within != nil || daemon?.card.isBusy == true || isWriting {
        card = observed { $0.ifCutNow.outcome(1) }
      }
    case .stopped: tally.stops += 1
    }
    down = how
  }

  private var isWriting: Bool { pipelines.contains { $0.isWriteBusy } }

  func hasFinished(_ daemon: SimDaemon, saysGivenUp: Bool) {
    guard daemon === self.daemon else { return }
    if saysGivenUp {
      if !trouble.isRecent(at: now, withinSeconds: 120) { fail("it gave up on a card that is well") }
      return goDown(.killed(milliseconds: 1000))
    }
    if let (since, _) = stopRequested, now - since > 1_500_000_000,
      !trouble.isRecent(at: now, withinSeconds: 120), setup.slowOneIn == 0
    {
      fail("a stop took \(seconds(now - since))")
    }
    goDown(.stopped(milliseconds: stopRequested?.milliseconds ?? 1000))
  }
}
