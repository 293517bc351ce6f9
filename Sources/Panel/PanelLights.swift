// The lights of a panel: the show, the outputs, and the one timer that runs while something blinks.
// Loop thread only. Setting a light is one short system call, done at once.
import Recorder
import Systemd

final class PanelLights {
  private let loop: EventLoop
  private let world: PanelRoom.World
  private var show = LightShow()
  private var view: PanelView?
  private var outputs: [(light: LightName, output: any LightSwitch)] = []
  private var timer: Timer?
  private(set) var faults: [PanelFault] = []
  /// How often the timer woke the daemon.
  private(set) var wakeUps = 0
  /// Blinks may be so late, so that other timers can share their wake-ups.
  private static let slackMilliseconds: Int64 = 10

  init(on loop: EventLoop, _ world: PanelRoom.World) {
    self.loop = loop
    self.world = world
  }

  func open(_ plans: [LightPlan], _ chips: GpioChips) {
    for plan in plans {
      do throws(PanelFault) {
        guard let output = try open(plan, chips) else { continue }
        outputs.append((plan.light, output))
        // What was shown before there was an output, as when a take goes on after a crash.
        if show.isOn(plan.light), !output.set(true) { lost(plan.light) }
      } catch {
        faults.append(error)
      }
    }
    setTimer()
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

  private func carryOut(_ changes: [LightChange]) {
    for change in changes {
      for (light, output) in outputs where light == change.light {
        if !output.set(change.isOn) { lost(light) }
      }
      world.lit?(change.light, change.isOn)
    }
    setTimer()
  }

  private func lost(_ light: LightName) {
    let fault = PanelFault(
      .failed, "The light \(light.rawValue) can no longer be set; is its chip plugged in?")
    if !faults.contains(fault) { faults.append(fault) }
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
        carryOut(show.advance(to: world.now()))
      }
    } catch {
      faults.append(PanelFault(.failed, "The lights do not blink: \(error)."))
    }
  }

  /// Off, and what was the kernel's is the kernel's again.
  func end() {
    timer = nil
    outputs = []
  }

  var probe: [PanelProbe.Light] {
    LightName.allCases.map { light in
      PanelProbe.Light(
        light: light, isOn: show.isOn(light), pattern: view?.pattern(light) ?? .off)
    }
  }
}
