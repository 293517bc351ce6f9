// Watching a file descriptor: its handler runs on the loop's thread for as long as one of the
// wanted conditions holds. Level-triggered, so a handler that leaves a condition standing is called
// again at once. The watch borrows the descriptor: stop it before the descriptor is closed, or the
// kernel may report events of another file that got its number.
import CSystemd
import Glibc

/// What a descriptor is ready for, or what to wait for.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: 1)
  public static let writable = Readiness(rawValue: 2)
  /// The other end is gone, or will send no more.
  public static let hangup = Readiness(rawValue: 4)
  /// Reported only: the descriptor is broken, and reading it says how.
  public static let error = Readiness(rawValue: 8)
}

/// Reports that a file can be read or written.
public final class FileWatch: EventSource {
  /// Waits for other conditions from now on. With none, the watch is paused and reports nothing,
  /// not even a hang-up, which is otherwise always reported. Does nothing on a stopped watch, nor
  /// once the loop has exited, when rooms still write their last bytes.
  public func change(to interest: Readiness) throws(EventLoopError) {
    guard let pointer else { return }
    var result = sd_event_source_set_io_events(pointer, interest.epollEvents)
    if result >= 0 {
      let state = interest.isEmpty ? SD_EVENT_OFF : SD_EVENT_ON
      result = sd_event_source_set_enabled(pointer, Int32(state))
    }
    if result < 0, result != -ESTALE {
      throw EventLoopError(errorNumber: -result, doing: "change a watch")
    }
  }
}

extension EventLoop {
  /// Calls `handler` while one of the conditions holds. Hang-up and error are always reported.
  /// Regular files cannot be watched.
  public func watch(
    fileDescriptor: Int32, for interest: Readiness, priority: Priority = .normal,
    handler: @escaping (Readiness) -> Void
  ) throws(EventLoopError) -> FileWatch {
    let made = try EventSource.make(
      handler: Handler(handler), priority: priority.rawValue,
      doing: "watch file descriptor \(fileDescriptor)"
    ) {
      sd_event_add_io(
        handle.pointer, &$0, fileDescriptor, interest.epollEvents,
        { _, _, events, userData in
          object(userData, as: Handler<Readiness>.self).run(Readiness(epollEvents: events))
          return 0
        }, $1)
    }
    let watch = FileWatch(adopting: made)
    if interest.isEmpty { watch.disable() }
    return watch
  }
}

extension Readiness {
  fileprivate var epollEvents: UInt32 {
    var events: UInt32 = 0
    if contains(.readable) { events |= EPOLLIN.rawValue }
    if contains(.writable) { events |= EPOLLOUT.rawValue }
    if contains(.hangup) { events |= EPOLLRDHUP.rawValue }
    return events
  }

  fileprivate init(epollEvents: UInt32) {
    self = []
    if epollEvents & EPOLLIN.rawValue != 0 { insert(.readable) }
    if epollEvents & EPOLLOUT.rawValue != 0 { insert(.writable) }
    if epollEvents & (EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 { insert(.hangup) }
    if epollEvents & EPOLLERR.rawValue != 0 { insert(.error) }
  }
}
