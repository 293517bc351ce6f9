// One run of the daemon in a simulation, from its start to its end: the real reducer in the real
// driver, the real rooms for recording and for the card, the real deck, debouncer and command
// desk, joined as `reeld` joins them. Everything a thread or a timer would do it asks of the world.

import Console
import Loop
import Panel
import Realtime
import Tape

@testable import Audio
@testable import Library
@testable import Panel
@testable import Recorder

final class SimDaemon {
  let world: World
  /// Which of the daemons this is.
  let number: Int
  private(set) var driver: Driver<Appliance>?
  private(set) var desk: CommandDesk?
  private var room: RecordRoom<SimMicrophone>?
  let card: SimCardRoom
  let player: SimPlayer
  private var buttons: [PanelButton] = []
  private var tokens: [Token] = []
  private var running: Set<Subscription> = []
  private let flight: UnsafeMutableRawBufferPointer?
  /// Nobody but the loop's thread is in here.
  private(set) var isInLoop = false

  static let controls: [Control] = [
    .record, .mark, .split, .play, .next, .previous, .folder, .delete, .volumeUp, .volumeDown,
    .acknowledge,
  ]
  static let console = 1

  init(_ world: World, number: Int, keepsFlight: Bool) {
    (self.world, self.number) = (world, number)
    card = SimCardRoom(world)
    player = SimPlayer(world)
    flight =
      keepsFlight ? .allocate(byteCount: Self.flightBytes, alignment: 16) : nil
  }

  private static let flightBytes = 4 << 20

  deinit { flight?.deallocate() }

  var state: State { driver?.store.state ?? State() }

  // MARK: Starting, as `Daemon` does

  func begin(_ boot: Boot, _ remembered: Remembered?, _ settings: Settings) {
    let driver = Driver(
      State(), world: reducersWorld,
      flight: flight.map { FlightRecorder<Appliance>(memory: $0) })
    self.driver = driver
    tokens.append(driver.store.show(PanelView.init) { [unowned self] in world.watch.lit($0) })
    card.begin(world.card)
    makeRoom()
    makeDesk(driver)
    let mono = Instant(nanoseconds: world.mono)
    buttons = Self.controls.map { control in
      PanelButton(
        .control(control), owner: "the button \(control.name)", source: .virtual,
        GestureTiming(), isActive: false, at: mono)
    }
    enter { driver.begin() }
    send(.host(.booted(boot)))
    send(.host(.clock(isSynchronised: world.isClockSet, utcOffsetSeconds: 3600)))
    if settings != Settings() { send(.host(.configured(settings))) }
    if let remembered { send(.host(.recalled(remembered))) }
    look()
    send(
      .console(
        .opened(ConsoleDescription(id: Self.console, kind: .socket, access: .control))))
  }

  private var reducersWorld: Loop.World<Appliance> {
    Loop.World<Appliance>(
      now: { [unowned self] in world.stamp },
      perform: { [unowned self] in perform($0) },
      start: { [unowned self] in start($0) },
      stop: { [unowned self] in running.remove($0) })
  }

  private func makeRoom() {
    let (world, number) = (world, number)
    let (device, format) = (world.device, world.device.format)
    let info = CaptureInfo(name: "Numbers", rate: format.rate, channels: format.channels)
    let source = CaptureSource<SimMicrophone>(
      look: { device.isPlugged ? .success(info) : .failure(Absence("Nothing is plugged in.")) },
      open: {
        guard device.isPlugged else { throw Absence("Nothing is plugged in.") }
        return SimMicrophone(device, device.open(at: world.now), times: { world.times })
      })
    let hands = RecordHands<SimMicrophone>(
      aside: { work throws(Realtime.Refusal) in
        world.after(milliseconds: world.below(250)) { work() }
        return Aside()
      },
      start: { (stream: consuming SimMicrophone, order: PipelineOrder) in
        try world.startPipeline(stream, order)
      })
    room = RecordRoom(
      source, settings: world.setup.record, directory: "", hands: hands,
      wake: { world.soundIsNew(number) })
  }

  private final class Aside: AtWork {}

  private func makeDesk(_ driver: Driver<Appliance>) {
    var outside = CommandDesk.Outside()
    outside.later = { [unowned self] milliseconds, work in
      world.after(milliseconds: milliseconds, work)
    }
    let desk = CommandDesk(
      state: { [unowned driver] in driver.store.state },
      send: { [unowned self] in send($0) }, outside: outside)
    self.desk = desk
    tokens.append(
      driver.store.show({ _ in EachStep() }) { [unowned desk] _ in desk.stateChanged() })
  }

