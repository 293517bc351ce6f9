// What a hand did with one button, out of what its line did: a pure function of timestamped edges.
// It reads no clock; whoever uses it hands in edges and times in order, and asks `due` when it
// wants to be told the time next. Told late, it gives the same gestures with the same stamps.
//
// A press acts as soon as the line has stood for the glitch time; a release waits for the debounce
// time, so that nothing a contact does within that can make a second press.
import Recorder

/// How long is how long, for one button.
public struct GestureTiming: Equatable, Sendable {
  /// A shorter spike is no press.
  public var glitchMilliseconds: Int64
  /// What a contact does after its first edge is chatter, until it has stood this long.
  public var debounceMilliseconds: Int64
  public var holdMilliseconds: Int64
  /// From one press to the next.
  public var doublePressMilliseconds: Int64
  /// Held so long, a button is taken to be stuck; 0: it may be held for ever, as a hook may.
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

/// A line became active or inactive; or was found so, when edges were lost.
public struct Edge: Equatable, Codable, Sendable {
  public let isActive: Bool
  public let at: Instant

  public init(isActive: Bool, at: Instant) {
    self.isActive = isActive
    self.at = at
  }
}

/// What follows of it.
public enum Deed: Equatable, Sendable {
  case gesture(Gesture, at: Instant)
  /// The debounced line, for a switch.
  case turned(isOn: Bool, at: Instant)
  case stuck(at: Instant)
  case freed(at: Instant)
}

public struct Gestures: Equatable, Sendable {
  public let timing: GestureTiming
  /// What the hand is taken to do, apart from chatter.
  public private(set) var isDown: Bool
  /// The line itself, and since when it has stood so.
  private var isActive: Bool
  private var stoodSince: Instant
  /// The first edge of the chatter that may become a press or a release.
  private var firstEdge: Instant
  private var downSince: Instant
  private var stage: Stage
  /// What a second press would be double of.
  private var lastPress: Instant?
  /// Spikes and chatter that came to nothing.
  public private(set) var strays = 0

  /// How far a button that is down has come.
  private enum Stage: Equatable { case pressed, held, stuck }

  /// A button that is down from the beginning was not pressed: it makes no press and no hold, but
  /// a release, for then somebody let go of it.
  public init(_ timing: GestureTiming, isActive: Bool, at instant: Instant) {
    self.timing = timing
    self.isActive = isActive
    isDown = isActive
    stoodSince = instant
    firstEdge = instant
    downSince = instant
    stage = .held
  }

  /// When it has to be told the time, if nothing happens before.
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

  /// Everything that is due up to then, in order.
  public mutating func advance(to now: Instant) -> [Deed] {
    var deeds: [Deed] = []
    while let due, due <= now {
      if isActive != isDown { settle(&deeds) } else { mature(at: due, &deeds) }
    }
    return deeds
  }

  public mutating func hear(_ edge: Edge) -> [Deed] {
    // What happens in the very moment at which a time is over comes after it.
    let deeds = advance(to: edge.at)
    let instant = max(edge.at, stoodSince)
    let wasQuiet = isActive == isDown
    if wasQuiet, edge.isActive != isDown { beginChatter(at: instant) }
    if !wasQuiet, edge.isActive == isDown { strays += 1 }
    // The same again: in between it was otherwise, so it begins to stand anew.
    isActive = edge.isActive
    stoodSince = instant
    return deeds
  }

  /// The line leaves what it was. Is that the first time since it last stood, or more of the same?
  private mutating func beginChatter(at instant: Instant) {
    let hadStood = instant >= stoodSince.adding(milliseconds: timing.glitchMilliseconds)
    let isOld = instant > firstEdge.adding(milliseconds: timing.debounceMilliseconds)
    if hadStood || isOld { firstEdge = instant }
  }

  private mutating func settle(_ deeds: inout [Deed]) {
    isDown = isActive
    if isDown { press(&deeds) } else { release(&deeds) }
  }

  private mutating func press(_ deeds: inout [Deed]) {
    downSince = firstEdge
    stage = .pressed
    deeds.append(.turned(isOn: true, at: firstEdge))
    deeds.append(.gesture(.press, at: firstEdge))
    let last = lastPress?.adding(milliseconds: timing.doublePressMilliseconds)
    if let last, firstEdge <= last {
      deeds.append(.gesture(.doublePress, at: firstEdge))
      lastPress = nil
    } else {
      lastPress = firstEdge
    }
  }

  private mutating func release(_ deeds: inout [Deed]) {
    deeds.append(.turned(isOn: false, at: firstEdge))
    deeds.append(.gesture(.release, at: firstEdge))
    if stage == .stuck { deeds.append(.freed(at: firstEdge)) }
  }

  private mutating func mature(at instant: Instant, _ deeds: inout [Deed]) {
    if stage == .pressed {
      stage = .held
      deeds.append(.gesture(.hold, at: instant))
    } else {
      stage = .stuck
      deeds.append(.stuck(at: instant))
    }
  }
}
