// The socket for `reelctl web`: a line of JSON at a time, in the form of docs/protocol.md. Who may
// use it is decided by the mode of its file. Loop's thread; it never waits for a client, and a
// client that sends or leaves too much is disconnected.
import Console
import Glibc
import JSON
import Realtime
import Systemd

/// Answers `reelctl web`.
final class AdminSocket {
  private static let clientsMaximum = 16
  private static let lineLimitBytes = 4096

  private let gate: Gatekeeper
  private let address: WebAddress
  private let validity: Certificate.Validity?
  private let loop: EventLoop
  private let log: (String) -> Void
  private var listener: OwnedFile?
  private var watch: FileWatch?
  private var clients: [Int32: Client] = [:]

  private final class Client {
    let file: OwnedFile
    var watch: FileWatch?
    var input: [UInt8] = []
    init(_ file: OwnedFile) { self.file = file }
  }

  /// - Parameter validity: that of the certificate, if there is one.
  init(
    _ gate: Gatekeeper, at address: WebAddress, _ validity: Certificate.Validity?, path: String,
    passed: Int32?, on loop: EventLoop, log: @escaping (String) -> Void
  ) throws {
    self.gate = gate
    self.address = address
    self.validity = validity
    self.loop = loop
    self.log = log
    let file = OwnedFile(owning: try passed ?? Self.listen(at: path, log))
    listener = file
    _ = fcntl(file.descriptor, F_SETFL, fcntl(file.descriptor, F_GETFL) | O_NONBLOCK)
    watch = try loop.watch(fileDescriptor: file.descriptor, for: .readable) { [unowned self] _ in
      accept()
    }
  }

  private static func listen(
    at path: String, _ log: (String) -> Void
  ) throws(WebError) -> Int32 {
    do throws(SocketFailure) {
      let file = try SocketFile.listen(at: path, logError: log)
      let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
      if copy >= 0 { return copy }
    } catch {
      throw WebError(.system, errorNumber: error.errorNumber, error.description)
    }
    throw WebError(.system, errorNumber: errno, "there are no descriptors left")
  }

  private func accept() {
    while let listener, let descriptor = Descriptors.accept(from: listener.descriptor) {
      let client = Client(OwnedFile(owning: descriptor))
      if clients.count >= Self.clientsMaximum { continue }
      do throws(EventLoopError) {
        client.watch = try loop.watch(fileDescriptor: descriptor, for: .readable) {
          [unowned self] _ in read(descriptor)
        }
        clients[descriptor] = client
        send(#"{"hello":{"web":true},"reel":1}"#.utf8, to: client)
      } catch { log("\(error)") }
    }
  }

  private func read(_ descriptor: Int32) {
    guard let client = clients[descriptor] else { return }
    var buffer = [UInt8](repeating: 0, count: Self.lineLimitBytes)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    client.input += buffer[..<max(0, count)]
    while let end = client.input.firstIndex(of: 10) {
      let line = Array(client.input[..<end])
      client.input.removeFirst(end + 1)
      if !send(answer(to: line), to: client) { return drop(client) }
    }
    if count <= 0 || client.input.count > Self.lineLimitBytes { drop(client) }
  }

  private func drop(_ client: Client) {
    client.watch?.stop()
    clients[client.file.descriptor] = nil
  }

  /// An answer is short: a client whose socket has no room for it does not read.
  @discardableResult
  private func send(_ line: some Collection<UInt8>, to client: Client) -> Bool {
    let bytes = Array(line) + [10]
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    return Glibc.send(client.file.descriptor, bytes, bytes.count, flags) == bytes.count
  }

  // MARK: Answers

  private func answer(to line: [UInt8]) -> [UInt8] {
    guard let request = WebJSON.parse(line), let id = request["id"]?.integer,
      let words = request["do"]?.items?.compactMap(\.text)
    else { return WebJSON.error("badRequest", "That is no request.") }
    let answer: Result<[UInt8], AdminError>
    do throws(AdminError) { answer = .success(try run(words)) } catch { answer = .failure(error) }
    return WebJSON.object { json in
      json.member("id", id)
      switch answer {
      case .success(let bytes):
        json.key("ok")
        json.object { json in
          json.key("web")
          json.verbatim(bytes)
        }
      case .failure(let error):
        json.key("error")
        json.object {
          $0.member("code", error.code)
          $0.member("sentence", error.sentence)
        }
      }
    }
  }

  private struct AdminError: Error {
    let code: String
    let sentence: String
  }

  private func run(_ words: [String]) throws(AdminError) -> [UInt8] {
    do throws(WebError) {
      switch (words.first, words.count) {
      case ("on", 1), ("off", 1): try gate.turn(on: words[0] == "on")
      case ("pair", 2...3):
        guard let role = Role(rawValue: words[1]) else {
          throw WebError(.usage, "“\(words[1])” is no role; say look, listen or control.")
        }
        return try pair(role, host: words.count > 2 ? words[2] : nil)
      case ("sessions", 1): break
      case ("revoke", 2):
        if try gate.revoke(words[1]).isEmpty, words[1] != "all" {
          throw WebError(.usage, "There is no session “\(words[1])”; see `reelctl web sessions`.")
        }
      default: throw WebError(.usage, "That is no command of the page.")
      }
    } catch {
      throw AdminError(code: error.code == .usage ? "notFound" : "failed", sentence: error.sentence)
    }
    return summary
  }

  /// - Parameter host: how reelctl reaches this machine.
  private func pair(_ role: Role, host: String?) throws(WebError) -> [UInt8] {
    guard gate.isOn else {
      throw WebError(.usage, "The page is off; turn it on with `reelctl web on`.")
    }
    let code = gate.offerCode(for: role)
    return WebJSON.object { json in
      json.member("code", code)
      json.member("role", role.rawValue)
      json.member("seconds", Pairing.lifeSeconds)
      json.member("waitSeconds", gate.waitSeconds)
      json.member("port", address.port)
      if let bound = address.bound { json.member("address", bound) }
      json.flag("isSecure", gate.isSecure)
      json.key("picture")
      json.array { json in
        for row in WebAddress.picture(of: address.text(host: host)) { json.string(row) }
      }
    }
  }

  private var summary: [UInt8] {
    WebJSON.object { json in
      json.key("isOn")
      json.verbatim((gate.isOn ? "true" : "false").utf8)
      json.flag("isSecure", gate.isSecure)
      if let validity {
        json.member("validFrom", validity.fromSeconds)
        json.member("validUntil", validity.untilSeconds)
      }
      json.member("port", address.port)
      if let bound = address.bound { json.member("address", bound) }
      json.member("wrongCodes", gate.pairing.wrongCount)
      json.member("waitSeconds", gate.waitSeconds)
      json.key("sessions")
      json.array { json in
        for session in gate.book.sessions {
          json.object { json in
            json.member("id", session.id)
            json.member("name", session.name)
            json.member("role", session.role.rawValue)
            json.member("made", session.madeSeconds)
            json.member("seen", session.seenSeconds)
          }
        }
      }
    }
  }
}
