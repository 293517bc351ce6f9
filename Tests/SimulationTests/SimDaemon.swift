// One run of the daemon in a simulation, from its start to its end: the real heart, the real
// runtime, the real rooms for recording and for the card, the real deck and debouncer. The world
// stands in for threads and timers.

import Console
import Loop
import Panel
import Realtime
import Runtime
import Tape

@testable import Audio
@testable import Library
@testable import Panel
@testable import Recorder

final class SimDaemon {
  let world: World
  /// The number of this daemon, counted over all starts.
  let number: Int
  let heart: Driver<Appliance>
  private let room: RecordRoom<SimMicrophone>
  let card: SimCardRoom
  let player: SimPlayer
  private let files: SimFiles
  private var runtime: Runtime?
  private var buttons: [PanelButton] = []
  private var tokens: [Token] = []
  private let flight: UnsafeMutableRawBufferPointer?
  /// Whether the loop's thread is running, which must not use the card.
  private(set) var isInLoop = false

  static let controls: [Control] = [
    .record, .mark, .split, .play, .next, .previous, .folder, .delete, .volumeUp, .volumeDown,
    .acknowledge,
  ]
  static let console = 1

  init(_ world: World, number: Int, keepsFlight: Bool) {
    (self.world, self.number) = (world, number)
    let flight: UnsafeMutableRawBufferPointer? =
      keepsFlight ? .allocate(byteCount: Appliance.flightLogBytes, alignment: 16) : nil
    self.flight = flight
    heart = Driver(
      State(), now: { world.stamp },
      flight: flight.map {
        FlightRecorder<Appliance>(memory: $0, tapeBytes: Appliance.flightTapeBytes)
      })
    card = SimCardRoom(world)
    player = SimPlayer(world)
    files = SimFiles(world)
    room = Self.recordRoom(world, number)
  }

  deinit { flight?.deallocate() }

  var state: State { heart.store.state }

  /// Whether the running take has a file, as far as the loop knows.
  var hasFileOfTake: Bool {
    state.transport.take.running.flatMap { state.library.recordings[$0.id]?.file } != nil
  }

  // MARK: Starting

  func begin(_ boot: Boot, _ remembered: Remembered?, _ settings: Settings) {
    tokens.append(heart.store.show(PanelView.init) { [unowned self] in world.watch.lit($0) })
    card.begin(world.card)
    let mono = Instant(nanoseconds: world.mono)
    buttons = Self.controls.map { control in
      PanelButton(
        .control(control), owner: "the button \(control.name)", source: .virtual,
        GestureTiming(), isActive: false, at: mono)
    }
    let runtime = Runtime(heart, rooms, timekeeping)
    self.runtime = runtime
    var console = AttachedConsole(id: Self.console)
    console.opened = ConsoleDescription(id: Self.console, kind: .socket, access: .control)
    runtime.attach(console)
    runtime.attachClients { [unowned self] _, request, answer, isLast in
      if isLast { world.watch.answered(request, answer) }
    }
    enter {
      runtime.begin(
        Start(
          settings: settings, zone: ZoneOffsets(3600), isClockSet: world.isClockSet, boot: boot,
          remembered: remembered))
    }
  }

  private static func recordRoom(_ world: World, _ number: Int) -> RecordRoom<SimMicrophone> {
    let (device, format) = (world.device, world.device.format)
    let info = CaptureInfo(name: "Numbers", rate: format.rate, channels: format.channels)
    let source = CaptureSource<SimMicrophone>(
      look: { device.isPlugged ? .success(info) : .failure(Absence("Nothing is plugged in.")) },
      open: {
        guard device.isPlugged else { throw Absence("Nothing is plugged in.") }
        return SimMicrophone(device, device.open(at: world.now), times: { world.times })
      },
      probe: {
        let isThere = device.isPlugged && !device.isMute
        return isThere ? .success(info) : .failure(Absence("It delivers no sound."))
      })
    var hands = RecordHands<SimMicrophone>(
      aside: { work throws(RealtimeError) in
        world.whenDeviceAnswers(milliseconds: world.below(250), work)
        return Aside()
      },
      start: { (stream: consuming SimMicrophone, order: PipelineOrder) in
        try world.startPipeline(stream, order)
      })
    hands.nowNanoseconds = { world.now }
    return RecordRoom(
      source, settings: world.setup.record, hands: hands, wake: { world.soundIsNew(number) })
  }

