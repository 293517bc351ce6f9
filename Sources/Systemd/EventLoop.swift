// One sd-event loop, for the one thread that waits in a daemon: descriptors, timers, signals,
// wake-ups from other threads, and work put off. Make it, use it and drop it on that thread; other
// threads reach it through a `Waker` only, and the compiler sees to it, for nothing here is
// Sendable. A handler must be short and must never block: everything else waits for it.
//
// sd-event could feed systemd's watchdog by itself. It is not let: fed by hand, the watchdog bites
// when any thread is stuck, not just this one.
import CSystemd
import Glibc

/// Waits for events and runs their handlers, one at a time.
///
/// Every registration returns a token; the handler is in force while the token lives. Of several
/// handlers that could run, the one with the most urgent priority does, then whichever waited
/// longer. Among those found ready at the same moment the order is not promised, timers included.
public final class EventLoop {
  public enum Priority: Int64, Sendable {
    case urgent = -100
    case normal = 0
    /// Only when nothing else is waiting.
    case idle = 100
  }

  let handle: LoopHandle
  private let turnWork: DeferredWork
  private let idleWork: DeferredWork

  public init() throws(EventLoopError) {
    let handle = try LoopHandle.make()
    turnWork = try DeferredWork(on: handle, priority: Int64(Int32.min))
    idleWork = try DeferredWork(on: handle, priority: Priority.idle.rawValue)
    self.handle = handle
  }

  /// Runs handlers until one calls `exit(code:)`, and returns that code. Only once: work put off
  /// and not done by then is dropped, and a loop that has exited takes nothing new.
  public func run() throws(EventLoopError) -> Int32 {
    try check(sd_event_loop(handle.pointer))
  }

  /// Waits for one event and runs its handler; false when the time passed without one. For a caller
  /// that has something to look at in between, such as a test.
  public func runOneTurn(waitingAtMostMilliseconds timeout: UInt32) throws(EventLoopError) -> Bool {
    try check(sd_event_run(handle.pointer, UInt64(timeout) * 1000)) > 0
  }

  /// Lets `run()` return once the present handler has: no other runs. The first code counts.
  public func exit(code: Int32) {
    precondition((0...255).contains(code), "an exit code is 0 to 255")
    guard !isExiting else { return }
    sd_event_exit(handle.pointer, code)
  }

  public var isExiting: Bool {
    var code: Int32 = 0
    return sd_event_get_exit_code(handle.pointer, &code) >= 0
  }

  /// Runs `work` when the present handler has returned, before any other event, in order of asking.
  /// Once, and without a token. Work that goes on in steps would starve the rest: see `whenIdle`.
  public func afterThisTurn(_ work: @escaping () -> Void) {
    turnWork.add(work)
  }

  /// Runs `work` when nothing else is waiting, in order of asking, once. A long job does a step and
  /// asks again.
  public func whenIdle(_ work: @escaping () -> Void) {
    idleWork.add(work)
  }

  private func check(_ result: Int32) throws(EventLoopError) -> Int32 {
    let hasExited = sd_event_get_state(handle.pointer) == Int32(SD_EVENT_FINISHED)
    if hasExited {
      turnWork.dropAll()
      idleWork.dropAll()
    }
    if result >= 0 { return result }
    // sd-event calls itself busy in both cases.
    let busy: EventLoopError.Code = hasExited ? .finished : .alreadyRunning
    throw EventLoopError(
      result == -EBUSY ? busy : nil, errorNumber: -result, doing: "run the event loop")
  }
}

/// Owns the reference to the sd-event loop. Sources hold their own, so the order of ending is free.
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
