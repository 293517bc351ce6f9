// `reelctl web`: turns the recorder's page on and off, makes codes and lists the paired browsers.
// It asks reel-web by its own socket, a line of JSON for a request and one for the answer; the
// recorder is not asked.

import Catalogue
import Console
import Glibc
import JSON
import Recorder

/// What reel-web says of itself.
private struct WebReport: Codable {
  struct Session: Codable {
    let id: String
    let name: String
    let role: String
    let made: Int64
    let seen: Int64
  }

  var isOn: Bool?
  /// Whether the page is served by HTTPS.
  var isSecure: Bool?
  var port: Int?
  var address: String?
  var wrongCodes: Int?
  var waitSeconds: Int64?
  var sessions: [Session]?
  var code: String?
  var role: String?
  var seconds: Int64?
  /// Where the page is, as the rows of a QR code.
  var picture: [String]?
}

private struct WebAnswer: Codable {
  struct Content: Codable { let web: WebReport }

  var ok: Content?
  var error: CommandError?
}

struct WebPage {
  static let standardSocket = "/run/reel-web/admin.sock"

  private let isJSON: Bool
  private let words: [String]
  private let socket: String
  private var say: (Phrase) -> String { Output.language.say }

  init(_ call: CommandLineCall) throws(ExitError) {
    isJSON = call.isJSON
    let fromEnvironment = getenv("REEL_WEB_SOCKET").map { String(cString: $0) } ?? ""
    var socket = fromEnvironment.isEmpty ? Self.standardSocket : fromEnvironment
    var role = "control"
    var plain: [String] = []
    var rest = call.words.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--role", "--admin":
        guard let value = rest.popFirst() else {
          throw ExitError(ExitCode.usage, "\(word) needs a value; see reelctl --help")
        }
        if word == "--role" { role = value } else { socket = value }
      default: plain.append(word)
      }
    }
    self.socket = socket
    switch (plain.first, plain.count) {
    case ("on", 1), ("off", 1), ("sessions", 1), ("revoke", 2): words = plain
    case ("pair", 1): words = ["pair", role] + (Self.ownAddress().map { [$0] } ?? [])
    default:
      throw ExitError(
        ExitCode.usage, "say web on, off, pair, sessions, or revoke and a session")
    }
  }

  func run() throws(ExitError) -> Int32 {
    let line = try ask()
    let answer: WebAnswer
    do { answer = try JSON.decode(WebAnswer.self, from: line) } catch { throw stranger }
    if let failure = answer.error {
      throw ExitError(ExitCode.of(failure.code), failure.sentence)
    }
    guard let report = answer.ok?.web else { throw stranger }
    if isJSON { try showJSON(report) } else { show(report) }
    return 0
  }

  // MARK: Asking

  private func ask() throws(ExitError) -> [UInt8] {
    let file: SocketFile
    do throws(SocketFailure) { file = try SocketFile.connect(to: socket) } catch {
      if [EACCES, EPERM].contains(error.errorNumber) {
        throw ExitError(
          ExitCode.notPermitted,
          "you may not talk to the recorder; join the group reel (usermod -aG reel NAME), or use"
            + " sudo")
      }
      throw ExitError(
        ExitCode.unavailable,
        "no page is served at \(socket); install reel-web and start it (systemctl start"
          + " reel-web.socket)")
    }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      file.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var request = JSONWriter()
    request.object { json in
      json.member("id", 1)
      json.key("do")
      json.array { for word in words { $0.string(word) } }
    }
    let line = request.bytes + [10]
    guard SocketFile.send(line[...], with: [], to: file.descriptor) == line.count else {
      throw stranger
    }
    return try secondLine(of: file.descriptor)
  }

  /// The first line is the greeting.
  private func secondLine(of descriptor: Int32) throws(ExitError) -> [UInt8] {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while input.count < 1 << 20 {
      let lines = input.split(separator: 10, omittingEmptySubsequences: false)
      if lines.count > 2 { return Array(lines[1]) }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { input += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    throw stranger
  }

  private var stranger: ExitError {
    ExitError(ExitCode.unavailable, "what listens at \(socket) is not reel-web")
  }

  // MARK: Showing

  private func showJSON(_ report: WebReport) throws(ExitError) {
    do { Output.show(json: try JSON.encode(report)) } catch { throw stranger }
  }

  private func show(_ report: WebReport) {
    switch words[0] {
    case "pair": showCode(report)
    case "sessions": showSessions(report)
    case "revoke": Output.write(say("The session has ended.") + "\n")
    case "on": Output.write(say("The page is on: \(address(report))") + "\n")
    default: Output.write(say("The page is off.") + "\n")
    }
    if let wait = report.waitSeconds, wait > 0 {
      Output.write(say("Wrong codes were typed; pairing waits for \(wait) s.") + "\n")
    }
  }

  private func showCode(_ report: WebReport) {
    let code = report.code ?? ""
    let spaced = "\(code.prefix(4)) \(code.dropFirst(4))"
    let minutes = (report.seconds ?? 0) / 60
    Output.write(say("Open \(address(report)) and type \(spaced) there.") + "\n")
    Output.write(
      say(
        "The code pairs one browser within \(minutes) minutes, with the role \(report.role ?? "")."
      ) + "\n")
    // For the camera of a phone; a pipe has no use for it.
    guard isatty(1) == 1 else { return }
    for line in PairingCode.lines(of: report.picture ?? []) { Output.write(line + "\n") }
  }

  private func showSessions(_ report: WebReport) {
    if report.isOn != true { Output.write(say("The page is off.") + "\n") }
    let sessions = report.sessions ?? []
    if sessions.isEmpty { Output.write(say("No browser is paired.") + "\n") }
    for session in sessions {
      let role = session.role.padding(to: 8)
      let name = Text.printable(session.name)
      Output.write("\(session.id)  \(role) \(Self.day(session.seen))  \(name)\n")
    }
  }

  private static func day(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &local)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Where browsers elsewhere reach the page: the first address that is not this machine's own.
  private func address(_ report: WebReport) -> String {
    (report.isSecure == true ? "https" : "http")
      + "://\(report.address ?? Self.ownAddress() ?? "127.0.0.1"):\(report.port ?? 80)/"
  }

  private static func ownAddress() -> String? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: 64)
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
        return String(
          decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    return nil
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
