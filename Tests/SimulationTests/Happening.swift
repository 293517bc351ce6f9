// What happens to a recorder in a simulation, as an explicit list: everything the world decides is
// a line with its time, so that a history can be written down, read again, and cut until only the
// relevant lines are left. Plain values, without any knowledge of the recorder.

/// One event of a history. The meaning of `a` and `b` depends on the kind.
struct Happening: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// A button, by its number, is held for that many milliseconds, bouncing.
    case press
    /// A spike of that many microseconds on a button's line.
    case spike
    /// A user types a command of a kind; `b` chooses its item.
    case say
    /// The microphone is unplugged, or plugged in again.
    case unplug, plug
    /// That many milliseconds of sound are lost: with an overrun reported; silently; or delivered
    /// late.
    case overrun, stall, late
    /// The microphone delivers nothing any more, without an error, for that many milliseconds. If
    /// `b` is odd, reading, opening or closing it hangs until then.
    case mute
    /// The encoder's thread does not run for that many milliseconds.
    case starve
    /// The card does not answer for that many milliseconds.
    case cardStall
    /// That many operations of the card fail, from the b-th on.
    case cardErrors
    /// The card has room for only that many more kilobytes; or for everything again.
    case cardFull, cardRoom
    /// The card is read-only for that many milliseconds.
    case readOnly
    /// The clock is set right; or jumps by that many seconds.
    case clockSet, clockJump
    /// The power is cut, now or at the a-th operation of the card from now; `b` chooses what is
    /// left.
    case cut, cutWithin
    /// The daemon dies, or dies in the middle of an operation of the card; it is started again.
    case kill, killWithin
    /// The daemon is stopped, and started again after that many milliseconds.
    case stop
    /// The settings change to another of a few sets.
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

/// A whole history: its setup, its length, and its events.
struct Script: Equatable, Sendable {
  /// Decides the kind of card, the settings, and all small chances between happenings.
  let seed: UInt64
  let hours: Double
  var happenings: [Happening]

  var text: String {
    (["life \(seed) \(hours)"] + happenings.map(\.description)).joined(separator: "\n") + "\n"
  }

  init(seed: UInt64, hours: Double, happenings: [Happening]) {
    (self.seed, self.hours, self.happenings) = (seed, hours, happenings)
  }

  /// Nil if the text is not a history. Lines that begin with # are comments.
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
