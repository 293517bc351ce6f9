// The server: libmicrohttpd without a thread of its own, driven by the event loop. Runs on the
// loop's thread. It parses no body and serves no file: it hands each request to one handler, which
// answers now or later. A client that is slow with its head or body is cut off.
import CMicrohttpd
import Glibc
import Systemd

/// Serves HTTP on a listening socket.
public final class HTTPServer {
  /// What one server bears.
  struct Limits {
    var connections: Int32 = 1000
    var perAddress: Int32 = 60
    var idleSeconds: Int32 = 60
    /// A head has to fit into it.
    var memoryBytes: Int32 = 16 << 10
    var bodyBytes = 64 << 10
    /// From the first byte to the last of a head, and of a body.
    var patienceMilliseconds: Int64 = 10_000
  }

  let limits: Limits
  /// Answers a request, at once or later.
  var handle: (Exchange) -> Void = { $0.finish(.failure(404, "there is nothing here")) }
  private let loop: EventLoop
  private var daemon: OpaquePointer?
  private var watch: FileWatch?
  private var timer: Timer?
  private var sweep: Timer?
  private var connections: [ObjectIdentifier: ConnectionRecord] = [:]
  private var suspended: [ObjectIdentifier: Exchange] = [:]
  /// A connection has ended since the daemon last began to run.
  private var hasRoom = false

  /// - Parameters:
  ///   - listener: the daemon owns it from now on.
  ///   - certificate: without one it speaks plain HTTP.
  init(
    listener: Int32, certificate: Certificate? = nil, limits: Limits = Limits(), on loop: EventLoop
  ) throws {
    self.loop = loop
    self.limits = limits
    daemon = start(listener, certificate)
    guard let daemon, reel_mhd_epoll(daemon) >= 0 else {
      throw certificate == nil
        ? WebError(.system, errorNumber: errno, "The server cannot start; see the journal.")
        : WebError(.certificate, Self.unusable)
    }
    watch = try loop.watch(fileDescriptor: reel_mhd_epoll(daemon), for: .readable) {
      [unowned self] _ in run()
    }
    timer = try loop.timer(afterMilliseconds: 0, slackMilliseconds: 1) { [unowned self] in run() }
    sweep = try loop.timer(everyMilliseconds: 1000, slackMilliseconds: 500) { [unowned self] in
      cutOffSlow()
      for exchange in Array(suspended.values) { exchange.endIfLeft() }
    }
  }

  private static let unusable =
    "the certificate and the key cannot be used; the key has to be that of the certificate, and the"
    + " certificate the first in its file"

  private func start(_ listener: Int32, _ certificate: Certificate?) -> OpaquePointer? {
    let bounds = reel_mhd_limits(
      connections: limits.connections, per_address: limits.perAddress,
      idle_seconds: limits.idleSeconds, memory_bytes: limits.memoryBytes)
    let context = Unmanaged.passUnretained(self).toOpaque()
    // The library reads both texts before it returns.
    return reel_mhd_start(
      listener, bounds, certificate?.chain, certificate?.key, accessHandler, completedHandler,
      connectionHandler, context)
  }

  deinit { stop() }

  /// Ends all connections.
  func stop() {
    guard let daemon else { return }
    watch?.stop()
    timer?.stop()
    sweep?.stop()
    // A daemon must not be stopped while one of its connections is suspended.
    for exchange in suspended.values { exchange.breakOff() }
    MHD_run(daemon)
    self.daemon = nil
    MHD_stop_daemon(daemon)
  }

  var connectionCount: Int { connections.count }

  private func run() {
    guard let daemon else { return }
    hasRoom = false
    MHD_run(daemon)
    // With as many connections as it may have, the daemon listens no more; it begins again only as
    // it next runs. Found by a thousand connections that ended at once: nothing ran it any more.
    let milliseconds = hasRoom ? 0 : reel_mhd_timeout(daemon)
    if milliseconds < 0 { timer?.pause() } else { timer?.restart(afterMilliseconds: milliseconds) }
  }

  /// The daemon notices a resumed connection only when it runs.
  func runSoon() { timer?.restart(afterMilliseconds: 0) }

  func isSuspended(_ exchange: Exchange) { suspended[ObjectIdentifier(exchange)] = exchange }

  func isResumed(_ exchange: Exchange) { suspended[ObjectIdentifier(exchange)] = nil }

  // MARK: Connections

  fileprivate func connect(_ connection: OpaquePointer) -> ConnectionRecord {
    let record = ConnectionRecord(socket: reel_mhd_socket(connection))
    connections[ObjectIdentifier(record)] = record
    return record
  }

  fileprivate func disconnect(_ record: ConnectionRecord) {
    connections[ObjectIdentifier(record)] = nil
    hasRoom = true
  }

  /// The library's own timeout begins anew with every byte, so a client could send one a minute.
  private func cutOffSlow() {
    let now = EventLoop.monotonicNanoseconds() / 1_000_000
    for record in connections.values
    where record.isSlow(
      atMilliseconds: now, patience: limits.patienceMilliseconds,
      idle: Int64(limits.idleSeconds) * 1000)
    {
      shutdown(record.socket, Int32(SHUT_RDWR))
    }
  }
}

/// What is known of a connection, from its beginning to its end.
final class ConnectionRecord {
  enum Phase { case head, body, busy, idle }

  let socket: Int32
  private(set) var phase = Phase.head
  private var sinceMilliseconds = EventLoop.monotonicNanoseconds() / 1_000_000

  init(socket: Int32) { self.socket = socket }

  /// Whether the other side has closed it.
  var hasLeft: Bool { reel_mhd_has_left(socket) }

  func enter(_ phase: Phase) {
    self.phase = phase
    sinceMilliseconds = EventLoop.monotonicNanoseconds() / 1_000_000
  }

  /// Of a connection that was used before, the beginning of the next head is not known.
  func isSlow(atMilliseconds now: Int64, patience: Int64, idle: Int64) -> Bool {
    switch phase {
    case .head, .body: now - sinceMilliseconds > patience
    case .idle: now - sinceMilliseconds > idle + patience
    case .busy: false
    }
  }
}

// MARK: Callbacks, on the loop's thread, within MHD_run

private func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
  context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

private let connectionHandler: MHD_NotifyConnectionCallback = { context, connection, place, what in
  guard let server = server(context), let connection, let place else { return }
  if what == reel_mhd_started {
    place.pointee = Unmanaged.passRetained(server.connect(connection)).toOpaque()
  } else if let record = place.pointee {
    server.disconnect(Unmanaged<ConnectionRecord>.fromOpaque(record).takeRetainedValue())
    place.pointee = nil
  }
}

private let completedHandler: MHD_RequestCompletedCallback = { _, connection, place, _ in
  guard let place, let exchange = place.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue().complete()
  place.pointee = nil
}

private let accessHandler: MHD_AccessHandlerCallback = {
  context, connection, url, method, _, bytes, count, place in
  guard let server = server(context), let connection, let url, let method, let count, let place
  else { return reel_mhd_no }
  if let known = place.pointee {
    return Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue().proceed(bytes, count)
  }
  let record = reel_mhd_context(connection).map {
    Unmanaged<ConnectionRecord>.fromOpaque($0).takeUnretainedValue()
  }
  let request = HTTPRequest(
    connection, method: String(cString: method), path: String(cString: url))
  let exchange = Exchange(request, connection, record, server)
  place.pointee = Unmanaged.passRetained(exchange).toOpaque()
  return exchange.begin()
}
