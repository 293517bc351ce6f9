// What all browsers watch, over one connection to the recorder: status, notices, levels while a
// browser shows meters, and each folder once for all that show it. Loop's thread.
import JSON
import Systemd

/// A folder that some browsers show.
final class SharedFolder {
  let name: String
  fileprivate(set) var model = FolderModel()
  fileprivate var subscription: Int?
  fileprivate var streams: [EventStream] = []

  init(name: String) { self.name = name }

  /// When a browser last came to it.
  fileprivate var lastArrival: Int { streams.map(\.arrival).max() ?? 0 }
}

/// Distributes what the recorder tells.
final class WatchHub {
  /// The recorder allows 32 subscriptions; three are for status, notices and levels.
  static let foldersMaximum = 28
  static let streamsMaximum = 200
  static let streamsOfSessionMaximum = 12

  private(set) var status: [UInt8]?
  private(set) var levels: [UInt8]?
  private(set) var version = ""
  private(set) var isAway = true
  /// Called with each status, and with nil when the recorder has gone.
  var onStatus: (JSONValue?) -> Void = { _ in }
  /// What a browser learns of its own session.
  var describe: (String) -> [UInt8] = { _ in [] }
  private var noticeList: [(id: Int, bytes: [UInt8])] = []
  private var hasNotices = false
  private let connection: RecorderConnection
  private var streams: [EventStream] = []
  private var folders: [String: SharedFolder] = [:]
  private var levelsSubscription: Int?
  private var toldLevelsNanoseconds: Int64 = 0
  private var arrivals = 0
  private var heartbeat: Timer?
  private let log: (String) -> Void

  init(to path: String, on loop: EventLoop, log: @escaping (String) -> Void) throws(EventLoopError)
  {
    connection = RecorderConnection(to: path, on: loop)
    self.log = log
    heartbeat = try loop.timer(everyMilliseconds: 15_000, slackMilliseconds: 5000) {
      [unowned self] in
      for stream in streams { stream.keepAlive() }
    }
    connection.onArrival = { [unowned self] in arrive($0) }
    connection.onLoss = { [unowned self] in lose($0) }
  }

  func connect() { connection.connect() }

  var streamCount: Int { streams.count }

  // MARK: Values for browsers

  func hello(of session: String) -> [UInt8] { describe(session) }

  var recorder: [UInt8] {
    WebJSON.object { json in
      json.key("isThere")
      json.verbatim((isAway ? "false" : "true").utf8)
      json.member("version", version)
    }
  }

  var notices: [UInt8]? {
    guard hasNotices else { return nil }
    var writer = JSONWriter()
    writer.array { for notice in noticeList { $0.verbatim(notice.bytes) } }
    return writer.bytes
  }

  // MARK: The recorder

  private func arrive(_ hello: JSONValue) {
    isAway = false
    version = hello["version"]?.text ?? ""
    if hello["access"]?.text != "control" {
      log("the recorder lets this program only look; set 'access' of the socket to 'control'")
    }
    _ = connection.watch({ $0.string("status") }, news: { [unowned self] in follow(status: $0) })
    _ = connection.watch({ $0.string("notices") }, news: { [unowned self] in follow(notices: $0) })
    levelsSubscription = nil
    watchLevelsIfWanted()
    for folder in folders.values { watch(folder) }
    noteAll(.recorder)
  }

  private func lose(_ why: String) {
    if !isAway { log(why) }
    isAway = true
    (status, levels, levelsSubscription) = (nil, nil, nil)
    (noticeList, hasNotices) = ([], false)
    onStatus(nil)
    for folder in folders.values { folder.subscription = nil }
    noteAll(.recorder)
  }

  private func noteAll(_ what: EventStream.News) {
    for stream in streams { stream.note(what) }
  }

  private func follow(status news: WatchedNews) {
    guard case .now(let value) = news, let status = value["status"] else { return }
    self.status = status.bytes
    onStatus(status)
    noteAll(.status)
  }

  private func follow(notices news: WatchedNews) {
    switch news {
    case .now(let value):
      noticeList = (value["notices"]?.items ?? []).map { ($0["id"]?.integer ?? 0, $0.bytes) }
      hasNotices = true
    case .changes(let changes):
      for notice in changes.compactMap({ $0["notice"] }) {
        let id = notice["id"]?.integer ?? 0
        noticeList.removeAll { $0.id == id }
        noticeList.append((id, notice.bytes))
      }
    case .end, .sound: return
    }
    noteAll(.notices)
  }