  private final class Aside: AtWork { let hasEnded = true }

  // MARK: The rooms

  private var rooms: Rooms {
    Rooms(
      sound: Rooms.Sound(
        record: { [unowned self] in record($0) },
        play: { [unowned self] in player.perform($0) },
        poll: { [unowned self] in look() },
        metering: Metering(turn: { _ in }, peak: { nil })),
      card: Rooms.Card(
        perform: { [unowned self] in card.perform($0) },
        measureSpace: { [unowned self] in card.measureSpace() }),
      panel: Rooms.Panel(perform: { _ in }, begin: {}),
      host: Rooms.Host(
        remember: { [unowned self] in files.remember($0) },
        mark: { [unowned self] in world.continuation = $0 },
        reload: { [unowned self] in runtime?.reloaded(.configured(state.settings)) },
        notice: { _ in },
        end: { [unowned self] in world.hasFinished(self, saysGivenUp: $0 == .gaveUp) }))
  }

  func look() {
    room.announce()
    player.look()
  }

  private func record(_ command: SoundCommand) {
    world.watch.ordered(command)
    switch command {
    case .tone(let tone): player.sound(tone)
    case .greet, .configure: break
    default: room.perform(command)
    }
  }

  // MARK: The loop

  func send(_ action: Action) {
    guard world.daemon === self else { return }
    enter { heart.send(action) }
  }

  /// Runs a command line, as for a client.
  func say(_ line: String, request: Int) {
    let origin = Origin.client(Self.console, request: request)
    send(.console(.command(Words(line).words, files: [], from: origin)))
  }

  private func enter(_ body: () -> Void) {
    let wasInLoop = isInLoop
    isInLoop = true
    body()
    isInLoop = wasInLoop
    if !wasInLoop { world.watch.stepped(self) }
  }

  /// The loop collects the sound room's events.
  func collectSound() {
    for event in room.collect() {
      world.watch.handle(event)
      send(.sound(event))
    }
  }

  // MARK: Time

  private final class Running { var isOn = true }

  private var timekeeping: Timekeeping {
    Timekeeping(
      once: { [unowned self] deadline, slackMilliseconds, work in
        let running = Running()
        world.at(mono: deadline + world.below(slackMilliseconds) * 1_000_000) { [weak self] in
          self?.fire(running, work)
        }
        return { running.isOn = false }
      },
      every: { [unowned self] milliseconds, _, work in
        let running = Running()
        every(milliseconds, running, work)
        return { running.isOn = false }
      },
      nowNanoseconds: { [unowned self] in world.mono })
  }

  private func every(_ milliseconds: Int64, _ running: Running, _ work: @escaping () -> Void) {
    world.after(milliseconds: milliseconds) { [weak self] in
      guard let self, running.isOn else { return }
      fire(running, work)
      every(milliseconds, running, work)
    }
  }

  private func fire(_ running: Running, _ work: () -> Void) {
    guard running.isOn, world.daemon === self else { return }
    enter(work)
  }

  // MARK: Buttons

  /// Handles an edge of a line, as the kernel stamped it.
  func handle(_ edge: Edge, ofButton number: Int) {
    let button = buttons[number]
    tell(button, button.handle(edge))
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

  private func tell(_ button: PanelButton, _ effects: [GestureEffect]) {
    for effect in effects { if let event = button.event(effect) { send(.panel(event)) } }
  }

  // MARK: The flight log

  /// Replays the log of this run; returns its last digest and that of the state; nil without a log.
  func replayed() throws -> (last: Digest?, now: Digest)? {
    guard let flight else { return nil }
    var last: Digest?
    try Replay<Appliance>(Array(flight)).run { event, _ in
      switch event {
      case .checkpoint(let digest, let agrees):
        if !agrees { throw Broken("a checkpoint of the flight log does not agree") }
        last = digest
      case .action: break
      case .outcome(_, _, let digest): last = digest
      case .elided(let what): throw Broken("the flight log does not hold \(what)")
      }
      return true
    }
    return (last, try Replay<Appliance>.digest(of: heart.store.state))
  }
}

/// Thrown when a promise does not hold.
struct Broken: Error, CustomStringConvertible {
  let description: String
  /// When it broke, if it broke while time went on.
  var atMilliseconds: Int64?

  init(_ description: String) { self.description = description }
}
