// The host's room joined to the loop: what happens is told to hooks, figures are written for
// Prometheus, and what the board has to say is sent on. On the loop's thread; nothing here waits.

import Host
import Loop
import Recorder
import Systemd

final class HostDesk {
  private let room: HostRoom
  private let watch: WakerWatch
  private let loop: EventLoop
  private let recordings: String
  private let say: (String) -> Void
  private var tokens: [Token] = []
  private var metricsTimer: Timer?
  private var takes: TakesView?
  private weak var driver: Driver<Appliance>?

  init(
    on loop: EventLoop, _ driver: Driver<Appliance>, recordings: String, isVirtual: Bool,
    say: @escaping (String) -> Void, clockIsSet: @escaping () -> Void
  ) throws {
    let collector = Collector()
    watch = try loop.watchWaker { [unowned driver] in
      for news in collector.room?.collect() ?? [] {
        switch news {
        case .event(let event): driver.send(.host(event))
        case .complaint(let sentence): say(sentence)
        case .clockIsSet: clockIsSet()
        }
      }
    }
    let waker = watch.waker
    room = try HostRoom.start(system: isVirtual ? nil : "/sys", wake: { waker.wake() })
    collector.room = room
    self.loop = loop
    self.driver = driver
    self.recordings = recordings
    self.say = say
    tokens.append(driver.store.show(TakesView.init) { [unowned self] in compare($0) })
  }

  /// At the start and after each reload.
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

  /// In a sandbox that lets nobody ask the kernel.
  func askForClock() { room.askForClock() }

  private func writeMetrics(to file: String) {
    guard let state = driver?.store.state else { return }
    var health: [String: Int64] = [:]
    if let degrees = state.host.temperatureCelsius {
      health["board_temperature_celsius"] = Int64(degrees)
    }
    health["board_under_voltage"] = state.host.isUnderVoltage ? 1 : 0
    health["board_throttled"] = state.host.isThrottled ? 1 : 0
    room.write(metrics: Metrics.text(StatusView(state), health: health), to: file)
  }

  // MARK: Hooks

  func hear(_ command: Command) {
    guard case .announce(.noticed(let notice), at: .notices) = command else { return }
    var details = ["NOTICE": notice.kind.rawValue, "SENTENCE": notice.sentence]
    if let item = notice.item { details["RECORDING"] = "\(item)" }
    room.tell(HookEvent("notice", details))
  }

  private func compare(_ new: TakesView) {
    defer { takes = new }
    if let id = new.running, id != takes?.running { tell("recording-began", id) }
    for id in takes?.closing ?? [] where !new.closing.contains(id) { tell("recording-ended", id) }
  }

  private func tell(_ event: String, _ id: ItemID) {
    guard let library = driver?.store.state.library, let recording = library.recordings[id] else {
      return
    }
    var details = ["RECORDING": "\(id)", "TITLE": recording.title]
    if event == "recording-ended" {
      guard recording.isSettled, let place = library.place(of: id) else { return }
      details["FILE"] = recordings + "/" + place.components.joined(separator: "/")
      details["SECONDS"] = "\(recording.lengthMilliseconds / 1000)"
    }
    room.tell(HookEvent(event, details))
  }
}

/// The takes that run and those that are on their way to the card.
private struct TakesView: Equatable {
  let running: ItemID?
  let closing: [ItemID]

  init(_ state: State) {
    running = StatusView(state).take?.id
    closing = state.transport.closing
  }
}

/// Fills in what does not exist yet when the watch is set up. Used by the loop's thread.
private final class Collector {
  var room: HostRoom?
}
