// The offsets of local time from UTC, and since when each holds: a table, because an offset holds
// for some months only. The host makes it from the system's time zone; titles and lists read it.
// Pure values.

/// The offsets of local time in the order of time.
public struct ZoneOffsets: Equatable, Codable, Sendable {
  /// An offset that holds from a moment on.
  public struct Change: Equatable, Codable, Sendable {
    public let since: WallTime
    public let utcOffsetSeconds: Int

    public init(since: WallTime, utcOffsetSeconds: Int) {
      self.since = since
      self.utcOffsetSeconds = utcOffsetSeconds
    }
  }

  /// The offset before the first change.
  public let first: Int
  public let changes: [Change]

  public init(_ first: Int = 0, _ changes: [Change] = []) {
    self.first = first
    self.changes = changes.sorted { $0.since < $1.since }
  }

  /// Returns the offset that held, or will hold, at a moment.
  public func utcOffsetSeconds(at time: WallTime) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].since <= time { low = middle + 1 } else { high = middle }
    }
    let offset = low > 0 ? changes[low - 1].utcOffsetSeconds : first
    return min(max(offset, -86_400), 86_400)
  }
}
