// The reading end of a ring. Used by one thread, which may be a realtime one. Dropped by an
// ordinary thread, because the last end to be dropped unmaps the memory. It never waits for the
// producer: it returns fewer items instead.
import Synchronization

// Sendable though it holds pointers: there is only one, it can't be copied, and what it shares
// with the producer is either atomic or a slot that only one of the two may touch at a time.
/// The reading end of a ring.
public struct RingConsumer<Item: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: RingMemory<Item>
  /// Our own position; `memory.readPosition` shows it to the producer.
  @usableFromInline var position: UInt
  /// The producer's position as last read. It can only be too small: at least that many items are
  /// available.
  @usableFromInline var writePositionSeen: UInt

  init(memory: RingMemory<Item>, startPosition: UInt) {
    self.memory = memory
    position = startPosition
    writePositionSeen = startPosition
  }

  deinit { memory.leave(.consumer) }

  @inlinable public var capacity: Int { Int(bitPattern: memory.slotCount) }

  /// True once the producer was dropped: no items will follow those that can be read.
  @inlinable public var isAbandoned: Bool { memory.isGone(.producer) }

  /// How many items can be read now; more may come a moment later.
  @inlinable
  public mutating func availableCount() -> Int {
    Int(bitPattern: available(for: memory.slotCount))
  }

  /// Copies out as many items as are available and fit. Returns the number copied.
  @inlinable
  public mutating func read(into target: UnsafeMutableBufferPointer<Item>) -> Int {
    let spans = peek(atMost: target.count)
    guard spans.count > 0, let start = target.baseAddress else { return 0 }
    spans.copy(to: start)
    free(UInt(bitPattern: spans.count))
    return spans.count
  }

  /// Removes and returns the oldest item; nil if there is none.
  @inlinable
  public mutating func pop() -> Item? {
    guard available(for: 1) > 0 else { return nil }
    let item = memory.items[Int(bitPattern: position & (memory.slotCount &- 1))]
    free(1)
    return item
  }

  /// Returns up to `count` of the oldest items, to be read in place and then consumed.
  @inlinable
  public mutating func peek(atMost count: Int) -> RingSpans<Item> {
    precondition(count >= 0, "a count can't be negative")
    let wanted = UInt(bitPattern: count)
    return RingSpans(of: memory, from: position, count: min(wanted, available(for: wanted)))
  }

  /// Returns the slots of the oldest items to the producer.
  @inlinable
  public mutating func consume(_ count: Int) {
    let seen = writePositionSeen &- position
    precondition(count >= 0 && UInt(bitPattern: count) <= seen, "consume only what was seen")
    free(UInt(bitPattern: count))
  }

  /// Returns how many items are available. Reads the shared position only if the copy shows fewer
  /// than wanted.
  @inlinable
  mutating func available(for wanted: UInt) -> UInt {
    let seen = writePositionSeen &- position
    if seen >= wanted { return seen }
    // Acquiring: the items before this position are visible.
    writePositionSeen = memory.writePosition.pointee.load(ordering: .acquiring)
    return writePositionSeen &- position
  }

  @inlinable
  mutating func free(_ count: UInt) {
    position = position &+ count
    // Releasing: our reads of these slots come before the producer's next writes to them.
    memory.readPosition.pointee.store(position, ordering: .releasing)
  }
}
