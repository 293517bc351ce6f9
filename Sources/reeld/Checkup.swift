// The checks of `doctor` that may have to wait: the card, the service, the configuration on the
// disk, the board. For a thread of its own; it changes nothing but for the file by which the card
// is measured.

import Host
import Library
import Recorder
import Systemd

struct Checkup: Sendable {
  let arguments: Arguments
  /// Where recordings are kept.
  let folder: String
  /// Returns what the microphone can do; nil if that is not known.
  var ability: @Sendable () -> MicrophoneAbility? = { nil }

  /// - Parameter goOn: receives the progress in thousandths; returns whether to continue.
  func run(care: () -> CardCheckup.Care, goOn: (Int) -> Bool) -> CheckupFacts {
    var facts = CheckupFacts()
    facts.service = service.service
    let (configuration, read) = RunningConfiguration.facts(arguments)
    facts.configuration = read
    facts.board = arguments.isVirtual ? BoardFacts() : BoardFacts.read()
    facts.board.isRootVolatile = CardCheckup.isVolatile("/")
    facts.card = CardCheckup.run(at: folder, care: care, goOn: goOn)
    facts.card.countTime(by: configuration.settings)
    facts.ability = ability()
    if case .wrong = read { return facts }
    facts.tracks = TrackFacts(configuration)
    return facts
  }

  /// systemd knows nothing about a recorder with a root of its own, or about a virtual one.
  var service: ServiceAnswer {
    if !arguments.isVirtual, arguments.root == nil { return .ask() }
    let isRunning = arguments.mode == .run
    return ServiceAnswer(service: isRunning ? .byHand : .apart, limits: nil)
  }
}
