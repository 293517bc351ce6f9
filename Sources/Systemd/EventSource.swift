// The token every registration in an event loop returns, which owns the sd-event source.
// Belongs to the loop's thread, as the loop does; must never be dropped by another one.
//
// Life of a handler: the source holds one reference to it, given back by sd-event's destroy
// callback. That runs when the source is freed, and a source that is stopped from inside its own
// handler is freed only after the handler has returned. So a handler may stop anything, itself too.
import CSystemd

/// Stops its source when it ends. A class, because handlers must be able to name it (a closure that
/// escapes cannot capture a noncopyable value) and rooms keep tokens in dictionaries.
///
/// A handler that captures its own token keeps itself alive: `stop()` ends that.
public class EventSource {
  /// Nil once stopped.
  private(set) final var pointer: OpaquePointer?

  init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { stop() }

  /// No handler runs any more, not even for what has happened already. For good; twice is harmless.
  public final func stop() {
    // Forgotten first: freeing the handler may free objects whose deinit calls this again.
    let stopped = pointer
    pointer = nil
    sd_event_source_disable_unref(stopped)
  }

  /// False when the source is stopped or the loop has exited.
  @discardableResult
  final func enableOnce() -> Bool {
    pointer != nil && sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT)) >= 0
  }

  final func disable() {
    if pointer != nil { sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF)) }
  }

  /// `add` is one of the `sd_event_add_*` calls; `handler` is what its callback finds as user data.
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

/// A handler as an object, for C to hold on to.
final class Handler<Argument> {
  let run: (Argument) -> Void

  init(_ run: @escaping (Argument) -> Void) {
    self.run = run
  }
}

/// What C was given as user data, as what it is.
func object<T: AnyObject>(_ userData: UnsafeMutableRawPointer?, as: T.Type = T.self) -> T {
  guard let userData else { preconditionFailure("sd-event lost a handler's user data") }
  return Unmanaged<T>.fromOpaque(userData).takeUnretainedValue()
}
