// The latest of a folder's dates, while they come and go. A folder can have thousands: once the
// latest has gone, the next few are remembered, so that what comes and goes again costs no look at
// all of them. A plain value.

/// The latest of a folder's dates. Two are equal if their latest dates are.
public struct NewestDate: Sendable {
  private static let most = 8
  /// The latest dates, ascending; any other is no later than the first of these.
  private var dates: [WallTime] = []
  /// How many are kept: one until it has gone once, so that reading an index sorts nothing.
  private var capacity = 1
  /// Whether there may be dates that are not here.
  private var hasMore = false

  public init() {}

  /// Only the latest of some dates is known.
  public init(_ latest: WallTime?) {
    insert(latest)
    hasMore = true
  }

  /// The latest date; nil if there is none.
  public var value: WallTime? { dates.last }

  /// True if only a look at all dates can tell the latest.
  public var mustRebuild: Bool { dates.isEmpty && hasMore }

  public mutating func insert(_ date: WallTime?) {
    guard let date else { return }
    // Most often: one of many as an index is read.
    if capacity == 1, let only = dates.first {
      hasMore = true
      if date > only { dates[0] = date }
      return
    }
    // Others that are not here may be as late as the first.
    if hasMore, date < dates.first ?? .latest { return }
    let place = dates.lastIndex { $0 <= date }.map { $0 + 1 } ?? 0
    dates.insert(date, at: place)
    if dates.count > capacity {
      dates.removeFirst()
      hasMore = true
    }
  }

  public mutating func remove(_ date: WallTime?) {
    guard let date, let place = dates.lastIndex(of: date) else { return }
    dates.remove(at: place)
  }

  public mutating func rebuild(from all: some Sequence<WallTime?>) {
    self = NewestDate()
    capacity = Self.most
    for date in all { insert(date) }
  }
}

/// Only the latest date is kept: a replay that begins at a checkpoint knows no others, and its
/// digest has to agree. Found by 1,000 simulated hours.
extension NewestDate: Codable {
  public init(from decoder: any Decoder) throws { self.init(try WallTime?(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension NewestDate: Equatable {
  public static func == (one: NewestDate, other: NewestDate) -> Bool { one.value == other.value }
}

extension WallTime {
  fileprivate static let latest = WallTime(milliseconds: .max)
}
