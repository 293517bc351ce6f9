// One sd-event loop, for the one thread that waits in a daemon: descriptors, timers, signals, and
// wake-ups from other threads. Make it, use it and drop it on that thread. Other threads reach it
// only through a `LoopWaker`; the compiler checks this, because the loop is not Sendable. A handler
// must be short and must never block: everything else waits for it.
//
// sd-event could feed systemd's watchdog by itself. It is fed by hand instead, so that it fires
// when any thread is stuck, not just this one.
import CSystemd
import Glibc

/// Waits for events and runs their handlers, one at a time.
///
/// Every registration returns a token; the handler is registered while the token lives. Of several
/// ready handlers, the one with the most urgent priority runs first, then the one that waited
/// longest. Among those found ready at the same moment, timers included, the order is not promised.
public final class EventLoop {
  public enum Priority: Int64, Sendable {
    case urgent = -100
    case normal = 0
    /// Only when nothing else is waiting.
    case idle = 100
  }

  let handle: LoopHandle

  public init() throws(EventLoopError) { handle = try LoopHandle.make() }

  /// Runs handlers until one calls `exit(code:)`, and returns that code. Only once: a loop that has
  /// exited takes nothing new.
  public func run() throws(EventLoopError) -> Int32 {
    try check(sd_event_loop(handle.pointer))
  }

  /// Waits for one event and runs its handler. Returns false on timeout. For a caller that has
  /// something to check in between, such as a test.
  public func runOneTurn(waitingAtMostMilliseconds timeout: UInt32) throws(EventLoopError) -> Bool {
    try check(sd_event_run(handle.pointer, UInt64(timeout) * 1000)) > 0
  }

  /// Makes `run()` return after the present handler; no other handler runs. The first code counts.
  public func exit(code: Int32) {
    precondition((0...255).contains(code), "an exit code is 0 to 255")
    guard !isExiting else { return }
    sd_event_exit(handle.pointer, code)
  }

  public var isExiting: Bool {
    var code: Int32 = 0
    return sd_event_get_exit_code(handle.pointer, &code) >= 0
  }

  private func check(_ result: Int32) throws(EventLoopError) -> Int32 {
    if result >= 0 { return result }
    // sd-event returns EBUSY in both cases.
    let hasExited = sd_event_get_state(handle.pointer) == Int32(SD_EVENT_FINISHED)
    let busy: EventLoopError.Code = hasExited ? .finished : .alreadyRunning
    throw EventLoopError(
      result == -EBUSY ? busy : nil, errorNumber: -result, doing: "run the event loop")
  }
}

/// Owns a reference to the sd-event loop. Sources hold their own, so they may outlive this one.
struct LoopHandle: ~Copyable {
  let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { sd_event_unref(pointer) }

  static func make() throws(EventLoopError) -> LoopHandle {
    var made: OpaquePointer?
    let result = sd_event_new(&made)
    guard result >= 0, let pointer = made else {
      throw EventLoopError(errorNumber: -result, doing: "make an event loop")
    }
    return LoopHandle(adopting: pointer)
  }
}
