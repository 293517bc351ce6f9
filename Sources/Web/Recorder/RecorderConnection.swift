// A connection to the recorder's control socket: requests out, replies in, as JSON values that are
// handed on as they are. It connects again by itself when the recorder was away. Loop's thread; it
// never waits for the recorder.
import Console
import Glibc
import JSON
import Systemd

/// What the recorder said last to a request.
enum RecorderReply {
  case ok(JSONValue, file: OwnedFile?)
  case error(code: String, sentence: String)
  /// The connection ended before the answer.
  case away

  var answer: JSONValue? {
    if case .ok(let value, _) = self { value } else { nil }
  }
}

/// What comes to a subscription.
enum WatchedNews {
  case now(JSONValue)
  case changes([JSONValue])
  /// It is over: what was watched is gone, or could not be watched.
  case end(String)
}

/// Speaks the control protocol.
final class RecorderConnection {
  /// Called with the greeting when the recorder is there.
  var onArrival: (JSONValue) -> Void = { _ in }
  /// Called with a sentence when it has gone, or could not be reached.
  var onLoss: (String) -> Void = { _ in }
  /// Called when a request was answered, so that another may be sent.
  var onAnswer: () -> Void = {}

  private static let replyLimitBytes = 16 << 20
  private static let queueLimitBytes = 4 << 20
  private static let lineLimitBytes = 65_535
  private static let firstPauseMilliseconds: Int64 = 250
  private static let pauseMilliseconds: Int64 = 5000

  private let path: String
  private let loop: EventLoop
  private var socket: SocketBox?
  private var watch: FileWatch?
  private var retry: Timer?
  private var pause = firstPauseMilliseconds
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var files: [OwnedFile] = []
  private var lastID = 0
  private var waiting: [Int: (RecorderReply) -> Void] = [:]
  private var watching: [Int: (WatchedNews) -> Void] = [:]
  private(set) var isThere = false

  /// Owns the socket, since a noncopyable value cannot be taken out of an optional property.
  private final class SocketBox {
    let file: SocketFile
    init(_ file: consuming SocketFile) { self.file = file }
  }

  init(to path: String, on loop: EventLoop) {
    self.path = path
    self.loop = loop
  }

  var pendingCount: Int { waiting.count }

  // MARK: Coming and going

  func connect() {
    do throws(SocketFailure) {
      let file = try SocketFile.connect(to: path)
      listen(to: file)
    } catch { lose("The recorder does not answer.") }
  }

  private func listen(to file: consuming SocketFile) {
    let descriptor = file.descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    socket = SocketBox(file)
    do throws(EventLoopError) {
      watch = try loop.watch(fileDescriptor: descriptor, for: .readable) { [weak self] in
        self?.handle($0)
      }
    } catch { lose("The recorder's socket cannot be watched.") }
  }

  private func lose(_ why: String) {
    watch?.stop()
    (watch, socket, input, output, files) = (nil, nil, [], [], [])
    isThere = false
    let (asked, watched) = (waiting, watching)
    (waiting, watching) = ([:], [:])
    for done in asked.values { done(.away) }
    for news in watched.values { news(.end("away")) }
    onLoss(why)
    do throws(EventLoopError) {
      retry = try loop.timer(afterMilliseconds: pause, slackMilliseconds: 100) { [weak self] in
        self?.retry?.stop()
        self?.retry = nil
        self?.connect()
      }
    } catch {
      // Without a timer nothing can go on; the service manager starts the program again.
      loop.exit(code: 71)
    }
    pause = min(Self.pauseMilliseconds, pause * 2)
  }

  // MARK: Asking

  /// Sends a command; `done` is called once.
  func ask(_ words: [String], done: @escaping (RecorderReply) -> Void) {
    guard isThere else { return done(.away) }
    let line = self.line(lastID + 1) { json in
      json.key("do")
      json.array { for word in words { $0.string(word) } }
    }
    // The recorder would end the connection, and with it the commands of others.
    if line.count > Self.lineLimitBytes {
      return done(.error(code: "tooLong", sentence: "That is too much for one command."))
    }
    lastID += 1
    waiting[lastID] = done
    send(line)
  }

