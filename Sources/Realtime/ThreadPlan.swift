// How a thread is set up, and the flag that stops it. Plans are made by ordinary threads; the flag
// may be read in a realtime section.
import Synchronization

/// The set-up of a thread.
public struct ThreadPlan: Sendable {
  /// The kernel shows the first 15 bytes.
  public var name: String
  /// 1...99 for SCHED_FIFO; nil for an ordinary thread.
  public var realtimePriority: Int?
  /// Residency of the stack.
  public var residency: Residency
  public var stackByteCount: Int
  /// The processor it must stay on; nil for any.
  public var processor: Int?

  public init(
    name: String, realtimePriority: Int? = nil, residency: Residency = .prefaulted,
    stackByteCount: Int = 256 * 1024, processor: Int? = nil
  ) {
    self.name = name
    self.realtimePriority = realtimePriority
    self.residency = residency
    self.stackByteCount = stackByteCount
    self.processor = processor
  }
}

/// Asks a thread to end. Raised by any thread, read by the thread in its loop.
public final class StopFlag: Sendable {
  /// Changes once, from false to true. Stored by the thread that requests the stop.
  private let raised = Atomic<Bool>(false)

  public init() {}

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public func isRaised() -> Bool { raised.load(ordering: .acquiring) }

  public func raise() { raised.store(true, ordering: .releasing) }
}
