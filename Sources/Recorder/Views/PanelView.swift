// The lights: a pattern per light, computed from the state. Every panel, every view and the
// documentation use the same patterns, with the same timing.

import Catalogue

/// What the three lights show.
public struct PanelView: Equatable, Codable, Sendable {
  public let record: Pattern
  public let status: Pattern
  public let play: Pattern
}

extension Pattern {
  /// The pattern in words, as "blinking slowly", in English.
  public var words: String { phrase.english }

  /// The pattern in words for people.
  var phrase: Phrase {
    switch self {
    case .off: "off"
    case .steady: "steady"
    case .slowBlink: "blinking slowly"
    case .fastBlink: "blinking fast"
    case .winks(let count, let period):
      count == 1 ? "\(count) wink every \(period) ms" : "\(count) winks every \(period) ms"
    case .digits: "winking a code"
    case .gaps(let count, let period): "steady with \(count) gaps every \(period) ms"
    }
  }
}

/// The pattern of one light.
public enum Pattern: Equatable, Codable, Sendable {
  case off
  case steady
  case slowBlink
  case fastBlink
  /// A number of short flashes, then dark.
  case winks(Int, everyMilliseconds: Int)
  /// Steady, with a number of short gaps.
  case gaps(Int, everyMilliseconds: Int)
  /// Long, then as many slow winks for each digit, with a pause after it.
  case digits([Int])

  /// One period of the pattern: on and off in turn.
  public var round: [Phase] {
    switch self {
    case .off: [Phase(isOn: false, milliseconds: 0)]
    case .steady: [Phase(isOn: true, milliseconds: 0)]
    case .slowBlink: [.on(500), .off(500)]
    case .fastBlink: [.on(100), .off(100)]
    case .winks(let count, let every): Self.row(count, every, flash: Phase.on, rest: Phase.off)
    case .gaps(let count, let every): Self.row(count, every, flash: Phase.off, rest: Phase.on)
    case .digits(let digits): [.on(1500), .off(1500)] + digits.flatMap(Self.slowWinks)
    }
  }

  public struct Phase: Equatable, Codable, Sendable {
    public let isOn: Bool
    /// 0: for good.
    public let milliseconds: Int

    static func on(_ milliseconds: Int) -> Phase { Phase(isOn: true, milliseconds: milliseconds) }
    static func off(_ milliseconds: Int) -> Phase { Phase(isOn: false, milliseconds: milliseconds) }
  }

  /// Slow enough to be counted up to nine.
  private static func slowWinks(_ count: Int) -> [Phase] {
    Array(repeating: [.on(150), .off(350)], count: count).flatMap { $0 } + [.off(1300)]
  }

  /// Short flashes a quarter of a second apart, then rest.
  private static func row(
    _ count: Int, _ everyMilliseconds: Int, flash: (Int) -> Phase, rest: (Int) -> Phase
  ) -> [Phase] {
    var phases: [Phase] = []
    for number in 0..<max(1, count) {
      phases.append(flash(80))
      phases.append(rest(number + 1 < count ? 170 : 0))
    }
    let used = phases.reduce(0) { $0 + $1.milliseconds }
    phases[phases.count - 1] = rest(max(170, everyMilliseconds - used))
    return phases
  }
}

extension PanelView {
  public init(_ state: State) {
    record = Self.record(state)
    status = Self.status(state)
    play = Self.play(state)
  }

  /// A refusal comes before the state of the take. Low space shows with and without a take.
  private static func record(_ state: State) -> Pattern {
    if state.transport.refusal != nil { return .fastBlink }
    switch state.transport.take {
    case .greeting, .arming, .waitingForDevice: return .slowBlink
    case .recording where state.device.isSilent: return .slowBlink
    case .recording: return state.isShortOfSpace ? .gaps(2, everyMilliseconds: 2000) : .steady
    case .none: return state.isShortOfSpace ? .winks(2, everyMilliseconds: 2000) : .off
    }
  }

  /// A code that was asked for; else the worst present fault; else an unacknowledged fault; else
  /// the sign that all is well.
  private static func status(_ state: State) -> Pattern {
    let every = 5000
    if let code = state.pairing.code { return .digits(code.winks) }
    if state.hasCardTrouble { return .winks(4, everyMilliseconds: every) }
    if state.hasNoMicrophone { return .winks(3, everyMilliseconds: every) }
    if state.hasOtherFault { return .steady }
    if state.notices.hasUnseenFault { return .winks(2, everyMilliseconds: every) }
    return .winks(1, everyMilliseconds: every)
  }

  private static func play(_ state: State) -> Pattern {
    switch state.transport.deck {
    case .playing: .steady
    case .loading, .paused, .empty: state.unheardCount > 0 ? .slowBlink : .off
    }
  }
}

extension State {
  var hasCardTrouble: Bool {
    if case .failed = library.phase { return true }
    return card.isReadOnly || card.behindMilliseconds != nil || leftMilliseconds == 0
  }

  var hasNoMicrophone: Bool {
    if case .absent = device.capture { return host.phase == .running }
    if device.isSilent { return true }
    return transport.take.running?.microphoneSeemsDead ?? false
  }

  /// Clipping shows while the take is running: the level can still be corrected.
  var hasOtherFault: Bool {
    let isClipping = (transport.take.running?.clippedFrames ?? 0) > 0
    return isClipping || host.isUnderVoltage || card.isVolatile || !panel.faults.isEmpty
  }
}
