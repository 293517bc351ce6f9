// What reel-link asks the recorder, and what it is told: requests out, answers in, with the files
// that come beside them. One thread, the loop's; it never waits for the recorder.

import Console
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

  private static let statusRequest = 1

  private let path: String
  private let socket: RecorderSocket
  private var lastID = statusRequest
  private var waiting: [Int: (Reply) -> Void] = [:]

  init(to path: String, on loop: EventLoop) {
    self.path = path
    let pauses = RecorderSocket.Pauses(
      firstMilliseconds: 5000, longestMilliseconds: 5000, slackMilliseconds: 500)
    socket = RecorderSocket(to: path, pauses, on: loop)
    socket.onLine = { [unowned self] in handle($0) }
    socket.onLoss = { [unowned self] in handle($0) }
  }

  func connect() { socket.connect() }

  private func handle(_ loss: RecorderSocket.Loss) {
    waiting = [:]
    switch loss {
    case .unreachable(let error):
      onLoss("The recorder does not answer at \(path): \(error.description)")
    case .unwatched(let error): onLoss("The recorder's socket cannot be watched: \(error)")
    default: onLoss(loss.sentence)
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
    // Words and numbers can always be written as JSON.
    do { socket.send(try JSON.encode(request) + [10]) } catch { socket.lose(.refused("\(error)")) }
  }

  // MARK: Answers

  private func handle(_ line: [UInt8]) {
    let reply: WireReply
    do { reply = try JSON.decode(WireReply.self, from: line) } catch {
      return socket.lose(.nonsense)
    }
    switch reply {
    case .hello(let hello):
      send(WireRequest(id: Self.statusRequest, .watch(.status)))
      onArrival(hello)
    case .ok(let id, let answer):
      let file = answer.hasFile ? socket.nextFile().map { OpenedFile(owning: $0) } : nil
      waiting.removeValue(forKey: id)?(Reply(answer: answer, file: file))
    case .error(let id?, let failure):
      waiting.removeValue(forKey: id)?(Reply(answer: .failed(failure), file: nil))
    case .error(nil, let failure): socket.lose(.refused(failure.sentence))
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
