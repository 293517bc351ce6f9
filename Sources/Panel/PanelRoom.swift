// The interface of the panel room. Buttons, pedals and switches become `PanelEvent`s, each with the
// timestamp of its edge; a `PanelView` sets the lights. Everything runs on the loop's thread and
// nothing waits. A part that is missing or refused is a fault with a sentence, and the rest works.
import Recorder
import Systemd

/// The room of buttons and lights.
public final class PanelRoom {
  /// The board's folders and clock; by default the real ones.
  public struct Dependencies {
    public var devices = "/dev"
    public var inputs = "/dev/input"
    public var leds = "/sys/class/leds"
    public var now: () -> Instant = {
      Instant(nanoseconds: EventLoop.monotonicNanoseconds())
    }
    /// Called whenever a light goes on or off, to show lights where there are none.
    public var lit: ((LightName, Bool) -> Void)?
    var inputKernel: any InputKernel = LinuxInput()

    public init() {}
  }

  private let plan: PanelPlan
  private let loop: EventLoop
  private let dependencies: Dependencies
  private let send: (PanelEvent) -> Void
  private let report: ([PanelFault]) -> Void
  private let lights: PanelLights
  private let lines: PanelLines
  private let inputs: PanelInputs
  private var virtual: [ButtonUse: PanelButton] = [:]
  /// When virtual buttons that are down are released.
  private var releases: [(button: PanelButton, at: Instant)] = []
  private var history = PanelHistory()
  private var timer: Timer?
  private var timerFault: PanelFault?
  private var chipWatch: FolderWatch?
  private var chipWatchFault: PanelFault?
  private var reported: [PanelFault] = []

  /// - Parameters:
  ///   - send: sends events to the store, in order.
  ///   - report: receives all present faults, whenever they change.
  public init(
    _ plan: PanelPlan, on loop: EventLoop, dependencies: Dependencies = Dependencies(),
    send: @escaping (PanelEvent) -> Void, report: @escaping ([PanelFault]) -> Void
  ) {
    self.plan = plan
    self.loop = loop
    self.dependencies = dependencies
    self.send = send
    self.report = report
    lights = PanelLights(on: loop, dependencies)
    lines = PanelLines(on: loop, dependencies)
    inputs = PanelInputs(on: loop, dependencies, plan)
  }

  /// Opens the lines, lights and devices, and begins to watch them. To be called once.
  public func begin() {
    if needsChips { watchChips() }
    let chips = needsChips ? GpioChips.present(in: dependencies.devices) : GpioChips()
    lights.open(plan.lights, chips) { [unowned self] in reportFaults() }
    lines.open(plan, chips) { [unowned self] in turn() }
    inputs.open { [unowned self] in turn() }
    // A hold switch that is on from the beginning was not turned, but it locks the panel all the
    // same.
    for button in buttons where button.use == .holdSwitch && button.isActive { send(.hold(true)) }
    turn()
  }

  /// A chip may appear late, or go and return: one on USB, or one whose driver loads slowly.
  private func watchChips() {
    do {
      chipWatch = try FolderWatch([dependencies.devices], on: loop) { [unowned self] in openChips()
      }
    } catch {
      chipWatchFault = PanelFault(
        .failed, "GPIO chips that are plugged in later are not found: \(error).")
    }
  }

  private func openChips() {
    lights.check()
    turn()
    if lines.faults.isEmpty, lights.faults.isEmpty { return }
    let chips = GpioChips.present(in: dependencies.devices)
    lights.openMissing(chips)
    lines.openMissing(chips)
    turn()
  }

  private var needsChips: Bool {
    let hasLightLine = plan.lights.contains {
      if case .line = $0.output { true } else { false }
    }
    return hasLightLine || !plan.buttons.isEmpty
  }

  /// Sets the lights at once. To be called before anything that takes time.
  public func show(_ view: PanelView) {
    lights.show(view)
    reportFaults()
  }

  /// Presses a virtual button, such as a key of a console. It is handled as all others are.
  public func perform(_ command: PanelCommand) {
    switch command {
    case .press(let control, let instant):
      press(.control(control), at: instant, milliseconds: Self.tapMilliseconds)
    case .hold(let control, let instant):
      let milliseconds = plan.timings.holdMilliseconds + Self.tapMilliseconds
      press(.control(control), at: instant, milliseconds: milliseconds)
    case .lock(let isLocked, let instant):
      turn(.holdSwitch, isDown: isLocked, at: instant)
    }
  }

  /// How long a console's key counts as down: terminals report no release. Longer than keys are
  /// debounced, shorter than they repeat.
  private static let tapMilliseconds: Int64 = 20

