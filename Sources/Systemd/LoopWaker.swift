// How other threads reach the loop's thread: any number of them may keep a `LoopWaker` and call it
// at any time; the handler runs on the loop's thread. Wake-ups carry no data and coalesce: store
// the data where the handler reads it, then wake. The handler that follows sees all data stored
// before.
import CSystemd
import Glibc

/// Wakes a loop from any thread, and from a signal handler. It may outlive the loop and the watch:
/// waking then does nothing.
public final class LoopWaker: Sendable {
  // Closed with the last reference, so the number is never another file's.
  fileprivate let eventDescriptor: Int32

  fileprivate init() throws(EventLoopError) {
    let made = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard made >= 0 else { throw EventLoopError(errorNumber: errno, doing: "make a waker") }
    eventDescriptor = made
  }

  deinit { close(eventDescriptor) }

  /// Wakes the loop. One system call that never blocks. Allocates nothing, takes no lock, leaves
  /// errno alone.
  public func wake() {
    let saved = errno
    var one: UInt64 = 1
    // Fails only if 2^64 wake-ups are pending, and then the loop wakes up anyway.
    _ = write(eventDescriptor, &one, 8)
    errno = saved
  }

  fileprivate func clear() {
    var count: UInt64 = 0
    _ = read(eventDescriptor, &count, 8)
  }
}

/// The loop's end of a waker.
public final class WakerWatch: EventSource {
  public let waker: LoopWaker

  fileprivate init(adopting pointer: OpaquePointer, _ waker: LoopWaker) {
    self.waker = waker
    super.init(adopting: pointer)
  }
}

extension EventLoop {
  /// Runs `handler` on the loop's thread soon after one or more calls of `waker.wake()`.
  public func watchWaker(
    priority: Priority = .normal, handler: @escaping () -> Void
  ) throws(EventLoopError) -> WakerWatch {
    let waker = try LoopWaker()
    let box = Handler<Void> {
      // Cleared first: a wake-up during the handler must cause another run.
      waker.clear()
      handler()
    }
    let made = try EventSource.make(
      handler: box, priority: priority.rawValue, doing: "watch a waker"
    ) {
      sd_event_add_io(
        handle.pointer, &$0, waker.eventDescriptor, EPOLLIN.rawValue,
        { _, _, _, userData in
          object(userData, as: Handler<Void>.self).run(())
          return 0
        }, $1)
    }
    return WakerWatch(adopting: made, waker)
  }
}
