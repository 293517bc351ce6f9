// The daemon: the loop, the rooms and the terminal, put together, with sound that is real or
// virtual. Everything here runs on one thread, the loop's. What the reducer decides is carried out
// by the rooms; this file only says which room.

import Console
import Glibc
import Host
import Library
import Loop
import Panel
import Realtime
import Recorder
import Systemd
import Tape

final class Daemon {
  private let loop: EventLoop
  private let root: Root
  private let flightFile: FlightFile?
  private let isHeadless: Bool
  private let arguments: Arguments
  private var configuration: RunningConfiguration
  private var driver: Driver<Appliance>?
  private var card: CardRoom?
  private let passed = PassedFiles()
  private var cardWatch: WakerWatch?
  private var sound: (any SoundRooms)?
  private var panel: PanelRoom?
  private var hold = MeterHold()
  private var subscribed: Subscribed?
  private var dashboard: Dashboard?
  private var consoles: Consoles?
  /// How many want to know how loud it is.
  private var meterUsers = 0
  private var tokens: [Token] = []
  private var signals: [EventSource] = []
  private var clockTimer: Timer?
  /// Somebody said so whom the kernel would believe.
  private var knowsClockIsSet = false
  private let mark: TakeMark
  private var service: Service?
  private var host: HostDesk?
  private var doctor: DoctorDesk?
  private let words = HeldWords()

  /// A take that is begun, split or ended has so many files and folders open at a time, and more.
  private static let spareDescriptors = 8

  /// Runs until it is told to end; the exit code is sysexits'.
  static func run(_ arguments: Arguments) -> Int32 {
    do {
      let appliance = try Daemon(arguments)
      let code = try appliance.run()
      appliance.end()
      return code
    } catch let refusal as RunningConfiguration.Refusal {
      for mistake in refusal.mistakes { complain(mistake.description) }
      return 78
    } catch let failure as Root.Failure {
      complain(failure.description)
      return failure.isTemporary ? 75 : 73
    } catch {
      complain("\(error)")
      return 71
    }
  }

  private init(_ arguments: Arguments) throws {
    configuration = try RunningConfiguration(arguments)
    let isVirtual = arguments.isVirtual
    root = try Root.open(
      arguments.root ?? Root.standard(isVirtual: isVirtual),
      run: arguments.root == nil ? Root.standardRun(isVirtual: isVirtual) : nil)
    mark = TakeMark(path: root.takeMark)
    loop = try EventLoop()
    self.arguments = arguments
    isHeadless = arguments.isHeadless || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0
    flightFile = Self.flightFile(in: root)
  }

  /// Without a flight log a fault cannot be looked into later; that is no reason not to record.
  private static func flightFile(in root: borrowing Root) -> FlightFile? {
    do {
      return try FlightFile.create(at: root.flightLog, keepingOldAs: root.oldFlightLog)
    } catch {
      complain(error.description)
      return nil
    }
  }

  // MARK: Putting it together

  private func run() throws -> Int32 {
    SpareDescriptors.ofThisProcess.keep(Self.spareDescriptors)
    try watchSignals()
    let driver = makeDriver()
    self.driver = driver
    // The loop owns this object until the end, so what the rooms hold of it cannot dangle.
    let send: (Action) -> Void = { [unowned driver] in driver.send($0) }
    // Before any thread starts: the signal that tells of a new size must be blocked in all of them.
    try makeDashboard(send)
    startPanel(driver, send)
    showDashboard(driver)
    try startCard(send)
    sound = try makeSound(send)
    consoles = openConsoles(driver)
    subscribed = Subscribed(on: loop, send: send, rooms: subscribedRooms)
    let service = makeService()
    self.service = service
    begin(driver)
    listen(driver)
    service.begin(driver)
    try startHost(driver)
    doctor = try DoctorDesk(
      on: loop, Checkup(arguments: arguments, folder: root.recordings), doctorWorld(driver))
    return try loop.run()
  }

  /// Last of all, when there is something to talk about. That nobody can talk to it is no reason
  /// not to record.
  private func listen(_ driver: Driver<Appliance>) {
    guard let access = Recorder.Console.Access(rawValue: configuration.value.socket.access.rawValue)
    else {
      return
    }
    let files = ControlSocket.Files(
      keep: { [passed] in passed.keep($0) }, drop: { [passed] in passed.drop($0) })
    let rooms = Consoles.SoundRoom(
      peak: { [unowned self] in sound?.peak }, meter: { [unowned self] in meter($0) })
    do {
      try consoles?.listen(
        at: root.controlSocket, group: configuration.value.socket.group,
        access: access, on: loop, driver, rooms, files)
    } catch { words.say("reelctl will not find this recorder: \(error)") }
  }

