// Decides who gets in: the page's switch, the sessions, pairing and its file. Loop's thread. It
// says in the journal who was paired and when codes are guessed; it never writes a code or a token
// there.
import Glibc
import Systemd

/// The sessions and the pairing of one server.
final class Gatekeeper {
  private(set) var book: SessionBook
  private(set) var pairing = Pairing()
  /// Called when a session ends, or all of them with nil.
  var onRevoke: (String?) -> Void = { _ in }
  /// Called when the code that was valid is not any more.
  var onCodeOver: () -> Void = {}
  /// Whether browsers come by HTTPS only.
  let isSecure: Bool
  private let file: SessionFile
  private let log: (String) -> Void
  private var savedSeenSeconds: Int64 = 0

  init(
    state directory: String, isSecure: Bool, log: @escaping (String) -> Void
  ) throws(WebError) {
    self.isSecure = isSecure
    file = SessionFile(in: directory)
    self.log = log
    book = try file.load()
  }

  /// The wall clock, which may be wrong, as people read it in lists.
  static var wallSeconds: Int64 { Int64(time(nil)) }
  private static var now: Int64 { EventLoop.monotonicNanoseconds() / 1_000_000_000 }

  var isOn: Bool { book.isOn }

  func turn(on: Bool) throws(WebError) {
    if book.isOn == on { return }
    try change { $0.isOn = on }
    log(on ? "the page is on" : "the page is off")
    if !on {
      pairing.withdraw()
      onCodeOver()
      onRevoke(nil)
    }
  }

  // MARK: Sessions

  func session(of request: HTTPRequest) -> Session? {
    guard let token = request.cookie(Self.cookieName), token.utf8.count == 64,
      let session = book.session(token: token)
    else { return nil }
    see(session)
    return session
  }

  /// Kept in memory each time, and in the file at most every ten minutes: it wears the card.
  private func see(_ session: Session) {
    let now = Self.wallSeconds
    if now - session.seenSeconds < 60 { return }
    book.see(session.id, atSeconds: now)
    if Self.now - savedSeenSeconds < 600 { return }
    savedSeenSeconds = Self.now
    do throws(WebError) { try file.save(book) } catch { log(error.sentence) }
  }

  static let cookieName = "reel-session"

  func cookie(_ token: String, maximumAgeSeconds: Int = 31_536_000) -> String {
    "\(Self.cookieName)=\(token); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  var expiredCookie: String { cookie("", maximumAgeSeconds: 0) }

  func revoke(_ name: String) throws(WebError) -> [Session] {
    var gone: [Session] = []
    try change { gone = $0.revoke(name) }
    for session in gone {
      log("the session of “\(session.name)” has ended")
      onRevoke(session.id)
    }
    return gone
  }

  private func change(_ body: (inout SessionBook) -> Void) throws(WebError) {
    var changed = book
    body(&changed)
    if changed == book { return }
    try file.save(changed)
    book = changed
  }

  // MARK: Pairing

  /// - Parameter isWinked: by a light, so it has few and small digits.
  func offerCode(for role: Role, isWinked: Bool = false) -> String {
    let code = isWinked ? Secrets.winkedCode() : Secrets.code()
    onCodeOver()
    pairing.offer(code, role, atSeconds: Self.now)
    return code
  }

  var waitSeconds: Int64 { pairing.waitSeconds(atSeconds: Self.now) }

  enum PairingResult {
    case paired(Session, token: String)
    case wrong
    case wait(seconds: Int64)
  }

  func pair(code: String, name: String) throws(WebError) -> PairingResult {
    let wasWaiting = waitSeconds > 0
    switch pairing.enter(code, atSeconds: Self.now) {
    case .wait(let seconds): return .wait(seconds: seconds)
    case .wrong:
      if !wasWaiting, waitSeconds > 0 {
        log("codes are being guessed; pairing waits for \(waitSeconds) s")
      }
      return .wrong
    case .paired(let role):
      onCodeOver()
      let token = Secrets.token()
      let now = Self.wallSeconds
      let session = Session(
        id: Secrets.hexadecimal(Secrets.bytes(4)), tokenHash: Secrets.hash(token),
        name: SessionBook.cleaned(name), role: role, madeSeconds: now, seenSeconds: now)
      try change { $0.add(session) }
      log("“\(session.name)” was paired, with the role \(role.rawValue)")
      return .paired(session, token: token)
    }
  }
}
