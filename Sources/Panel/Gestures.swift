// Turns the edges of one button's line into gestures: a pure function of timestamped edges. It
// reads no clock: the caller passes edges and times in order, and `due` says when it needs the time
// next. If it gets the time late, the gestures and their stamps are the same.
//
// A press acts as soon as the line has been stable for the glitch time. A release waits for the
// debounce time, so that a bounce within it cannot make a second press.
import Recorder

/// The time limits of one button.
public struct GestureTiming: Equatable, Sendable {
  /// A shorter spike is ignored.
  public var glitchMilliseconds: Int64
  /// After its first edge, a contact counts as bouncing until it has been stable this long.
  public var debounceMilliseconds: Int64
  public var holdMilliseconds: Int64
  /// The longest time from one press to the next.
  public var doublePressMilliseconds: Int64
  /// A button held this long counts as stuck; 0: never, for example a telephone hook.
  public var stuckMilliseconds: Int64

  public init(
    glitchMilliseconds: Int64 = 2, debounceMilliseconds: Int64 = 30,
    holdMilliseconds: Int64 = 1000, doublePressMilliseconds: Int64 = 400,
    stuckMilliseconds: Int64 = 60_000
  ) {
    self.glitchMilliseconds = glitchMilliseconds
    self.debounceMilliseconds = debounceMilliseconds
    self.holdMilliseconds = holdMilliseconds
    self.doublePressMilliseconds = doublePressMilliseconds
    self.stuckMilliseconds = stuckMilliseconds
  }
}

/// A line became active or inactive, or was found so after edges were lost.
public struct Edge: Equatable, Codable, Sendable {
  public let isActive: Bool
  public let at: Instant

  public init(isActive: Bool, at: Instant) {
    self.isActive = isActive
    self.at = at
  }
}

/// What an edge or the passing of time leads to.
public enum GestureEffect: Equatable, Sendable {
  case gesture(Gesture, at: Instant)
  /// The debounced level, for a switch.
  case turned(isOn: Bool, at: Instant)
  case stuck(at: Instant)
  case freed(at: Instant)
}

/// The state machine of one button.
public struct Gestures: Equatable, Sendable {
  public let timing: GestureTiming
  /// The debounced level: whether the button is down.
  public private(set) var isDown: Bool
  /// The raw level, and since when it has been stable.
  private var isActive: Bool
  private var stoodSince: Instant
  /// The first edge of the bounce that may become a press or a release.
  private var firstEdge: Instant
  private var downSince: Instant
  private var stage: Stage
  /// The press that a second one would make a double press.
  private var lastPress: Instant?
  /// How many spikes and bounces did not change the debounced level.
  public private(set) var strays = 0

  /// The stage of a button that is down.
  private enum Stage: Equatable { case pressed, held, stuck }

  /// A button that is down from the beginning makes no press and no hold, because it was not
  /// pressed, but it makes a release.
  public init(_ timing: GestureTiming, isActive: Bool, at instant: Instant) {
    self.timing = timing
    self.isActive = isActive
    isDown = isActive
    stoodSince = instant
    firstEdge = instant
    downSince = instant
    stage = .held
  }

  /// When `advance` must be called, if no edge comes before.
  public var due: Instant? {
    if isActive != isDown { return stoodSince.adding(milliseconds: settlingMilliseconds) }
    guard isDown else { return nil }
    switch stage {
    case .pressed: return downSince.adding(milliseconds: timing.holdMilliseconds)
    case .held where timing.stuckMilliseconds > 0:
      return downSince.adding(milliseconds: timing.stuckMilliseconds)
    case .held, .stuck: return nil
    }
  }

  private var settlingMilliseconds: Int64 {
    isActive ? timing.glitchMilliseconds : timing.debounceMilliseconds
  }

  /// Returns all effects due up to `now`, in order.
  public mutating func advance(to now: Instant) -> [GestureEffect] {
    var effects: [GestureEffect] = []
    while let due, due <= now {
      if isActive != isDown { settle(&effects) } else { mature(at: due, &effects) }
    }
    return effects
  }

  /// Returns the level that will have counted by `now`, if no more edges come than these; nil if
  /// the present one goes on counting.
  func level(settledBy now: Instant, after edges: [Edge]) -> Bool? {
    if edges.isEmpty, isActive == isDown { return nil }
    var ahead = self
    for edge in edges { _ = ahead.handle(edge) }
    let before = ahead.isDown
    _ = ahead.advance(to: now)
    return ahead.isDown == before ? nil : ahead.isDown
  }

  /// Handles the next edge. Returns the effects that were due up to its time.
  public mutating func handle(_ edge: Edge) -> [GestureEffect] {
    // An edge at the very moment when a time is over comes after it.
    let effects = advance(to: edge.at)
    let instant = max(edge.at, stoodSince)
    let wasQuiet = isActive == isDown
    if wasQuiet, edge.isActive != isDown { beginChatter(at: instant) }
    if !wasQuiet, edge.isActive == isDown { strays += 1 }
    // The same level again: it differed in between, so it counts as stable only from now.
    isActive = edge.isActive
    stoodSince = instant
    return effects
  }

  /// Starts a new bounce, unless this edge still belongs to the last one.
  private mutating func beginChatter(at instant: Instant) {
    let hadStood = instant >= stoodSince.adding(milliseconds: timing.glitchMilliseconds)
    let isOld = instant > firstEdge.adding(milliseconds: timing.debounceMilliseconds)
    if hadStood || isOld { firstEdge = instant }
  }

  private mutating func settle(_ effects: inout [GestureEffect]) {
    isDown = isActive
    if isDown { press(&effects) } else { release(&effects) }
  }

  private mutating func press(_ effects: inout [GestureEffect]) {
    downSince = firstEdge
    stage = .pressed
    effects.append(.turned(isOn: true, at: firstEdge))
    effects.append(.gesture(.press, at: firstEdge))
    let last = lastPress?.adding(milliseconds: timing.doublePressMilliseconds)
    if let last, firstEdge <= last {
      effects.append(.gesture(.doublePress, at: firstEdge))
      lastPress = nil
    } else {
      lastPress = firstEdge
    }
  }

  private mutating func release(_ effects: inout [GestureEffect]) {
    effects.append(.turned(isOn: false, at: firstEdge))
    effects.append(.gesture(.release, at: firstEdge))
    if stage == .stuck { effects.append(.freed(at: firstEdge)) }
  }

  private mutating func mature(at instant: Instant, _ effects: inout [GestureEffect]) {
    if stage == .pressed {
      stage = .held
      effects.append(.gesture(.hold, at: instant))
    } else {
      stage = .stuck
      effects.append(.stuck(at: instant))
    }
  }
}