  /// Watches `"status"`, or an object such as `{"folder": NAME}`. Returns the subscription's id.
  func watch(
    _ target: (inout JSONWriter) -> Void, news: @escaping (WatchedNews) -> Void
  ) -> Int {
    lastID += 1
    watching[lastID] = news
    send(lastID) { json in
      json.key("watch")
      target(&json)
    }
    return lastID
  }

  func unwatch(_ id: Int) {
    guard watching.removeValue(forKey: id) != nil, isThere else { return }
    lastID += 1
    send(lastID) { $0.member("unwatch", id) }
  }

  private func send(_ id: Int, _ body: (inout JSONWriter) -> Void) {
    send(line(id, body))
  }

  private func line(_ id: Int, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    WebJSON.object { json in
      json.member("reel", 1)
      json.member("id", id)
      body(&json)
    } + [10]
  }

  private func send(_ line: [UInt8]) {
    guard socket != nil else { return }
    output += line
    if output.count > Self.queueLimitBytes { return lose("The recorder does not read.") }
    drain()
  }

  private func drain() {
    guard let socket else { return }
    while !output.isEmpty {
      let count = SocketFile.send(
        output[...], with: [], to: socket.file.descriptor, flags: Int32(MSG_DONTWAIT))
      if count > 0 {
        output.removeFirst(count)
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return lose("The recorder has gone away.")
      }
    }
    do throws(EventLoopError) {
      try watch?.change(to: output.isEmpty ? .readable : [.readable, .writable])
    } catch { lose("The recorder's socket cannot be watched.") }
  }

  // MARK: Replies

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.writable) { drain() }
    if !readiness.isDisjoint(with: [.readable, .error, .hangup]) { read() }
  }

  private func read() {
    guard let socket else { return }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let came = SocketFile.receive(from: socket.file.descriptor, into: &buffer)
    files += came.files.map { OwnedFile(owning: $0) }
    if came.count < 0, errno == EAGAIN || errno == EINTR { return }
    guard came.count > 0 else { return lose("The recorder has gone away.") }
    input += buffer[..<came.count]
    if input.count > Self.replyLimitBytes { return lose("The recorder's answer is too long.") }
    handleLines(of: socket)
  }

  private func handleLines(of socket: SocketBox) {
    var lines: [[UInt8]] = []
    var start = 0
    while let end = input[start...].firstIndex(of: 10) {
      lines.append(Array(input[start..<end]))
      start = end + 1
    }
    input.removeFirst(start)
    for line in lines where self.socket === socket { handle(line: line) }
  }

  private func handle(line: [UInt8]) {
    let reply: JSONValue
    do throws(JSONError) { reply = try JSON.parse(line) } catch {
      return lose("The recorder's answer makes no sense; are both of one version?")
    }
    if let hello = reply["hello"] {
      isThere = true
      pause = Self.firstPauseMilliseconds
      return onArrival(hello)
    }
    guard let id = reply["id"]?.integer else {
      return lose(reply["error"]?["sentence"]?.text ?? "The recorder ended the connection.")
    }
    if let news = watching[id] { return handle(reply, of: id, news) }
    if reply["part"] != nil { return }
    guard let done = waiting.removeValue(forKey: id) else { return }
    done(answer(in: reply))
    onAnswer()
  }

  private func handle(_ reply: JSONValue, of id: Int, _ news: (WatchedNews) -> Void) {
    if let now = reply["now"] { return news(.now(now)) }
    if let changes = reply["changes"]?.items { return news(.changes(changes)) }
    watching[id] = nil
    news(.end(reply["error"]?["sentence"]?.text ?? reply["end"]?.text ?? "gone"))
  }

  private func answer(in reply: JSONValue) -> RecorderReply {
    if let ok = reply["ok"] {
      let hasFile = ok["opened"] != nil && !files.isEmpty
      return .ok(ok, file: hasFile ? files.removeFirst() : nil)
    }
    return .error(
      code: reply["error"]?["code"]?.text ?? "failed",
      sentence: reply["error"]?["sentence"]?.text ?? "The recorder answered something else.")
  }
}
