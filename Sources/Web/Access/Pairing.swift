// Pairing: a code that is typed once, and what wrong codes cost. One code is valid at a time, for
// five minutes and one use. After five wrong ones in a minute all pairing waits, each time twice as
// long. Pure: the time is passed in.

/// The code that is valid, and the wrong ones.
struct Pairing: Equatable {
  static let lifeSeconds: Int64 = 300
  static let guessesMaximum = 5
  static let guessSeconds: Int64 = 60
  static let waitSecondsMaximum: Int64 = 900

  enum Outcome: Equatable {
    case paired(Role)
    case wrong
    /// Not even looked at.
    case wait(seconds: Int64)
  }

  private var code: (hash: String, role: Role, until: Int64)?
  private var guesses: [Int64] = []
  private var waitsUntil: Int64 = 0
  private var lastWait: Int64 = 0
  /// Since the program began.
  private(set) var wrongCount = 0

  static func == (one: Pairing, other: Pairing) -> Bool {
    one.code?.hash == other.code?.hash && one.guesses == other.guesses
      && one.waitsUntil == other.waitsUntil
  }

  mutating func offer(_ code: String, _ role: Role, atSeconds now: Int64) {
    self.code = (Secrets.hash(code), role, now + Self.lifeSeconds)
  }

  mutating func withdraw() { code = nil }

  mutating func enter(_ typed: String, atSeconds now: Int64) -> Outcome {
    if now < waitsUntil { return .wait(seconds: waitsUntil - now) }
    let digits = typed.filter { $0.isASCII && $0.isNumber }
    // A hash is compared also if there is no code, so that time tells nothing.
    let known = code.map { now < $0.until ? $0 : ("", $0.role, 0) } ?? ("", .look, 0)
    let expected = known.0.isEmpty ? Secrets.hash("") : known.0
    let isRight = Secrets.areEqual(Secrets.hash(digits), expected) && !known.0.isEmpty
    if isRight {
      code = nil
      guesses = []
      lastWait = 0
      return .paired(known.1)
    }
    noteWrong(now)
    return .wrong
  }

  private mutating func noteWrong(_ now: Int64) {
    wrongCount += 1
    guesses = guesses.filter { now - $0 < Self.guessSeconds } + [now]
    guard guesses.count >= Self.guessesMaximum else { return }
    guesses = []
    // An hour without a series of wrong codes, and the waits begin anew.
    if now - waitsUntil > 3600 { lastWait = 0 }
    lastWait = min(Self.waitSecondsMaximum, lastWait == 0 ? 60 : lastWait * 2)
    waitsUntil = now + lastWait
  }

  func waitSeconds(atSeconds now: Int64) -> Int64 { max(0, waitsUntil - now) }

  func isOffered(atSeconds now: Int64) -> Bool { (code?.until ?? 0) > now }
}
