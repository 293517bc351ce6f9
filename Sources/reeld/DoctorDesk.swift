// `doctor` in the running recorder: what the loop knows and how loud it is for a moment, and beside
// it, on a thread of its own, everything that may have to wait. One at a time. Loop's thread; it
// never waits for that thread before it has said that it is over.

import Audio
import Console
import Glibc
import Library
import Realtime
import Recorder
import Systemd

final class DoctorDesk {
  /// What it asks of the rooms.
  struct World {
    let state: () -> State
    let panel: () -> PanelFacts?
    let peak: () -> Float?
    let meter: (Bool) -> Void
  }

  private enum News: Sendable {
    case progress(permille: Int)
    case over(CheckupFacts)
  }

  private let loop: EventLoop
  private let world: World
  private let checkup: Checkup
  private let news = Mailbox<News>()
  /// Set by the loop's thread, read by the one that measures.
  private let care = Locked(CardCheckup.Care.none)
  private var watch: WakerWatch?
  private var timer: Timer?
  private var thread: OwnedThread<Int>?
  /// Nil when nobody wants to know any more.
  private var reply: CommandDesk.Reply?
  private var mayMeasure = false
  private var peak: Float?
  private static let lookMilliseconds: Int64 = 50

  init(on loop: EventLoop, _ checkup: Checkup, _ world: World) throws {
    self.loop = loop
    self.checkup = checkup
    self.world = world
    watch = try loop.watchWaker { [unowned self] in hear() }
  }

  /// Gives what stops it.
  func begin(mayMeasure: Bool, _ reply: @escaping CommandDesk.Reply) -> () -> Void {
    guard thread == nil, let waker = watch?.waker else {
      reply(.failed(Failure("busy", "A checkup is under way; try again in a moment.")), true)
      return {}
    }
    (self.reply, self.mayMeasure, peak) = (reply, mayMeasure, nil)
    look()
    world.meter(true)
    do {
      timer = try loop.timer(
        everyMilliseconds: Self.lookMilliseconds, slackMilliseconds: 20
      ) { [unowned self] in look() }
      thread = try start(waker)
    } catch {
      end()
      reply(.failed(Failure("failed", "\(error)")), true)
    }
    return { [unowned self] in stop() }
  }

  private func start(_ waker: Systemd.Waker) throws(Realtime.Refusal) -> OwnedThread<Int> {
    let (checkup, care, news) = (checkup, care, news)
    return try OwnedThread.start(ThreadPlan(name: "reel-doctor", residency: .onDemand), 0) {
      _, stop in
      let facts = checkup.look(care: { care.withLock { $0 } }) { permille in
        news.post(.progress(permille: permille))
        waker.wake()
        return !stop.isRaised()
      }
      news.post(.over(facts))
      waker.wake()
    }
  }

  /// The thread ends when the card lets it; until then nobody else is served.
  func stop() {
    reply = nil
    switch thread {
    case .some(let running): running.stopFlag.raise()
    case .none: break
    }
  }

  private func look() {
    if let now = world.peak() { peak = max(peak ?? 0, now) }
    let now = present(world.state())
    care.withLock { $0 = now }
  }

  private func present(_ state: State) -> CardCheckup.Care {
    if !mayMeasure { return .skip(why: "that is for those who may change something") }
    switch state.library.phase {
    case .ready: break
    case .exported: return .skip(why: "the card is handed out")
    case .closed, .opening, .failed: return .skip(why: "the card is not open")
    }
    let isWriting = state.transport.take != .none || !state.transport.closing.isEmpty
    return isWriting ? .gentle(why: "a recording runs") : .none
  }

  private func hear() {
    for item in news.takeAll() {
      switch item {
      case .progress(let permille): reply?(.progress(ticket: 0, permille: permille), false)
      case .over(let facts):
        let reply = reply
        end()
        reply?(.checkup(CheckupView(whole(facts))), true)
      }
    }
  }

  private func end() {
    if timer != nil { world.meter(false) }
    timer = nil
    thread = nil
    reply = nil
  }

  private func whole(_ seen: CheckupFacts) -> CheckupFacts {
    let state = world.state()
    var facts = seen
    facts.card.isHandedOut = state.library.phase == .exported
    let isVirtual = checkup.arguments.isVirtual
    facts.limits = isVirtual ? .notNeeded : .asked(denials: state.device.denials)
    facts.microphone = state.microphoneFacts(peakDecibels: peak.map(PeakLevel.decibels))
    facts.speaker = state.speakerFacts
    facts.panel = world.panel()
    facts.clock = ClockFacts(
      isSynchronised: state.clock.isSynchronised, errorMicroseconds: WallClock.errorMicroseconds)
    return facts
  }
}
