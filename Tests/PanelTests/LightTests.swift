// Lights as a user sees them: on pins, on the kernel's LEDs, and reported by a callback; at once
// when the view changes, and without wake-ups unless a light blinks.
import CGpioFake
import Glibc
import Systemd
import Testing

@testable import Panel
@testable import Recorder

extension BoardTests {
  @Suite struct LightTests {
    @Test("a kernel LED is taken from its trigger, lit fully, and given back")
    func led() throws {
      // Given
      let board = try TestBoard()
      board.addLed("ACT", trigger: "none timer [mmc0] cpu", most: 31)
      let room = board.panel(PanelPlan(lights: [LightPlan(.status, .led("ACT"))]))
      #expect(room.faults.isEmpty)
      #expect(board.led("ACT", "trigger") == "none")
      #expect(board.led("ACT") == "0")
      // When and then
      room.show(panelView(status: .steady))
      #expect(board.led("ACT") == "31")
      room.show(panelView(status: .off))
      #expect(board.led("ACT") == "0")
      room.show(panelView(status: .steady))
      room.end()
      #expect(board.led("ACT") == "0")
      #expect(board.led("ACT", "trigger") == "mmc0")
    }

    @Test("lights that a dead daemon left on are off after a panel has begun and ended")
    func leftOn() throws {
      // Given a kernel LED and a pin, both lit, and opened by no process
      let board = try TestBoard()
      board.addLed("ACT", trigger: "[none] timer", most: 255)
      board.write("255\n", to: "leds/ACT/brightness")
      let chip = board.addChip("pinctrl-test", lines: ["LAMP"])
      drive(chip, 0, isHigh: true, at: ago(1000))
      #expect(gpio_fake_is_high(chip, 0))
      // When
      let room = board.panel(
        PanelPlan(lights: [
          LightPlan(.status, .led("ACT")),
          LightPlan(.record, .line(.name("LAMP"), isActiveLow: false, .pushPull)),
        ]))
      room.end()
      // Then
      #expect(board.faults.isEmpty)
      #expect(board.led("ACT") == "0" && !gpio_fake_is_high(chip, 0))
    }

    @Test("a kernel LED without a trigger works as well")
    func plainLed() throws {
      let board = try TestBoard()
      board.addLed("panel:red", trigger: "[none] timer", most: 1)
      let room = board.panel(PanelPlan(lights: [LightPlan(.record, .led("panel:red"))]))
      room.show(panelView(record: .steady))
      #expect(board.led("panel:red") == "1")
      room.end()
      #expect(board.led("panel:red", "trigger") == "none")
    }

    @Test("a missing kernel LED is reported with those that exist, and the rest works")
    func missingLed() throws {
      let board = try TestBoard()
      board.addLed("ACT", trigger: "[none]", most: 255)
      board.addLed("PWR", trigger: "[none]", most: 255)
      let room = board.panel(
        PanelPlan(lights: [LightPlan(.record, .led("RED")), LightPlan(.play, .led("PWR"))]))
      #expect(
        room.faults.map(\.sentence) == [
          "The light record cannot use the led RED: it is not there; there are ACT, PWR."
        ])
      room.show(panelView(record: .steady, play: .steady))
      #expect(board.led("PWR") == "255")
    }

    @Test("a kernel LED that appears late is found and lit, and costs no wake-up after that")
    func lateLed() throws {
      // Given a missing light, and a running take
      let board = try TestBoard()
      let room = board.panel(PanelPlan(lights: [LightPlan(.record, .led("RED"))]))
      room.show(panelView(record: .steady))
      #expect(board.faults.count == 1)
      // When it appears
      board.addLed("RED", trigger: "none [timer]", most: 255)
      try board.run { board.faults.isEmpty }
      // Then it is lit, and the loop has no timer left
      #expect(board.led("RED") == "255")
      #expect(try !board.loop.runOneTurn(waitingAtMostMilliseconds: 3500))
    }

