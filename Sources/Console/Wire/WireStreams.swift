// What clients watch: the status, the level, notices, a folder or an item; each its present value
// first, then what happens, then the end. The status goes out at most four times a second, the
// level twenty times, and neither to a client that has not read the last. Loop's thread.

import Loop
import Realtime
import Recorder
import Systemd

enum WireSubscription {
  /// Waits for its folder or item to be found.
  case looking
  /// Whether there is something newer than what was told last.
  case status(isDue: Bool)
  case levels
  /// Ends when it is let go of.
  case address(Token?)
}

/// What runs for all clients together.
struct WireStreams {
  var status: Token?
  var latest: StatusView?
  var statusTimer: Timer?
  var levelTimer: Timer?
}

extension ControlSocket {
  func watch(_ target: WireTarget, _ id: Int, _ client: WireClient) {
    guard client.subscriptions.count < Wire1.subscriptionLimit else {
      return client.say(.error(id, Failure(.busy)))
    }
    switch target {
    case .status:
      client.subscriptions[id] = .status(isDue: false)
      world.send(.tick)
      client.say(.now(id, .status(StatusView(world.state()))))
      beginStatus()
    case .levels:
      client.subscriptions[id] = .levels
      client.say(.now(id, .levels(peakDecibels: peakDecibels)))
      beginLevels()
    case .notices: observe(.notices, id, client)
    // Its contents are read first, so that the first value is whole.
    case .folder(let name): look(["ls", "--count", "1", "--", name], id, client)
    case .item(let name): look(["info", "--", name], id, client)
    }
  }

  /// Finds what is meant by a name, as every command does.
  private func look(_ words: [String], _ id: Int, _ client: WireClient) {
    client.subscriptions[id] = .looking
    world.desk.take(words, from: .client(client.id, request: id)) {
      [weak self, weak client] answer, isLast in
      guard let self, let client, isLast, client.subscriptions[id] != nil else { return }
      switch answer {
      case .listing(let listing): observe(.folder(listing.folder.id), id, client)
      case .item(let item):
        observe(item.kind == .folder ? .folder(item.id) : .item(item.id), id, client)
      case .failed(let failure):
        client.subscriptions[id] = nil
        client.say(.error(id, failure))
      default: client.subscriptions[id] = nil
      }
    }
  }

  private func observe(_ address: Address, _ id: Int, _ client: WireClient) {
    client.subscriptions[id] = .address(nil)
    let token = world.observe(address) { [weak self, weak client] observation in
      guard let self, let client, client.subscriptions[id] != nil else { return }
      tell(observation, of: address, id, client)
    }
    if client.subscriptions[id] != nil { client.subscriptions[id] = .address(token) }
  }

  private func tell(
    _ observation: WireObservation, of address: Address, _ id: Int, _ client: WireClient
  ) {
    let state = world.state()
    switch observation {
    case .present, .reloaded:
      if let value = WireValue(of: address, in: state) { client.say(.now(id, value)) }
    case .changed(let changes):
      client.say(.changes(id, changes.compactMap { WireChange($0, at: address, in: state) }))
    case .ended:
      client.subscriptions[id] = nil
      client.say(.end(id, "gone"))
    }
  }

  // MARK: Status

  private func beginStatus() {
    guard streams.status == nil else { return }
    streams.status = world.showStatus { [unowned self] view in
      streams.latest = view
      markStatusDue()
    }
    streams.statusTimer = timer(everyMilliseconds: 250) { [unowned self] in tellStatus() }
  }

  private func tellStatus() {
    // Time goes on while it records or plays, and nothing else may say so.
    switch streams.latest?.state {
    case .recording, .playing: world.send(.tick)
    default: break
    }
    guard let view = streams.latest else { return }
    for (client, id) in ready(where: { if case .status(isDue: true) = $0 { true } else { false } })
    {
      client.subscriptions[id] = .status(isDue: false)
      client.say(.now(id, .status(view)))
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
    world.peak().map(PeakLevel.decibels)
  }

  private func beginLevels() {
    guard streams.levelTimer == nil else { return }
    world.meter(true)
    streams.levelTimer = timer(everyMilliseconds: 50) { [unowned self] in
      let value = WireValue.levels(peakDecibels: peakDecibels)
      for (client, id) in ready(where: { if case .levels = $0 { true } else { false } }) {
        client.say(.now(id, value))
      }
    }
  }

  /// To everyone who watches that and has read what went before.
  private func ready(where isMeant: (WireSubscription) -> Bool) -> [(WireClient, Int)] {
    clients.values.filter { $0.queuedBytes == 0 }.flatMap { client in
      client.subscriptions.filter { isMeant($0.value) }.map { (client, $0.key) }
    }
  }

  func endStreamsIfUnwanted() {
    var isStatusWanted = false
    var areLevelsWanted = false
    for subscription in clients.values.flatMap({ $0.subscriptions.values }) {
      switch subscription {
      case .status: isStatusWanted = true
      case .levels: areLevelsWanted = true
      case .looking, .address: break
      }
    }
    if !isStatusWanted {
      streams.statusTimer?.stop()
      (streams.status, streams.statusTimer, streams.latest) = (nil, nil, nil)
    }
    if !areLevelsWanted, let timer = streams.levelTimer {
      timer.stop()
      streams.levelTimer = nil
      world.meter(false)
    }
  }

  private func timer(
    everyMilliseconds period: Int64, _ handler: @escaping () -> Void
  ) -> Timer? {
    // Without it a watcher sees the first value only; there is nobody better to tell.
    try? loop.timer(everyMilliseconds: period, slackMilliseconds: 10, handler: handler)
  }
}
