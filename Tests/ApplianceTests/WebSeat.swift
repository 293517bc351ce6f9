// What the tests of the page sit at: a recorder with reel-web beside it, and a client that sends
// any bytes. Waits block the test's own thread, and have a deadline.

import FoundationEssentials
import Glibc

/// A recorder, and its page.
final class WebSeat {
  let talk: Talker
  private(set) var web: Child
  private(set) var port: UInt16 = 0
  private let admin: String
  /// More arguments of the server.
  private let options: [String]

  private struct Report: Decodable {
    let isOn: Bool?
    let port: Int?
    let code: String?
    let waitSeconds: Int?
    let wrongCodes: Int?
    let sessions: [Session]?

    struct Session: Decodable { let id: String, name: String, role: String }
  }

  /// - Parameters:
  ///   - arguments: of the recorder.
  ///   - options: of the server.
  init(
    on: Bool = true, _ old: Scratch? = nil, _ arguments: [String] = [], options: [String] = []
  ) throws {
    self.options = options
    talk = try Talker(old, arguments)
    let scratch = talk.scratch
    for name in ["web", "page"] { mkdir(scratch.path + "/" + name, 0o700) }
    try scratch.make("page/index.html", Data("<!DOCTYPE html><title>Reel</title>".utf8))
    try scratch.make("page/app.js", Data("'use strict';".utf8))
    try scratch.make("secret.html", Data("secret".utf8))
    admin = talk.webSocket
    web = try Self.start(talk, admin, options)

    let report = try report(on ? "on" : "sessions")
    port = UInt16(report.port ?? 0)
  }

  private static func start(
    _ talk: Talker, _ admin: String, _ options: [String]
  ) throws -> Child {
    let path = talk.scratch.path
    let web = try Child(
      Talker.directory + "/reel-web",
      [
        "--listen", "0.0.0.0:0", "--socket", talk.socket, "--state", path + "/web",
        "--admin", admin, "--page", path + "/page", "--host", "box.example",
      ] + options,
      environment: talk.environment, directory: path + "/here",
      output: .file(path + "/web-output"), errors: .file(path + "/web-errors"))
    try until("the socket of reel-web") { access(admin, F_OK) == 0 }
    return web
  }

  /// Ends the server as systemd does, and starts it again.
  func restart() throws {
    web.send(SIGTERM)
    let old = web
    try until("its end") { old.hasEnded() }
    guard old.ending == .exited(0) else { throw NeverHappened(description: "a clean end") }
    unlink(admin)
    web = try Self.start(talk, admin, options)
    port = UInt16(try report("sessions").port ?? 0)
  }

  deinit { web.end() }

  /// Runs `reelctl web`.
  func say(_ words: String...) throws -> Scratch.Result {
    try talk.run(["web"] + words + ["--admin", admin])
  }

  private func report(_ words: String...) throws -> Report {
    let result = try talk.run(["web"] + words + ["--admin", admin, "--json"])
    return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
  }

  var sessionNames: [String] {
    get throws { try report("sessions").sessions?.map { "\($0.name): \($0.role)" } ?? [] }
  }

  var waitSeconds: Int { get throws { try report("sessions").waitSeconds ?? 0 } }

  func code(_ role: String = "control") throws -> String {
    try report("pair", "--role", role).code ?? ""
  }