  private func press(_ use: ButtonUse, at instant: Instant, milliseconds: Int64) {
    let done = release(upTo: instant, also: virtual[use])
    let button = virtual[use] ?? makeVirtual(use, at: instant)
    releases.append((button, instant.adding(milliseconds: milliseconds)))
    finish(with: done + listen(button, Edge(isActive: true, at: instant)), upTo: instant)
  }

  /// Releases the virtual buttons that are due, and one that is pressed again.
  private func release(upTo now: Instant, also again: PanelButton? = nil) -> [Done] {
    let due = releases.filter { $0.at <= now || $0.button === again }
    releases.removeAll { $0.at <= now || $0.button === again }
    return due.flatMap { listen($0.button, Edge(isActive: false, at: min($0.at, now))) }
  }

  func turn(_ use: ButtonUse, isDown: Bool, at instant: Instant) {
    let button = virtual[use] ?? makeVirtual(use, at: instant)
    finish(with: listen(button, Edge(isActive: isDown, at: instant)), upTo: instant)
  }

  private func makeVirtual(_ use: ButtonUse, at instant: Instant) -> PanelButton {
    let made = PanelButton(
      use, owner: "the button \(use.name)", source: .virtual,
      plan.timingOfVirtual(use), isActive: false, at: instant)
    virtual[use] = made
    return made
  }

  /// Releases everything: lights go off, lines are free.
  public func end() {
    timer = nil
    chipWatch = nil
    lights.end()
    lines.end()
    inputs.end()
  }

  // MARK: Listening

  private typealias Done = (button: PanelButton, effect: GestureEffect)

  private var buttons: [PanelButton] {
    lines.buttons + inputs.buttons + virtual.sorted { $0.key.name < $1.key.name }.map(\.value)
  }

  /// Reads the edges that wait, then advances the time: an edge from before `now` comes first.
  private func turn() {
    let now = dependencies.now()
    var done = release(upTo: now)
    var heard: [PanelButton] = []
    for (button, edge) in lines.read() + inputs.read() {
      done += listen(button, edge)
      if !heard.contains(where: { $0 === button }) { heard.append(button) }
    }
    let present = buttons
    for button in heard where !present.contains(where: { $0 === button }) {
      // Its device is gone, and the timer no longer serves it: everything due happens now.
      done += advance(button, to: Instant(nanoseconds: .max))
    }
    finish(with: done, upTo: now)
  }

  private func listen(_ button: PanelButton, _ edge: Edge) -> [Done] {
    history.add(button, edge)
    return button.handle(edge).map { (button, $0) }
  }

  private func advance(_ button: PanelButton, to now: Instant) -> [Done] {
    button.advance(to: now).map { (button, $0) }
  }

  /// Sends the effects of several buttons in the order of their timestamps.
  private func finish(with heard: [Done], upTo now: Instant) {
    let done = heard + buttons.flatMap { advance($0, to: now) }
    let inOrder = done.enumerated().sorted {
      ($0.element.effect.instant, $0.offset) < ($1.element.effect.instant, $1.offset)
    }
    setTimer()
    for (button, effect) in inOrder.map(\.element) {
      history.add(button, effect)
      if let event = button.event(effect) { send(event) }
    }
    reportFaults()
  }

  private func setTimer() {
    let dues = buttons.compactMap(\.gestures.due) + releases.map(\.at)
    guard let due = dues.min() else {
      timer?.pause()
      return
    }
    if let timer { return timer.restart(atNanoseconds: due.nanoseconds) }
    do {
      timer = try loop.timer(
        atNanoseconds: due.nanoseconds, slackMilliseconds: 0, priority: .urgent
      ) { [unowned self] in turn() }
    } catch {
      timerFault = PanelFault(.failed, "The panel does not know the time: \(error).")
    }
  }

  // MARK: Telling

  /// All present faults.
  public var faults: [PanelFault] {
    let own = [timerFault, chipWatchFault].compactMap { $0 }
    return lines.faults + lights.faults + inputs.faults + buttons.compactMap(\.fault) + own
  }

  private func reportFaults() {
    let faults = faults
    if faults == reported { return }
    reported = faults
    report(faults)
  }

  /// The present state, for a console.
  public var probe: PanelProbe {
    PanelProbe(
      buttons: buttons.map(\.probe), lights: lights.probe, recent: history.happenings,
      faults: faults, libraryGeneration: GpioLine.generation)
  }

  var lightsThere: [LightName] { lights.present }

  /// How often the lights' timer woke the daemon.
  var lightWakeUps: Int { lights.wakeUps }
}
