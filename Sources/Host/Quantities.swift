// Times, sizes and bit rates as people write them: a number in the plain unit, or text with a unit,
// such as "1 h 30 min", "32 MB" and "64 kbit/s". Pure.

import JSON

/// A unit with all its names; the first is used for writing.
private struct Unit {
  let names: [String]
  let size: Double
}

private let timeUnits = [
  Unit(names: ["d", "day", "days"], size: 86_400_000),
  Unit(names: ["h", "hour", "hours"], size: 3_600_000),
  Unit(names: ["min", "mins", "minute", "minutes", "m"], size: 60_000),
  Unit(names: ["s", "sec", "secs", "second", "seconds"], size: 1000),
  Unit(names: ["ms", "millisecond", "milliseconds"], size: 1),
]

private let sizeUnits = [
  Unit(names: ["GiB"], size: 1_073_741_824), Unit(names: ["GB"], size: 1_000_000_000),
  Unit(names: ["MiB"], size: 1_048_576), Unit(names: ["MB"], size: 1_000_000),
  Unit(names: ["KiB"], size: 1024), Unit(names: ["kB", "KB"], size: 1000),
  Unit(names: ["B", "byte", "bytes"], size: 1),
]

private let rateUnits = [
  Unit(names: ["kbit/s", "kbps", "kb/s", "k"], size: 1000), Unit(names: ["bit/s", "bps"], size: 1),
]

enum Quantity {
  /// Returns milliseconds, or nil if the text is no time.
  static func time(_ text: String) -> Int64? { parse(text, timeUnits) }

  static func time(milliseconds: Int64) -> String {
    let parts = timeUnits.reduce(into: (rest: milliseconds, text: [String]())) { done, unit in
      let count = done.rest / Int64(unit.size)
      if count > 0 { done.text.append("\(count) \(unit.names[0])") }
      done.rest %= Int64(unit.size)
    }
    return parts.text.isEmpty ? "0 s" : parts.text.joined(separator: " ")
  }

  static func bytes(_ text: String) -> Int64? { parse(text, sizeUnits) }
  static func bytes(_ count: Int64) -> String { exact(count, sizeUnits) }

  static func bitsPerSecond(_ text: String) -> Int64? { parse(text, rateUnits) }
  static func bitsPerSecond(_ count: Int64) -> String { exact(count, rateUnits) }

  /// Writes a count in the largest unit that needs no fraction.
  private static func exact(_ count: Int64, _ units: [Unit]) -> String {
    guard let unit = units.first(where: { count > 0 && count % Int64($0.size) == 0 }) else {
      return "\(count) \(units.last?.names[0] ?? "")"
    }
    return "\(count / Int64(unit.size)) \(unit.names[0])"
  }

  /// Parses numbers, each followed by a unit, each unit smaller than the last.
  private static func parse(_ text: String, _ units: [Unit]) -> Int64? {
    var rest = text[...]
    var sum = 0.0
    var last = Double.infinity
    repeat {
      rest = rest.drop { $0 == " " }
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let name = rest.prefix { $0 != " " && !($0.isASCII && $0.isNumber) }
      rest = rest.dropFirst(name.count).drop { $0 == " " }
      guard let number = Double(digits), let unit = unit(String(name), units), unit.size < last
      else { return nil }
      sum += number * unit.size
      last = unit.size
    } while !rest.isEmpty
    return Int64(exactly: sum.rounded())
  }

  /// Finds a unit by its exact name, else ignoring case: no two units differ by case only.
  private static func unit(_ name: String, _ units: [Unit]) -> Unit? {
    if let exact = units.first(where: { $0.names.contains(name) }) { return exact }
    let low = name.lowercased()
    return units.first { $0.names.contains { $0.lowercased() == low } }
  }
}

extension Kind where Value == Int64 {
  /// A time; a plain number is seconds.
  static func time(
    _ range: ClosedRange<Int64>, orNever: Bool = false, like example: String
  ) -> Kind {
    let ends = [range.lowerBound, range.upperBound].map { Quantity.time(milliseconds: $0) }
    return Kind(
      orNever
        ? "a time from \(ends[0]) to \(ends[1]), such as \"\(example)\", or \"never\""
        : "a time from \(ends[0]) to \(ends[1]), such as \"\(example)\"",
      write: { orNever && $0 == 0 ? "\"never\"" : quoted(Quantity.time(milliseconds: $0)) },
      hint: timeHint,
      read: { item in
        if orNever, item.value == .string("never") || item.value == .integer(0) { return 0 }
        let value = amount(item, scale: 1000, Quantity.time)
        return value.flatMap { range.contains($0) ? $0 : nil }
      })
  }

  private static func timeHint(_ item: JSONValue) -> String {
    switch item.value {
    case .integer, .real: "a number without a unit is seconds"
    case .string(let text) where Double(text) != nil:
      "give it a unit: \"\(text) s\" or \"\(text) min\""
    default: ""
    }
  }

  /// A size; a plain number is bytes.
  static func size(_ range: ClosedRange<Int64>, like example: String) -> Kind {
    Kind(
      "a size from \(Quantity.bytes(range.lowerBound)) to \(Quantity.bytes(range.upperBound)),"
        + " such as \"\(example)\"",
      write: { quoted(Quantity.bytes($0)) },
      hint: { item in
        guard case .string(let text) = item.value, Double(text) != nil else { return "" }
        return "give it a unit: \"\(text) MB\""
      },
      read: { item in
        amount(item, scale: 1, Quantity.bytes).flatMap { range.contains($0) ? $0 : nil }
      })
  }
}

extension Kind where Value == Int64? {
  /// A time that overrides another if it is given; `instead` describes the other.
  static func time(_ range: ClosedRange<Int64>, orNever: Bool, instead: String) -> Kind {
    let time = Kind<Int64>.time(range, orNever: orNever, like: "30 ms")
    return Kind(
      expected: time.expected,
      read: { item, reading in time.read(item, &reading).map { .some($0) } },
      write: { $0.map(time.write) ?? "\"\(instead)\"" })
  }
}

extension Kind where Value == Int {
  /// A bit rate; a plain number is bits a second.
  static func bitrate(_ range: ClosedRange<Int>) -> Kind {
    let ends = [range.lowerBound, range.upperBound].map { Quantity.bitsPerSecond(Int64($0)) }
    return Kind(
      "a bit rate from \(ends[0]) to \(ends[1]), such as \"64 kbit/s\"",
      write: { quoted(Quantity.bitsPerSecond(Int64($0))) },
      hint: { item in
        switch item.value {
        case .integer(let number) where number > 0 && number < 1000:
          "did you mean \"\(number) kbit/s\"?"
        case .string(let text) where Double(text) != nil: "give it a unit: \"\(text) kbit/s\""
        default: ""
        }
      },
      read: { item in
        let value = amount(item, scale: 1, Quantity.bitsPerSecond).flatMap { Int(exactly: $0) }
        return value.flatMap { range.contains($0) ? $0 : nil }
      })
  }
}

private func amount(
  _ item: JSONValue, scale: Double, _ parse: (String) -> Int64?
) -> Int64? {
  switch item.value {
  case .integer(let number): Int64(exactly: (Double(number) * scale).rounded())
  case .real(let number): Int64(exactly: (number * scale).rounded())
  case .string(let text): parse(text)
  case .null, .bool, .natural, .list, .table: nil
  }
}
