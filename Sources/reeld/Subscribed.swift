// What runs because the state wants it, as timers of the event loop. Used by the loop's thread;
// each subscription has one timer, and ends with it.

import Recorder
import Systemd

final class Subscribed {
  private let loop: EventLoop
  private var timers: [Subscription: Timer] = [:]

  /// What each firing does.
  private let send: (Action) -> Void
  private let rooms: Rooms

  /// What the rooms do for subscriptions.
  struct Rooms {
    let measureSpace: () -> Void
    let lookForDevice: () -> Void
    let meter: (_ isOn: Bool) -> Void
    let showMeter: () -> Void
  }

  init(on loop: EventLoop, send: @escaping (Action) -> Void, rooms: Rooms) {
    self.loop = loop
    self.send = send
    self.rooms = rooms
  }

  func start(_ subscription: Subscription) {
    do { timers[subscription] = try timer(for: subscription) } catch {
      complain("a timer could not be set: \(error)")
    }
  }

  func stop(_ subscription: Subscription) {
    timers.removeValue(forKey: subscription)?.stop()
    if case .levels = subscription { rooms.meter(false) }
  }

  private func timer(for subscription: Subscription) throws -> Timer? {
    switch subscription {
    case .alarm(let alarm, let instant):
      return try loop.timer(atNanoseconds: instant.nanoseconds, slackMilliseconds: 20) {
        [send] in send(.alarm(alarm))
      }
    case .ticks(let milliseconds):
      return try loop.timer(everyMilliseconds: milliseconds, slackMilliseconds: 20) {
        [send] in send(.tick)
      }
    case .space(let milliseconds):
      rooms.measureSpace()
      return try loop.timer(
        everyMilliseconds: milliseconds, slackMilliseconds: 1000, handler: rooms.measureSpace)
    case .device(let milliseconds):
      return try loop.timer(
        everyMilliseconds: milliseconds, slackMilliseconds: 200, handler: rooms.lookForDevice)
    case .levels:
      rooms.meter(true)
      return try loop.timer(
        everyMilliseconds: 50, slackMilliseconds: 5, handler: rooms.showMeter)
    }
  }
}
