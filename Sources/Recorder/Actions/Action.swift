// Everything that can happen to the appliance, as values. An action is either somebody's wish or a
// piece of news from a room; both arrive stamped, in one queue, and only `reduce` answers them.

public enum Action: Equatable, Codable, Sendable {
  /// Somebody wants something: a button, a console, a client, the appliance itself.
  case wish(Request, from: Origin)
  case panel(PanelEvent)
  case sound(SoundEvent)
  case card(CardEvent)
  case console(ConsoleEvent)
  case host(HostEvent)
  /// A moment that the state had asked to be told of.
  case alarm(Alarm)
  /// Time goes on: asked for only while something on show depends on it.
  case tick
}

/// Who wants something, and is answered.
public enum Origin: Hashable, Codable, Sendable {
  case panel
  case console(Int)
  case client(Int, request: Int)
  case appliance

  /// The console whose place it acts on.
  public var console: Int? {
    switch self {
    case .console(let id), .client(let id, _): id
    case .panel, .appliance: nil
    }
  }
}

public enum PanelEvent: Equatable, Codable, Sendable {
  /// A gesture, at the instant of its edge.
  case gesture(Control, Gesture, at: Instant)
  /// The hold switch.
  case hold(Bool)
  /// Everything that does not work at the panel now, in sentences.
  case faults([String])
}

public enum Alarm: Hashable, Codable, Sendable {
  case refusalShown
  case splitDue(ItemID)
  case deviceWaitOver
  case greetingOver
  case rememberDue
  case soundOverdue
  case stopOverdue
  case messageShown(console: Int)
}

public enum HostEvent: Equatable, Codable, Sendable {
  case booted(Boot)
  case configured(Settings)
  case configurationRefused(String)
  /// What was remembered from before the last end.
  case recalled(Remembered)
  case clock(isSynchronised: Bool, utcOffsetSeconds: Int)
  case health(isUnderVoltage: Bool, isThrottled: Bool, temperatureCelsius: Int?)
}

/// What is known when the daemon starts.
public struct Boot: Equatable, Codable, Sendable {
  public let id: ItemID
  public let version: String
  /// Where everything is kept, to be shown to people.
  public let root: String
  /// The daemon died in a take and was started again: it records on.
  public let wasInterrupted: Bool

  public init(id: ItemID, version: String, root: String = "", wasInterrupted: Bool = false) {
    self.id = id
    self.version = version
    self.root = root
    self.wasInterrupted = wasInterrupted
  }
}

/// What should survive a restart.
public struct Remembered: Equatable, Codable, Sendable {
  /// The panel's folder, with those above it from the root down.
  public var path: [ItemID]
  public var selection: ItemID?
  public var volumePercent: Int
  /// Where playing was left.
  public var playing: ItemID?
  public var playingFrame: Int64
  /// An earlier take was cut short, and nobody has acknowledged it.
  public var hasUnseenFault: Bool

  public init(
    path: [ItemID] = [.root], selection: ItemID? = nil, volumePercent: Int = 80,
    playing: ItemID? = nil, playingFrame: Int64 = 0, hasUnseenFault: Bool = false
  ) {
    self.path = path
    self.selection = selection
    self.volumePercent = volumePercent
    self.playing = playing
    self.playingFrame = playingFrame
    self.hasUnseenFault = hasUnseenFault
  }
}
