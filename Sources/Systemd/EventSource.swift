// The token every registration in an event loop returns, which owns the sd-event source. Belongs to
// the loop's thread, as the loop does; must never be dropped by another one.
//
// Life of a handler: the source holds one reference to it, released by sd-event's destroy callback.
// That runs when the source is freed, and a source that is stopped from inside its own handler is
// freed only after the handler has returned. So a handler may stop any source, its own included.
import CSystemd

/// Stops its source when it is dropped. A class, because handlers must be able to refer to it (an
/// escaping closure cannot capture a noncopyable value) and rooms keep tokens in dictionaries.
///
/// A handler that captures its own token keeps itself alive: `stop()` breaks the cycle.
public class EventSource {
  /// Nil once stopped.
  private(set) final var pointer: OpaquePointer?

  init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { stop() }

  /// Stops the source for good: its handler runs no more, not even for an event that has happened.
  /// Does nothing if repeated.
  public final func stop() {
    // Cleared first: freeing the handler may free objects whose deinit calls this again.
    let stopped = pointer
    pointer = nil
    sd_event_source_disable_unref(stopped)
  }

  /// Returns false if the source is stopped or the loop has exited.
  @discardableResult
  final func enableOnce() -> Bool {
    pointer != nil && sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT)) >= 0
  }

  final func disable() {
    if pointer != nil { sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF)) }
  }

  /// `add` calls one of the `sd_event_add_*`; `handler` is the user data of its callback.
  static func make(
    handler: AnyObject, priority: Int64, doing: @autoclosure () -> String,
    _ add: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
  ) throws(EventLoopError) -> OpaquePointer {
    let reference = Unmanaged.passRetained(handler)
    var made: OpaquePointer?
    let added = add(&made, reference.toOpaque())
    guard added >= 0 else {
      reference.release()
      throw EventLoopError(errorNumber: -added, doing: doing())
    }
    sd_event_source_set_destroy_callback(made) { userData in
      if let userData { Unmanaged<AnyObject>.fromOpaque(userData).release() }
    }
    let placed = sd_event_source_set_priority(made, priority)
    guard placed >= 0, let pointer = made else {
      sd_event_source_disable_unref(made)
      throw EventLoopError(errorNumber: -placed, doing: doing())
    }
    return pointer
  }
}

/// A handler as an object, which C can hold.
final class Handler<Argument> {
  let run: (Argument) -> Void

  init(_ run: @escaping (Argument) -> Void) {
    self.run = run
  }
}

/// Returns the object that C was given as user data.
func object<T: AnyObject>(_ userData: UnsafeMutableRawPointer?, as: T.Type = T.self) -> T {
  guard let userData else { preconditionFailure("sd-event lost a handler's user data") }
  return Unmanaged<T>.fromOpaque(userData).takeUnretainedValue()
}
