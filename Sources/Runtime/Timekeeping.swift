// Timers and time for the runtime, from the event loop or from a simulation. Used by the loop's
// thread.

/// Timers that call back on the loop's thread. Each returns what stops it; nil if none can be set,
/// which is reported elsewhere.
public struct Timekeeping {
  /// Stops a timer.
  public typealias Stop = () -> Void
  /// Fires at a time of the monotonic clock, or a little later.
  public typealias Once = (
    _ atNanoseconds: Int64, _ slackMilliseconds: Int64, @escaping () -> Void
  ) -> Stop?
  /// Fires periodically.
  public typealias Every = (
    _ milliseconds: Int64, _ slackMilliseconds: Int64, @escaping () -> Void
  ) -> Stop?

  let once: Once
  let every: Every
  let nowNanoseconds: () -> Int64

  public init(
    once: @escaping Once, every: @escaping Every, nowNanoseconds: @escaping () -> Int64
  ) {
    (self.once, self.every, self.nowNanoseconds) = (once, every, nowNanoseconds)
  }
}
