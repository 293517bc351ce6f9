// Lines through the shim: what is requested of libgpiod, what it returns, and the sentences for
// lines that cannot be used. The same tests run against both generations of the library.
import CGpioFake
import Glibc
import Testing

@testable import Panel
@testable import Recorder

extension BoardTests {
  @Suite struct LineTests {
    @Test("a button is requested as an input with both edges, its bias and its polarity")
    func inputRequest() throws {
      // Given
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["A", "B", "C", "D"])
      let biases: [(Bias, gpio_fake_bias)] = [
        (.asIs, GPIO_FAKE_BIAS_AS_IS), (.none, GPIO_FAKE_BIAS_DISABLED),
        (.pullUp, GPIO_FAKE_BIAS_PULL_UP), (.pullDown, GPIO_FAKE_BIAS_PULL_DOWN),
      ]
      var plan = PanelPlan()
      for (offset, (bias, _)) in biases.enumerated() {
        var button = ButtonPlan(.control(.record), .chip(label: "pinctrl-test", offset: offset))
        button.bias = bias
        button.isActiveLow = offset % 2 == 0
        plan.buttons.append(button)
      }
      // When
      let room = board.panel(plan)
      // Then
      #expect(room.faults.isEmpty)
      for (offset, (_, bias)) in biases.enumerated() {
        let seen = gpio_fake_seen(chip, UInt32(offset))
        #expect(seen.is_requested && !seen.is_output && seen.has_both_edges)
        #expect(seen.bias == bias)
        #expect(seen.is_active_low == (offset % 2 == 0))
        #expect(seen.has_monotonic_clock)
        #expect(text(seen.consumer) == "reel record")
      }
      room.end()
      #expect(gpio_fake_open_count() == 0)
    }

