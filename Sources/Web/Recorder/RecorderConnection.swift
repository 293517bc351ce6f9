// The control protocol over a connection to the recorder: requests out, replies in, as JSON values
// that are handed on as they are. Loop's thread; it never waits for the recorder.
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
  /// Live sound at that rate, in packets that come from the file.
  case sound(rate: Int, OwnedFile)
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

  private static let lineLimitBytes = 65_535

  private let socket: RecorderSocket
  private var lastID = 0
  private var waiting: [Int: Asked] = [:]
  private var watching: [Int: (WatchedNews) -> Void] = [:]
  private(set) var isThere = false

  private struct Asked {
    let work: LongWork?
    let done: (RecorderReply) -> Void
  }

  init(to path: String, on loop: EventLoop) {
    let pauses = RecorderSocket.Pauses(
      firstMilliseconds: 250, longestMilliseconds: 5000, slackMilliseconds: 100)
    socket = RecorderSocket(to: path, pauses, on: loop)
    socket.onLine = { [unowned self] in handle(line: $0) }
    socket.onLoss = { [unowned self] in handle($0) }
  }

  var pendingCount: Int { waiting.count }

  func connect() { socket.connect() }

  private func handle(_ loss: RecorderSocket.Loss) {
    isThere = false
    let (asked, watched) = (waiting, watching)
    (waiting, watching) = ([:], [:])
    for one in asked.values {
      // Its ticket is that of no work of the next recorder.
      one.work?.end()
      one.done(.away)
    }
    for news in watched.values { news(.end("away")) }
    onLoss(loss.sentence)
  }

  // MARK: Asking

  /// Sends a command; `done` is called once.
  /// - Parameters:
  ///   - file: passed with it; its owner keeps it.
  ///   - work: learns the ticket, if the recorder says one.
  func ask(
    _ words: [String], passing file: OwnedFile? = nil, work: LongWork? = nil,
    done: @escaping (RecorderReply) -> Void
  ) {
    guard isThere else { return done(.away) }
    let line = self.line(lastID + 1) { json in
      if file != nil { json.member("files", 1) }
      json.key("do")
      json.array { for word in words { $0.string(word) } }
    }
    // The recorder would end the connection, and with it the commands of others.
    if line.count > Self.lineLimitBytes {
      return done(.error(code: "tooLong", sentence: "That is too much for one command."))
    }
    var copy: Int32?
    if let file {
      let made = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
      if made < 0 {
        return done(.error(code: "failed", sentence: "The page's server has no descriptor left."))
      }
      copy = made
    }
    lastID += 1
    waiting[lastID] = Asked(work: work, done: done)
    socket.send(line, passing: copy)
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
    socket.send(line(id, body))
  }

  private func line(_ id: Int, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    WebJSON.object { json in
      json.member("reel", 1)
      json.member("id", id)
      body(&json)
    } + [10]
  }

  // MARK: Replies

  private func handle(line: [UInt8]) {
    let reply: JSONValue
    do throws(JSONError) { reply = try JSON.parse(line) } catch {
      return socket.lose(.nonsense)
    }
    if let hello = reply["hello"] {
      isThere = true
      socket.noteGreeting()
      return onArrival(hello)
    }
    guard let id = reply["id"]?.integer else {
      return socket.lose(
        .refused(reply["error"]?["sentence"]?.text ?? "The recorder ended the connection."))
    }
    // Also if it is not watched any more: it is not the file of a later reply.
    let sound = reply["now"]?["sound"] == nil ? nil : socket.nextFile()
    if let news = watching[id] {
      return handle(reply, of: id, sound.map { OwnedFile(owning: $0) }, news)
    }
    if let sound { close(sound) }
    if let part = reply["part"] {
      if let ticket = part["progress"]?["ticket"]?.integer { waiting[id]?.work?.begin(ticket) }
      return
    }
    guard let asked = waiting.removeValue(forKey: id) else { return }
    asked.work?.end()
    asked.done(answer(in: reply))
    onAnswer()
  }

  private func handle(
    _ reply: JSONValue, of id: Int, _ sound: OwnedFile?, _ news: (WatchedNews) -> Void
  ) {
    if let sound, let rate = reply["now"]?["sound"]?["rate"]?.integer {
      return news(.sound(rate: rate, sound))
    }
    if let now = reply["now"] { return news(.now(now)) }
    if let changes = reply["changes"]?.items { return news(.changes(changes)) }
    watching[id] = nil
    news(.end(reply["error"]?["sentence"]?.text ?? reply["end"]?.text ?? "gone"))
  }

  private func answer(in reply: JSONValue) -> RecorderReply {
    if let ok = reply["ok"] {
      let file = ok["opened"] == nil ? nil : socket.nextFile()
      return .ok(ok, file: file.map { OwnedFile(owning: $0) })
    }
    return .error(
      code: reply["error"]?["code"]?.text ?? "failed",
      sentence: reply["error"]?["sentence"]?.text ?? "The recorder answered something else.")
  }
}
