// The connection to the recorder: requests out, answers in, with the files that come beside them.
// It connects again by itself when the recorder was away. One thread, the loop's; it never waits
// for the recorder.

import Console
import Glibc
import JSON
import Link
import Recorder
import Systemd

/// A connection to the recorder's socket.
final class RecorderLine {
  /// What an answer brought.
  struct Reply {
    let answer: Answer
    let file: OpenedFile?
  }

  /// Called with what the recorder may do for this program, when it is there.
  var onArrival: (WireHello) -> Void = { _ in }
  /// Called with a sentence when it has gone, or could not be reached.
  var onLoss: (String) -> Void = { _ in }
  var onStatus: (StatusView) -> Void = { _ in }

  private static let replyLimitBytes = 16 << 20
  private static let pauseMilliseconds: Int64 = 5000
  private static let statusRequest = 1

  private let path: String
  private let loop: EventLoop
  private var socket: SocketBox?
  private var watch: FileWatch?
  private var retry: Timer?
  private var input: [UInt8] = []
  private var files: [OpenedFile] = []
  private var lastID = statusRequest
  private var waiting: [Int: (Reply) -> Void] = [:]

  /// Owns the socket, since a noncopyable value cannot be taken out of an optional property.
  private final class SocketBox {
    let file: SocketFile
    init(_ file: consuming SocketFile) { self.file = file }
  }

  init(to path: String, on loop: EventLoop) {
    self.path = path
    self.loop = loop
  }

  // MARK: Coming and going

  func connect() {
    do throws(SocketFailure) {
      let file = try SocketFile.connect(to: path)
      listen(to: file)
    } catch { lose("The recorder does not answer at \(path): \(error.description)") }
  }

  private func listen(to file: consuming SocketFile) {
    let descriptor = file.descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    socket = SocketBox(file)
    do throws(EventLoopError) {
      watch = try loop.watch(fileDescriptor: descriptor, for: .readable) { [weak self] _ in
        self?.read()
      }
    } catch { lose("The recorder's socket cannot be watched: \(error)") }
  }

  private func lose(_ why: String) {
    watch?.stop()
    (watch, socket, input, files, waiting) = (nil, nil, [], [], [:])
    onLoss(why)
    do throws(EventLoopError) {
      retry = try loop.timer(
        afterMilliseconds: Self.pauseMilliseconds, slackMilliseconds: 500
      ) { [weak self] in
        self?.retry?.stop()
        self?.retry = nil
        self?.connect()
      }
    } catch {
      // Without a timer nothing can go on; the service manager starts the program again.
      loop.exit(code: 71)
    }
  }

  // MARK: Asking

  /// Sends a command; `done` is called once, unless the connection ends before.
  func ask(_ words: [String], done: @escaping (Reply) -> Void = { _ in }) {
    lastID += 1
    waiting[lastID] = done
    send(WireRequest(id: lastID, .command(words)))
  }

  private func send(_ request: WireRequest) {
    guard let socket else { return }
    let line: [UInt8]
    // Words and numbers can always be written as JSON.
    do { line = try JSON.encode(request) + [10] } catch { return lose("\(error)") }
    // A recorder that does not read is as good as none: its queue holds many such lines.
    let count = SocketFile.send(
      line[...], with: [], to: socket.file.descriptor, flags: Int32(MSG_DONTWAIT))
    if count != line.count { lose("The recorder has gone away.") }
  }

  // MARK: Answers

  private func read() {
    guard let socket else { return }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let came = SocketFile.receive(from: socket.file.descriptor, into: &buffer)
    files += came.files.map { OpenedFile(owning: $0) }
    if came.count < 0, errno == EAGAIN || errno == EINTR { return }
    guard came.count > 0 else { return lose("The recorder has gone away.") }
    input += buffer[..<came.count]
    if input.count > Self.replyLimitBytes { return lose("The recorder's answer is too long.") }
    while self.socket === socket, let end = input.firstIndex(of: 10) {
      let line = Array(input[..<end])
      input.removeFirst(end + 1)
      handle(line)
    }
  }

  private func handle(_ line: [UInt8]) {
    let reply: WireReply
    do { reply = try JSON.decode(WireReply.self, from: line) } catch {
      return lose("The recorder's answer makes no sense; are both of one version?")
    }
    switch reply {
    case .hello(let hello):
      send(WireRequest(id: Self.statusRequest, .watch(.status)))
      onArrival(hello)
    case .ok(let id, let answer):
      var file: OpenedFile?
      if answer.hasFile, !files.isEmpty { file = files.removeFirst() }
      waiting.removeValue(forKey: id)?(Reply(answer: answer, file: file))
    case .error(let id?, let failure):
      waiting.removeValue(forKey: id)?(Reply(answer: .failed(failure), file: nil))
    case .error(nil, let failure): lose(failure.sentence)
    case .now(Self.statusRequest, .status(let status)): onStatus(status)
    case .part, .now, .changes, .end: break
    }
  }
}

extension Answer {
  /// Whether an open file comes beside it.
  fileprivate var hasFile: Bool {
    switch self {
    case .opened: true
    case .manifest(let facts): facts.file != nil
    default: false
    }
  }
}
