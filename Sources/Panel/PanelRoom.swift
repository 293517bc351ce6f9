// The panel: the door of this room. Buttons, pedals and switches become `PanelEvent`s, each stamped
// with its edge; a `PanelView` becomes light. Everything runs on the loop's thread and nothing
// waits. Whatever cannot be had is a fault with a sentence, and the rest works.
import Recorder
import Systemd

public final class PanelRoom {
  /// Where the board is. What is here by default is the real one.
  public struct World {
    public var devices = "/dev"
    public var inputs = "/dev/input"
    public var leds = "/sys/class/leds"
    public var now: () -> Instant = {
      Instant(nanoseconds: EventLoop.monotonicNanoseconds())
    }
    /// Told whenever a light goes on or off: how lights are shown where there are none.
    public var lit: ((LightName, Bool) -> Void)?
    var inputKernel: any InputKernel = LinuxInput()

    public init() {}
  }

  private let plan: PanelPlan
  private let loop: EventLoop
  private let world: World
  private let send: (PanelEvent) -> Void
  private let report: ([PanelFault]) -> Void
  private let lights: PanelLights
  private let lines: PanelLines
  private let inputs: PanelInputs
  private var virtual: [ButtonUse: PanelButton] = [:]
  /// When virtual buttons that are down come up again.
  private var releases: [(button: PanelButton, at: Instant)] = []
  private var history = PanelHistory()
  private var timer: Timer?
  private var timerFault: PanelFault?
  private var chipWatch: FolderWatch?
  private var chipWatchFault: PanelFault?
  private var reported: [PanelFault] = []

  /// - Parameters:
  ///   - send: takes what happened to the store, in order.
  ///   - report: takes everything that does not work now, whenever that changes.
  public init(
    _ plan: PanelPlan, on loop: EventLoop, world: World = World(),
    send: @escaping (PanelEvent) -> Void, report: @escaping ([PanelFault]) -> Void
  ) {
    self.plan = plan
    self.loop = loop
    self.world = world
    self.send = send
    self.report = report
    lights = PanelLights(on: loop, world)
    lines = PanelLines(on: loop, world)
    inputs = PanelInputs(on: loop, world, plan)
  }

  /// Takes the lines, lights and devices, and begins to listen. Once.
  public func begin() {
    if needsChips { watchChips() }
    let chips = needsChips ? GpioChips.present(in: world.devices) : GpioChips()
    lights.open(plan.lights, chips) { [unowned self] in tellFaults() }
    lines.open(plan, chips) { [unowned self] in turn() }
    inputs.open { [unowned self] in turn() }
    // A switch that is on from the beginning was not turned; it locks all the same.
    for button in buttons where button.use == .holdSwitch && button.isActive { send(.hold(true)) }
    turn()
  }

  /// A chip may come late, or go and return: one on USB, or one whose driver takes its time.
  private func watchChips() {
    do {
      chipWatch = try FolderWatch([world.devices], on: loop) { [unowned self] in lookForChips() }
    } catch {
      chipWatchFault = PanelFault(
        .failed, "GPIO chips that are plugged in later are not found: \(error).")
    }
  }

  private func lookForChips() {
    lights.check()
    turn()
    if lines.faults.isEmpty, lights.faults.isEmpty { return }
    let chips = GpioChips.present(in: world.devices)
    lights.look(chips)
    lines.look(chips)
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
    tellFaults()
  }

  /// A button that is not there, such as a key of a console, goes the way of all others.
  public func carryOut(_ command: PanelCommand) {
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

  /// How long a key is taken to be down: terminals do not tell. Longer than keys are debounced,
  /// shorter than they repeat.
  private static let tapMilliseconds: Int64 = 20

  private func press(_ use: ButtonUse, at instant: Instant, milliseconds: Int64) {
    let done = release(upTo: instant, also: virtual[use])
    let button = virtual[use] ?? makeVirtual(use, at: instant)
    releases.append((button, instant.adding(milliseconds: milliseconds)))
    finish(with: done + listen(button, Edge(isActive: true, at: instant)), upTo: instant)
  }

  /// Those that are due come up; and one that is pressed again, for it was let go of before.
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

  /// Lets go of everything: lights off, lines free.
  public func end() {
    timer = nil
    chipWatch = nil
    lights.end()
    lines.end()
    inputs.end()
  }

  // MARK: Listening

  private typealias Done = (button: PanelButton, deed: Deed)

  private var buttons: [PanelButton] {
    lines.buttons + inputs.buttons + virtual.sorted { $0.key.name < $1.key.name }.map(\.value)
  }

  /// Reads what waits, then tells the time: an edge that had come by then comes first.
  private func turn() {
    let now = world.now()
    var done = release(upTo: now)
    var heard: [PanelButton] = []
    for (button, edge) in lines.read() + inputs.read() {
      done += listen(button, edge)
      if !heard.contains(where: { $0 === button }) { heard.append(button) }
    }
    let present = buttons
    for button in heard where !present.contains(where: { $0 === button }) {
      // Its device is gone, and no timer will come for it: whatever is due is over now.
      done += advance(button, to: Instant(nanoseconds: .max))
    }
    finish(with: done, upTo: now)
  }

  private func listen(_ button: PanelButton, _ edge: Edge) -> [Done] {
    history.add(button, edge)
    return button.hear(edge).map { (button, $0) }
  }

  private func advance(_ button: PanelButton, to now: Instant) -> [Done] {
    button.advance(to: now).map { (button, $0) }
  }

  /// What several buttons did at once is sent in the order in which hands did it.
  private func finish(with heard: [Done], upTo now: Instant) {
    let done = heard + buttons.flatMap { advance($0, to: now) }
    let inOrder = done.enumerated().sorted {
      ($0.element.deed.instant, $0.offset) < ($1.element.deed.instant, $1.offset)
    }
    setTimer()
    for (button, deed) in inOrder.map(\.element) {
      history.add(button, deed)
      if let event = button.event(deed) { send(event) }
    }
    tellFaults()
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

  public var faults: [PanelFault] {
    let own = [timerFault, chipWatchFault].compactMap { $0 }
    return lines.faults + lights.faults + inputs.faults + buttons.compactMap(\.fault) + own
  }

  private func tellFaults() {
    let faults = faults
    if faults == reported { return }
    reported = faults
    report(faults)
  }

  /// What it is doing now, for a console.
  public var probe: PanelProbe {
    PanelProbe(
      buttons: buttons.map(\.probe), lights: lights.probe, recent: history.happenings,
      faults: faults, libraryGeneration: GpioLine.generation)
  }

  var lightsThere: [LightName] { lights.present }

  /// How often the lights' timer woke the daemon.
  var lightWakeUps: Int { lights.wakeUps }
}
