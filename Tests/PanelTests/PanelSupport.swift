// Shared by these tests: a board in a temporary folder with fake chips, lights and input devices,
// and a panel on it. One after another: the fake chips belong to the process. Tests stamp events in
// the past, so that nothing waits for time to pass.
import CGpioFake
import Glibc
import Realtime
import Scratch
import Systemd
import Testing

@testable import Panel
@testable import Recorder

@Suite(.serialized) struct BoardTests {}

final class TestBoard {
  let loop: EventLoop
  private let scratch = ScratchFolder()
  var folder: String { scratch.path }
  var dependencies = PanelRoom.Dependencies()
  var events: [PanelEvent] = []
  var faults: [PanelFault] = []
  /// How often faults were reported.
  var reports = 0
  private var chips: Int32 = 0
  private let clock = Clock()

  /// A panel begins five minutes ago by its clock, so that events can be stamped in the past.
  private final class Clock { var isBeginning = true }

  init() throws {
    gpio_fake_reset()
    loop = try EventLoop()
    for name in ["dev", "leds"] { mkdir(folder + "/" + name, 0o700) }
    let clock = clock
    dependencies.now = { ago(clock.isBeginning ? 300_000 : 0) }
    dependencies.devices = folder + "/dev"
    dependencies.inputs = folder + "/dev/input"
    dependencies.leds = folder + "/leds"
  }

  func write(_ text: String, to path: String) {
    let descriptor = open(folder + "/" + path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "cannot make \(path)")
    Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  func presses(of control: Control) -> Int {
    events.count {
      if case .gesture(control, .press, _) = $0 { true } else { false }
    }
  }

  // MARK: Chips

  /// Adds a chip; returns its number.
  func addChip(_ label: String, lines: [String]) -> Int32 {
    let path = "dev/gpiochip\(chips)"
    chips += 1
    write("", to: path)
    let chip = gpio_fake_add(folder + "/" + path, label, UInt32(lines.count))
    for (offset, name) in lines.enumerated() { gpio_fake_name(chip, UInt32(offset), name) }
    return chip
  }

  // MARK: Lights

  func addLed(_ name: String, trigger: String, most: Int) {
    mkdir("\(folder)/leds/\(name)", 0o700)
    write(trigger + "\n", to: "leds/\(name)/trigger")
    write("0\n", to: "leds/\(name)/brightness")
    write("\(most)\n", to: "leds/\(name)/max_brightness")
  }

  func led(_ name: String, _ file: String = "brightness") -> String? {
    SmallFile.line(of: "\(folder)/leds/\(name)/\(file)")
  }

  // MARK: The panel

  func panel(_ plan: PanelPlan) -> PanelRoom {
    let room = makePanel(plan)
    clock.isBeginning = true
    room.begin()
    clock.isBeginning = false
    return room
  }

  /// Makes a panel that has not begun yet.
  func makePanel(_ plan: PanelPlan) -> PanelRoom {
    PanelRoom(
      plan, on: loop, dependencies: dependencies, send: { [unowned self] in events.append($0) },
      report: { [unowned self] in
        faults = $0
        reports += 1
      })
  }

  /// Runs whatever is ready now.
  func run() throws {
    var turns = 0
    while turns < 1000, try loop.runOneTurn(waitingAtMostMilliseconds: 0) { turns += 1 }
    #expect(turns < 1000, "something is always ready")
  }

  /// Runs until `isSo` holds; fails the test after a minute.
  func run(until isSo: () -> Bool) throws {
    let deadline = EventLoop.monotonicNanoseconds() + 60_000_000_000
    while !isSo() {
      _ = try loop.runOneTurn(waitingAtMostMilliseconds: 100)
      try #require(EventLoop.monotonicNanoseconds() < deadline, "what was expected never came")
    }
  }
}

func ago(_ milliseconds: Int64) -> Instant {
  Instant(nanoseconds: EventLoop.monotonicNanoseconds()).adding(milliseconds: -milliseconds)
}

func drive(_ chip: Int32, _ offset: UInt32, isHigh: Bool, at instant: Instant) {
  gpio_fake_drive(chip, offset, isHigh, instant.nanoseconds)
}

/// Returns the text of a C array of characters.
func text<Bytes>(_ bytes: Bytes) -> String {
  withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