  /// What the consoles tell of rooms they do not see.
  private var outside: CommandDesk.Outside {
    let finder = LineSearch(on: loop)
    var outside = CommandDesk.Outside()
    outside.panel = { [unowned self] in panel.map { PanelReport($0.probe) } }
    outside.identify = { finder.listen(pullsDown: $0, $1) }
    outside.configuration = { [unowned self] in configuration.text }
    outside.flightLog = { [path = root.flightLog] in path }
    outside.doctor = { [unowned self] mayMeasure, reply in
      guard let doctor else {
        reply(.failed(Failure("notHere", "This appliance cannot check itself.")), true)
        return {}
      }
      return doctor.begin(mayMeasure: mayMeasure, reply)
    }
    return outside
  }

  private func doctorWorld(_ driver: Driver<Appliance>) -> DoctorDesk.World {
    DoctorDesk.World(
      state: { [unowned driver] in driver.store.state },
      panel: { [unowned self] in panel?.facts }, peak: { [unowned self] in sound?.peak },
      meter: { [unowned self] in meter($0) })
  }

  /// Metered while anybody wants to know.
  private func meter(_ isWanted: Bool) {
    meterUsers += isWanted ? 1 : -1
    sound?.meter(meterUsers > 0)
  }

  private func makeSound(_ send: @escaping (Action) -> Void) throws -> any SoundRooms {
    if arguments.isVirtual {
      return try VirtualRooms(
        on: loop, directory: root.recordings, arguments, configuration.value, send: send)
    }
    return try RealRooms.start(
      on: loop, directory: root.recordings, arguments, configuration.value,
      say: { [words] in words.say($0) }, send: send)
  }

  private var subscribedRooms: Subscribed.Rooms {
    Subscribed.Rooms(
      measureSpace: { [unowned self] in card?.measureSpace() },
      lookForDevice: { [unowned self] in sound?.look() },
      meter: { [unowned self] in meter($0) },
      showMeter: { [unowned self] in
        guard let peak = sound?.peak else { return }
        let meter = hold.meter(peak: peak, nowNanoseconds: EventLoop.monotonicNanoseconds())
        dashboard?.show(meter)
        consoles?.show(meter)
      })
  }

  private func startHost(_ driver: Driver<Appliance>) throws {
    host = try HostDesk(
      on: loop, driver, recordings: root.recordings, isVirtual: arguments.isVirtual,
      say: { [words] in words.say($0) },
      clockIsSet: { [unowned self] in
        knowsClockIsSet = true
        tellClock()
      })
    host?.configure(hooks, configuration.value.metrics)
  }

  /// With a directory of its own it has hooks of its own.
  private var hooks: HookConfiguration {
    var hooks = configuration.value.hooks
    let isApart = arguments.isVirtual || arguments.root != nil
    if isApart, hooks.directory == HookConfiguration().directory {
      hooks.directory = root.path + "/etc/hooks"
    }
    return hooks
  }

  private func makeService() -> Service {
    Service(
      on: loop, mark: mark, stallMilliseconds: configuration.value.stallMilliseconds,
      busy: { [unowned self] in
        let (sound, card) = sound?.busyMilliseconds ?? (0, 0)
        return (sound, max(card, self.card?.busyMilliseconds ?? 0))
      })
  }

  private func makeDriver() -> Driver<Appliance> {
    let world = World<Appliance>(
      now: Stamps.now,
      perform: { [unowned self] in perform($0) },
      start: { [unowned self] in subscribed?.start($0) },
      stop: { [unowned self] in subscribed?.stop($0) })
    let flight = flightMemory.map { FlightRecorder<Appliance>(memory: $0) }
    return Driver(State(), world: world, flight: flight)
  }

  /// First of all rooms to be shown what changed: a light answers before anything slow.
  private func startPanel(_ driver: Driver<Appliance>, _ send: @escaping (Action) -> Void) {
    var world = PanelRoom.World()
    if let dashboard { world.lit = { dashboard.light($0.rawValue, isOn: $1) } }
    let panel = PanelRoom(
      panelPlan, on: loop, world: world, send: { send(.panel($0)) },
      report: { send(.panel(.faults($0.map(\.sentence)))) })
    self.panel = panel
    tokens.append(driver.store.show(PanelView.init) { panel.show($0) })
  }

  /// The virtual panel is on the keys of a terminal.
  private var panelPlan: PanelPlan {
    var plan = PanelPlan(configuration.value.panel)
    if arguments.isVirtual { (plan.buttons, plan.lights, plan.inputs) = ([], [], []) }
    return plan
  }

  private var flightMemory: UnsafeMutableRawBufferPointer? {
    switch flightFile {
    case .some(let file): file.memory
    case .none: nil
    }
  }

