// What reelctl asks of reel-web, by its own socket: a line of JSON for a request and one for the
// answer. It waits for ten seconds at most.

import Console
import Glibc
import JSON
import Recorder

/// What reel-web says of itself.
struct WebReport: Codable {
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
  /// When its certificate is valid, in seconds since 1970.
  var validFrom: Int64?
  var validUntil: Int64?
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

/// The socket of reel-web.
struct WebAdmin {
  static let standardSocket = "/run/reel-web/admin.sock"

  /// Nil if the environment names none.
  static var socketOfEnvironment: String? {
    let path = getenv("REEL_WEB_SOCKET").map { String(cString: $0) } ?? ""
    return path.isEmpty ? nil : path
  }

  private let socket: String

  init(_ socket: String) { self.socket = socket }

  func ask(_ words: [String]) throws(ExitError) -> WebReport {
    let line = try answer(to: words)
    let answer: WebAnswer
    do { answer = try JSON.decode(WebAnswer.self, from: line) } catch { throw stranger }
    if let failure = answer.error {
      throw ExitError(ExitCode.of(failure.code), failure.sentence)
    }
    guard let report = answer.ok?.web else { throw stranger }
    return report
  }

  private func answer(to words: [String]) throws(ExitError) -> [UInt8] {
    let file: SocketFile
    do throws(SocketFailure) { file = try SocketFile.connect(to: socket) } catch {
      if [EACCES, EPERM].contains(error.errorNumber) { throw .mayNotTalk }
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

  var stranger: ExitError {
    ExitError(ExitCode.unavailable, "what listens at \(socket) is not reel-web")
  }
}
