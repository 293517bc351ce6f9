// One browser's stream of server-sent events. Loop's thread. What it has not sent is bounded: of
// the status, the notices and the levels only the newest is sent, pages of a folder are made when
// there is room, and a browser that still does not read is dropped.
import Glibc

/// A browser that watches.
final class EventStream: BodySource {
  static let queueLimitBytes = 1 << 20
  static let pageCount = 100

  let session: String
  let wantsLevels: Bool
  /// When it came, counted by the hub.
  let arrival: Int
  private(set) var folder: SharedFolder?
  var onReady: () -> Void = {}
  /// Called once when the browser is gone.
  var onEnd: () -> Void = {}
  private unowned let hub: WatchHub
  private var output: [UInt8] = []
  private var sent = 0
  private var lastEvent = 0
  private var news: Set<News> = [.hello]
  /// How many rows of the folder the browser has.
  private var toldCount = 0
  private var isFolderDue = true
  private var isEnding = false
  private var isDropped = false

  enum News { case hello, recorder, status, notices, levels, head }

  init(
    _ hub: WatchHub, session: String, folder: SharedFolder?, wantsLevels: Bool, arrival: Int
  ) {
    self.hub = hub
    self.session = session
    self.folder = folder
    self.wantsLevels = wantsLevels
    self.arrival = arrival
    news.formUnion([.recorder, .status, .notices])
  }

  // MARK: From the hub

  func note(_ what: News) {
    if what == .levels, !wantsLevels { return }
    news.insert(what)
    onReady()
  }

  /// The folder is read anew: what the browser has of it is replaced.
  func restartFolder() {
    toldCount = 0
    isFolderDue = true
  }

  /// More rows have come, or the first.
  func noteRows() { onReady() }

  /// Tells of a change to the rows that the browser has.
  func publish(_ change: FolderModel.Change, _ model: FolderModel) {
    switch change {
    case .head: news.insert(.head)
    case .added(let at) where at < toldCount:
      toldCount += 1
      send(change: "added", at: at, row: model.rows[at])
    case .removed(let at) where at < toldCount:
      toldCount -= 1
      send(change: "removed", at: at)
    case .changed(let from, let to): tellMoved(from, to, model)
    default: break
    }
    onReady()
  }

  /// A row that moves out of what the browser has is removed there, and the other way round.
  private func tellMoved(_ from: Int, _ to: Int, _ model: FolderModel) {
    switch (from < toldCount, to < toldCount) {
    case (true, true): send(change: "changed", at: to, was: from, row: model.rows[to])
    case (true, false):
      toldCount -= 1
      send(change: "removed", at: from)
    case (false, true):
      toldCount += 1
      send(change: "added", at: to, row: model.rows[to])
    case (false, false): break
    }
  }

  /// The folder is gone, or cannot be shown.
  func loseFolder(_ why: String) {
    folder = nil
    send("gone", WebJSON.object { $0.member("why", why) })
    onReady()
  }

  /// Tells the browser to begin anew, and ends.
  func sendAway() {
    folder = nil
    send("reload", Array("{}".utf8))
    close()
  }

  func close() {
    isEnding = true
    onReady()
  }

  /// A line that a browser ignores, so that a dead connection is noticed.
  func keepAlive() {
    if output.count == sent { output += Array(":\n\n".utf8) }
    onReady()
  }

  private func send(change what: String, at: Int, was: Int? = nil, row: ItemRow? = nil) {
    let bytes = WebJSON.object { json in
      json.member("what", what)
      json.member("at", at)
      if let was { json.member("was", was) }
      if let row {
        json.key("row")
        json.verbatim(row.bytes)
      }
    }
    send("change", bytes)
  }

  private func send(_ event: String, _ bytes: [UInt8]) {
    if isDropped { return }
    lastEvent += 1
    output += Array("id: \(lastEvent)\nevent: \(event)\ndata: ".utf8) + bytes + [10, 10]
    if output.count - sent > Self.queueLimitBytes { isDropped = true }
  }

  // MARK: To the browser

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    if isDropped { return .broken }
    if sent == output.count {
      (output, sent) = ([], 0)
      sendNext()
    }
    if sent == output.count { return isEnding ? .end : .later }
    let count = min(buffer.count, output.count - sent)
    output.withUnsafeBytes { bytes in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
    }
    sent += count
    return .bytes(count)
  }

  func end() {
    onEnd()
    onEnd = {}
  }

  /// Makes the next event that is due, the most important first.
  private func sendNext() {
    if news.remove(.hello) != nil { send("hello", hub.hello(of: session)) }
    if news.remove(.recorder) != nil { send("recorder", hub.recorder) }
    if news.remove(.status) != nil, let status = hub.status { send("status", status) }
    if news.remove(.notices) != nil, let notices = hub.notices { send("notices", notices) }
    sendPage()
    if news.remove(.head) != nil, let head = folder?.model.head, !head.isEmpty, !isFolderDue {
      send("folder", head)
    }
    if news.remove(.levels) != nil, let levels = hub.levels { send("levels", levels) }
  }

  private func sendPage() {
    guard let model = folder?.model, !model.head.isEmpty,
      isFolderDue || toldCount < model.rows.count
    else { return }
    let end = min(model.rows.count, toldCount + Self.pageCount)
    let from = toldCount
    let bytes = WebJSON.object { json in
      json.key("folder")
      json.verbatim(model.head)
      json.member("from", from)
      json.member("total", model.total)
      json.key("rows")
      json.array { for row in model.rows[from..<end] { $0.verbatim(row.bytes) } }
    }
    toldCount = end
    isFolderDue = false
    send("listing", bytes)
  }
}