    @Test("every change of a light is reported, with or without an output")
    func lit() throws {
      let board = try TestBoard()
      var lit: [LightChange] = []
      board.dependencies.lit = { lit.append(LightChange(light: $0, isOn: $1)) }
      let room = board.panel(PanelPlan(lights: [LightPlan(.record, .none)]))
      room.show(panelView(record: .steady, play: .slowBlink))
      room.show(panelView(record: .off, play: .slowBlink))
      #expect(
        lit == [
          LightChange(light: .record, isOn: true), LightChange(light: .play, isOn: true),
          LightChange(light: .record, isOn: false),
        ])
      #expect(room.probe.lights.map(\.pattern) == [.off, .off, .slowBlink])
    }

    @Test("two outputs of one light shine together")
    func together() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["LAMP"])
      board.addLed("ACT", trigger: "[none]", most: 255)
      let room = board.panel(
        PanelPlan(lights: [
          LightPlan(.record, .led("ACT")),
          LightPlan(.record, .line(.name("LAMP"), isActiveLow: false, .pushPull)),
        ]))
      room.show(panelView(record: .steady))
      #expect(board.led("ACT") == "255" && gpio_fake_is_high(chip, 0))
    }

    @Test("a view shown before the panel began is lit when it begins")
    func shownBefore() throws {
      // Given a take that goes on after a crash: it is shown before the lines are requested
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["LAMP"])
      let plan = PanelPlan(lights: [
        LightPlan(.record, .line(.name("LAMP"), isActiveLow: false, .pushPull))
      ])
      let room = board.makePanel(plan)
      room.show(panelView(record: .steady))
      // When
      room.begin()
      // Then
      #expect(gpio_fake_is_high(chip, 0))
    }

    @Test("the timer runs while something blinks, and not afterwards")
    func wakeUps() throws {
      // Given a light that blinks by the loop's own timer
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["LAMP"])
      let light = LightPlan(.record, .line(.name("LAMP"), isActiveLow: false, .pushPull))
      let room = board.panel(PanelPlan(lights: [light]))
      room.show(panelView(record: .fastBlink))
      var seen: [Bool] = [gpio_fake_is_high(chip, 0)]
      try board.run {
        let isOn = gpio_fake_is_high(chip, 0)
        if seen.last != isOn { seen.append(isOn) }
        return seen.count == 5
      }
      #expect(seen == [true, false, true, false, true])
      // When it no longer blinks
      room.show(panelView(record: .steady))
      let before = room.lightWakeUps
      #expect(before >= 4)
      // Then there are no wake-ups: the loop has nothing to wait for
      #expect(try !board.loop.runOneTurn(waitingAtMostMilliseconds: 300))
      #expect(room.lightWakeUps == before)
    }

    @Test("an idle panel with buttons costs no wake-up")
    func idle() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      drive(chip, 0, isHigh: true, at: ago(400_000))
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      #expect(try !board.loop.runOneTurn(waitingAtMostMilliseconds: 300))
      withExtendedLifetime(room) {}
    }

    @Test("a virtual button is handled like all others, and its press does not wait")
    func virtualButton() throws {
      let board = try TestBoard()
      let room = board.panel(PanelPlan())
      let pressed = ago(50)
      room.turn(.control(.record), isDown: true, at: pressed)
      #expect(board.events == [.gesture(.record, .press, at: pressed)])
      let released = ago(40)
      room.turn(.control(.record), isDown: false, at: released)
      try board.run { board.events.count == 2 }
      #expect(board.events.last == .gesture(.record, .release, at: released))
      #expect(room.probe.recent.count == 4)
    }

    @Test("a key of a console is a press and a release, and none of several quick ones is lost")
    func keys() throws {
      let board = try TestBoard()
      let room = board.panel(PanelPlan())
      let now = ago(100)
      for _ in 0..<3 { room.perform(.press(.volumeUp, at: now)) }
      #expect(board.presses(of: .volumeUp) == 3)
      try board.run { room.probe.buttons.allSatisfy { !$0.isDown } }
    }

    @Test("a key that holds a button gives the press, the hold and the release")
    func heldKey() throws {
      let board = try TestBoard()
      var plan = PanelPlan()
      plan.timings.holdMilliseconds = 40
      let room = board.panel(plan)
      let pressed = ago(100)
      room.perform(.hold(.delete, at: pressed))
      try board.run { board.events.count == 3 }
      #expect(
        board.events == [
          .gesture(.delete, .press, at: pressed),
          .gesture(.delete, .hold, at: pressed.adding(milliseconds: 40)),
          .gesture(.delete, .release, at: pressed.adding(milliseconds: 60)),
        ])
    }

    @Test("a key that turns the hold switch locks the panel, and unlocks it")
    func lockKey() throws {
      let board = try TestBoard()
      let room = board.panel(PanelPlan())
      room.perform(.lock(true, at: ago(50)))
      room.perform(.lock(false, at: ago(40)))
      try board.run { board.events == [.hold(true), .hold(false)] }
    }
  }
}
