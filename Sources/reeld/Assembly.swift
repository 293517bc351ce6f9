// Builds the daemon's parts, each from those that were built before. Used by the loop's thread,
// before the loop runs.

import Console
import Glibc
import Host
import Library
import Loop
import Panel
import Recorder
import Runtime
import Systemd

extension Daemon {
  static func watchSignals(
    on loop: EventLoop, _ send: @escaping (Action) -> Void
  ) throws -> [EventSource] {
    // Writing to standard error whose reader has exited raises SIGPIPE: recording must go on.
    signal(SIGPIPE, SIG_IGN)
    let requests: [(Int32, SystemRequest)] = [
      (SIGTERM, .shutDown), (SIGINT, .shutDown), (SIGHUP, .reload),
    ]
    return try requests.map { number, request in
      try loop.watch(signal: number) { send(.request(.system(request), from: .appliance)) }
    }
  }

  static func memory(of file: borrowing FlightFile?) -> UnsafeMutableRawBufferPointer? {
    switch file {
    case .some(let file): file.memory
    case .none: nil
    }
  }

  /// Returns nil without a terminal, or with --headless.
  static func makeDashboard(
    _ arguments: Arguments, _ root: RootPaths, _ words: DeferredLog, on loop: EventLoop,
    _ send: @escaping (Action) -> Void
  ) throws -> Dashboard? {
    if arguments.isHeadless || !TerminalScreen.isPossible {
      let what = arguments.isVirtual ? "the virtual appliance" : "the recorder"
      logError("\(what) runs in \(root.path)")
      return nil
    }
    words.hold()
    return try Dashboard(on: loop, send: send)
  }

  static func makePanel(
    _ configuration: Configuration, _ arguments: Arguments, _ dashboard: Dashboard?,
    on loop: EventLoop, _ send: @escaping (Action) -> Void
  ) -> PanelRoom {
    var plan = PanelPlan(configuration.panel)
    // The virtual panel is on the keys of a terminal.
    if arguments.isVirtual { (plan.buttons, plan.lights, plan.inputs) = ([], [], []) }
    var dependencies = PanelRoom.Dependencies()
    if let dashboard { dependencies.lit = { dashboard.light($0.rawValue, isOn: $1) } }
    return PanelRoom(
      plan, on: loop, dependencies: dependencies, send: { send(.panel($0)) },
      report: { send(.panel(.faults($0.map(\.sentence)))) })
  }

  static func makeSound(
    _ arguments: Arguments, _ configuration: Configuration, _ root: RootPaths, _ words: DeferredLog,
    on loop: EventLoop, _ send: @escaping (Action) -> Void
  ) throws -> any SoundRooms {
    if arguments.isVirtual {
      return try VirtualRooms(
        on: loop, directory: root.recordings, arguments, configuration, send: send)
    }
    return try RealRooms.start(
      on: loop, directory: root.recordings, arguments, configuration,
      say: { words.write($0) }, send: send)
  }

  /// Makes the room for small files, which may wait for the card.
  static func makeFiles(
    _ root: RootPaths, _ configuration: ConfigurationReloader, _ words: DeferredLog,
    on loop: EventLoop
  ) throws -> SmallFiles {
    let work = SmallFiles.Work(
      mark: CrashMarker(path: root.takeMark), state: root.remembered,
      configuration: configuration.file)
    return try SmallFiles(on: loop, work) { news in
      switch news {
      case .failed(let sentence): words.write(sentence)
      case .configuration(let read): configuration.adopt(read)
      }
    }
  }

  static func ending(_ loop: EventLoop, _ dashboard: Dashboard?) -> (Rooms.End) -> Void {
    { [unowned loop] end in
      switch end {
      case .finished: loop.exit(code: 0)
      case .gaveUp:
        dashboard?.restore(
          saying: "The card did not answer. What it has not taken is repaired at the next start.")
        // The rooms' threads are not joined: one of them hangs in the kernel.
        _exit(75)
      }
    }
  }

  static func rooms(
    _ panel: PanelRoom, _ card: CardDoor, _ sound: any SoundRooms, _ metering: Metering,
    _ service: Service, _ host: HostMonitor, _ files: SmallFiles,
    _ end: @escaping (Rooms.End) -> Void
  ) -> Rooms {
    Rooms(
      sound: Rooms.Sound(
        record: { sound.perform($0) }, play: { sound.perform($0) }, poll: { sound.poll() },
        metering: metering),
      card: Rooms.Card(
        perform: { card.perform($0) }, measureSpace: { card.measureSpace() }),
      panel: Rooms.Panel(perform: { panel.perform($0) }, begin: { panel.begin() }),
      host: Rooms.Host(
        remember: { files.remember($0) }, mark: { files.mark($0) },
        reload: {
          service.reloading()
          files.readConfiguration()
        },
        notice: {
          service.notice($0)
          host.notice($0)
        },
        end: end))
  }

  /// What commands ask for and the state does not hold.
  static func inquiries(
    _ loop: EventLoop, _ panel: PanelRoom, _ configuration: ConfigurationReloader,
    _ doctor: CheckupRunner, _ root: RootPaths
  ) -> Inquiries {
    let search = LineSearch(on: loop)
    var inquiries = Inquiries()
    inquiries.panel = { PanelReport(panel.probe) }
    inquiries.identify = { search.listen(pullsDown: $0, $1) }
    inquiries.configuration = { configuration.text }
    inquiries.flightLog = { [path = root.flightLog] in path }
    inquiries.doctor = { doctor.begin(mayMeasure: $0, $1) }
    return inquiries
  }

  static func openSerial(
    _ arguments: Arguments, _ configuration: Configuration, _ runtime: Runtime,
    _ words: DeferredLog, on loop: EventLoop
  ) -> SerialConsole? {
    let configured = configuration.console
    // A virtual appliance leaves the computer's own ports alone.
    let port = arguments.isVirtual ? nil : configured.port
    guard let path = arguments.console ?? port,
      let access = Recorder.Console.Access(rawValue: configured.access.rawValue)
    else { return nil }
    let serial = SerialConsole(
      id: 2, path: path, access: access, on: loop,
      send: { [unowned heart = runtime.heart] in heart.send(.console($0)) },
      logError: { words.write($0) })
    runtime.attach(serial.asAttached)
    return serial
  }
}

extension Dashboard {
  /// - Parameter close: called when its user quits.
  func asAttached(close: @escaping () -> Void) -> AttachedConsole {
    var attached = AttachedConsole(id: Self.id)
    attached.opened = description
    attached.close = close
    attached.show = { [unowned self] in show($0) }
    return attached
  }
}

extension SerialConsole {
  var asAttached: AttachedConsole {
    var attached = AttachedConsole(id: id)
    attached.answer = { [unowned self] in write($0, isLast: $1) }
    attached.began = { [unowned self] in begin($0) }
    attached.show = { [unowned self] in show($0) }
    return attached
  }

  /// Shows the state on the console, as long as the tokens are held.
  func watch(_ store: Loop.Store<Appliance>) -> [Token] {
    let id = id
    return [
      store.show({ ScreenView(console: id, in: $0) }, to: { [unowned self] in show($0) }),
      store.show({ PromptView(console: id, in: $0) }, to: { [unowned self] in show($0) }),
      store.show({ $0.notices.kept.last }, to: { [unowned self] in show($0) }),
    ]
  }
}
