// Assembles the daemon: each part is built after those it needs, and nothing is filled in later.
// The rooms become a value for the runtime, which does the rest. Everything here runs on one
// thread, the loop's.

import Console
import Glibc
import Host
import Library
import Loop
import Panel
import Recorder
import Runtime
import Systemd
import Tape

final class Daemon {
  private let arguments: Arguments
  private let lock: Root
  private let root: RootPaths
  private let flight: FlightFile?
  private let loop: EventLoop
  private let heart: Driver<Appliance>
  private let signals: [EventSource]
  private let words: DeferredLog
  private let dashboard: Dashboard?
  private let panel: PanelRoom
  private let card: CardDoor
  private let sound: any SoundRooms
  private let metering: Metering
  private let service: Service
  private let host: HostMonitor
  private let configuration: ConfigurationReloader
  private let files: SmallFiles
  private let passed = PassedFiles()
  private let doctor: CheckupRunner
  private let runtime: Runtime
  private let serial: SerialConsole?
  /// What was wrong with the key of the manifest.
  private let keyDamages: [String]
  private var tokens: [Token] = []

  /// More than the files and folders that a take opens at a time when it begins, splits or ends.
  private static let spareDescriptors = 8

  /// Runs until it is told to end. Returns an exit code of sysexits.
  static func run(_ arguments: Arguments) -> Int32 {
    do {
      let daemon = try Daemon(arguments)
      let code = try daemon.run()
      daemon.end()
      return code
    } catch let refusal as RunningConfiguration.Rejection {
      for mistake in refusal.mistakes { logError(mistake.description) }
      return 78
    } catch let failure as Root.LockError {
      logError(failure.description)
      return failure.isTemporary ? 75 : 73
    } catch {
      logError("\(error)")
      return 71
    }
  }

  private init(_ arguments: Arguments) throws {
    self.arguments = arguments
    let running = try RunningConfiguration(arguments)
    lock = try Root.open(
      arguments.root ?? Root.standard(isVirtual: arguments.isVirtual),
      run: arguments.root == nil ? Root.standardRun(isVirtual: arguments.isVirtual) : nil,
      keys: arguments.root == nil ? Root.standardKeys(isVirtual: arguments.isVirtual) : nil)
    let root = lock.paths
    self.root = root
    flight = FlightFile.create(in: root)
    running.keep(at: root.configurationInForce)
    SpareDescriptors.ofThisProcess.keep(Self.spareDescriptors)
    let loop = try EventLoop()
    self.loop = loop
    let heart = Driver<Appliance>(
      State(), now: Stamps.now,
      flight: Self.memory(of: flight).map {
        FlightRecorder(memory: $0, tapeBytes: Appliance.flightTapeBytes)
      })
    self.heart = heart
    // Unowned: the daemon owns both the heart and the rooms, so the reference cannot dangle.
    let send: (Action) -> Void = { [unowned heart] in heart.send($0) }

    // Before any thread starts, so that all inherit these signals, and SIGWINCH, as blocked.
    signals = try Self.watchSignals(on: loop, send)
    let words = DeferredLog()
    self.words = words
    let dashboard = try Self.makeDashboard(arguments, root, words, on: loop, send)
    self.dashboard = dashboard

    var damages: [String] = []
    panel = Self.makePanel(running.value, arguments, dashboard, on: loop, send)
    let key = ManifestKey.load(from: root.manifestKey) { damages.append($0) }
    let card = try CardDoor(
      on: loop, directory: root.recordings, tracks: running.value.trackPlans, key: key, passed,
      send)
    keyDamages = damages
    self.card = card
    let sound = try Self.makeSound(arguments, running.value, root, words, on: loop, send)
    self.sound = sound
    metering = Metering(turn: { sound.meter($0) }, peak: { sound.peak })

    service = Service(
      on: loop, stallMilliseconds: running.value.stallMilliseconds,
      busy: {
        let busy = sound.busyMilliseconds
        return (busy.sound, max(busy.card, card.busyMilliseconds))
      })
    host = try HostMonitor(
      on: loop, heart, recordings: root.recordings, isVirtual: arguments.isVirtual,
      zone: LocalZone.offsets, say: { words.write($0) })
    configuration = ConfigurationReloader(running, root: root.path, heart, host, service)
    files = try Self.makeFiles(root, configuration, words, on: loop)
    doctor = try CheckupRunner(
      on: loop, Checkup(arguments: arguments, folder: root.recordings, ability: sound.ability),
      CheckupRunner.Dependencies(
        state: { [unowned heart] in heart.store.state },
        panel: { [panel] in panel.facts }, metering: metering))

    let end = Self.ending(loop, dashboard)
    runtime = Runtime(
      heart,
      Self.rooms(panel, card, sound, metering, service, host, files, end),
      Timekeeping(on: loop, say: { words.write($0) }),
      Self.inquiries(loop, panel, configuration, doctor, root))
    serial = Self.openSerial(arguments, running.value, runtime, words, on: loop)
  }

