// The result of `doctor`: for each thing a recorder needs, a verdict, the observation and advice.
// Its keys are part of the protocol. Made of facts by a pure function, in one order.

/// The result of a checkup.
public struct CheckupView: Equatable, Codable, Sendable {
  public let isWell: Bool
  public let checks: [Check]

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

  public init(_ checks: [Check]) {
    self.checks = checks
    isWell = !checks.contains { $0.verdict == .wrong }
  }

  public init(_ facts: CheckupFacts) {
    // As an array: Swift 6.0 takes for ever to type-check a sum of so many.
    let all: [[Check]?] = [
      facts.service.checks, facts.configuration.checks, facts.card.checks, facts.limits.checks,
      facts.microphone.checks, facts.speaker?.checks, facts.panel?.checks, facts.clock.checks,
      facts.board.checks,
    ]
    self.init(all.flatMap { $0 ?? [] })
  }

  /// Returns the view with another check in front.
  public func preceded(by check: Check) -> CheckupView { CheckupView([check] + checks) }
}

/// The facts from the rooms, as far as each could check.
public struct CheckupFacts: Equatable, Sendable {
  public var service = ServiceFacts.noSystemd
  public var configuration = ConfigurationFacts.absent(file: "")
  public var card = CardFacts(folder: "")
  public var limits = LimitFacts.notNeeded
  public var microphone = MicrophoneFacts.notLookedAt("It was not checked.")
  /// Nil: not checked, and not mentioned. The same holds for the panel.
  public var speaker: SpeakerFacts?
  public var panel: PanelFacts?
  public var clock = ClockFacts()
  public var board = BoardFacts()

  public init() {}
}
