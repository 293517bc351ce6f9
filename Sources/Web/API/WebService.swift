// The service: who may ask what, and which part answers. Loop's thread. Every request passes the
// same gate in the same order: the name of the host, the switch, the origin, the session, the role.
import Glibc
import JSON
import Systemd

/// The recorder's page and what it talks to.
public final class WebService {
  /// What the command line says.
  public struct Settings {
    public var recorder = "/run/reel/control.sock"
    public var state = "/var/lib/reel-web"
    public var page = "/usr/share/reel/web"
    public var admin = "/run/reel-web/admin.sock"
    public var hosts: [String] = []
    /// Without one it speaks plain HTTP.
    public var certificate: CertificateFiles?
    public init() {}
  }

  private let server: HTTPServer
  private let gate: Gatekeeper
  private let hub: WatchHub
  private let live: LiveHub
  private let pool: CommandPool
  private let page: PageFiles
  private let rules: HostRules
  private let admin: AdminSocket
  private let codes: CodeDesk
  private let zips: ZipDesk
  private let wavs: WavDesk
  private let log: (String) -> Void

  /// - Parameters:
  ///   - web: the listening socket for browsers.
  ///   - admin: that for reelctl, if systemd made one.
  ///   - log: receives sentences for the journal.
  public init(
    _ settings: Settings, web: Int32, admin passed: Int32?, on loop: EventLoop,
    log: @escaping (String) -> Void
  ) throws {
    self.log = log
    let certificate = try settings.certificate.map(Certificate.init)
    rules = HostRules(names: settings.hosts, isSecure: certificate != nil)
    page = try PageFiles(directory: settings.page)
    gate = try Gatekeeper(state: settings.state, isSecure: certificate != nil, log: log)
    pool = CommandPool(to: settings.recorder, on: loop)
    hub = try WatchHub(to: settings.recorder, on: loop, log: log)
    live = LiveHub(to: settings.recorder, on: loop, log: log)
    zips = ZipDesk(pool)
    wavs = WavDesk(pool, state: settings.state)
    let address = WebAddress(
      isSecure: certificate != nil, bound: ListenSocket.address(of: web),
      port: ListenSocket.port(of: web))
    admin = try AdminSocket(
      gate, at: address, certificate?.validity, path: settings.admin, passed: passed, on: loop,
      log: log)
    codes = CodeDesk(gate, pool, at: address, log: log)
    server = try HTTPServer(listener: web, certificate: certificate, on: loop)
    server.handle = { [unowned self] in handle($0) }
    hub.onStatus = { [unowned self] in codes.follow($0) }
    hub.describe = { [unowned self] in description(of: $0) }
    gate.onRevoke = { [unowned self] in
      hub.end(session: $0)
      live.end(session: $0)
    }
    if let day = certificate?.validity.lastDay { log("its certificate is valid until \(day)") }
    pool.connect()
    hub.connect()
    live.connect()
  }

  public func stop() { server.stop() }

  // MARK: The gate

  private func handle(_ exchange: Exchange) {
    let request = exchange.request
    guard let host = request.header("host"), rules.allows(host: host) else {
      return exchange.finish(.failure(403, "this name is not one of the recorder's; see --host"))
    }
    guard gate.isOn else { return exchange.finish(PageFiles.off) }
    if request.method == "POST" {
      guard rules.allows(origin: request.header("origin"), host: host),
        request.header("sec-fetch-site").map({ $0 == "same-origin" }) ?? true
      else { return exchange.finish(.failure(403, "only the recorder's own page may ask this")) }
      guard Self.isJSON(request.header("content-type")) else {
        return exchange.finish(.failure(415, "the body has to be JSON"))
      }
      return post(exchange)
    }
    get(exchange)
  }

  private static func isJSON(_ type: String?) -> Bool {
    type?.split(separator: ";").first.map { $0.trimmed.lowercased() == "application/json" } ?? false
  }

  private func get(_ exchange: Exchange) {
    let request = exchange.request
    if request.path == "/" { return exchange.finish(page.reply(to: request, name: "index.html")) }
    if request.path.hasPrefix("/page/") {
      return exchange.finish(page.reply(to: request, name: String(request.path.dropFirst(6))))
    }
    // A page elsewhere cannot show what these answer, and must not learn whether it is there.
    if let site = request.header("sec-fetch-site"), site != "same-origin", site != "none" {
      return exchange.finish(.failure(403, "only the recorder's own page may ask this"))
    }
    guard let session = admitted(exchange) else { return }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard parts.first == "api", parts.count <= 3, parts.count >= 2 else {
      return exchange.finish(.failure(404, "there is nothing here"))
    }
    let name = parts.count == 3 ? String(parts[parts.startIndex + 2]) : ""
    get(exchange, session, String(parts[parts.startIndex + 1]), name)
  }

  private func get(_ exchange: Exchange, _ session: Session, _ what: String, _ name: String) {
    switch (what, name.isEmpty) {
    case ("me", true): exchange.finish(.json(description(of: session.id)))
    case ("events", true): watch(exchange, session)
    case ("waveform", false):
      if let id = checked(id: name, exchange) { drawWaveform(exchange, id) }
    case ("sound", false):
      guard may(session, .listen, exchange), let id = checked(id: name, exchange) else { return }
      SoundAPI(pool: pool).answer(exchange, id: id)
    case ("live", true):
      if may(session, .listen, exchange) { live.answer(exchange, session: session.id) }
    case ("live", false):
      let position = live.position(of: name, session: session.id)
      exchange.finish(position.map { .json($0) } ?? .failure(404, "there is nothing here"))
    case ("wav", false):
      guard may(session, .listen, exchange), let id = checked(id: name, exchange) else { return }
      wavs.answer(exchange, id: id, session: session.id)
    case ("zip", false):
      guard may(session, .listen, exchange), let id = checked(id: name, exchange) else { return }
      zips.answer(exchange, folder: id, session: session.id)
    default: exchange.finish(.failure(404, "there is nothing here"))
    }
  }

