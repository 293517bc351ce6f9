// Runs the subscriptions that the state wants. After the queued actions are reduced, the wanted
// list is computed from the state; only the difference to the running list is started and stopped.
// A list, not a set: the order of a set differs from run to run. Used on the loop's thread.

struct Subscriptions<Subscription: Equatable> {
  /// In the order of the wanted list.
  private(set) var running: [Subscription] = []

  /// Stops what is no longer wanted, then starts what is newly wanted: a timer whose time moved is
  /// two different subscriptions, and the old one must not fire beside the new.
  mutating func want(
    _ wanted: [Subscription], start: (Subscription) -> Void, stop: (Subscription) -> Void
  ) {
    if wanted == running { return }
    let old = running
    running = wanted
    for subscription in old where !wanted.contains(subscription) { stop(subscription) }
    for subscription in wanted where !old.contains(subscription) { start(subscription) }
  }
}
