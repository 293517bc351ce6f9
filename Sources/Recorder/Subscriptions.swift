// Subscriptions: timers and polls that run as long as the state wants them. The runtime starts and
// stops them by the difference to those that ran before.

/// Something that runs while the state wants it.
public enum Subscription: Hashable, Codable, Sendable {
  case alarm(Alarm, at: Instant)
  /// A screen shows something that changes with time alone.
  case ticks(everyMilliseconds: Int64)
  /// Level frames, past the reducer, for a console that shows a meter.
  case levels(console: Int)
  /// Polls for a sound device.
  case device(everyMilliseconds: Int64)
  /// Polls the card's free space.
  case space(everyMilliseconds: Int64)
}

extension Appliance {
  public static func subscriptions(_ state: State) -> [Subscription] {
    if state.host.phase == .stopped { return [] }
    var wanted = state.alarms.map { Subscription.alarm($0.0, at: $0.1) }
    let isRecording = state.transport.take.running != nil
    if state.library.phase == .ready {
      wanted.append(.space(everyMilliseconds: isRecording ? 2000 : 60_000))
    }
    if state.device.captureInfo == nil, state.host.phase == .running {
      wanted.append(.device(everyMilliseconds: 1000))
    }
    let screens = state.consoles.filter(\.showsScreen)
    if state.showsTime, !screens.isEmpty { wanted.append(.ticks(everyMilliseconds: 500)) }
    if state.device.isRunning { wanted += screens.map { .levels(console: $0.id) } }
    return wanted
  }
}

extension State {
  fileprivate var showsTime: Bool {
    if case .playing = transport.deck { return true }
    return transport.take != .none
  }
}
