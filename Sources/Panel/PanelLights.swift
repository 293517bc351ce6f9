// The lights of a panel: the show, the outputs, and the one timer that runs while something blinks.
// Loop thread only. Setting a light is one short system call, done at once.
import Recorder
import Systemd

final class PanelLights {
  private let loop: EventLoop
  private let dependencies: PanelRoom.Dependencies
  private var show = LightShow()
  private var view: PanelView?
  private var plans: [LightPlan] = []
  /// Open outputs, by index in `plans`.
  private var outputs: [Int: any LightSwitch] = [:]
  private var faultOf: [Int: PanelFault] = [:]
  private var timer: Timer?
  private var timerFault: PanelFault?
  private var ledTimer: Timer?
  private var changed: () -> Void = {}
  /// How often the timer woke the daemon.
  private(set) var wakeUps = 0
  /// Blinks may be this late, so that other timers can share their wake-ups.
  private static let slackMilliseconds: Int64 = 10
  /// How often a missing LED is looked for: /sys does not report new entries.
  private static let ledLookMilliseconds: Int64 = 3000

  init(on loop: EventLoop, _ dependencies: PanelRoom.Dependencies) {
    self.loop = loop
    self.dependencies = dependencies
  }

  var faults: [PanelFault] {
    faultOf.sorted { $0.key < $1.key }.map(\.value) + (timerFault.map { [$0] } ?? [])
  }

  /// Sets each output again, to find those whose chip is gone: nothing else reports that.
  func check() {
    for (index, output) in outputs where !output.set(show.isOn(plans[index].light)) { lose(index) }
  }

  var present: [LightName] { outputs.keys.sorted().map { plans[$0].light } }

  /// `changed` is called when a timer finds that a light has come or gone.
  func open(_ plans: [LightPlan], _ chips: GpioChips, changed: @escaping () -> Void) {
    self.plans = plans
    self.changed = changed
    openMissing(chips)
  }

  /// Opens the outputs that are missing. One that opens late shows its present state at once.
  func openMissing(_ chips: GpioChips) {
    for index in plans.indices where outputs[index] == nil { claim(index, chips) }
    setTimer()
    setLedTimer()
  }

  private func claim(_ index: Int, _ chips: GpioChips) {
    let plan = plans[index]
    do throws(PanelFault) {
      outputs[index] = try open(plan, chips)
      faultOf[index] = nil
      // The light may have been switched on before it had an output, as when a take goes on after a
      // crash.
      if show.isOn(plan.light), outputs[index]?.set(true) == false { lose(index) }
    } catch {
      faultOf[index] = error
    }
  }

  private func openLeds() {
    for index in missingLeds { claim(index, GpioChips()) }
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
    case .led(let name): return try LedLight.claim(name, in: dependencies.leds, for: plan.light)
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
    perform(show.show(view, at: dependencies.now()))
  }

  /// Returns false if an output failed.
  @discardableResult
  private func perform(_ changes: [LightChange]) -> Bool {
    var areAllThere = true
    for change in changes {
      for (index, plan) in plans.enumerated() where plan.light == change.light {
        guard let output = outputs[index], !output.set(change.isOn) else { continue }
        lose(index)
        areAllThere = false
      }
      dependencies.lit?(change.light, change.isOn)
    }
    setTimer()
    return areAllThere
  }

  /// Drops an output that failed. It is opened again: an LED by the timer, a pin when chips appear.
  private func lose(_ index: Int) {
    outputs[index] = nil
    faultOf[index] = PanelFault(
      .failed,
      "The light \(plans[index].light.rawValue) can no longer be set; is it plugged in?")
    setLedTimer()
  }

  private func setTimer() {
    // Without an output no timer is needed.
    let isSeen = !outputs.isEmpty || dependencies.lit != nil
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
        if !perform(show.advance(to: dependencies.now())) { changed() }
      }
    } catch {
      timerFault = PanelFault(.failed, "The lights do not blink: \(error).")
    }
  }

  /// Runs only while an LED is missing.
  private func setLedTimer() {
    if missingLeds.isEmpty {
      ledTimer?.pause()
      return
    }
    if let ledTimer { return ledTimer.restart(afterMilliseconds: Self.ledLookMilliseconds) }
    do {
      ledTimer = try loop.timer(
        afterMilliseconds: Self.ledLookMilliseconds, slackMilliseconds: 1000
      ) { [unowned self] in openLeds() }
    } catch {
      timerFault = PanelFault(.failed, "Lights that come later are not found: \(error).")
    }
  }

  /// Drops the outputs: lights go off, and kernel LEDs get their earlier triggers back.
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
