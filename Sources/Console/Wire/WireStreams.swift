// What clients watch: the status, the level, notices, a screen, a folder or an item. Each sends its
// present value, then changes, then the end. The status is sent at most four times a second, the
// level twenty times, and neither to a client that has not read the last one. Loop's thread.

import Loop
import Realtime
import Recorder
import Systemd

enum WireSubscription {
  /// Its folder or item is still being looked up.
  case looking
  /// Due if the status has changed since it was last sent.
  case status(isDue: Bool)
  case levels
  /// Releasing it closes our end.
  case sound(LiveEnd)
  case screen(WatchedScreen)
  /// Releasing the token ends the observation.
  case address(Token?)
}

/// Timers and views that all clients share.
struct WireStreams {
  var status: Token?
  var latest: StatusView?
  var statusTimer: Timer?
  var levelTimer: Timer?
  var soundTimer: Timer?
  /// Of the sound that clients hear.
  var soundRate: Int?
  var screenTimer: Timer?
  /// Runs while a folder is sent in pages.
  var pageTimer: Timer?
}

extension ControlSocket {
  func watch(_ target: WireTarget, _ id: Int, _ client: WireClient) {
    guard client.subscriptions.count < Wire1.subscriptionLimit else {
      return client.send(.error(id, CommandError(.busy)))
    }
    switch target {
    case .status:
      client.subscriptions[id] = .status(isDue: false)
      dependencies.send(.tick)
      client.send(.now(id, .status(StatusView(dependencies.state()))))
      beginStatus()
    case .levels:
      client.subscriptions[id] = .levels
      client.send(.now(id, .levels(peakDecibels: peakDecibels)))
      beginLevels()
    case .sound: watchSound(id, client)
    case .notices: observe(.notices, id, client)
    case .screen(let source, let columns, let rows):
      watchScreen(WatchedScreen(source: source, columns: columns, rows: rows), id, client)
    // Looking it up reads the folder, so that its first value is complete.
    case .folder(let name): resolve(["ls", "--count", "1", "--", name], id, client)
    case .item(let name): resolve(["info", "--", name], id, client)
    }
  }

  /// Looks a name up by running a command; `observe` gets its answer.
  private func resolve(_ words: [String], _ id: Int, _ client: WireClient) {
    client.subscriptions[id] = .looking
    run(words, id, client)
  }

  /// Observes the item that was looked up.
  func observe(_ answer: Answer, _ id: Int, _ client: WireClient) {
    switch answer {
    case .listing(let listing): observe(.folder(listing.folder.id), id, client)
    case .item(let item):
      observe(item.kind == .folder ? .folder(item.id) : .item(item.id), id, client)
    case .failed(let failure):
      client.subscriptions[id] = nil
      client.send(.error(id, failure))
    default: client.subscriptions[id] = nil
    }
  }

  private func observe(_ address: Address, _ id: Int, _ client: WireClient) {
    client.subscriptions[id] = .address(nil)
    let token = dependencies.observe(address) { [weak self, weak client] observation in
      guard let self, let client, client.subscriptions[id] != nil else { return }
      send(observation, of: address, id, client)
    }
    if client.subscriptions[id] != nil { client.subscriptions[id] = .address(token) }
  }

  private func send(
    _ observation: WireObservation, of address: Address, _ id: Int, _ client: WireClient
  ) {
    let state = dependencies.state()
    switch observation {
    case .present, .reloaded:
      if case .folder(let folder) = address { return sendFolder(folder, id, client) }
      if let value = WireValue(of: address, in: state) { client.send(.now(id, value)) }
    case .changed(let changes):
      let told = changes.compactMap { change -> Change? in
        client.windows[id] == nil ? change : client.windows[id]?.narrowed(change)
      }
      let said = told.compactMap { WireChange($0, at: address, in: state) }
      if !said.isEmpty { client.send(.changes(id, said)) }
    case .ended:
      client.subscriptions[id] = nil
      client.windows[id] = nil
      client.send(.end(id, "gone"))
    }
  }

  // MARK: Status

  private func beginStatus() {
    guard streams.status == nil else { return }
    streams.status = dependencies.showStatus { [unowned self] view in
      streams.latest = view
      markStatusDue()
    }
    streams.statusTimer = timer(everyMilliseconds: 250) { [unowned self] in sendStatus() }
  }

  private func sendStatus() {
    tickIfTimePasses(streams.latest?.state)
    guard let view = streams.latest else { return }
    for (client, id) in ready(where: { if case .status(isDue: true) = $0 { true } else { false } })
    {
      client.subscriptions[id] = .status(isDue: false)
      client.send(.now(id, .status(view)))
    }
  }

  /// While it records or plays, time passes without any other action.
  func tickIfTimePasses(_ word: StatusView.Word?) {
    switch word {
    case .recording, .playing: dependencies.send(.tick)
    default: break
    }
  }

  private func markStatusDue() {
    for client in clients.values {
      for case (let id, .status) in client.subscriptions {
        client.subscriptions[id] = .status(isDue: true)
      }
    }
  }

  // MARK: Levels

  private var peakDecibels: Double? {
    dependencies.peak().map(PeakLevel.decibels)
  }

  private func beginLevels() {
    guard streams.levelTimer == nil else { return }
    dependencies.meter(true)
    streams.levelTimer = timer(everyMilliseconds: 50) { [unowned self] in
      let value = WireValue.levels(peakDecibels: peakDecibels)
      for (client, id) in ready(where: { if case .levels = $0 { true } else { false } }) {
        client.send(.now(id, value))
      }
    }
  }

  /// Returns the matching subscriptions of clients that have read everything sent so far.
  func ready(where isMeant: (WireSubscription) -> Bool) -> [(WireClient, Int)] {
    clients.values.filter { $0.queuedBytes == 0 }.flatMap { client in
      client.subscriptions.filter { isMeant($0.value) }.map { (client, $0.key) }
    }
  }

  func endStreamsIfUnwanted() {
    var isStatusWanted = false
    var areLevelsWanted = false
    var areScreensWanted = false
    var isSoundWanted = false
    for subscription in clients.values.flatMap({ $0.subscriptions.values }) {
      switch subscription {
      case .status: isStatusWanted = true
      case .levels: areLevelsWanted = true
      case .sound: isSoundWanted = true
      case .screen: areScreensWanted = true
      case .looking, .address: break
      }
    }
    if !isStatusWanted {
      streams.statusTimer?.stop()
      (streams.status, streams.statusTimer, streams.latest) = (nil, nil, nil)
    }
    if !isSoundWanted { endSound() }
    if !areScreensWanted {
      streams.screenTimer?.stop()
      streams.screenTimer = nil
    }
    if !areLevelsWanted, let timer = streams.levelTimer {
      timer.stop()
      streams.levelTimer = nil
      dependencies.meter(false)
    }
  }

  func timer(
    everyMilliseconds period: Int64, _ handler: @escaping () -> Void
  ) -> Timer? {
    // Without a timer the client gets the first value only, and no log is at hand to report it to.
    try? loop.timer(everyMilliseconds: period, slackMilliseconds: 10, handler: handler)
  }
}
