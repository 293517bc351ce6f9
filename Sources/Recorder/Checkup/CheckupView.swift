// What `doctor` found: a verdict for each thing a recorder needs, what was seen, what to do. Its
// keys are part of the protocol. Made of facts by a pure function, in one order.

public struct CheckupView: Equatable, Codable, Sendable {
  public let isWell: Bool
  public let checks: [Check]

  public struct Check: Equatable, Codable, Sendable {
    public let name: String
    public let verdict: Verdict
    /// What was seen.
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
    /// It could not be looked at.
    case unknown
    case wrong
  }

  public init(_ checks: [Check]) {
    self.checks = checks
    isWell = !checks.contains { $0.verdict == .wrong }
  }

  public init(_ facts: CheckupFacts) {
    // One by one: Swift 6.0 takes for ever over a sum of so many.
    let all: [[Check]?] = [
      facts.service.checks, facts.configuration.checks, facts.card.checks, facts.limits.checks,
      facts.microphone.checks, facts.speaker?.checks, facts.panel?.checks, facts.clock.checks,
      facts.board.checks,
    ]
    self.init(all.flatMap { $0 ?? [] })
  }

  /// With something that was seen before all of it.
  public func preceded(by check: Check) -> CheckupView { CheckupView([check] + checks) }
}

/// What the rooms saw, as far as each could look.
public struct CheckupFacts: Equatable, Sendable {
  public var service = ServiceFacts.noSystemd
  public var configuration = ConfigurationFacts.absent(file: "")
  public var card = CardFacts(folder: "")
  public var limits = LimitFacts.notNeeded
  public var microphone = MicrophoneFacts.notLookedAt("Nobody has looked.")
  /// Nil: not looked at, and nothing is said of it. So with the panel.
  public var speaker: SpeakerFacts?
  public var panel: PanelFacts?
  public var clock = ClockFacts()
  public var board = BoardFacts()

  public init() {}
}
