// Everything that can happen to the appliance, as values. An action is either a request or an event
// from a room. Both arrive stamped, in one queue, and only `reduce` answers them.

/// Something that happened.
public enum Action: Equatable, Codable, Sendable {
  /// From a button, a console, a client or the appliance itself.
  case request(Request, from: Origin)
  case panel(PanelEvent)
  case sound(SoundEvent)
  case card(CardEvent)
  case console(ConsoleEvent)
  case host(HostEvent)
  /// The instant of an alarm the state subscribed to has come.
  case alarm(Alarm)
  /// A clock tick, subscribed to only while a screen shows something that changes with time.
  case tick
}

/// The sender of a request, to whom its replies go.
public enum Origin: Hashable, Codable, Sendable {
  case panel
  case console(Int)
  case client(Int, request: Int)
  case appliance

  /// The console whose place the request uses; nil for the panel's place.
  public var console: Int? {
    switch self {
    case .console(let id), .client(let id, _): id
    case .panel, .appliance: nil
    }
  }
}

/// What happened on the panel.
public enum PanelEvent: Equatable, Codable, Sendable {
  /// A gesture, at the instant of its edge.
  case gesture(Control, Gesture, at: Instant)
  /// The hold switch.
  case hold(Bool)
  /// All present faults of the panel, one sentence each.
  case faults([String])
}

/// An instant that the state waits for.
public enum Alarm: Hashable, Codable, Sendable {
  case refusalShown
  case splitDue(ItemID)
  case deviceWaitOver
  case greetingOver
  case rememberDue
  case openOverdue
  case soundOverdue
  case stopOverdue
  /// Of a message, and of what is new elsewhere.
  case messageShown(console: Int)
  case commandOverdue(Origin)
  case nameOverdue(console: Int)
  case pairingOver
}

/// What happened to the process or the board.
public enum HostEvent: Equatable, Codable, Sendable {
  case booted(Boot)
  case configured(Settings)
  case configurationRefused(String)
  /// The state that the previous run saved.
  case recalled(Remembered)
  /// One of the recorder's own files was damaged at the start and set aside; the sentence names it.
  case setAside(String)
  case clock(isSynchronised: Bool)
  /// The offsets of local time, at the start and whenever the time zone changes.
  case zone(ZoneOffsets)
  case health(isUnderVoltage: Bool, isThrottled: Bool, temperatureCelsius: Int?)
}

/// What is known when the daemon starts.
public struct Boot: Equatable, Codable, Sendable {
  public let id: ItemID
  public let version: String
  /// The directory that holds the recordings, to be shown to people.
  public let root: String
  /// Set if the daemon died during a take and was restarted: the take goes on.
  public let continuation: TakeContinuation?

  public init(
    id: ItemID, version: String, root: String = "", continuation: TakeContinuation? = nil
  ) {
    self.id = id
    self.version = version
    self.root = root
    self.continuation = continuation
  }
}

/// The state that survives a restart.
public struct Remembered: Equatable, Codable, Sendable {
  /// The path to the panel's folder, from the root down.
  public var path: [ItemID]
  /// The item that a person selected.
  public var selection: ItemID?
  public var volumePercent: Int
  /// The recording last played; `playingFrame` is where it stopped.
  public var playing: ItemID?
  public var playingFrame: Int64
  /// A fault that concerns a recording has not been acknowledged.
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