  // MARK: Running

  private func run() throws -> Int32 {
    showState()
    if let dashboard {
      runtime.attach(dashboard.asAttached { [unowned self] in runtime.shutDown() })
    }
    runtime.begin(start())
    serial?.begin()
    service.begin(heart)
    host.watchClock()
    configuration.configureHost()
    let socket = listen()
    defer { withExtendedLifetime(socket) {} }
    return try loop.run()
  }

  /// The panel is shown the state first: a light answers before anything slow.
  private func showState() {
    tokens.append(heart.store.show(PanelView.init) { [panel] in panel.show($0) })
    if let dashboard {
      tokens.append(
        heart.store.show({ ScreenView(console: Dashboard.id, in: $0) }) { view in
          if let view { dashboard.show(view) }
        })
    }
    if let serial { tokens += serial.watch(heart.store) }
  }

  /// Gathers what a start needs. Damaged files are reported, and do not stop the start.
  private func start() -> Start {
    var damages = keyDamages
    let continuation = CrashMarker(path: root.takeMark).interrupted { damages.append($0) }
    let remembered = RememberedState.recall(from: root.remembered) { damages.append($0) }
    for damage in damages { logError(damage) }
    return Start(
      settings: configuration.settings, zone: LocalZone.offsets, isClockSet: host.isClockSet,
      boot: Boot(
        id: Stamps.boot, version: Reeld.version, root: root.path, continuation: continuation),
      remembered: remembered, damages: damages)
  }

  /// Opens the control socket last, when there is a state to report. Recording works without it.
  private func listen() -> ControlSocket? {
    let configured = configuration.value.socket
    guard let access = Recorder.Console.Access(rawValue: configured.access.rawValue) else {
      return nil
    }
    let files = ControlSocket.Files(
      keep: { [passed] in passed.keep($0) }, drop: { [passed] in passed.drop($0) },
      claim: { [passed] in passed.claim($0) })
    let (store, metering) = (heart.store, metering)
    let live = ControlSocket.Live(
      turn: { [sound] in sound.listen($0) }, read: { [sound] in sound.readLive() })
    do {
      let socket = try ControlSocket(
        at: root.controlSocket, group: configured.group, access: access, on: loop,
        ControlSocket.Dependencies(
          state: { store.state }, send: { [unowned heart] in heart.send($0) },
          observe: { store.observe($0, with: $1) },
          showStatus: { store.show(StatusView.init, to: $0) }, peak: { metering.peak },
          meter: { $0 ? metering.start() : metering.stop() }, live: live, files: files),
        logError: { [words] in words.write($0) })
      runtime.attachClients { [weak socket] in socket?.answer($0, $1, $2, isLast: $3) }
      return socket
    } catch {
      words.write("reelctl will not find this recorder: \(error)")
      return nil
    }
  }

  private func end() {
    doctor.stop()
    panel.end()
    serial?.end()
    if !files.end() { logError("the card did not take the last changes in time") }
    dashboard?.restore(saying: "Reel kept everything in \(root.path)")
    words.release()
  }
}
