// The writing end of a ring. Used by one thread, which may be a realtime one; dropped by an
// ordinary one, as the last end to go unmaps the memory. It never waits for the reader: what
// does not fit is left to the caller.
import Synchronization

// Sendable though it holds pointers: there is only one, it can't be copied, and what it shares
// with the consumer is either atomic or a slot that only one of the two may touch at a time.
public struct RingProducer<Item: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: RingMemory<Item>
  /// Our own position; `memory.writePosition` is what the consumer may see of it.
  @usableFromInline var position: UInt
  /// The last we saw of the consumer's position. It can only be too small: there is at least as
  /// much room as it says.
  @usableFromInline var readPositionSeen: UInt

  init(memory: RingMemory<Item>, startPosition: UInt) {
    self.memory = memory
    position = startPosition
    readPositionSeen = startPosition
  }

  deinit { memory.leave(.producer) }

  @inlinable public var capacity: Int { Int(bitPattern: memory.slotCount) }

  /// The consumer is gone: nobody will read what is written.
  @inlinable public var isAbandoned: Bool { memory.isGone(.consumer) }

  /// How many items fit now; more may fit a moment later.
  @inlinable
  public mutating func freeCount() -> Int {
    Int(bitPattern: room(for: memory.slotCount))
  }

  /// Copies as many items as fit, and says how many these were.
  @inlinable
  public mutating func write(_ source: UnsafeBufferPointer<Item>) -> Int {
    let spans = reserve(atMost: source.count)
    guard spans.count > 0, let start = source.baseAddress else { return 0 }
    spans.fill(from: start)
    publish(UInt(bitPattern: spans.count))
    return spans.count
  }

  /// Adds one item, or says false if there is no room.
  @inlinable
  public mutating func push(_ item: Item) -> Bool {
    guard room(for: 1) > 0 else { return false }
    memory.items[Int(bitPattern: position & (memory.slotCount &- 1))] = item
    publish(1)
    return true
  }

  /// Room for as many items, or for as many as fit, to be filled in place and then committed.
  @inlinable
  public mutating func reserve(atMost count: Int) -> RingSpans<Item> {
    precondition(count >= 0, "a count can't be negative")
    let wanted = UInt(bitPattern: count)
    return RingSpans(of: memory, from: position, count: min(wanted, room(for: wanted)))
  }

  /// Hands the first items of what was reserved to the consumer.
  @inlinable
  public mutating func commit(_ count: Int) {
    let free = memory.slotCount &- (position &- readPositionSeen)
    precondition(count >= 0 && UInt(bitPattern: count) <= free, "commit only what was reserved")
    publish(UInt(bitPattern: count))
  }

  /// How many items fit; looks for what the consumer freed only if these are fewer than wanted.
  @inlinable
  mutating func room(for wanted: UInt) -> UInt {
    let free = memory.slotCount &- (position &- readPositionSeen)
    if free >= wanted { return free }
    // Acquiring: the consumer has done with these slots before we write to them.
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
      // Releasing: whoever sees the position sees the items before it.
      memory.writePosition.pointee.store(position, ordering: .releasing)
    #endif
  }
}
