// Live sound for all browsers that listen: the recorder passes one open file, and what comes from
// it is shared. Loop's thread; it never waits. The recorder is asked for sound only while a browser
// listens, and never opens its microphone for that.
import Console
import Glibc
import JSON
import Realtime
import Systemd

/// Distributes what the microphone hears.
final class LiveHub {
  static let listenersMaximum = 64
  static let listenersOfSessionMaximum = 4
  /// The kernel keeps at most this much for a browser; the rest waits here, where it is dropped.
  static let unsentBytesMaximum: Int32 = 8 << 10

  private let connection: RecorderConnection
  private let loop: EventLoop
  private let log: (String) -> Void
  private var subscription: Int?
  private var source: (file: OwnedFile, rate: Int)?
  private var watch: FileWatch?
  private var streams: [LiveStream] = []
  /// Those that asked before the recorder has passed the file.
  private var waiting: [(exchange: Exchange, session: String)] = []
  private var lastID = 0
  private var packet = [UInt8](repeating: 0, count: LivePacket.bytesMaximum + 1)

  init(to path: String, on loop: EventLoop, log: @escaping (String) -> Void) {
    connection = RecorderConnection(to: path, on: loop)
    (self.loop, self.log) = (loop, log)
  }

  func connect() { connection.connect() }

  var listenerCount: Int { streams.count + waiting.count }

  // MARK: Browsers

  /// Answers with sound, as soon as the recorder has passed its file.
  func answer(_ exchange: Exchange, session: String) {
    guard connection.isThere else { return exchange.finish(.refusal(.away)) }
    guard listenerCount < Self.listenersMaximum else {
      return exchange.finish(
        .failure(503, "Too many browsers listen; try again later.", code: "busy"))
    }
    // A browser that lost its connection comes again before the old one is known to be dead.
    let own = streams.filter { $0.session == session }
    if own.count >= Self.listenersOfSessionMaximum { own.first?.close() }
    if let source { return begin(exchange, session, rate: source.rate) }
    waiting.append((exchange, session))
    exchange.onEnd = { [weak self, weak exchange] in
      self?.waiting.removeAll { $0.exchange === exchange }
      self?.restIfAlone()
    }
    ask()
  }

  private func begin(_ exchange: Exchange, _ session: String, rate: Int) {
    let stream = open(session: session, rate: rate)
    exchange.onEnd = {}
    var reply = Reply(200, type: "audio/L16;rate=\(rate);channels=1", .stream(stream))
    reply.headers += [("Cache-Control", "no-store"), ("Reel-Stream", "\(stream.id)")]
    reply.unsentBytesMaximum = Self.unsentBytesMaximum
    exchange.finish(reply)
  }

  func open(session: String, rate: Int) -> LiveStream {
    lastID += 1
    let stream = LiveStream(id: lastID, session: session, rate: rate)
    streams.append(stream)
    stream.onEnd = { [weak self, weak stream] in
      self?.streams.removeAll { $0 === stream }
      self?.restIfAlone()
    }
    return stream
  }

  /// Which frame of a session's stream the microphone hears now.
  func position(of id: String, session: String) -> [UInt8]? {
    let now = EventLoop.monotonicNanoseconds()
    guard let stream = streams.first(where: { "\($0.id)" == id && $0.session == session }),
      let frame = stream.frame(atNanoseconds: now)
    else { return nil }
    return WebJSON.object { json in
      json.member("frame", frame)
      json.member("rate", stream.rate)
    }
  }

  /// Ends the streams of a session, or all with nil.
  func end(session: String?) {
    for stream in streams where session == nil || stream.session == session { stream.close() }
  }

  // MARK: The recorder

  private func ask() {
    guard subscription == nil else { return }
    subscription = connection.watch(
      { $0.string("sound") }, news: { [unowned self] in follow($0) })
  }

  private func restIfAlone() {
    guard streams.isEmpty, waiting.isEmpty, let id = subscription else { return }
    connection.unwatch(id)
    forgetSource()
  }

  private func forgetSource() {
    watch?.stop()
    (watch, source, subscription) = (nil, nil, nil)
  }

  private func follow(_ news: WatchedNews) {
    switch news {
    case .sound(let rate, let file): receive(from: file, rate: rate)
    case .end(let why):
      forgetSource()
      let asked = waiting
      waiting = []
      let reply: Reply =
        why == "away" ? .refusal(.away) : .failure(409, why, code: "cannotListen")
      for (exchange, _) in asked { exchange.finish(reply) }
      end(session: nil)
    case .now, .changes: break
    }
  }

  private func receive(from file: OwnedFile, rate: Int) {
    guard rate > 0, rate <= 1_000_000 else { return }
    source = (file, rate)
    do throws(EventLoopError) {
      watch = try loop.watch(fileDescriptor: file.descriptor, for: .readable) {
        [unowned self] _ in read()
      }
    } catch { log("\(error)") }
    let asked = waiting
    waiting = []
    for (exchange, session) in asked { begin(exchange, session, rate: rate) }
  }

  private func read() {
    while let source {
      let count = recv(source.file.descriptor, &packet, packet.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      // The recorder has closed its end: why is told by the connection.
      guard count > 0 else {
        watch?.stop()
        watch = nil
        return
      }
      guard let block = LivePacket.block(of: packet[..<count]) else { continue }
      distribute(block)
    }
  }

  func distribute(_ block: LiveBlock) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(block.samples.count * 2)
    for sample in block.samples {
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
      bytes.append(UInt8(truncatingIfNeeded: sample))
    }
    let piece = LivePiece(nanoseconds: block.nanoseconds, bytes: bytes)
    for stream in streams { stream.add(piece) }
  }
}
