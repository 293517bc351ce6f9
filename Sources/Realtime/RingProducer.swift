// The writing end of a ring. Used by one thread, which may be a realtime one. Dropped by an
// ordinary thread, because the last end to be dropped unmaps the memory. It never waits for the
// consumer: it writes fewer items instead.
import Synchronization

// Sendable though it holds pointers: there is only one, it can't be copied, and what it shares
// with the consumer is either atomic or a slot that only one of the two may touch at a time.
/// The writing end of a ring.
public struct RingProducer<Item: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: RingMemory<Item>
  /// Our own position; `memory.writePosition` shows it to the consumer.
  @usableFromInline var position: UInt
  /// The consumer's position as last read. It can only be too small: at least that much room is
  /// free.
  @usableFromInline var readPositionSeen: UInt

  init(memory: RingMemory<Item>, startPosition: UInt) {
    self.memory = memory
    position = startPosition
    readPositionSeen = startPosition
  }

  deinit { memory.leave(.producer) }

  @inlinable public var capacity: Int { Int(bitPattern: memory.slotCount) }

  /// True once the consumer was dropped: items written now are never read.
  @inlinable public var isAbandoned: Bool { memory.isGone(.consumer) }

  /// How many items fit now; more may fit a moment later.
  @inlinable
  public mutating func freeCount() -> Int {
    Int(bitPattern: room(for: memory.slotCount))
  }

  /// Copies as many items as fit. Returns the number copied.
  @inlinable
  public mutating func write(_ source: UnsafeBufferPointer<Item>) -> Int {
    let spans = reserve(atMost: source.count)
    guard spans.count > 0, let start = source.baseAddress else { return 0 }
    spans.fill(from: start)
    publish(UInt(bitPattern: spans.count))
    return spans.count
  }

  /// Appends one item. Returns false if there is no room.
  @inlinable
  public mutating func push(_ item: Item) -> Bool {
    guard room(for: 1) > 0 else { return false }
    memory.items[Int(bitPattern: position & (memory.slotCount &- 1))] = item
    publish(1)
    return true
  }

  /// Returns up to `count` free slots, to be filled in place and then committed.
  @inlinable
  public mutating func reserve(atMost count: Int) -> RingSpans<Item> {
    precondition(count >= 0, "a count can't be negative")
    let wanted = UInt(bitPattern: count)
    return RingSpans(of: memory, from: position, count: min(wanted, room(for: wanted)))
  }

  /// Passes the first `count` reserved items to the consumer.
  @inlinable
  public mutating func commit(_ count: Int) {
    let free = memory.slotCount &- (position &- readPositionSeen)
    precondition(count >= 0 && UInt(bitPattern: count) <= free, "commit only what was reserved")
    publish(UInt(bitPattern: count))
  }

  /// Returns how many items fit. Reads the shared position only if the copy shows less room than
  /// wanted.
  @inlinable
  mutating func room(for wanted: UInt) -> UInt {
    let free = memory.slotCount &- (position &- readPositionSeen)
    if free >= wanted { return free }
    // Acquiring: the consumer's reads of these slots come before our writes to them.
    readPositionSeen = memory.readPosition.pointee.load(ordering: .acquiring)
    return memory.slotCount &- (position &- readPositionSeen)
  }

  @inlinable
  mutating func publish(_ count: UInt) {
    position = position &+ count
    #if REEL_PLANT_RELAXED_PUBLISH
      // Wrong on purpose: scripts/check-realtime proves that ThreadSanitizer sees it.
      memory.writePosition.pointee.store(position, ordering: .relaxed)
    #else
      // Releasing: a consumer that sees the position sees the items before it.
      memory.writePosition.pointee.store(position, ordering: .releasing)
    #endif
  }
}
