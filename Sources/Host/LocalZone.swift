// The offsets of the system's time zone, sampled through the C library, which knows the zone's file
// and its rules. Reads that file: only for the start and for the host's thread.
import Glibc
import Recorder

/// The offsets of local time.
public enum LocalZone {
  /// From 2000 to 2060, in seconds since 1970.
  private static let range: Range<Int64> = 946_684_800..<2_840_140_800
  /// No two changes of a zone are closer: Morocco's are about a month apart.
  private static let stepSeconds: Int64 = 7 * 86_400

  /// Returns the offsets from 2000 to 2060, as the system has them now.
  public static var offsets: ZoneOffsets {
    // Without this call, the C library keeps the zone that it read first.
    tzset()
    return offsets { second in
      var (second, parts) = (time_t(second), tm())
      localtime_r(&second, &parts)
      return parts.tm_gmtoff
    }
  }

  /// - Parameter offset: Returns the offset at a time in seconds since 1970.
  static func offsets(_ offset: (Int64) -> Int) -> ZoneOffsets {
    let first = offset(range.lowerBound)
    var changes: [ZoneOffsets.Change] = []
    var (earlier, known) = (range.lowerBound, first)
    while earlier < range.upperBound {
      let later = earlier + stepSeconds
      let next = offset(later)
      if next != known {
        let since = change(from: known, after: earlier, until: later, offset)
        changes.append(
          .init(since: WallTime(milliseconds: since * 1000), utcOffsetSeconds: next))
      }
      (earlier, known) = (later, next)
    }
    return ZoneOffsets(first, changes)
  }

  /// Returns the first second at which another offset holds.
  private static func change(
    from known: Int, after earlier: Int64, until later: Int64, _ offset: (Int64) -> Int
  ) -> Int64 {
    var (low, high) = (earlier, later)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(middle) == known { low = middle } else { high = middle }
    }
    return high
  }

  /// Identifies the zone's file: another file, or the same one written again, differs.
  struct File: Equatable {
    let device: UInt64
    let number: UInt64
    let seconds: Int64
    let nanoseconds: Int64

    static let none = File(device: 0, number: 0, seconds: 0, nanoseconds: 0)

    static var present: File {
      var status = stat()
      guard stat("/etc/localtime", &status) == 0 else { return .none }
      return File(
        device: UInt64(status.st_dev), number: UInt64(status.st_ino),
        seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }
  }
}
