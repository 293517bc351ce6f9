// Joins the host's room to the loop: events go to hooks, metrics are written for Prometheus, the
// clock is polled until it is set, and the board's health is sent to the heart. On the loop's
// thread; nothing here waits.

import Host
import Loop
import Recorder
import Systemd

final class HostMonitor {
  private let room: HostRoom
  private let watch: WakerWatch
  private let loop: EventLoop
  private let recordings: String
  private let say: (String) -> Void
  private var tokens: [Token] = []
  private let isVirtual: Bool
  private var metricsTimer: Timer?
  private var clockTimer: Timer?
  /// Set by timesyncd's marker file or timedated; the sandbox hides the kernel's own flag.
  private var knowsClockIsSet = false
  private var takes: TakesView?
  private var counters = MetricsCounters()
  private weak var driver: Driver<Appliance>?

  /// - Parameter zone: the offsets of local time that are known already.
  init(
    on loop: EventLoop, _ driver: Driver<Appliance>, recordings: String, isVirtual: Bool,
    zone: ZoneOffsets, say: @escaping (String) -> Void
  ) throws {
    let mailbag = Mailbag()
    watch = try loop.watchWaker { mailbag.open() }
    let waker = watch.waker
    room = try HostRoom.start(
      system: isVirtual ? nil : "/sys", zone: zone, wake: { waker.wake() })
    self.loop = loop
    self.driver = driver
    self.recordings = recordings
    self.isVirtual = isVirtual
    self.say = say
    mailbag.monitor = self
    tokens.append(driver.store.show(TakesView.init) { [unowned self] in compare($0) })
  }

  fileprivate func collect() {
    for news in room.collect() {
      switch news {
      case .event(let event): driver?.send(.host(event))
      case .complaint(let sentence): say(sentence)
      case .clockIsSet:
        knowsClockIsSet = true
        watchClock()
      }
    }
  }

  // MARK: The clock

  /// The virtual appliance trusts the clock of the computer it runs on.
  var isClockSet: Bool { isVirtual || knowsClockIsSet || WallClock.isSynchronised }

  /// A board without a battery clock starts in the past: the clock is polled until it is set.
  func watchClock() {
    let isSet = isClockSet
    driver?.send(.host(.clock(isSynchronised: isSet)))
    clockTimer = nil
    if isSet { return }
    // The sandbox hides the kernel's flag.
    if WallClock.errorMicroseconds == nil { room.checkClock() }
    do {
      clockTimer = try loop.timer(afterMilliseconds: 5000, slackMilliseconds: 1000) {
        [unowned self] in watchClock()
      }
    } catch { say("a timer could not be set: \(error)") }
  }

  // MARK: Metrics

  /// Called at the start and after each reload.
  func configure(_ hooks: HookConfiguration, _ metrics: MetricsConfiguration) {
    room.configure(hooks)
    metricsTimer = nil
    guard let file = metrics.file else { return }
    writeMetrics(to: file)
    do {
      metricsTimer = try loop.timer(
        everyMilliseconds: metrics.everyMilliseconds, slackMilliseconds: 1000
      ) { [unowned self] in writeMetrics(to: file) }
    } catch { say("a timer could not be set: \(error)") }
  }

  private func writeMetrics(to file: String) {
    guard let state = driver?.store.state else { return }
    var health: [String: Int64] = [:]
    if let degrees = state.host.temperatureCelsius {
      health["board_temperature_celsius"] = Int64(degrees)
    }
    health["board_under_voltage"] = state.host.isUnderVoltage ? 1 : 0
    health["board_throttled"] = state.host.isThrottled ? 1 : 0
    counters.seed(state.library)
    room.write(metrics: Metrics.text(StatusView(state), counters, health: health), to: file)
  }

  // MARK: Hooks

  func notice(_ notice: Notice) {
    counters.add(notice)
    var details = ["NOTICE": notice.kind.rawValue, "SENTENCE": notice.sentence]
    if let item = notice.item { details["RECORDING"] = "\(item)" }
    room.notify(HookEvent("notice", details))
  }

  private func compare(_ new: TakesView) {
    defer { takes = new }
    if let id = new.running, id != takes?.running { notify("recording-began", id) }
    for id in takes?.closing ?? [] where !new.closing.contains(id) { notify("recording-ended", id) }
  }

  private func notify(_ event: String, _ id: ItemID) {
    guard let library = driver?.store.state.library, let recording = library.recordings[id] else {
      return
    }
    var details = ["RECORDING": "\(id)", "TITLE": recording.title]
    if event == "recording-ended" {
      guard recording.isSettled, let place = library.place(of: id) else { return }
      counters.add(recording)
      details["FILE"] = recordings + "/" + place.components.joined(separator: "/")
      details["SECONDS"] = "\(recording.lengthMilliseconds / 1000)"
    }
    room.notify(HookEvent(event, details))
  }
}

/// The running take, and those that are still being written to the card.
private struct TakesView: Equatable {
  let running: ItemID?
  let closing: [ItemID]

  init(_ state: State) {
    running = StatusView(state).take?.id
    closing = state.closing
  }
}

/// Holds the monitor, which does not exist yet when the watch is set up. Used by the loop's thread.
private final class Mailbag {
  weak var monitor: HostMonitor?
  func open() { monitor?.collect() }
}
