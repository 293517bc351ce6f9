// What happens to a recorder in a simulation, as an explicit list: everything the world decides is
// a line with its time, so that a history can be written down, read again, and cut until only what
// matters is left. Plain values; nothing here knows what the recorder makes of it.

/// One thing that happens. What `a` and `b` mean depends on the kind.
struct Happening: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// A button, by its number, is held for so many milliseconds, bouncing.
    case press
    /// A spike on a button's line, of so many microseconds.
    case spike
    /// Somebody types a command of a kind; `b` chooses what it is about.
    case say
    /// The microphone is pulled out, or put back.
    case unplug, plug
    /// So many milliseconds of sound are lost: said by the device; silently; or handed out late.
    case overrun, stall, late
    /// The encoder gets no processor for so many milliseconds.
    case starve
    /// The card does not answer for so many milliseconds.
    case cardStall
    /// So many operations of the card fail, from the b-th on.
    case cardErrors
    /// The card has room for so many kilobytes more; or for all again.
    case cardFull, cardRoom
    /// The card can only be read for so many milliseconds.
    case readOnly
    /// The clock is set right; or jumps by so many seconds.
    case clockSet, clockJump
    /// The power goes, now or at the a-th operation of the card from now; `b` is what it leaves.
    case cut, cutWithin
    /// The daemon dies, or dies in the middle of its work with the card; it starts again.
    case kill, killWithin
    /// It is stopped, and started again after so many milliseconds.
    case stop
    /// The settings are another of a few.
    case settings
  }

  let atMilliseconds: Int64
  let kind: Kind
  var a: Int64 = 0
  var b: Int64 = 0
}

extension Happening: CustomStringConvertible {
  var description: String { "\(atMilliseconds) \(kind.rawValue) \(a) \(b)" }

  init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard words.count == 4, let at = Int64(words[0]), let kind = Kind(rawValue: String(words[1])),
      let a = Int64(words[2]), let b = Int64(words[3])
    else { return nil }
    self.init(atMilliseconds: at, kind: kind, a: a, b: b)
  }
}

/// A whole history: who it happens to, for how long, and what.
struct Script: Equatable, Sendable {
  /// From this follow the kind of card, the settings, and all small chances between happenings.
  let seed: UInt64
  let hours: Double
  var happenings: [Happening]

  var text: String {
    (["life \(seed) \(hours)"] + happenings.map(\.description)).joined(separator: "\n") + "\n"
  }

  init(seed: UInt64, hours: Double, happenings: [Happening]) {
    (self.seed, self.hours, self.happenings) = (seed, hours, happenings)
  }

  /// Nil if it is no history. Lines that begin with # are for people.
  init?(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let head = lines.first?.split(separator: " ") ?? []
    guard head.count == 3, head[0] == "life", let seed = UInt64(head[1]),
      let hours = Double(head[2])
    else { return nil }
    let happenings = lines.dropFirst().map { Happening($0) }
    if happenings.contains(nil) { return nil }
    self.init(seed: seed, hours: hours, happenings: happenings.compactMap { $0 })
  }
}