    @Test("a light is requested as an output that is off, with its drive and its polarity")
    func outputRequest() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["A", "B", "C"])
      let drives: [(Drive, gpio_fake_drive)] = [
        (.pushPull, GPIO_FAKE_DRIVE_PUSH_PULL), (.openDrain, GPIO_FAKE_DRIVE_OPEN_DRAIN),
        (.openSource, GPIO_FAKE_DRIVE_OPEN_SOURCE),
      ]
      let names = ["A", "B", "C"]
      let lights = drives.enumerated().map { index, drive in
        LightPlan(.record, .line(.name(names[index]), isActiveLow: index == 1, drive.0))
      }
      let room = board.panel(PanelPlan(lights: lights))
      for (offset, (_, drive)) in drives.enumerated() {
        let seen = gpio_fake_seen(chip, UInt32(offset))
        #expect(seen.is_requested && seen.is_output && !seen.has_both_edges)
        #expect(seen.drive == drive)
        #expect(gpio_fake_is_high(chip, UInt32(offset)) == (offset == 1))
      }
      // When
      room.show(panelView(record: .steady))
      // Then
      #expect((0..<3).map { gpio_fake_is_high(chip, $0) } == [true, false, true])
      room.end()
      #expect((0..<3).map { gpio_fake_is_high(chip, $0) } == [false, true, false])
      #expect(gpio_fake_open_count() == 0)
    }

    @Test("a press is the line's edge, by its kernel timestamp", arguments: [true, false])
    func press(isActiveLow: Bool) throws {
      // Given both polarities of a button
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["A", "REC"])
      drive(chip, 1, isHigh: isActiveLow, at: ago(10_000))
      var button = ButtonPlan(.control(.record), .name("REC"))
      button.isActiveLow = isActiveLow
      let room = board.panel(PanelPlan(buttons: [button]))
      // When its contact chatters for 4 ms, is held, and released
      let pressed = ago(900)
      for step in 0..<5 {
        drive(
          chip, 1, isHigh: isActiveLow == (step % 2 == 1),
          at: pressed.adding(milliseconds: Int64(step)))
      }
      let released = pressed.adding(milliseconds: 500)
      drive(chip, 1, isHigh: isActiveLow, at: released)
      try board.run()
      // Then
      #expect(
        board.events == [
          .gesture(.record, .press, at: pressed), .gesture(.record, .release, at: released),
        ])
      let probe = try #require(room.probe.buttons.first)
      #expect(probe.edges == 6)
      #expect(probe.strays == 2)
      #expect(probe.source == .line(chip: "pinctrl-test", offset: 1, name: "REC"))
    }

    @Test("a press that happens now acts while it is held, and the hold follows")
    func now() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      drive(chip, 0, isHigh: true, at: ago(10_000))
      var plan = PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))])
      plan.timings.holdMilliseconds = 100
      let room = board.panel(plan)
      let pressed = ago(0)
      drive(chip, 0, isHigh: false, at: pressed)
      try board.run { board.events.count == 2 }
      #expect(
        board.events == [
          .gesture(.record, .press, at: pressed),
          .gesture(.record, .hold, at: pressed.adding(milliseconds: 100)),
        ])
      withExtendedLifetime(room) {}
    }

    @Test("a spike whose end the kernel reports late is no press, nor is one within a release")
    func lateEdges() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      drive(chip, 0, isHigh: true, at: ago(10_000))
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      // When a spike is over, and only its beginning was reported
      let spike = ago(900)
      drive(chip, 0, isHigh: false, at: spike)
      gpio_fake_turn(chip, 0, true)
      try board.run()
      #expect(board.events.isEmpty)
      // And when the rest comes
      gpio_fake_report(chip, 0, spike.adding(milliseconds: 1).nanoseconds)
      try board.run()
      #expect(board.events.isEmpty)
      // Then a press is one, although the last edge of its release is late
      let pressed = ago(500)
      drive(chip, 0, isHigh: false, at: pressed)
      drive(chip, 0, isHigh: true, at: pressed.adding(milliseconds: 200))
      drive(chip, 0, isHigh: false, at: pressed.adding(milliseconds: 240))
      gpio_fake_turn(chip, 0, true)
      try board.run()
      gpio_fake_report(chip, 0, pressed.adding(milliseconds: 241).nanoseconds)
      try board.run { board.events.count >= 2 }
      #expect(
        board.events == [
          .gesture(.record, .press, at: pressed),
          .gesture(.record, .release, at: pressed.adding(milliseconds: 200)),
        ])
      withExtendedLifetime(room) {}
    }

    @Test("after dropped edges the line's level is read", arguments: [39, 40, 100])
    func lostEdges(edges: Int) throws {
      // Given a line with more edges than the kernel keeps, before they are read
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      drive(chip, 0, isHigh: true, at: ago(10_000))
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      let began = ago(200)
      for step in 0..<edges {
        drive(chip, 0, isHigh: step % 2 == 1, at: began.adding(milliseconds: Int64(step)))
      }
      // When it is read
      try board.run()
      try board.run { room.probe.buttons.allSatisfy { $0.isDown == (edges % 2 == 1) } }
      // Then the button has the line's level
      #expect(room.probe.buttons.map(\.isActive) == [edges % 2 == 1])
      let presses = board.events.filter {
        if case .gesture(_, .press, _) = $0 { true } else { false }
      }
      #expect(presses.count <= 1)
    }

    @Test("a timestamp of another clock is not used")
    func wrongClock() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      // The line is low from the beginning, so the button is down; the release has a stamp of the
      // wall clock
      drive(chip, 0, isHigh: true, at: Instant(nanoseconds: 1_780_000_000_000_000_000))
      let before = ago(0)
      try board.run { !board.events.isEmpty }
      guard case .gesture(.record, .release, let instant) = board.events[0] else {
        Issue.record("no release")
        return
      }
      #expect(instant >= before && instant <= ago(0))
      withExtendedLifetime(room) {}
    }

    @Test("the edges of two buttons are reported in order of time")
    func order() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["A", "B"])
      for line in 0..<2 { drive(chip, UInt32(line), isHigh: true, at: ago(10_000)) }
      let room = board.panel(
        PanelPlan(buttons: [
          ButtonPlan(.control(.record), .name("A")), ButtonPlan(.holdSwitch, .name("B")),
        ]))
      let (first, second) = (ago(700), ago(600))
      drive(chip, 1, isHigh: false, at: first)
      drive(chip, 0, isHigh: false, at: second)
      try board.run()
      #expect(board.events == [.hold(true), .gesture(.record, .press, at: second)])
      withExtendedLifetime(room) {}
    }

    @Test("a hold switch that is on at the start locks the panel, and unlocks it when turned off")
    func holdSwitch() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["LOCK"])
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.holdSwitch, .name("LOCK"))]))
      #expect(board.events == [.hold(true)])
      drive(chip, 0, isHigh: true, at: ago(500))
      try board.run()
      #expect(board.events == [.hold(true), .hold(false)])
      // A switch is never stuck.
      #expect(room.faults.isEmpty)
    }

    @Test("a stuck button is reported, and reported again when it is free")
    func stuck() throws {
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      drive(chip, 0, isHigh: true, at: ago(100_000))
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      drive(chip, 0, isHigh: false, at: ago(90_000))
      try board.run()
      #expect(board.faults.map(\.code) == [.stuck])
      #expect(
        board.faults.first?.sentence.hasPrefix("The button record has been down for 60 s") == true)
      drive(chip, 0, isHigh: true, at: ago(1000))
      try board.run()
      #expect(board.faults.isEmpty)
      #expect(board.reports == 2)
      withExtendedLifetime(room) {}
    }
  }
}
