// Lines, chips and lights that cannot be used: each gives one sentence that names the chip, the
// line's owner and what to do, and the rest of the panel works. Where there is no fake chip, the
// real library answers.
import CGpioFake
import Glibc
import Testing

@testable import Panel
@testable import Recorder

extension BoardTests {
  @Suite struct FaultTests {
    private func sentence(_ board: TestBoard, _ address: LineAddress) -> String {
      let room = board.panel(
        PanelPlan(buttons: [
          ButtonPlan(.control(.record), address), ButtonPlan(.control(.play), .name("PLAY")),
        ]))
      // The other button works all the same.
      #expect(room.probe.buttons.map(\.name) == ["play"])
      #expect(room.faults.count == 1)
      #expect(board.faults == room.faults)
      return room.faults.first?.sentence ?? ""
    }

    private func board(lines: [String] = ["REC", "PLAY", ""]) throws -> (TestBoard, Int32) {
      let board = try TestBoard()
      return (board, board.addChip("pinctrl-test", lines: lines))
    }

    @Test("for a line in use the sentence names its owner, the chip, and what to do")
    func taken() throws {
      let (board, chip) = try board()
      gpio_fake_take(chip, 0, "fan-control", true)
      #expect(
        sentence(board, .name("REC"))
          == "The button record cannot have line 0 (REC) of pinctrl-test: fan-control has it."
          + " Stop that, take out its overlay, or use another line.")
    }

    @Test("two buttons that name the same line in different ways are reported together")
    func takenByOurselves() throws {
      let (board, _) = try board()
      let room = board.panel(
        PanelPlan(buttons: [
          ButtonPlan(.control(.record), .name("REC")),
          ButtonPlan(.control(.play), .chip(label: "pinctrl-test", offset: 0)),
        ]))
      #expect(room.faults.map(\.code) == [.taken])
      #expect(room.faults.first?.sentence.contains("reel record has it") == true)
    }

