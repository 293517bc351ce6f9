// What the lights say. A pattern per light, computed from the state; the same language on every
// panel, in every view and in docs. How long a blink takes is part of it.

public struct PanelView: Equatable, Codable, Sendable {
  public let record: Pattern
  public let status: Pattern
  public let play: Pattern
}

/// What one light does.
public enum Pattern: Equatable, Codable, Sendable {
  case off
  case steady
  case slowBlink
  case fastBlink
  /// So many short winks, then dark.
  case winks(Int, everyMilliseconds: Int)
  /// Steady, with so many short gaps.
  case gaps(Int, everyMilliseconds: Int)

  /// One round of it: on and off in turn, from the beginning of a round.
  public var round: [Phase] {
    switch self {
    case .off: [Phase(isOn: false, milliseconds: 0)]
    case .steady: [Phase(isOn: true, milliseconds: 0)]
    case .slowBlink: [.on(500), .off(500)]
    case .fastBlink: [.on(100), .off(100)]
    case .winks(let count, let every): Self.row(count, every, flash: Phase.on, rest: Phase.off)
    case .gaps(let count, let every): Self.row(count, every, flash: Phase.off, rest: Phase.on)
    }
  }

  public struct Phase: Equatable, Codable, Sendable {
    public let isOn: Bool
    /// 0: for good.
    public let milliseconds: Int

    static func on(_ milliseconds: Int) -> Phase { Phase(isOn: true, milliseconds: milliseconds) }
    static func off(_ milliseconds: Int) -> Phase { Phase(isOn: false, milliseconds: milliseconds) }
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

  /// Refused, then what the take does; under ten minutes left shows in both.
  private static func record(_ state: State) -> Pattern {
    if state.transport.refusal != nil { return .fastBlink }
    switch state.transport.take {
    case .greeting, .arming, .waitingForDevice: return .slowBlink
    case .recording: return state.isShortOfSpace ? .gaps(2, everyMilliseconds: 2000) : .steady
    case .none: return state.isShortOfSpace ? .winks(2, everyMilliseconds: 2000) : .off
    }
  }

  /// The worst that holds now; then what happened and nobody has seen; then that all is well.
  private static func status(_ state: State) -> Pattern {
    let every = 5000
    if state.hasCardTrouble { return .winks(4, everyMilliseconds: every) }
    if state.hasNoMicrophone { return .winks(3, everyMilliseconds: every) }
    if state.hasOtherFault { return .steady }
    if state.notices.contains(.takeCutShort) { return .winks(2, everyMilliseconds: every) }
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
    return transport.take.running?.microphoneSeemsDead ?? false
  }

  /// Clipping shows while the take that clips is running: it can still be saved.
  var hasOtherFault: Bool {
    let isClipping = (transport.take.running?.clippedFrames ?? 0) > 0
    return isClipping || host.isUnderVoltage || card.isVolatile || !panel.faults.isEmpty
  }
}
