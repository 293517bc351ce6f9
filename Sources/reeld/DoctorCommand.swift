// `reeld --doctor`: checks what a recorder needs while none runs, or none that the user may ask;
// `reelctl doctor` runs it then. Root checks with the rights of the service's user, because those
// are the rights the recorder has.

import Audio
import Catalogue
import Console
import Glibc
import Host
import JSON
import Library
import Panel
import Recorder
import Synchronization
import Systemd

enum DoctorCommand {
  /// Set by a signal handler; read between two pieces of work.
  private static let isStopped = Atomic<Bool>(false)
  private static let serviceUser = "reel"

  static func run(_ arguments: Arguments) -> Int32 {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in DoctorCommand.isStopped.store(true, ordering: .relaxed) }
    }
    signal(SIGPIPE, SIG_IGN)
    if geteuid() == 0, arguments.root == nil, !arguments.isVirtual { becomeServiceUser() }
    let root = arguments.root ?? Root.standard(isVirtual: arguments.isVirtual)
    let checkup = Checkup(arguments: arguments, folder: root + "/recordings")
    let service = checkup.service
    var facts = checkup.run(
      care: { service.isRunning ? .gentle(why: "reeld runs") : .none },
      goOn: { permille in
        if arguments.isJSON { printJSON(.progress(ticket: 0, permille: permille)) }
        return !isStopped.load(ordering: .relaxed)
      })
    if isStopped.load(ordering: .relaxed) { return 130 }
    add(to: &facts, arguments, service)
    let view = CheckupView(facts)
    if arguments.isJSON {
      printJSON(.checkup(view))
    } else {
      for line in AnswerText.lines(of: .checkup(view), columns: .max, in: .environment) {
        print(line.map(\.text).joined())
      }
    }
    return view.isWell ? 0 : 1
  }

  private static func printJSON(_ answer: Answer) {
    // Words and numbers can always be written as JSON.
    guard let line = try? JSON.encode(answer) + [10] else { return }
    _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  /// Takes on the service's user and all its groups. If that fails, the caller's rights stay.
  private static func becomeServiceUser() {
    guard let user = getpwnam(serviceUser)?.pointee else { return }
    if initgroups(serviceUser, user.pw_gid) == 0, setgid(user.pw_gid) == 0 { setuid(user.pw_uid) }
  }

  private static func add(
    to facts: inout CheckupFacts, _ arguments: Arguments, _ service: ServiceAnswer
  ) {
    let (configuration, _) = RunningConfiguration.facts(arguments)
    let who = geteuid() == 0 || isServiceUser ? "reeld" : "Your login"
    facts.limits = service.limits ?? .ofThisProcess(owner: who)
    facts.clock = ClockFacts(
      isSynchronised: WallClock.isSynchronised, errorMicroseconds: WallClock.errorMicroseconds)
    if arguments.isVirtual {
      facts.limits = .notNeeded
      facts.microphone = .notLookedAt("It is virtual, and runs with the recorder only.")
      return
    }
    if service.isRunning {
      // The service has the devices open; opening them here would only take them from it.
      facts.microphone = .notLookedAt(
        "reeld has it; ask it how loud it is, as member of group reel.")
      return
    }
    let microphone = AlsaDevice(
      arguments.device ?? configuration.device, .capture, like: AlsaRequest(configuration),
      say: { _ in })
    facts.microphone = microphone.listen(milliseconds: 1000)
    facts.ability = microphone.ability()
    facts.encoding = encoding(facts.microphone, configuration)
    facts.speaker =
      AlsaDevice(arguments.output ?? configuration.output, .playback, say: { _ in }).tryOut()
    facts.panel = panel(PanelPlan(configuration.panel))
  }

  /// Measures what encoding the microphone's sound costs; nil without one.
  private static func encoding(
    _ microphone: MicrophoneFacts, _ configuration: Configuration
  ) -> EncodingLoad? {
    guard case .open(_, let rate, let channels, _, _) = microphone else { return nil }
    let stream = StreamFormat(
      rate: rate, channels: channels, samples: configuration.wantsDepth ? .float : .int16,
      periodFrames: max(1, rate / 20))
    return RecordSettings(configuration).encodingPermille(for: stream)
      .map { EncodingLoad(permille: $0) }
  }

  private static var isServiceUser: Bool { getpwnam(serviceUser)?.pointee.pw_uid == geteuid() }

  /// Opens lines, lights and keys for a moment, as the recorder would.
  private static func panel(_ plan: PanelPlan) -> PanelFacts {
    do {
      let room = PanelRoom(plan, on: try EventLoop(), send: { _ in }, report: { _ in })
      room.begin()
      defer { room.end() }
      return room.facts
    } catch { return PanelFacts(faults: [error.description]) }
  }
}
