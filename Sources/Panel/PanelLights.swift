// The lights of a panel: the show, the outputs, and the one timer that runs while something blinks.
// Loop thread only. Setting a light is one short system call, done at once.
import Recorder
import Systemd

final class PanelLights {
  private let loop: EventLoop
  private let world: PanelRoom.World
  private var show = LightShow()
  private var view: PanelView?
  private var plans: [LightPlan] = []
  /// By their places among the plans, as far as they are there.
  private var outputs: [Int: any LightSwitch] = [:]
  private var faultOf: [Int: PanelFault] = [:]
  private var timer: Timer?
  private var timerFault: PanelFault?
  private var ledTimer: Timer?
  private var changed: () -> Void = {}
  /// How often the timer woke the daemon.
  private(set) var wakeUps = 0
  /// Blinks may be so late, so that other timers can share their wake-ups.
  private static let slackMilliseconds: Int64 = 10
  /// A led that is missing is looked for so often: nobody tells of what comes to /sys.
  private static let ledLookMilliseconds: Int64 = 3000

  init(on loop: EventLoop, _ world: PanelRoom.World) {
    self.loop = loop
    self.world = world
  }

  var faults: [PanelFault] {
    faultOf.sorted { $0.key < $1.key }.map(\.value) + (timerFault.map { [$0] } ?? [])
  }

  /// Whether those that are there can still be set; nobody else tells of a chip that went away.
  func check() {
    for (index, output) in outputs where !output.set(show.isOn(plans[index].light)) { lose(index) }
  }

  var present: [LightName] { outputs.keys.sorted().map { plans[$0].light } }

  /// `changed` is told when a light may have come or gone that nobody asked about.
  func open(_ plans: [LightPlan], _ chips: GpioChips, changed: @escaping () -> Void) {
    self.plans = plans
    self.changed = changed
    look(chips)
  }

  /// Asks for those that are not there; one that comes late shows at once what it is to show.
  func look(_ chips: GpioChips) {
    for index in plans.indices where outputs[index] == nil { take(index, chips) }
    setTimer()
    setLedTimer()
  }

  private func take(_ index: Int, _ chips: GpioChips) {
    let plan = plans[index]
    do throws(PanelFault) {
      outputs[index] = try open(plan, chips)
      faultOf[index] = nil
      // What was shown before there was an output, as when a take goes on after a crash.
      if show.isOn(plan.light), outputs[index]?.set(true) == false { lose(index) }
    } catch {
      faultOf[index] = error
    }
  }

  private func lookForLeds() {
    for index in missingLeds { take(index, GpioChips()) }
    setTimer()
    setLedTimer()
    changed()
  }

  private var missingLeds: [Int] {
    plans.indices.filter { index in
      if case .led = plans[index].output { outputs[index] == nil } else { false }
    }
  }

  private func open(
    _ plan: LightPlan, _ chips: GpioChips
  ) throws(PanelFault) -> (any LightSwitch)? {
    switch plan.output {
    case .none: return nil
    case .led(let name): return try LedLight.take(name, in: world.leds, for: plan.light)
    case .line(let address, let isActiveLow, let drive):
      let owner = "the light \(plan.light.rawValue)"
      let place = try chips.find(address, for: owner)
      var result: Int32 = 0
      guard
        let line = GpioLine.output(
          place, drive: drive, isActiveLow: isActiveLow, consumer: "reel \(plan.light.rawValue)",
          &result)
      else { throw GpioChips.refused(place, for: owner, result: result) }
      return PinLight(line)
    }
  }

  func show(_ view: PanelView) {
    self.view = view
    carryOut(show.show(view, at: world.now()))
  }

  /// False when a light was lost by it.
  @discardableResult
  private func carryOut(_ changes: [LightChange]) -> Bool {
    var areAllThere = true
    for change in changes {
      for (index, plan) in plans.enumerated() where plan.light == change.light {
        guard let output = outputs[index], !output.set(change.isOn) else { continue }
        lose(index)
        areAllThere = false
      }
      world.lit?(change.light, change.isOn)
    }
    setTimer()
    return areAllThere
  }

  /// It is asked for again: a led soon, a pin when chips come.
  private func lose(_ index: Int) {
    outputs[index] = nil
    faultOf[index] = PanelFault(
      .failed,
      "The light \(plans[index].light.rawValue) can no longer be set; is it plugged in?")
    setLedTimer()
  }

  private func setTimer() {
    // Without a light nothing blinks, and nobody is woken for it.
    let isSeen = !outputs.isEmpty || world.lit != nil
    guard isSeen, let due = show.due else {
      timer?.pause()
      return
    }
    if let timer { return timer.restart(atNanoseconds: due.nanoseconds) }
    do {
      timer = try loop.timer(
        atNanoseconds: due.nanoseconds, slackMilliseconds: Self.slackMilliseconds
      ) { [unowned self] in
        wakeUps += 1
        if !carryOut(show.advance(to: world.now())) { changed() }
      }
    } catch {
      timerFault = PanelFault(.failed, "The lights do not blink: \(error).")
    }
  }

  /// Runs only while one is missing.
  private func setLedTimer() {
    if missingLeds.isEmpty {
      ledTimer?.pause()
      return
    }
    if let ledTimer { return ledTimer.restart(afterMilliseconds: Self.ledLookMilliseconds) }
    do {
      ledTimer = try loop.timer(
        afterMilliseconds: Self.ledLookMilliseconds, slackMilliseconds: 1000
      ) { [unowned self] in lookForLeds() }
    } catch {
      timerFault = PanelFault(.failed, "Lights that come later are not found: \(error).")
    }
  }

  /// Off, and what was the kernel's is the kernel's again.
  func end() {
    timer = nil
    ledTimer = nil
    outputs = [:]
    plans = []
  }

  var probe: [PanelProbe.Light] {
    LightName.allCases.map { light in
      PanelProbe.Light(
        light: light, isOn: show.isOn(light), pattern: view?.pattern(light) ?? .off)
    }
  }
}