  /// A view that is another one after each step.
  private struct EachStep: Equatable {
    static func == (left: EachStep, right: EachStep) -> Bool { false }
  }

  // MARK: The loop

  func send(_ action: Action) {
    guard let driver, world.daemon === self else { return }
    enter {
      driver.send(action)
      world.watch.stepped(self)
    }
  }

  private func enter(_ body: () -> Void) {
    let wasInLoop = isInLoop
    isInLoop = true
    body()
    isInLoop = wasInLoop
  }

  /// What the rooms have to say, fetched by the loop.
  func collectSound() {
    for event in room?.collect() ?? [] {
      world.watch.hear(event)
      send(.sound(event))
    }
  }

  func look() {
    room?.announce()
    player.look()
  }

  // MARK: Carrying out

  private func perform(_ command: Command) {
    switch command {
    case .sound(let command):
      world.watch.ordered(command)
      switch command {
      case .tone(let tone): player.sound(tone)
      case .greet, .configure: break
      default: room?.carryOut(command)
      }
    case .deck(let command): player.carryOut(command)
    case .card(let command): card.carryOut(command)
    case .console(.reply(let reply, let origin)): desk?.hear(reply, to: origin)
    case .console, .panel, .announce: break
    case .host(.reload): send(.host(.configured(state.settings)))
    case .host(.remember(let remembered)): world.remembered = remembered
    case .host(.finish): world.hasFinished(self, saysGivenUp: false)
    case .host(.giveUp): world.hasFinished(self, saysGivenUp: true)
    }
  }

  // MARK: Subscriptions, as `Subscribed` has them

  private func start(_ subscription: Subscription) {
    running.insert(subscription)
    switch subscription {
    case .alarm(let alarm, let instant):
      world.at(mono: instant.nanoseconds + world.below(20) * 1_000_000) { [weak self] in
        guard let self, running.contains(subscription) else { return }
        send(.alarm(alarm))
      }
    case .ticks(let milliseconds): every(milliseconds, subscription) { $0.send(.tick) }
    case .space(let milliseconds):
      card.measureSpace()
      every(milliseconds, subscription) { $0.card.measureSpace() }
    case .device(let milliseconds): every(milliseconds, subscription) { $0.look() }
    case .levels: break
    }
  }

  private func every(
    _ milliseconds: Int64, _ subscription: Subscription, _ work: @escaping (SimDaemon) -> Void
  ) {
    world.after(milliseconds: milliseconds) { [weak self] in
      guard let self, running.contains(subscription) else { return }
      work(self)
      every(milliseconds, subscription, work)
    }
  }

  // MARK: Buttons

  /// An edge of a line, as the kernel stamped it.
  func hear(_ edge: Edge, ofButton number: Int) {
    let button = buttons[number]
    tell(button, button.hear(edge))
    attend(number)
  }

  private func attend(_ number: Int) {
    guard let due = buttons[number].gestures.due else { return }
    world.at(mono: due.nanoseconds) { [weak self] in
      guard let self else { return }
      let button = buttons[number]
      guard button.gestures.due == due else { return }
      tell(button, button.advance(to: Instant(nanoseconds: world.mono)))
      attend(number)
    }
  }

  private func tell(_ button: PanelButton, _ deeds: [Deed]) {
    for deed in deeds { if let event = button.event(deed) { send(.panel(event)) } }
  }

  // MARK: The flight log

  /// What the log of this run, replayed, comes to; nil if it kept none.
  func replayed() throws -> (last: Digest?, now: Digest)? {
    guard let flight, let driver else { return nil }
    var (last, isWhole): (Digest?, Bool) = (nil, true)
    try Replay<Appliance>(Array(flight)).run { event, _ in
      switch event {
      case .checkpoint(let digest, let agrees):
        if !agrees { throw Broken("a checkpoint of the flight log does not agree") }
        last = digest
      case .action(_, _, _, let digest): last = digest
      // Something was too large for it, and it says so.
      case .elided: isWhole = false
      }
      return true
    }
    if !isWhole { return nil }
    return (last, try Digest(of: driver.store.state))
  }
}

/// A promise that does not hold.
struct Broken: Error, CustomStringConvertible {
  let description: String
  /// When it was seen, if it was seen while time went on.
  var atMilliseconds: Int64?

  init(_ description: String) { self.description = description }
}
