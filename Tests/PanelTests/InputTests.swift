// Pedals and keypads: named pipes that carry the kernel's events, in a folder watched as /dev/input
// is. The test answers the queries that only a real device could; that the real queries are well
// formed shows where the kernel refuses them.
import CInput
import Glibc
import Testing

@testable import Panel
@testable import Recorder

/// The kernel's answers, by the path of the device.
final class PretendedInput: InputKernel {
  var names: [String: String] = [:]
  var down: Set<UInt16> = []
  var grabbed: [Bool] = []
  var refusal: Int32 = 0

  func name(_ descriptor: Int32) -> String? { path(descriptor).flatMap { names[$0] } }

  func prepare(_ descriptor: Int32, isGrabbed: Bool) -> Int32 {
    grabbed.append(isGrabbed)
    return refusal
  }

  func keysDown(_ descriptor: Int32) -> Set<UInt16>? { down }

  private func path(_ descriptor: Int32) -> String? {
    guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return nil }
    defer { free(path) }
    return String(cString: path).split(separator: "/").last.map(String.init)
  }
}

/// The test's end of a device.
final class Pedal {
  private let descriptor: Int32

  /// Plugs it in.
  init(_ board: TestBoard, _ path: String, byID: String? = nil) {
    mkdir(board.dependencies.inputs, 0o700)
    let whole = board.dependencies.inputs + "/" + path
    mkfifo(whole, 0o600)
    descriptor = open(whole, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    if let byID {
      mkdir(board.dependencies.inputs + "/by-id", 0o700)
      symlink(whole, board.dependencies.inputs + "/by-id/" + byID)
    }
  }

  deinit { close(descriptor) }

  func send(_ type: Int32, _ code: Int32, _ value: Int32, at instant: Instant) {
    var event = input_event()
    event.time.tv_sec = Int(instant.nanoseconds / 1_000_000_000)
    event.time.tv_usec = Int(instant.nanoseconds % 1_000_000_000 / 1000)
    event.type = UInt16(type)
    event.code = UInt16(code)
    event.value = value
    write(descriptor, &event, MemoryLayout<input_event>.size)
  }

  func key(_ code: Int32, _ value: Int32, at instant: Instant) {
    send(EV_KEY, code, value, at: instant)
    send(EV_SYN, SYN_REPORT, 0, at: instant)
  }

  static func pullOut(_ board: TestBoard, _ path: String, byID: String? = nil) {
    unlink(board.dependencies.inputs + "/" + path)
    if let byID { unlink(board.dependencies.inputs + "/by-id/" + byID) }
  }
}

/// An instant in whole microseconds, as input devices stamp events.
private func microsecondsAgo(_ milliseconds: Int64) -> Instant {
  Instant(nanoseconds: ago(milliseconds).nanoseconds / 1000 * 1000)
}

extension BoardTests {
  @Suite struct InputTests {
    private func board() throws -> (TestBoard, PretendedInput) {
      let board = try TestBoard()
      let kernel = PretendedInput()
      board.dependencies.inputKernel = kernel
      return (board, kernel)
    }

    private let plan = PanelPlan(inputs: [
      InputPlan("usb-Pedal", keys: ["KEY_B": .control(.record), "KEY_C": .control(.mark)])
    ])

    @Test("a key of a pedal is a button with the event's timestamp, and without delay")
    func press() throws {
      // Given
      let (board, kernel) = try board()
      let pedal = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      #expect(room.faults.isEmpty)
      #expect(kernel.grabbed == [true])
      // When
      let (pressed, released) = (microsecondsAgo(500), microsecondsAgo(300))
      pedal.key(KEY_B, 1, at: pressed)
      pedal.key(KEY_B, 2, at: microsecondsAgo(400))
      pedal.key(KEY_A, 1, at: microsecondsAgo(350))
      pedal.key(KEY_B, 0, at: released)
      try board.run()
      // Then
      #expect(
        board.events == [
          .gesture(.record, .press, at: pressed), .gesture(.record, .release, at: released),
        ])
      let sources = room.probe.buttons.map(\.source)
      #expect(sources.contains(.key(device: "usb-Pedal", key: "KEY_B")))
    }

    @Test("a device is found by its name")
    func byName() throws {
      let (board, kernel) = try board()
      kernel.names = ["event1": "Keyboard", "event2": "Foot Pedal"]
      let other = Pedal(board, "event1")
      let pedal = Pedal(board, "event2")
      let room = board.panel(
        PanelPlan(inputs: [InputPlan("Foot Pedal", keys: ["30": .control(.play)])]))
      let pressed = microsecondsAgo(100)
      pedal.key(KEY_A, 1, at: pressed)
      other.key(KEY_A, 1, at: pressed)
      try board.run()
      #expect(board.events == [.gesture(.play, .press, at: pressed)])
      withExtendedLifetime(room) {}
    }