  /// Pairs a browser and returns its cookie.
  func pair(_ role: String = "control", name: String = "test") throws -> String {
    let reply = try post("/api/pair", #"{"code":"\#(try code(role))","name":"\#(name)"}"#)
    return String((reply.header("set-cookie") ?? "").split(separator: ";").first ?? "")
  }

  // MARK: Requests

  func connect(from address: String = "127.0.0.1") throws -> WebClient {
    try WebClient(port: port, from: address)
  }

  /// A connection that asked for something; nothing of the answer is read yet.
  func ask(_ path: String, as cookie: String) throws -> WebClient {
    let client = try connect()
    client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
    return client
  }

  func get(_ path: String, _ headers: [String: String] = [:]) throws -> WebReply {
    try request("GET", path, nil, headers)
  }

  func get(_ path: String, as cookie: String, _ headers: [String: String] = [:]) throws -> WebReply
  {
    try get(path, headers.merging(["Cookie": cookie]) { $1 })
  }

  /// As the page sends it; `headers` replace those.
  func post(_ path: String, _ body: String, _ headers: [String: String] = [:]) throws -> WebReply {
    let usual = ["Content-Type": "application/json", "Origin": "http://127.0.0.1:\(port)"]
    return try request("POST", path, body, usual.merging(headers) { $1 })
  }

  /// Sends the words of a command.
  func order(_ words: [String], as cookie: String) throws -> WebReply {
    let list = words.map { "\"\($0)\"" }.joined(separator: ",")
    return try post("/api/do", #"{"words":[\#(list)]}"#, ["Cookie": cookie])
  }

  func request(
    _ method: String, _ path: String, _ body: String?, _ headers: [String: String]
  ) throws -> WebReply {
    let client = try connect()
    var head = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
    if let body { head["Content-Length"] = head["Content-Length"] ?? "\(body.utf8.count)" }
    let lines = head.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
    client.send("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body ?? "")")
    return try client.reply()
  }

  /// The id of the only recording of that title in the root.
  func id(of title: String) throws -> String { try item(title).id }

  struct Item: Decodable { let id: String, title: String }

  private func item(_ name: String) throws -> Item {
    try talk.json(Item.self, "info", name)
  }
}

/// An answer.
struct WebReply {
  var status = 0
  var headers: [(name: String, value: String)] = []
  var body = Data()

  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A connection that sends what it likes.
final class WebClient {
  private let socket: Int32
  private var input = Data()
  private(set) var isOver = false

  struct CannotConnect: Error { let errorNumber: Int32 }

  init(port: UInt16, from address: String) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var own = Self.address(address, 0)
    var other = Self.address("127.0.0.1", port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeBytes(of: &own) { own in
      withUnsafeBytes(of: &other) { other in
        guard let from = own.assumingMemoryBound(to: sockaddr.self).baseAddress,
          let to = other.assumingMemoryBound(to: sockaddr.self).baseAddress
        else { return Int32(-1) }
        return bind(socket, from, size) == 0 ? Glibc.connect(socket, to, size) : -1
      }
    }
    if result != 0 {
      close(socket)
      throw CannotConnect(errorNumber: errno)
    }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  func hasInput(withinMilliseconds milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&asked, 1, milliseconds) > 0
  }

  private static func address(_ text: String, _ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, text, &address.sin_addr)
    return address
  }

  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Reads once; false at the end.
  @discardableResult
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count > 0 { input += buffer[..<count] } else { isOver = true }
    return count > 0
  }

  /// Waits until the server ends the connection.
  func drain() { while read() {} }

  func reply() throws -> WebReply {
    while input.firstRange(of: Data("\r\n\r\n".utf8)) == nil, read() {}
    guard let end = input.firstRange(of: Data("\r\n\r\n".utf8)) else { return WebReply() }
    let head = String(decoding: input[input.startIndex..<end.lowerBound], as: UTF8.self)
    input = Data(input[end.upperBound...])
    var lines = head.split(separator: "\r\n").map(String.init)
    var reply = WebReply()
    let words = lines.removeFirst().split(separator: " ")
    reply.status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    reply.headers = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
    let type = reply.header("content-type") ?? ""
    if type == "text/event-stream" || type.hasPrefix("audio/L16") { return reply }
    if reply.header("transfer-encoding") == "chunked" {
      reply.body = chunks()
    } else {
      let length = Int(reply.header("content-length") ?? "0") ?? 0
      while input.count < length, read() {}
      reply.body = input.prefix(length)
      input = Data(input.dropFirst(length))
    }
    return reply
  }

  private func chunks() -> Data {
    var body = Data()
    while let size = line().flatMap({ Int($0, radix: 16) }) {
      while input.count < size + 2, read() {}
      body += input.prefix(size)
      input = Data(input.dropFirst(size + 2))
      if size == 0 { break }
    }
    return body
  }

  private func line() -> String? {
    while input.firstRange(of: Data("\r\n".utf8)) == nil, read() {}
    guard let end = input.firstRange(of: Data("\r\n".utf8)) else { return nil }
    let line = String(decoding: input[input.startIndex..<end.lowerBound], as: UTF8.self)
    input = Data(input[end.upperBound...])
    return line
  }

  // MARK: Sound

  /// Waits for some samples of live sound, or fewer if it ends.
  func samples(_ count: Int) -> [Int16] {
    var bytes: [UInt8] = []
    while bytes.count < 2 * count, let size = line().flatMap({ Int($0, radix: 16) }), size > 0 {
      while input.count < size + 2, read() {}
      bytes += input.prefix(size)
      input = Data(input.dropFirst(size + 2))
    }
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]))
    }
  }

  // MARK: Events

  private var events = ""
  /// Those that came, and were not asked for yet.
  private var waiting: [(name: String, data: String)] = []

  /// Waits for an event whose data has a text; returns its data.
  func event(_ name: String, with text: String = "") throws -> String {
    let deadline = now() + 120_000_000_000
    while now() < deadline {
      sortEvents()
      let place = waiting.firstIndex { $0.name == name && (text.isEmpty || $0.data.contains(text)) }
      if let place { return waiting.remove(at: place).data }
      guard let size = line().flatMap({ Int($0, radix: 16) }), size > 0 else { break }
      while input.count < size + 2, read() {}
      events += String(decoding: input.prefix(size), as: UTF8.self)
      input = Data(input.dropFirst(size + 2))
    }
    throw NeverHappened(description: "the event \(name) with \(text)")
  }

  private func sortEvents() {
    while let end = events.firstRange(of: "\n\n") {
      let lines = events[..<end.lowerBound].split(separator: "\n")
      events = String(events[end.upperBound...])
      let value = { (key: String) in
        lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
      }
      if let name = value("event: "), let data = value("data: ") { waiting.append((name, data)) }
    }
  }
}
