// The one state of the appliance. It is a plain value: the rooms own all resources, and it names
// them by ids. Only `Appliance.reduce` changes it; views are computed from it.

/// The state of the whole recorder.
public struct State: Equatable, Codable, Sendable {
  /// The moment of the last action.
  public internal(set) var now = Instant(nanoseconds: 0)
  public internal(set) var wall = WallTime(milliseconds: 0)

  public internal(set) var settings = Settings()
  public internal(set) var library = Library()
  public internal(set) var transport = Transport()
  public internal(set) var device = Device()
  public internal(set) var card = Card()
  public internal(set) var clock = Clock()
  public internal(set) var host = Host()
  public internal(set) var panel = Panel()
  /// In the order of their ids.
  public internal(set) var consoles: [Console] = []
  public internal(set) var notices = Notices()
  public internal(set) var undo = UndoHistory()
  public internal(set) var copying = Copying()
  public internal(set) var pairing = Pairing.none
  /// The commands in progress, the oldest first.
  public internal(set) var commands: [RunningCommand] = []

  public init(settings: Settings = Settings()) { self.settings = settings.withinBounds }

  public func console(_ id: Int) -> Console? { consoles.first { $0.id == id } }

  /// Returns the place that a request acts on: its console's, or the panel's.
  public func place(of origin: Origin) -> Place {
    origin.console.flatMap(console).map(place) ?? panel.place
  }

  func place(of console: Console) -> Place { console.ownPlace ?? panel.place }

  /// The recording time left on the card at the configured bit rate; nil if it is not known.
  public var leftMilliseconds: Int64? {
    card.freeBytes.flatMap(settings.milliseconds(in:))
  }

  public var isShortOfSpace: Bool {
    leftMilliseconds.map { $0 < settings.warnMilliseconds } ?? false
  }

  public var unheardCount: Int { library.root?.tally.unheard ?? 0 }

  /// Returns a wall time as local time, with the offset that held then: for titles and lists.
  public func calendar(_ time: WallTime) -> CalendarDate {
    CalendarDate(time, utcOffsetSeconds: clock.zone.utcOffsetSeconds(at: time))
  }
}