    @Test("for a missing line the sentence has the nearest name, or the lines that exist")
    func missing() throws {
      let (near, _) = try board()
      #expect(
        sentence(near, .name("REX"))
          == "There is no line REX for the button record: did you mean REC?")
      let (far, _) = try board()
      #expect(
        sentence(far, .chip(label: "pinctrl-test", offset: 3))
          == "There is no line pinctrl-test 3 for the button record: pinctrl-test has the lines 0"
          + " to 2. Name one by its name, or by chip and offset.")
    }

    @Test("for a chip that may not be opened the sentence names the group")
    func forbidden() throws {
      let (board, _) = try board()
      let second = board.addChip("pinctrl-other", lines: ["SECRET"])
      gpio_fake_fail_open(second, EACCES)
      let sentence = sentence(board, .name("SECRET"))
      #expect(sentence.hasPrefix("There is no line SECRET for the button record: /tmp/reel-test-"))
      #expect(
        sentence.hasSuffix("/dev/gpiochip1 may not be opened; add the user to the group gpio."))
    }

    @Test("a line name that exists twice is refused")
    func ambiguous() throws {
      let (board, _) = try board(lines: ["REC", "PLAY"])
      _ = board.addChip("expander", lines: ["REC"])
      let sentence = sentence(board, .name("REC"))
      #expect(sentence.contains("is there more than once: pinctrl-test 0 ("))
      #expect(sentence.hasSuffix("Name it by chip and offset, or unplug one."))
    }

    @Test("a link to a chip is not a second chip")
    func link() throws {
      let (board, _) = try board()
      symlink("gpiochip0", board.folder + "/dev/gpiochip4")
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      #expect(room.faults.isEmpty)
    }

    @Test(
      "any other error of a line is given in words",
      arguments: [
        (EINVAL, "it cannot be used so; try another line, or the bias as-is."),
        (ENODEV, "the chip is gone; is it plugged in?"), (ENOMEM, "cannot allocate memory."),
      ])
    func refused(error: Int32, words: String) throws {
      let (board, chip) = try board()
      gpio_fake_fail_request(chip, 0, error)
      let start = "The button record cannot have line 0 (REC) of pinctrl-test: "
      #expect(sentence(board, .name("REC")) == start + words)
      #expect(board.faults.map(\.errno) == [error])
    }

    @Test("the real library refuses a file that is no chip, and its reason is reported")
    func notAChip() throws {
      let board = try TestBoard()
      board.write("", to: "dev/gpiochip7")
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      let fault = try #require(room.faults.first)
      #expect(fault.errno == ENOTTY || fault.errno == ENODEV || fault.errno == EINVAL)
      #expect(fault.sentence.contains("/dev/gpiochip7 cannot be opened ("))
    }

    @Test("a board without any chip says so")
    func noChip() throws {
      let board = try TestBoard()
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      #expect(
        room.faults.map(\.sentence) == [
          "There is no line REC for the button record: this board has no GPIO chip."
        ])
    }

    @Test("a chip that appears late is found; one that goes and returns is used again")
    func lateChip() throws {
      // Given a panel without its chip
      let board = try TestBoard()
      let room = board.panel(
        PanelPlan(
          buttons: [ButtonPlan(.control(.record), .name("REC"))],
          lights: [LightPlan(.status, .line(.name("LED"), isActiveLow: false, .pushPull))]))
      #expect(board.faults.count == 2)
      room.show(PanelView(record: .off, status: .steady, play: .off))
      // When it appears
      let chip = board.addChip("expander", lines: ["REC", "LED"])
      drive(chip, 0, isHigh: true, at: ago(10_000))
      try board.run { board.faults.isEmpty }
      // Then the light is up to date, and the button works
      #expect(gpio_fake_is_high(chip, 1))
      drive(chip, 0, isHigh: false, at: ago(0))
      try board.run { board.presses(of: .record) == 1 }
      // When it goes
      for line in [UInt32(0), 1] { gpio_fake_fail_read(chip, line, ENODEV) }
      unlink(board.folder + "/dev/gpiochip0")
      drive(chip, 0, isHigh: true, at: ago(0))
      try board.run { board.faults.count == 2 }
      // And returns
      for line in [UInt32(0), 1] { gpio_fake_fail_read(chip, line, 0) }
      board.write("", to: "dev/gpiochip0")
      try board.run { board.faults.isEmpty }
      #expect(gpio_fake_is_high(chip, 1))
      drive(chip, 0, isHigh: false, at: ago(0))
      try board.run { board.presses(of: .record) == 2 }
      #expect(room.facts.lines == ["record on REC (expander 0)", "light status"])
      room.end()
    }

    @Test("a chip that goes away releases its button, and the daemon does not spin")
    func chipGone() throws {
      // Given a button that is down
      let (board, chip) = try board()
      drive(chip, 0, isHigh: true, at: ago(10_000))
      let room = board.panel(PanelPlan(buttons: [ButtonPlan(.control(.record), .name("REC"))]))
      drive(chip, 0, isHigh: false, at: ago(500))
      try board.run()
      #expect(board.events.count == 1)
      // When
      gpio_fake_fail_read(chip, 0, ENODEV)
      // Then
      try board.run { board.events.count == 2 }
      try board.run()
      guard case .gesture(.record, .release, _) = board.events[1] else {
        Issue.record("no release")
        return
      }
      #expect(room.faults.map(\.code) == [.missing])
    }

    @Test("a light that can no longer be set is reported once")
    func lightGone() throws {
      let (board, chip) = try board()
      let light = LightPlan(.record, .line(.name("REC"), isActiveLow: false, .pushPull))
      let room = board.panel(PanelPlan(lights: [light]))
      gpio_fake_fail_read(chip, 0, ENODEV)
      room.show(panelView(record: .steady))
      room.show(panelView(record: .off))
      #expect(board.faults.map(\.code) == [.failed])
      #expect(board.reports == 1)
    }

    @Test("identifying reports which line moved, leaves used lines alone, and releases all")
    func identify() throws {
      let (board, chip) = try board(lines: ["REC", "PLAY", "", "FAN"])
      gpio_fake_take(chip, 3, "fan", true)
      for line in 0..<3 { drive(chip, UInt32(line), isHigh: true, at: ago(10_000)) }
      var moved: [LineFinder.Moved] = []
      var finder: LineFinder? = try LineFinder(
        on: board.loop, dependencies: board.dependencies, moved: { moved.append($0) })
      #expect(finder?.count == 3)
      let pressed = ago(100)
      drive(chip, 2, isHigh: false, at: pressed)
      try board.run()
      #expect(moved.map(\.offset) == [2])
      #expect(moved.first?.chip == "pinctrl-test")
      #expect(moved.first?.edge == Edge(isActive: true, at: pressed))
      finder = nil
      #expect(gpio_fake_open_count() == 0)
    }
  }
}
