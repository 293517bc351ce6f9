// Runs the subscriptions that the state asks for: one timer for each, which ends with it. Used by
// the loop's thread.

import Recorder

final class RunningSubscriptions {
  private let time: Timekeeping
  private let rooms: Rooms
  private let send: (Action) -> Void
  private var timers: [Subscription: Timekeeping.Stop] = [:]

  init(
    _ time: Timekeeping, _ rooms: Rooms, send: @escaping (Action) -> Void
  ) {
    (self.time, self.rooms, self.send) = (time, rooms, send)
  }

  func start(_ subscription: Subscription) {
    timers[subscription] = timer(for: subscription)
  }

  func stop(_ subscription: Subscription) {
    timers.removeValue(forKey: subscription)?()
    if case .levels = subscription { rooms.sound.metering.stop() }
  }

  private func timer(for subscription: Subscription) -> Timekeeping.Stop? {
    switch subscription {
    case .alarm(let alarm, let instant):
      return time.once(instant.nanoseconds, 20) { [send] in send(.alarm(alarm)) }
    case .ticks(let milliseconds):
      return time.every(milliseconds, 20) { [send] in send(.tick) }
    case .space(let milliseconds):
      rooms.card.measureSpace()
      return time.every(milliseconds, 1000, rooms.card.measureSpace)
    case .device(let milliseconds):
      return time.every(milliseconds, 200, rooms.sound.poll)
    case .levels(let console):
      let metering = rooms.sound.metering
      metering.start()
      return time.every(50, 5) { [time] in
        metering.show(on: console, nowNanoseconds: time.nowNanoseconds())
      }
    }
  }
}
