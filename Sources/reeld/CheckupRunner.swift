// `doctor` in the running recorder: the loop's thread reads the state and samples the level for a
// moment, while a thread of its own, `reel-doctor`, runs all checks that may have to wait. One at a
// time. Loop's thread; it joins `reel-doctor` only after that has reported its end.

import Audio
import Console
import Glibc
import Library
import Realtime
import Recorder
import Runtime
import Systemd

final class CheckupRunner {
  /// What it needs from the rooms.
  struct Dependencies {
    let state: () -> State
    let panel: () -> PanelFacts?
    let metering: Metering
  }

  private enum News: Sendable {
    case progress(permille: Int)
    case over(CheckupFacts)
  }

  private let loop: EventLoop
  private let dependencies: Dependencies
  private let checkup: Checkup
  private let news = Mailbox<News>()
  /// Set by the loop's thread, read by `reel-doctor`.
  private let care = Locked(CardCheckup.Care.none)
  private var watch: WakerWatch?
  private var timer: Timer?
  private var thread: OwnedThread<Int>?
  /// Nil if no command waits for the result any more.
  private var reply: Inquiries.Reply?
  private var mayMeasure = false
  private var peak: Float?
  private static let lookMilliseconds: Int64 = 50

  init(on loop: EventLoop, _ checkup: Checkup, _ dependencies: Dependencies) throws {
    self.loop = loop
    self.checkup = checkup
    self.dependencies = dependencies
    watch = try loop.watchWaker { [unowned self] in handle() }
  }

  /// Begins a checkup. Returns what stops it.
  func begin(mayMeasure: Bool, _ reply: @escaping Inquiries.Reply) -> () -> Void {
    guard thread == nil, let waker = watch?.waker else {
      reply(.failed(CommandError("busy", "A checkup is under way; try again in a moment.")), true)
      return {}
    }
    (self.reply, self.mayMeasure, peak) = (reply, mayMeasure, nil)
    check()
    dependencies.metering.start()
    do {
      timer = try loop.timer(
        everyMilliseconds: Self.lookMilliseconds, slackMilliseconds: 20
      ) { [unowned self] in check() }
      thread = try start(waker)
    } catch {
      end()
      reply(.failed(CommandError("failed", "\(error)")), true)
    }
    return { [unowned self] in stop() }
  }

  private func start(_ waker: LoopWaker) throws(RealtimeError) -> OwnedThread<Int> {
    let (checkup, care, news) = (checkup, care, news)
    return try OwnedThread.start(ThreadPlan(name: "reel-doctor", residency: .onDemand), 0) {
      _, stop in
      let facts = checkup.run(care: { care.withLock { $0 } }) { permille in
        news.post(.progress(permille: permille))
        waker.wake()
        return !stop.isRaised()
      }
      news.post(.over(facts))
      waker.wake()
    }
  }

  /// Drops the reply. The thread ends when the card answers; until then no other checkup can begin.
  func stop() {
    reply = nil
    switch thread {
    case .some(let running): running.stopFlag.raise()
    case .none: break
    }
  }

  private func check() {
    if let now = dependencies.metering.peak { peak = max(peak ?? 0, now) }
    let now = present(dependencies.state())
    care.withLock { $0 = now }
  }

  private func present(_ state: State) -> CardCheckup.Care {
    if !mayMeasure { return .skip(why: "that is for those who may change something") }
    switch state.library.phase {
    case .ready: break
    case .exported: return .skip(why: "a computer has the card")
    case .closed, .opening, .failed: return .skip(why: "the card is not open")
    }
    let isWriting = state.transport.take != .none || !state.closing.isEmpty
    return isWriting ? .gentle(why: "a recording runs") : .none
  }

  private func handle() {
    for item in news.drain() {
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
    if timer != nil { dependencies.metering.stop() }
    timer = nil
    thread = nil
    reply = nil
  }

  private func whole(_ seen: CheckupFacts) -> CheckupFacts {
    let state = dependencies.state()
    var facts = seen
    facts.card.isHandedOut = state.library.phase == .exported
    let isVirtual = checkup.arguments.isVirtual
    facts.limits = isVirtual ? .notNeeded : .asked(denials: state.device.denials)
    facts.microphone = state.microphoneFacts(peakDecibels: peak.map(PeakLevel.decibels))
    facts.encoding = state.device.encoding
    facts.copying = state.copying
    facts.speaker = state.speakerFacts
    facts.panel = dependencies.panel()
    facts.clock = ClockFacts(
      isSynchronised: state.clock.isSynchronised, errorMicroseconds: WallClock.errorMicroseconds)
    return facts
  }
}
