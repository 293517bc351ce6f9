// Places in a recording and volumes as people type them: 1:02:03, 90, 1:30.5, +10, -10; 80, +5.
// Pure; no input can overflow.

struct Position: Equatable {
  enum Sign { case none, plus, minus }

  let sign: Sign
  let milliseconds: Int64

  init(_ word: String) throws(ParseError) {
    var rest = Substring(word)
    switch rest.first {
    case "+": sign = .plus
    case "-", "−": sign = .minus
    default: sign = .none
    }
    if sign != .none { rest = rest.dropFirst() }
    guard let milliseconds = Self.milliseconds(rest) else {
      throw ParseError("“\(word)” is no time; say 1:02:03, or 90 for seconds, or +10 or -10.")
    }
    self.milliseconds = milliseconds
  }

  var seek: Seek {
    switch sign {
    case .none: .to(milliseconds: milliseconds)
    case .plus: .by(milliseconds: milliseconds)
    case .minus: .by(milliseconds: -milliseconds)
    }
  }

  /// Returns the time from the beginning; a relative one is an error.
  func absolute() throws(ParseError) -> Int64 {
    if sign != .none { throw ParseError("Say from the beginning, for example 1:02:03.") }
    return milliseconds
  }

  private static func milliseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds: Int64 = 0
    for part in parts.dropLast() {
      guard let number = digits(part), part.count <= 6 else { return nil }
      seconds = (seconds + number) * 60
    }
    let last = parts[parts.count - 1].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = digits(last[0]), last[0].count <= 9 else { return nil }
    if parts.count > 1, whole > 59 { return nil }
    if parts.count == 3, let minutes = digits(parts[1]), minutes > 59 { return nil }
    guard last.count == 2 else { return (seconds + whole) * 1000 }
    guard digits(last[1]) != nil, let part = digits((last[1] + "000").prefix(3)) else { return nil }
    return (seconds + whole) * 1000 + part
  }

  private static func digits(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(String(text.prefix(18)))
  }
}

extension VolumeChange {
  init(_ word: String) throws(ParseError) {
    let plain = word.hasSuffix("%") ? String(word.dropLast()) : word
    let isSigned = plain.hasPrefix("+") || plain.hasPrefix("-")
    guard let number = Int(plain), isSigned ? abs(number) <= 100 : (0...100).contains(number) else {
      throw ParseError("“\(word)” is no volume; say 0 to 100, or +5 or -5.")
    }
    self = isSigned ? .by(number) : .to(number)
  }
}
