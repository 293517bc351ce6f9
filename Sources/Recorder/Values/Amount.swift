// Amounts as people read them: bytes, numbers with one decimal, short times. Pure.

/// Numbers as people read them.
public enum Amount {
  /// "31.2 GB".
  public static func bytes(_ count: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    if count < 1000 { return "\(count) bytes" }
    var value = Double(count) / 1000
    var unit = 0
    while value >= 999.95, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return "\(decimal(value)) \(units[unit])"
  }

  /// Returns a number with one decimal; "-" if it is not finite or has more than 15 digits.
  public static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "-" }
    let tenths = Int64((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  /// "0.4 ms", "37 ms", "2.3 s".
  public static func time(microseconds: Int64) -> String {
    switch microseconds {
    case ..<9_950: "\(decimal(Double(microseconds) / 1000)) ms"
    case ..<999_500: "\((microseconds + 500) / 1000) ms"
    default: "\(decimal(Double(microseconds) / 1_000_000)) s"
    }
  }
}
