// The world of a simulation: one clock, one order of events, one thread. It knows what is due next
// and does it, lets time pass while the card makes a worker wait, and cuts the power in the middle.
// All chance comes from the seed, so the same history always gives the same result.

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
  /// Nanoseconds since the history began; the monotonic clock counts from the start of the board.
  var now: Int64 = 0
  var poweredAt: Int64 = 0
  var wallOffset: Int64 = 0
  var isClockSet = false
  var random: SplitMix64
  let device: SimDevice
  let speakerFaults = SpeakerFaults()
  var card: MemoryCard
  var daemon: SimDaemon?
  var pipelines: [SimPipeline] = []
  let ledger = Ledger()
  let watch = Watch()
  var tally = SimTally()
  var remembered: Remembered?
  /// The crash marker: how a take goes on after a crash.
  var continuation: TakeContinuation?

  // What is due.
  var nextHappening = 0
  var timers: [Timer] = []
  var soundDue: Int64 = .max
  var cardNewsDue: Int64 = .max
  private var nextIdleLook: Int64 = 0
  /// Openings that wait for a device that hangs.
  var hanging: [@Sendable () -> Void] = []
  var boots = 0

  // How the card is.
  var trouble = CardTrouble()
  var isLooking = false
  var depth = 0
  /// The daemon goes down after this many operations of the card.
  var within: (left: Int64, down: Down)?

  /// How a daemon ended; it starts again after that many milliseconds.
  enum Down {
    case cut(seed: UInt64, milliseconds: Int64)
    case killed(milliseconds: Int64)
    case stopped(milliseconds: Int64)
  }
  var down: Down?
  var broken: Broken?
  private(set) lazy var lookaheadTicks = setup.lookaheadTicks
  var stopRequested: (at: Int64, milliseconds: Int64)?

  struct Timer {
    let due: Int64
    /// Whether it outlives the daemon.
    let isLasting: Bool
    let work: () -> Void
  }

  init(_ script: Script) {
    self.script = script
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

  /// The delay between a wake-up and the thread's run.
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

  // MARK: What is next

  /// Runs everything in order until then, or until the daemon is down.
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

  var happeningDue: Int64 {
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

  /// While the recorder is idle and nothing happens for a while, the microphone delivers nothing,
  /// like one on a stalled server; it is back 20 s before the next event.
  private func shortenWait(_ pipeline: SimPipeline) {
    nextIdleLook = now + 15_000_000_000
    let end = min(happeningDue, Int64(script.hours * 3.6e12))
    guard setup.shortensWaits, end - now > 60_000_000_000, watch.isQuiet, !device.isMute else {
      return
    }
    device.sleep(until: end - 20_000_000_000)
    pipeline.delayCapture(until: end - 20_000_000_000)
    // The encoder does not see the time pass either: it would report a silent device.
    pipeline.delayEncoder(until: end - 19_900_000_000)
    tally.hoursShortened += Double(end - now) / 3.6e12
  }

  // MARK: Rooms

  func startPipeline(
    _ stream: consuming SimMicrophone, _ order: PipelineOrder
  ) throws -> Pipeline {
    guard let session = device.session else { throw Absence("It is gone again.") }
    let made = try SimPipeline(
      stream, of: device, session, order, card: card, times: { [unowned self] in times })
    pipelines.append(made)
    return made.pipeline
  }

  /// Calls `work` when the device answers; opening a device that hangs takes as long as it hangs.
  func whenDeviceAnswers(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) {
    after(milliseconds: milliseconds) { [unowned self] in
      if device.hangs { hanging.append(work) } else { work() }
    }
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

  /// The most sound a cut or a kill may lose; nil while the card or something else caused a delay.
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
}
