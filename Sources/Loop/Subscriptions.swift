// What is running because the state wants it. The wanted set is computed from the state after each
// turn; the difference to the running set is started and stopped, and nothing else is touched.

/// The running set, and how one is started and stopped.
struct Subscriptions<Subscription: Hashable> {
  private(set) var running: Set<Subscription> = []

  /// Stops what is no longer wanted, then starts what is newly wanted: a timer whose time moved is
  /// two different subscriptions, and the old one must not fire beside the new.
  mutating func want(
    _ wanted: Set<Subscription>, start: (Subscription) -> Void, stop: (Subscription) -> Void
  ) {
    if wanted == running { return }
    let old = running
    running = wanted
    for subscription in old.subtracting(wanted) { stop(subscription) }
    for subscription in wanted.subtracting(old) { start(subscription) }
  }
}
