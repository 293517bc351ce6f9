// Work put off: a queue of closures behind one sd-event source, so that putting off costs no
// registration and the order is the order of asking (sd-event promises none among its own deferred
// sources). Loop thread only. Runs one closure a dispatch; must never run two without the loop
// looking for more urgent events, or for an exit, in between.
import CSystemd

final class DeferredWork {
  private let queue: Queue
  private let source: EventSource

  init(on loop: borrowing LoopHandle, priority: Int64) throws(EventLoopError) {
    let pointer = loop.pointer
    let queue = Queue()
    let made = try EventSource.make(handler: queue, priority: priority, doing: "put off work") {
      sd_event_add_defer(
        pointer, &$0,
        { source, userData in
          let queue: Queue = object(userData)
          let work = queue.waiting.removeFirst()
          if !queue.waiting.isEmpty { sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)) }
          work()
          return 0
        }, $1)
    }
    self.queue = queue
    source = EventSource(adopting: made)
    source.disable()
  }

  func add(_ work: @escaping () -> Void) {
    // After the loop's exit nothing would ever run it, nor let go of what it captured.
    if source.enableOnce() { queue.waiting.append(work) }
  }

  func dropAll() {
    // Swapped out first: what a closure lets go of may put off work in its deinit.
    var dropped: [() -> Void] = []
    swap(&dropped, &queue.waiting)
  }

  private final class Queue {
    var waiting: [() -> Void] = []
  }
}
