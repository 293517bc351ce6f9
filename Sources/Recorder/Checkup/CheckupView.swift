// The result of `doctor`: for each thing a recorder needs, a verdict, the observation and advice.
// Its keys are part of the protocol. Made of facts by a pure function, in one order.

/// The result of a checkup.
public struct CheckupView: Equatable, Codable, Sendable {
  public let isWell: Bool
  public let checks: [Check]
  /// What the microphone's device can do; nil if that is not known.
  public let ability: MicrophoneAbility?

  /// One check of a checkup.
  public struct Check: Equatable, Codable, Sendable {
    public let name: String
    public let verdict: Verdict
    /// The observation.
    public let sentence: String
    /// What to do; nil where there is nothing to do, or the sentence says it already.
    public let advice: String?

    public init(_ name: String, _ verdict: Verdict, _ sentence: String, _ advice: String? = nil) {
      self.name = name
      self.verdict = verdict
      self.sentence = sentence
      self.advice = advice
    }
  }

  public enum Verdict: String, Codable, Sendable {
    case well
    /// It could not be checked.
    case unknown
    case wrong
  }

  public init(_ checks: [Check], ability: MicrophoneAbility? = nil) {
    self.checks = checks
    self.ability = ability
    isWell = !checks.contains { $0.verdict == .wrong }
  }

  public init(_ facts: CheckupFacts) {
    // As an array: Swift 6.0 takes for ever to type-check a sum of so many.
    let all: [[Check]?] = [
      facts.service.checks, facts.configuration.checks, facts.card.checks, facts.limits.checks,
      facts.microphone.checks, facts.abilityChecks, facts.encoding.map { [$0.check] },
      facts.speaker?.checks, facts.panel?.checks, facts.clock.checks, facts.board.checks,
      facts.copying?.checks,
    ]
    self.init(all.flatMap { $0 ?? [] }, ability: facts.ability)
  }

  /// Returns the view with another check in front.
  public func preceded(by check: Check) -> CheckupView {
    CheckupView([check] + checks, ability: ability)
  }

  /// Returns the view with another check behind.
  public func followed(by check: Check) -> CheckupView {
    CheckupView(checks + [check], ability: ability)
  }
}

/// The facts from the rooms, as far as each could check.
public struct CheckupFacts: Equatable, Sendable {
  public var service = ServiceFacts.noSystemd
  public var configuration = ConfigurationFacts.absent(file: "")
  public var card = CardFacts(folder: "")
  public var limits = LimitFacts.notNeeded
  public var microphone = MicrophoneFacts.notLookedAt("It was not checked.")
  /// What the microphone's device can do. Nil: not known, and not mentioned.
  public var ability: MicrophoneAbility?
  /// What the configuration says about tracks; nil if it has errors.
  public var tracks: TrackFacts?
  /// What encoding costs. Nil: not measured, and not mentioned.
  public var encoding: EncodingLoad?
  /// Nil: not checked, and not mentioned. The same holds for the panel.
  public var speaker: SpeakerFacts?
  public var panel: PanelFacts?
  public var clock = ClockFacts()
  public var board = BoardFacts()
  /// Where copies go. Nil: no program told of a target, and not mentioned.
  public var copying: Copying?

  public init() {}

  var abilityChecks: [CheckupView.Check]? {
    ability.map { [$0.check] + ([tracks?.check($0)].compactMap { $0 }) }
  }
}
