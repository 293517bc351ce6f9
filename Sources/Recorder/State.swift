// The one state of the appliance. It is a value: nothing in it is alive, and what the rooms own is
// named by an id. Only `Appliance.reduce` changes it; views are computed from it.

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

  public init(settings: Settings = Settings()) { self.settings = settings.withinBounds }

  public func console(_ id: Int) -> Console? { consoles.first { $0.id == id } }

  /// The place somebody acts on: their console's, or the panel's.
  public func place(of origin: Origin) -> Place {
    origin.console.flatMap(console).map(place) ?? panel.place
  }

  func place(of console: Console) -> Place { console.ownPlace ?? panel.place }

  /// How long the card lasts at the present bit rate; nil when it is not known.
  public var leftMilliseconds: Int64? {
    card.freeBytes.flatMap(settings.milliseconds(in:))
  }

  public var isShortOfSpace: Bool {
    leftMilliseconds.map { $0 < settings.warnMilliseconds } ?? false
  }

  public var unheardCount: Int { library.root?.tally.unheard ?? 0 }

  /// The time now, as titles and lists write it.
  func calendar(_ time: WallTime) -> CalendarDate {
    CalendarDate(time, utcOffsetSeconds: clock.utcOffsetSeconds)
  }
}
