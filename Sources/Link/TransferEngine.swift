// Performs transfers: libcurl's multi interface, driven by the event loop. It runs on the loop's
// thread; libcurl's own thread only resolves names. libcurl tells which sockets and which time to
// wait for, and is called when one of them is ready. A completion runs outside of libcurl, so it
// may begin and stop transfers.
import CCurl
import Glibc
import Systemd

/// Performs transfers on an event loop.
public final class TransferEngine {
  private let loop: EventLoop
  private let multi: MultiHandle
  private var watches: [Int32: FileWatch] = [:]
  private var timer: Timer?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

  /// More than these redirects are a server that sends its clients round and round.
  private static let redirectsMaximum = 3
  /// A connection for each transfer that runs, and few that wait for the next one.
  private static let connectionsMaximum = 8

  public init(on loop: EventLoop) throws(LinkError) {
    self.loop = loop
    multi = try MultiHandle()
    let context = Unmanaged.passUnretained(self).toOpaque()
    reel_curl_multi_set_socket(
      multi.pointer,
      { _, socket, what, context, _ in engine(context)?.watch(socket, what) ?? true ? 0 : -1 },
      context)
    reel_curl_multi_set_timer(
      multi.pointer,
      { _, milliseconds, context in
        engine(context)?.setTimer(milliseconds)
        return 0
      }, context)
    reel_curl_multi_set_long(multi.pointer, CURLMOPT_MAXCONNECTS, Self.connectionsMaximum)
    do throws(EventLoopError) {
      timer = try loop.timer(afterMilliseconds: 0, slackMilliseconds: 1) { [weak self] in
        self?.perform(socket: CURL_SOCKET_BAD, 0)
      }
      timer?.pause()
    } catch { throw .noMemory }
  }

  deinit {
    // libcurl closes its connections now, and must not call an engine that is going.
    for watch in watches.values { watch.stop() }
    timer?.stop()
    reel_curl_multi_set_socket(multi.pointer, nil, nil)
    reel_curl_multi_set_timer(multi.pointer, nil, nil)
    for transfer in transfers.values {
      curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
    }
  }

  public var count: Int { transfers.count }

  /// Whether libcurl has given up, since the loop could not watch a socket: every transfer fails
  /// from then on, and a new engine is needed.
  public private(set) var isBroken = false

  /// Begins a transfer. `file` is what `.source` sends and `.write` fills. `done` is called once,
  /// on the loop's thread, after this has returned; never if the transfer is stopped.
  @discardableResult
  public func start(
    _ request: TransferRequest, file: OpenedFile? = nil, done: @escaping (TransferResult) -> Void
  ) throws(LinkError) -> Transfer {
    let transfer = try Transfer(request, file, done: done)
    transfer.prepare(url: request.url)
    try add(transfer)
    return transfer
  }

  private func add(_ transfer: Transfer) throws(LinkError) {
    let handle = transfer.easy.pointer
    transfers[handle] = transfer
    if curl_multi_add_handle(multi.pointer, handle) != CURLM_OK {
      transfers[handle] = nil
      throw .noMemory
    }
  }

  /// Ends a transfer without a result. Does nothing if it has ended.
  public func stop(_ transfer: Transfer) {
    let handle = transfer.easy.pointer
    if transfers.removeValue(forKey: handle) == nil { return }
    curl_multi_remove_handle(multi.pointer, handle)
  }

  // MARK: Events

  private func perform(socket: Int32, _ ready: Int32) {
    var running: Int32 = 0
    var ended: [(Transfer, CURLcode)] = []
    var code = CURLE_OK
    if curl_multi_socket_action(multi.pointer, socket, ready, &running) != CURLM_OK {
      isBroken = true
      ended = transfers.values.map { ($0, CURLE_OUT_OF_MEMORY) }
    }
    while let handle = reel_curl_multi_next_ended(multi.pointer, &code) {
      if let transfer = transfers[handle] { ended.append((transfer, code)) }
    }
    for (transfer, code) in ended { end(transfer, code) }
  }

  private func end(_ transfer: Transfer, _ code: CURLcode) {
    // A completion before this one may have stopped it.
    guard transfers.removeValue(forKey: transfer.easy.pointer) != nil else { return }
    curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
    var result = transfer.result(code)
    if result.ending == .answered, [301, 302, 307, 308].contains(result.status) {
      if follow(transfer) { return }
      result.ending = .sentElsewhere(result.headers.location ?? "")
    }
    transfer.done(result)
  }

  /// Begins the transfer again where the server says, if that is the same server.
  private func follow(_ transfer: Transfer) -> Bool {
    guard let place = transfer.easy.text(CURLINFO_REDIRECT_URL),
      transfer.redirects < Self.redirectsMaximum,
      let origin = ServerURL(String(transfer.request.url.prefix { $0 != "?" })),
      ServerURL.isSameServer(place, as: origin)
    else { return false }
    transfer.redirects += 1
    transfer.prepare(url: place)
    do throws(LinkError) { try add(transfer) } catch { return false }
    return true
  }

  /// Returns false if the loop cannot watch the socket; libcurl then gives up.
  private func watch(_ socket: Int32, _ what: Int32) -> Bool {
    if what == CURL_POLL_REMOVE {
      watches.removeValue(forKey: socket)?.stop()
      return true
    }
    var interest: Readiness = []
    if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
    do throws(EventLoopError) {
      if let watch = watches[socket] {
        try watch.change(to: interest)
      } else {
        watches[socket] = try loop.watch(fileDescriptor: socket, for: interest) {
          [weak self] ready in self?.perform(socket: socket, ready.curlEvents)
        }
      }
    } catch { return false }
    return true
  }

  private func setTimer(_ milliseconds: Int) {
    if milliseconds < 0 {
      timer?.pause()
    } else {
      timer?.restart(afterMilliseconds: Int64(milliseconds))
    }
  }
}

private func engine(_ context: UnsafeMutableRawPointer?) -> TransferEngine? {
  context.map { Unmanaged<TransferEngine>.fromOpaque($0).takeUnretainedValue() }
}

extension Readiness {
  fileprivate var curlEvents: Int32 {
    var events: Int32 = 0
    if !isDisjoint(with: [.readable, .hangup]) { events |= CURL_CSELECT_IN }
    if contains(.writable) { events |= CURL_CSELECT_OUT }
    if contains(.error) { events |= CURL_CSELECT_ERR }
    return events
  }
}