    @Test("an unplugged pedal is released, and works again when it is back", arguments: [1, 2])
    func replug(times: Int) throws {
      let (board, _) = try board()
      var pedal: Pedal? = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      for round in 0..<times {
        // Given a pressed pedal
        usleep(1)  // The stamp must differ from that of the event before.
        let pressed = microsecondsAgo(0)
        pedal?.key(KEY_B, 1, at: pressed)
        try board.run { board.events.count == 2 * round + 1 }
        #expect(board.events.last == .gesture(.record, .press, at: pressed))
        // When it is unplugged
        pedal = nil
        Pedal.pullOut(board, "event3", byID: "usb-Pedal")
        try board.run { board.events.count == 2 * round + 2 }
        guard case .gesture(.record, .release, _) = board.events.last else {
          Issue.record("no release")
          return
        }
        try board.run { !board.faults.isEmpty }
        #expect(
          board.faults.map(\.sentence) == [
            "The input device usb-Pedal is not there; plug it in, or see /dev/input/by-id for its"
              + " name."
          ])
        // When it is plugged in again, then it works again
        pedal = Pedal(board, "event3", byID: "usb-Pedal")
        try board.run { board.faults.isEmpty }
      }
      withExtendedLifetime((room, pedal)) {}
    }

    @Test("the first device of a board that had none is found")
    func first() throws {
      // Given a board without /dev/input
      let (board, _) = try board()
      let room = board.panel(plan)
      #expect(room.faults.map(\.code) == [.missing])
      // When
      let pedal = Pedal(board, "event0", byID: "usb-Pedal")
      // Then
      try board.run { room.faults.isEmpty }
      let pressed = microsecondsAgo(0)
      pedal.key(KEY_C, 1, at: pressed)
      try board.run { !board.events.isEmpty }
      #expect(board.events == [.gesture(.mark, .press, at: pressed)])
    }

    @Test("after dropped events the state of the keys is queried")
    func dropped() throws {
      // Given a pressed pedal
      let (board, kernel) = try board()
      let pedal = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      pedal.key(KEY_B, 1, at: microsecondsAgo(900))
      try board.run()
      // When its release is among the dropped events, and another key is down
      kernel.down = [UInt16(KEY_C)]
      let told = microsecondsAgo(500)
      pedal.send(EV_SYN, SYN_DROPPED, 0, at: microsecondsAgo(600))
      pedal.send(EV_KEY, KEY_B, 1, at: microsecondsAgo(550))
      pedal.send(EV_SYN, SYN_REPORT, 0, at: told)
      try board.run()
      // Then
      let later = board.events.dropFirst()
      #expect(later.contains(.gesture(.record, .release, at: told)))
      #expect(later.contains(.gesture(.mark, .press, at: told)))
      #expect(later.count == 2)
      withExtendedLifetime(room) {}
    }

    @Test("a key that is down when the device appears gives no press")
    func downAtStart() throws {
      let (board, kernel) = try board()
      kernel.down = [UInt16(KEY_B)]
      let pedal = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      try board.run()
      #expect(board.events.isEmpty)
      let released = microsecondsAgo(100)
      pedal.key(KEY_B, 0, at: released)
      try board.run()
      #expect(board.events == [.gesture(.record, .release, at: released)])
      withExtendedLifetime(room) {}
    }

    @Test("a device that another program has grabbed is reported as such")
    func grabbed() throws {
      let (board, kernel) = try board()
      kernel.refusal = -EBUSY
      let pedal = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      let sentence = try #require(room.faults.first?.sentence)
      #expect(sentence.hasPrefix("The input device usb-Pedal (/tmp/reel-test-"))
      #expect(
        sentence.hasSuffix("another program has it for itself. Stop that, or set grab to false."))
      withExtendedLifetime(pedal) {}
    }

    @Test("a file that is no input device is refused, as by the real kernel")
    func notADevice() throws {
      let (board, _) = try board()
      board.dependencies.inputKernel = LinuxInput()
      let pedal = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      #expect(
        room.faults.first?.sentence.hasSuffix("cannot be used: it is not an input device.") == true)
      withExtendedLifetime(pedal) {}
    }

    @Test("watching the folder costs no wake-up while nothing changes")
    func idle() throws {
      let (board, _) = try board()
      let pedal = Pedal(board, "event3", byID: "usb-Pedal")
      let room = board.panel(plan)
      try board.run()
      #expect(try !board.loop.runOneTurn(waitingAtMostMilliseconds: 300))
      withExtendedLifetime((room, pedal)) {}
    }
  }
}
