// The consoles that take commands, and the one desk all their commands go to. Used by the loop's
// thread; what it joins are the rooms, by way of the store.

import Console
import Loop
import Panel
import Recorder
import Systemd

final class Consoles {
  let desk: CommandDesk
  private var serial: SerialConsole?
  /// Where programs are let in, and `reelctl`.
  var socket: ControlSocket?
  private var tokens: [Token] = []

  static let serialID = 2

  init(_ driver: Driver<Appliance>, on loop: EventLoop, _ outside: CommandDesk.Outside) {
    let reminders = Reminders(on: loop)
    var outside = outside
    outside.later = { reminders.add(afterMilliseconds: $0, $1) }
    desk = CommandDesk(
      state: { [unowned driver] in driver.store.state },
      send: { [unowned driver] in driver.send($0) }, outside: outside)
    tokens.append(driver.store.show({ _ in EachStep() }) { [desk] _ in desk.stateChanged() })
  }

  func openSerial(
    _ path: String, access: Recorder.Console.Access, on loop: EventLoop,
    _ driver: Driver<Appliance>, complain: @escaping (String) -> Void
  ) {
    let serial = SerialConsole(
      id: Self.serialID, path: path, access: access, on: loop, desk: desk,
      send: { [unowned driver] in driver.send(.console($0)) }, complain: complain)
    self.serial = serial
    let id = Self.serialID
    tokens.append(driver.store.show({ ScreenView(console: id, in: $0) }) { serial.show($0) })
    tokens.append(driver.store.show({ PromptView(console: id, in: $0) }) { serial.show($0) })
    tokens.append(driver.store.show({ $0.notices.kept.last }) { serial.show($0) })
    serial.begin()
  }

  func carryOut(_ command: ConsoleCommand) {
    switch command {
    case .reply(let reply, let origin): desk.hear(reply, to: origin)
    case .run(let id, let line): if id == Self.serialID { serial?.run(line) }
    case .complete(let id, let line): if id == Self.serialID { serial?.complete(line) }
    case .close: break
    }
  }

  func show(_ meter: Meter) { serial?.show(meter) }

  func end() {
    socket = nil
    serial?.end()
  }
}

/// A view that is another one after each step.
private struct EachStep: Equatable {
  static func == (left: EachStep, right: EachStep) -> Bool { false }
}

/// Timers that fire once and are forgotten.
private final class Reminders {
  private let loop: EventLoop
  private var timers: [Int: Timer] = [:]
  private var last = 0

  init(on loop: EventLoop) { self.loop = loop }

  func add(afterMilliseconds delay: Int64, _ work: @escaping () -> Void) {
    last += 1
    let number = last
    do {
      timers[number] = try loop.timer(afterMilliseconds: delay, slackMilliseconds: 20) {
        [weak self] in
        self?.timers.removeValue(forKey: number)
        work()
      }
    } catch { complain("a timer could not be set: \(error)") }
  }
}
