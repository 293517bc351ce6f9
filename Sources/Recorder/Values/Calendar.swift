// Wall times in words a person reads: dates for titles and lists, durations for lights and screens.
// Pure arithmetic on the proleptic Gregorian calendar; knows no zones beyond an offset in seconds.

/// A date and a time of day.
public struct CalendarDate: Equatable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int
  public let hour: Int
  public let minute: Int
  public let second: Int

  public init(_ time: WallTime, utcOffsetSeconds: Int) {
    let offset = Int64(utcOffsetSeconds).clampedMultiplied(by: 1000)
    let milliseconds = time.milliseconds.clampedAdding(offset)
    // Four-digit years only: what lies outside cannot be the time of a recording.
    let range = Int64(-62_135_596_800)...Int64(253_402_300_799)
    let total = min(max(milliseconds.flooredDivision(by: 1000), range.lowerBound), range.upperBound)
    let days = total.flooredDivision(by: 86_400)
    let rest = Int(total - days * 86_400)
    (year, month, day) = Self.civil(fromDays: Int(days))
    hour = rest / 3600
    minute = rest % 3600 / 60
    second = rest % 60
  }

  /// Days since 1970 to a date. Years begin in March, so that the leap day is the last of its year.
  private static func civil(fromDays days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// The format of default titles: it has no character that a file system forbids.
  public var title: String {
    "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + " \(padded(hour, 2)).\(padded(minute, 2)).\(padded(second, 2))"
  }

  /// The format of files and programs; right for UTC only.
  public var iso8601: String {
    "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))Z"
  }

  /// The format of lists.
  public var listed: String {
    "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + " \(padded(hour, 2)):\(padded(minute, 2))"
  }

  /// The format of lists, to the second.
  public var exact: String { "\(listed):\(padded(second, 2))" }
}

extension WallTime {
  /// Parses the format of `iso8601`, and no other.
  public init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z") else {
      return nil
    }
    var parts: [Int64] = []
    for range in [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19] {
      guard bytes[range].allSatisfy({ 0x30 <= $0 && $0 <= 0x39 }) else { return nil }
      parts.append(bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) })
    }
    guard parts[0] > 0, (1...12).contains(parts[1]), (1...31).contains(parts[2]),
      parts[3] < 24, parts[4] < 60, parts[5] < 61
    else { return nil }
    // Days since 1970: years begin in March, so that the leap day is the last of its year.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let dayOfYear = (153 * month + 2) / 5 + parts[2] - 1
    let leapDays = year / 4 - year / 100 + year / 400
    let days = year * 365 + leapDays + dayOfYear - 719_468
    let seconds = days * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
    self.init(milliseconds: seconds * 1000)
  }
}

/// Durations in words.
public enum Duration {
  /// "0:07", "12:31", "1:02:03".
  public static func clock(milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1000
    let tail = "\(padded(Int(seconds % 60), 2))"
    if seconds < 3600 { return "\(seconds / 60):\(tail)" }
    return "\(seconds / 3600):\(padded(Int(seconds / 60 % 60), 2)):\(tail)"
  }

  /// "240 ms", and from two seconds on as below.
  public static func words(milliseconds: Int64) -> String {
    phrase(milliseconds: milliseconds).english
  }

  /// "45 s", "9 min", "3 h 12 min", "4 days".
  public static func words(seconds: Int64) -> String {
    phrase(seconds: seconds).english
  }
}

func padded(_ number: Int, _ digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension Int64 {
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
