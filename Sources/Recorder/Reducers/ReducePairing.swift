// A code for a browser: asked for, shown, and hidden when it was used or its time is over. Pure.

extension State {
  mutating func askForCode(from origin: Origin) { pairing = .wanted(by: origin, since: now) }

  mutating func follow(_ report: PairingReport, from console: Int) {
    switch report {
    case .code(let code, let seconds):
      let milliseconds = min(Int64(seconds).clampedMultiplied(by: 1000), Pairing.shownMilliseconds)
      pairing = .shown(code, from: console, until: now.adding(milliseconds: milliseconds))
    case .over: hideCode()
    }
  }

  mutating func hideCode() {
    if pairing.code != nil { pairing = .none }
  }

  /// The program that made the code has gone, and the code with it.
  mutating func forgetCode(from console: Int) {
    if case .shown(_, console, _) = pairing { pairing = .none }
  }

  var pairingDue: Instant? {
    switch pairing {
    case .none: nil
    case .wanted(_, let since): since.adding(milliseconds: Pairing.answerMilliseconds)
    case .shown(_, _, let until): until
    }
  }

  /// No answer came, or the code was shown for long enough.
  mutating func endPairing(_ step: inout Step) {
    guard let due = pairingDue, due <= now else { return }
    let ended = pairing
    pairing = .none
    if case .wanted(let origin, _) = ended { answer(origin, .refused(.noPage), &step) }
  }
}
