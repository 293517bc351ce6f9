// Downloads that keep the recorder busy: one of a kind at a time for each session, two in all.
// Loop's thread; it never waits.

/// The turns for one kind of download.
final class SessionTurns {
  static let totalMaximum = 2

  private let refusal: String
  private var sessions: Set<String> = []

  /// - Parameter refusal: what a browser is told that has to wait.
  init(refusal: String) { self.refusal = refusal }

  /// Gives the session a turn until the exchange ends; else answers that it has to wait.
  func begin(_ exchange: Exchange, session: String) -> Bool {
    guard !sessions.contains(session), sessions.count < Self.totalMaximum else {
      var reply = Reply.failure(503, refusal, code: "busy")
      reply.headers.append(("Retry-After", "10"))
      exchange.finish(reply)
      return false
    }
    sessions.insert(session)
    // Also if nothing is sent in the end, or the browser goes away before it begins.
    exchange.onEnd = { [weak self] in self?.sessions.remove(session) }
    return true
  }
}