  private func startCard(_ send: @escaping (Action) -> Void) throws {
    let watch = try loop.watchWaker { [unowned self] in
      for event in card?.collect() ?? [] { send(.card(event)) }
    }
    let (waker, directory, passed) = (watch.waker, root.recordings, passed)
    card = try CardRoom.start(
      directory: directory, takePassed: { passed.take($0) }, wake: { waker.wake() },
      open: { () throws(TapeError) in try PosixCard.open(directory) })
    cardWatch = watch
  }

  private func watchSignals() throws {
    // Whoever read what is complained about may leave; that is no reason to stop recording.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGTERM, SIGINT] {
      signals.append(
        try loop.watch(signal: number) { [unowned self] in
          driver?.send(.wish(.system(.shutDown), from: .appliance))
        })
    }
    signals.append(
      try loop.watch(signal: SIGHUP) { [unowned self] in
        driver?.send(.wish(.system(.reload), from: .appliance))
      })
  }

  private func makeDashboard(_ send: @escaping (Action) -> Void) throws {
    guard !isHeadless else {
      let what = arguments.isVirtual ? "the virtual appliance" : "the recorder"
      return complain("\(what) runs in \(root.path)")
    }
    words.hold()
    dashboard = try Dashboard(on: loop, send: send)
  }

  private func showDashboard(_ driver: Driver<Appliance>) {
    guard let dashboard else { return }
    tokens.append(
      driver.store.show({ ScreenView(console: Dashboard.id, in: $0) }) { view in
        if let view { dashboard.show(view) }
      })
  }

  private func openConsoles(_ driver: Driver<Appliance>) -> Consoles {
    let consoles = Consoles(driver, on: loop, outside)
    let configured = configuration.value.console
    // A virtual appliance leaves the computer's own ports alone.
    let port = arguments.isVirtual ? nil : configured.port
    if let path = arguments.console ?? port,
      let access = Recorder.Console.Access(rawValue: configured.access.rawValue)
    {
      consoles.openSerial(path, access: access, on: loop, driver) { [words] in words.say($0) }
    }
    return consoles
  }

  private func begin(_ driver: Driver<Appliance>) {
    driver.begin()
    driver.send(
      .host(
        .booted(
          Boot(
            id: Stamps.boot, version: Reeld.version, root: root.path,
            wasInterrupted: mark.wasInterrupted))))
    tellClock()
    let settings = configuration.settings
    if settings != Settings() { driver.send(.host(.configured(settings))) }
    if let remembered = Memory.recall(from: root.remembered) {
      driver.send(.host(.recalled(remembered)))
    }
    panel?.begin()
    sound?.look()
    if let dashboard { driver.send(.console(.opened(dashboard.description))) }
  }

  /// A board without a battery clock starts in the past: until somebody has set the clock, it is
  /// asked again. The virtual appliance believes that of the computer it runs on.
  private func tellClock() {
    let isSet = arguments.isVirtual || knowsClockIsSet || WallClock.isSynchronised
    driver?.send(
      .host(.clock(isSynchronised: isSet, utcOffsetSeconds: Stamps.utcOffsetSeconds)))
    clockTimer?.stop()
    clockTimer = nil
    if isSet { return }
    if WallClock.errorMicroseconds == nil { host?.askForClock() }
    do {
      clockTimer = try loop.timer(afterMilliseconds: 5000, slackMilliseconds: 1000) {
        [unowned self] in tellClock()
      }
    } catch { complain("a timer could not be set: \(error)") }
  }

  // MARK: Carrying out

  private func perform(_ command: Command) {
    service?.hear(command)
    host?.hear(command)
    switch command {
    case .sound(let command): sound?.carryOut(command)
    case .deck(let command): sound?.carryOut(command)
    case .card(let command): card?.carryOut(command)
    case .panel(let command): panel?.carryOut(command)
    case .console(.close(Dashboard.id)): driver?.send(.wish(.system(.shutDown), from: .appliance))
    case .console(let command): consoles?.carryOut(command)
    case .announce: break
    case .host(let command): carryOut(command)
    }
  }

  private func carryOut(_ command: HostCommand) {
    switch command {
    case .reload:
      service?.reload {
        let news = configuration.reload()
        driver?.send(.host(news.event))
        host?.configure(hooks, configuration.value.metrics)
        return news
      }
    case .remember(let remembered):
      if let mistake = Memory.keep(remembered, in: root.remembered) { complain(mistake) }
    case .finish:
      loop.exit(code: 0)
    case .giveUp:
      dashboard?.restore(
        saying: "The card did not answer. What it has not taken is mended at the next start.")
      // Not even the rooms' threads are waited for: one of them hangs in the kernel.
      _exit(75)
    }
  }

  private func end() {
    doctor?.stop()
    panel?.end()
    consoles?.end()
    dashboard?.restore(saying: "Reel kept everything in \(root.path)")
    words.release()
  }
}
