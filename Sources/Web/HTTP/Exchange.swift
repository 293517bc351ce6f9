// One request and its answer. Runs on the loop's thread, most of it in callbacks of the library.
// While the answer is not there the connection is suspended, so that the loop does not spin. A body
// is bounded, and a refused one is not read.
import CMicrohttpd
import Glibc

/// A request under way.
final class Exchange {
  let request: HTTPRequest
  private(set) var body: [UInt8] = []
  /// Called once when the request is over, answered or not.
  var onEnd: () -> Void = {}
  /// Called if the browser goes away while its answer is being made; then the request is over.
  /// Only where it is set: others may close their side of the connection, and wait for the answer.
  var onLeave: (() -> Void)?
  private let connection: OpaquePointer
  private let record: ConnectionRecord?
  private unowned let server: HTTPServer
  private var reply: Reply?
  private var source: (any BodySource)?
  private var isHandled = false
  private var isSuspended = false
  private var isOver = false
  private var isBroken = false

  init(
    _ request: HTTPRequest, _ connection: OpaquePointer, _ record: ConnectionRecord?,
    _ server: HTTPServer
  ) {
    self.request = request
    self.connection = connection
    self.record = record
    self.server = server
  }

  // MARK: Coming in

  /// The head is complete. A request without a sane length is refused before its body is read.
  func begin() -> MHD_Result {
    record?.enter(.body)
    switch request.method {
    case "GET", "HEAD":
      if request.hasHeader("transfer-encoding") || hasBody {
        return send(.failure(400, "a request of this kind has no body"))
      }
    case "POST":
      guard let length = request.header("content-length").flatMap({ Int($0) }), length >= 0 else {
        return send(.failure(411, "say how long the body is"))
      }
      if length > server.limits.bodyBytes {
        return send(.failure(413, "a body may have \(server.limits.bodyBytes) bytes"))
      }
      body.reserveCapacity(length)
    default:
      var reply = Reply.failure(405, "only GET, HEAD and POST are understood here")
      reply.headers.append(("Allow", "GET, HEAD, POST"))
      return send(reply)
    }
    return reel_mhd_yes
  }

  private var hasBody: Bool {
    request.hasHeader("content-length") && request.header("content-length") != "0"
  }

  /// More of the body, its end, or a turn after the connection was resumed.
  func proceed(_ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>) -> MHD_Result {
    if count.pointee > 0 {
      let length = count.pointee
      count.pointee = 0
      guard let bytes, body.count + length <= server.limits.bodyBytes else { return reel_mhd_no }
      body += UnsafeRawBufferPointer(start: bytes, count: length)
      return reel_mhd_yes
    }
    if isBroken { return reel_mhd_no }
    if !isHandled {
      isHandled = true
      record?.enter(.busy)
      server.handle(self)
    }
    if let reply { return send(reply) }
    suspend()
    return reel_mhd_yes
  }

  // MARK: Going out

  /// Answers; the first answer counts.
  func finish(_ reply: Reply) {
    if self.reply != nil || isOver { return }
    self.reply = reply
    resume()
  }

  /// A suspended connection is not read, so the library does not learn of its end.
  func endIfLeft() {
    guard let onLeave, reply == nil, let record, record.hasLeft else { return }
    self.onLeave = nil
    onLeave()
    breakOff()
  }

  /// Ends a connection without an answer.
  func breakOff() {
    isBroken = true
    resume()
  }

  /// The library is done with the request.
  func complete() {
    isOver = true
    server.isResumed(self)
    record?.enter(.idle)
    source?.end()
    source = nil
    onEnd()
    onEnd = {}
    onLeave = nil
  }

  private func suspend() {
    if isSuspended { return }
    isSuspended = true
    MHD_suspend_connection(connection)
    server.isSuspended(self)
  }

  private func resume() {
    guard isSuspended, !isOver else { return }
    isSuspended = false
    server.isResumed(self)
    MHD_resume_connection(connection)
    server.runSoon()
  }

  private func send(_ reply: Reply) -> MHD_Result {
    record?.enter(.busy)
    if var most = reply.unsentBytesMaximum, let record {
      let length = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(record.socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &most, length)
    }
    guard let response = response(of: reply.body) else { return reel_mhd_no }
    defer { MHD_destroy_response(response) }
    for (name, value) in reply.headers + SecurityHeaders.all {
      MHD_add_response_header(response, name, value)
    }
    return MHD_queue_response(connection, reply.status, response)
  }

  private func response(of body: Reply.Body) -> OpaquePointer? {
    switch body {
    case .bytes(let bytes): return reel_mhd_bytes(bytes, bytes.count)
    case .file(let file, let offset, let count):
      return reel_mhd_file(file.release(), UInt64(offset), UInt64(count))
    case .stream(let source):
      self.source = source
      source.onReady = { [weak self] in self?.resume() }
      return reel_mhd_stream(
        { context, _, buffer, count in
          guard let context, let buffer else { return reel_mhd_break }
          return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            .read(UnsafeMutableRawBufferPointer(start: buffer, count: count))
        }, Unmanaged.passRetained(self).toOpaque(),
        { context in if let context { Unmanaged<Exchange>.fromOpaque(context).release() } })
    }
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let source, !isBroken else { return reel_mhd_break }
    switch source.read(into: buffer) {
    case .bytes(let count): return count
    case .end: return reel_mhd_end
    case .broken: return reel_mhd_break
    case .later:
      suspend()
      return 0
    }
  }
}

/// What every answer says: the page may load only what this server has, in no frame, and its
/// address is told to no other site.
enum SecurityHeaders {
  static let all: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "media-src 'self' blob:; connect-src 'self'; form-action 'none'; "
        + "frame-ancestors 'none'; base-uri 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}