  private func post(_ exchange: Exchange) {
    guard let body = WebJSON.parse(exchange.body) else {
      return exchange.finish(.failure(400, "the body is no JSON"))
    }
    if exchange.request.path == "/api/pair" { return pair(exchange, body) }
    guard let session = admitted(exchange) else { return }
    switch exchange.request.path {
    case "/api/do": run(exchange, session, body)
    case "/api/say": exchange.finish(SayAPI.reply(to: body))
    case "/api/leave": leave(exchange, session)
    default: exchange.finish(.failure(404, "there is nothing here"))
    }
  }

  private func admitted(_ exchange: Exchange) -> Session? {
    if let session = gate.session(of: exchange.request) { return session }
    exchange.finish(.failure(401, "this browser is not paired with the recorder"))
    return nil
  }

  private func may(_ session: Session, _ role: Role, _ exchange: Exchange) -> Bool {
    if session.role >= role { return true }
    exchange.finish(.failure(403, "this browser may not do that"))
    return false
  }

  /// An id, or the words for the root and the trash. Nothing else reaches the recorder as a name.
  private func checked(id: String, _ exchange: Exchange) -> String? {
    if let name = Self.name(ofItem: id) { return name }
    exchange.finish(.failure(404, "there is nothing here"))
    return nil
  }

  static func name(ofItem text: String) -> String? {
    if text == "root" { return "/" }
    if text == "trash" { return "/.trash" }
    let isID =
      (32...36).contains(text.utf8.count)
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) || $0 == 45 }
    return isID ? text : nil
  }

  // MARK: Answers

  private func description(of session: String) -> [UInt8] {
    let known = gate.book.sessions.first { $0.id == session }
    return WebJSON.object { json in
      json.member("name", known?.name ?? "")
      json.member("role", (known?.role ?? .look).rawValue)
      json.member("session", session)
    }
  }

  private func pair(_ exchange: Exchange, _ body: JSONValue) {
    guard let code = body["code"]?.text, code.utf8.count <= 64 else {
      return exchange.finish(.failure(400, "a code is missing"))
    }
    do throws(WebError) {
      switch try gate.pair(code: code, name: body["name"]?.text ?? "") {
      case .wrong: exchange.finish(.failure(403, "This code is not valid.", code: "wrongCode"))
      case .wait(let seconds):
        var reply = Reply.failure(429, "Too many wrong codes: try again in \(seconds) s.")
        reply.headers.append(("Retry-After", "\(seconds)"))
        exchange.finish(reply)
      case .paired(let session, let token):
        var reply = Reply.json(description(of: session.id))
        reply.headers.append(("Set-Cookie", gate.cookie(token)))
        exchange.finish(reply)
      }
    } catch {
      log(error.sentence)
      exchange.finish(.failure(500, error.sentence))
    }
  }

  private func leave(_ exchange: Exchange, _ session: Session) {
    do throws(WebError) {
      _ = try gate.revoke(session.id)
      var reply = Reply.json(Array("{}".utf8))
      reply.headers.append(("Set-Cookie", gate.expiredCookie))
      exchange.finish(reply)
    } catch { exchange.finish(.failure(500, error.sentence)) }
  }

  private func run(_ exchange: Exchange, _ session: Session, _ body: JSONValue) {
    let given = body["words"]?.items ?? []
    var words = given.compactMap(\.text)
    guard !words.isEmpty, words.count == given.count, let role = AllowedCommands.role(for: words)
    else { return exchange.finish(.failure(403, "that command cannot be given here")) }
    guard may(session, role, exchange) else { return }
    if body["yes"]?.flag == true {
      words.insert("--yes", at: words.firstIndex(of: "--") ?? words.endIndex)
    }
    pool.ask(words) { reply in
      guard let answer = reply.answer else { return exchange.finish(.refusal(reply)) }
      exchange.finish(
        .json(
          WebJSON.object { json in
            json.key("ok")
            json.value(answer)
          }))
    }
  }

  private func drawWaveform(_ exchange: Exchange, _ id: String) {
    pool.ask(["waveform", "--points", "600", "--", id]) { reply in
      guard let waveform = reply.answer?["waveform"] else {
        return exchange.finish(.refusal(reply))
      }
      exchange.finish(.json(waveform.bytes))
    }
  }

  private func watch(_ exchange: Exchange, _ session: Session) {
    var folder: String?
    if let asked = exchange.request.argument("folder") {
      folder = checked(id: asked, exchange)
      if folder == nil { return }
    }
    let wantsLevels = exchange.request.argument("levels") == "1"
    guard let stream = hub.open(session: session.id, folder: folder, wantsLevels: wantsLevels)
    else { return exchange.finish(.failure(503, "too many browsers watch")) }
    var reply = Reply(200, type: "text/event-stream", .stream(stream))
    reply.headers.append(("Cache-Control", "no-store"))
    exchange.finish(reply)
  }
}
