// Who may use the page: whether it is on, and the paired browsers. Of a token only its hash is
// kept. Pure values; the text of the file is checked as if a stranger had written it.
import JSON

/// A paired browser.
struct Session: Equatable {
  /// Names it to people; not a secret.
  let id: String
  let tokenHash: String
  let name: String
  let role: Role
  let madeSeconds: Int64
  var seenSeconds: Int64
}

/// The sessions, and whether the page is on.
struct SessionBook: Equatable {
  static let sessionsMaximum = 200
  static let nameBytesMaximum = 80

  var isOn = false
  private(set) var sessions: [Session] = []

  init() {}

  /// Adds a session; the one not seen for longest makes room if there are too many.
  mutating func add(_ session: Session) {
    if sessions.count >= Self.sessionsMaximum,
      let oldest = sessions.indices.min(by: {
        sessions[$0].seenSeconds < sessions[$1].seenSeconds
      })
    {
      sessions.remove(at: oldest)
    }
    sessions.append(session)
  }

  /// Returns whose token it is. Each hash is compared, in the same time.
  func session(token: String) -> Session? {
    let hash = Secrets.hash(token)
    var found: Session?
    for session in sessions where Secrets.areEqual(hash, session.tokenHash) { found = session }
    return found
  }

  mutating func see(_ id: String, atSeconds now: Int64) {
    guard let index = sessions.firstIndex(where: { $0.id == id }) else { return }
    sessions[index].seenSeconds = now
  }

  /// Removes a session by its id or its name; "all" removes all. Returns what was removed.
  mutating func revoke(_ name: String) -> [Session] {
    let gone = sessions.filter { name == "all" || $0.id == name || $0.name == name }
    sessions.removeAll { session in gone.contains { $0.id == session.id } }
    return gone
  }

  /// A name as people typed it, without control characters, and not too long.
  static func cleaned(_ name: String) -> String {
    var clean = ""
    for character in name where !character.unicodeScalars.contains(where: isHidden) {
      if clean.utf8.count + character.utf8.count > nameBytesMaximum { break }
      clean.append(character)
    }
    let trimmed = String(clean.trimmed)
    return trimmed.isEmpty ? "browser" : trimmed
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  // MARK: The file

  var bytes: [UInt8] {
    WebJSON.object { json in
      json.member("version", 1)
      json.flag("isOn", isOn)
      json.key("sessions")
      json.array { json in
        for session in sessions {
          json.object { json in
            json.member("id", session.id)
            json.member("token", session.tokenHash)
            json.member("name", session.name)
            json.member("role", session.role.rawValue)
            json.member("made", session.madeSeconds)
            json.member("seen", session.seenSeconds)
          }
        }
      }
    } + [10]
  }

  /// Nil if the text is no such file.
  init?(_ bytes: [UInt8]) {
    // The caller says that the file is damaged; where does not matter.
    guard let value = try? JSON.parse(bytes, limits: JSON.Limits(bytes: 1 << 20, depth: 8)),
      value["version"]?.integer == 1, let items = value["sessions"]?.items,
      items.count <= Self.sessionsMaximum
    else { return nil }
    isOn = value["isOn"]?.flag ?? false
    for item in items {
      guard let session = Session(item) else { return nil }
      sessions.append(session)
    }
  }
}

extension Session {
  fileprivate init?(_ value: JSONValue) {
    guard let id = value["id"]?.text, let hash = value["token"]?.text, hash.utf8.count == 64,
      let name = value["name"]?.text,
      let role = value["role"]?.text.flatMap({ Role(rawValue: $0) }),
      let made = value["made"]?.integer, let seen = value["seen"]?.integer
    else { return nil }
    self.id = id
    tokenHash = hash
    self.name = SessionBook.cleaned(name)
    self.role = role
    (madeSeconds, seenSeconds) = (Int64(made), Int64(seen))
  }
}