  private func watchLevelsIfWanted() {
    let isWanted = streams.contains(where: \.wantsLevels)
    if isWanted, levelsSubscription == nil, !isAway {
      levelsSubscription = connection.watch(
        { $0.string("levels") }, news: { [unowned self] in follow(levels: $0) })
    } else if !isWanted, let id = levelsSubscription {
      connection.unwatch(id)
      (levelsSubscription, levels) = (nil, nil)
    }
  }

  private func follow(levels news: WatchedNews) {
    guard case .now(let value) = news, let levels = value["levels"] else { return }
    self.levels = levels.bytes
    noteLevels()
  }

  /// The recorder tells them twenty times a second; a browser gets every other one.
  private func noteLevels() {
    let now = EventLoop.monotonicNanoseconds()
    if now - toldLevelsNanoseconds < 75_000_000 { return }
    toldLevelsNanoseconds = now
    noteAll(.levels)
  }

  // MARK: Folders

  private func watch(_ folder: SharedFolder) {
    folder.model = FolderModel()
    for stream in folder.streams { stream.restartFolder() }
    folder.subscription = connection.watch(
      { json in json.object { $0.member("folder", folder.name) } },
      news: { [weak self, weak folder] news in
        if let self, let folder { follow(folder, news) }
      })
  }

  private func rewatch(_ folder: SharedFolder) {
    folder.subscription.map { connection.unwatch($0) }
    watch(folder)
  }

  private func follow(_ folder: SharedFolder, _ news: WatchedNews) {
    switch news {
    case .now(let value):
      guard let listing = value["listing"] else { return }
      if listing["from"]?.integer == 0 {
        for stream in folder.streams { stream.restartFolder() }
      }
      if !folder.model.apply(page: listing) { return rewatch(folder) }
      for stream in folder.streams { stream.noteRows() }
    case .changes(let changes):
      for change in changes {
        guard let effects = folder.model.apply(change) else { return rewatch(folder) }
        for effect in effects {
          for stream in folder.streams { stream.publish(effect, folder.model) }
        }
      }
    case .end(let why):
      if why == "away" { return }
      folders[folder.name] = nil
      for stream in folder.streams { stream.loseFolder(why) }
      folder.streams = []
    case .sound: break
    }
  }

  // MARK: Browsers

  /// Returns a new stream; nil if there are too many.
  func open(session: String, folder name: String?, wantsLevels: Bool) -> EventStream? {
    let own = streams.filter { $0.session == session }
    guard streams.count < Self.streamsMaximum else { return nil }
    // A browser that lost its connection comes again before the old one is known to be dead.
    if own.count >= Self.streamsOfSessionMaximum { own.first?.sendAway() }
    arrivals += 1
    let folder = name.map { shared($0) }
    let stream = EventStream(
      self, session: session, folder: folder, wantsLevels: wantsLevels, arrival: arrivals)
    streams.append(stream)
    folder?.streams.append(stream)
    if let folder, folder.subscription == nil, !isAway { watch(folder) }
    stream.onEnd = { [weak self, weak stream] in
      if let self, let stream { close(stream) }
    }
    watchLevelsIfWanted()
    return stream
  }

  /// The folder that was come to least recently makes room for a new one.
  private func shared(_ name: String) -> SharedFolder {
    if let known = folders[name] { return known }
    if folders.count >= Self.foldersMaximum,
      let oldest = folders.values.min(by: { $0.lastArrival < $1.lastArrival })
    {
      for stream in oldest.streams { stream.sendAway() }
      forget(oldest)
    }
    let folder = SharedFolder(name: name)
    folders[name] = folder
    return folder
  }

  private func forget(_ folder: SharedFolder) {
    folder.streams = []
    folder.subscription.map { connection.unwatch($0) }
    folder.subscription = nil
    if folders[folder.name] === folder { folders[folder.name] = nil }
  }

  private func close(_ stream: EventStream) {
    streams.removeAll { $0 === stream }
    for folder in folders.values where folder.streams.contains(where: { $0 === stream }) {
      folder.streams.removeAll { $0 === stream }
      if folder.streams.isEmpty { forget(folder) }
    }
    watchLevelsIfWanted()
  }

  /// Ends the streams of a session, or all with nil.
  func end(session: String?) {
    for stream in streams where session == nil || stream.session == session { stream.close() }
  }
}
