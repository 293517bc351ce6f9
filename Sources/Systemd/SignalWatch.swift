// Signals as events of the loop, instead of interruptions at any instruction. Watching blocks the
// signal in the calling thread; threads started later inherit that. One started EARLIER does not:
// the kernel may deliver a signal of the process to it, with its default action, which for SIGTERM
// is to kill. So watch signals before starting any thread.
import CSystemd
import Glibc

extension EventLoop {
  /// Runs `handler` on the loop's thread whenever `signal` arrives (several at once may count as
  /// one). The signal stays blocked when the watch ends: a second SIGTERM must not cut short the
  /// closing of a take. A process started from this one inherits the block.
  public func watch(
    signal: Int32, priority: Priority = .urgent, handler: @escaping () -> Void
  ) throws(EventLoopError) -> EventSource {
    var mask = sigset_t()
    sigemptyset(&mask)
    guard sigaddset(&mask, signal) == 0 else {
      throw EventLoopError(errorNumber: EINVAL, doing: "watch signal \(signal)")
    }
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    return EventSource(adopting: try add(signal, priority, Handler(handler)))
  }

  private func add(
    _ signal: Int32, _ priority: Priority, _ handler: Handler<Void>
  ) throws(EventLoopError) -> OpaquePointer {
    do {
      return try EventSource.make(
        handler: handler, priority: priority.rawValue, doing: "watch signal \(signal)"
      ) {
        sd_event_add_signal(
          handle.pointer, &$0, signal,
          { _, _, userData in
            object(userData, as: Handler<Void>.self).run(())
            return 0
          }, $1)
      }
    } catch {
      // EBUSY means that the signal is not blocked, which it is, or that it is watched twice.
      guard error.errorNumber == EBUSY else { throw error }
      throw EventLoopError(.alreadyWatched, errorNumber: EBUSY, doing: "watch signal \(signal)")
    }
  }
}
