// Screens that clients watch: the panel's or a console's, in the client's own size. Four times a
// second the watched screens are made from the state; a changed one is sent, but not to a client
// that has not read the last one. An action never waits for them. Loop's thread; never waits.

import Recorder

/// A screen that a client watches, and what the client has of it.
struct WatchedScreen {
  let source: ScreenSource
  let columns: Int
  let rows: Int
  var sent: ScreenView?

  func view(in state: State) -> ScreenView? {
    ScreenView(of: source, columns: columns, rows: rows, in: state)
  }
}

extension ControlSocket {
  func watchScreen(_ screen: WatchedScreen, _ id: Int, _ client: WireClient) {
    // A picture may be large, and is made anew each time.
    guard !client.subscriptions.values.contains(where: \.isScreen) else {
      let sentence = "A connection watches one screen at a time: unwatch the other first."
      return client.send(.error(id, CommandError("busy", sentence)))
    }
    dependencies.send(.tick)
    let state = dependencies.state()
    guard let view = screen.view(in: state) else {
      let sentence = state.sentence(without: screen.source)
      return client.send(.error(id, CommandError("notFound", sentence)))
    }
    var screen = screen
    screen.sent = view
    client.subscriptions[id] = .screen(screen)
    client.send(.now(id, .screen(view)))
    guard streams.screenTimer == nil else { return }
    streams.screenTimer = timer(everyMilliseconds: 250) { [unowned self] in sendScreens() }
  }

  private func sendScreens() {
    // The status has a timer of its own that lets time pass.
    if streams.statusTimer == nil { tickIfTimePasses(StatusView(dependencies.state()).state) }
    for (client, id) in ready(where: \.isScreen) {
      guard case .screen(var screen) = client.subscriptions[id] else { continue }
      guard let view = screen.view(in: dependencies.state()) else {
        client.subscriptions[id] = nil
        client.send(.end(id, "gone"))
        continue
      }
      if view == screen.sent { continue }
      screen.sent = view
      client.subscriptions[id] = .screen(screen)
      client.send(.now(id, .screen(view)))
    }
    endStreamsIfUnwanted()
  }
}

extension WireSubscription {
  var isScreen: Bool { if case .screen = self { true } else { false } }
}
