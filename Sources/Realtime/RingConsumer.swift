// The reading end of a ring. Used by one thread, which may be a realtime one; dropped by an
// ordinary one, as the last end to go unmaps the memory. It never waits for the writer: what is
// not there yet is left to the caller.
import Synchronization

// Sendable though it holds pointers: there is only one, it can't be copied, and what it shares
// with the producer is either atomic or a slot that only one of the two may touch at a time.
public struct RingConsumer<Item: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: RingMemory<Item>
  /// Our own position; `memory.readPosition` is what the producer may see of it.
  @usableFromInline var position: UInt
  /// The last we saw of the producer's position. It can only be too small: there are at least as
  /// many items as it says.
  @usableFromInline var writePositionSeen: UInt

  init(memory: RingMemory<Item>, startPosition: UInt) {
    self.memory = memory
    position = startPosition
    writePositionSeen = startPosition
  }

  deinit { memory.leave(.consumer) }

  @inlinable public var capacity: Int { Int(bitPattern: memory.slotCount) }

  /// The producer is gone: once this is true, what can be read is the last there will be.
  @inlinable public var isAbandoned: Bool { memory.isGone(.producer) }

  /// How many items can be read now; more may come a moment later.
  @inlinable
  public mutating func availableCount() -> Int {
    Int(bitPattern: available(for: memory.slotCount))
  }

  /// Copies out as many items as there are room and items for, and says how many these were.
  @inlinable
  public mutating func read(into target: UnsafeMutableBufferPointer<Item>) -> Int {
    let spans = peek(atMost: target.count)
    guard spans.count > 0, let start = target.baseAddress else { return 0 }
    spans.copy(to: start)
    free(UInt(bitPattern: spans.count))
    return spans.count
  }

  /// Takes the oldest item, if there is one.
  @inlinable
  public mutating func pop() -> Item? {
    guard available(for: 1) > 0 else { return nil }
    let item = memory.items[Int(bitPattern: position & (memory.slotCount &- 1))]
    free(1)
    return item
  }

  /// The oldest items, as many as wanted or as there are, to be read in place and then consumed.
  @inlinable
  public mutating func peek(atMost count: Int) -> RingSpans<Item> {
    precondition(count >= 0, "a count can't be negative")
    let wanted = UInt(bitPattern: count)
    return RingSpans(of: memory, from: position, count: min(wanted, available(for: wanted)))
  }

  /// Gives the slots of the oldest items back to the producer.
  @inlinable
  public mutating func consume(_ count: Int) {
    let seen = writePositionSeen &- position
    precondition(count >= 0 && UInt(bitPattern: count) <= seen, "consume only what was seen")
    free(UInt(bitPattern: count))
  }

  /// How many items there are; looks for new ones only if these are fewer than wanted.
  @inlinable
  mutating func available(for wanted: UInt) -> UInt {
    let seen = writePositionSeen &- position
    if seen >= wanted { return seen }
    // Acquiring: the items before this position are there to be seen.
    writePositionSeen = memory.writePosition.pointee.load(ordering: .acquiring)
    return writePositionSeen &- position
  }

  @inlinable
  mutating func free(_ count: UInt) {
    position = position &+ count
    // Releasing: we have done with these slots before the producer writes to them again.
    memory.readPosition.pointee.store(position, ordering: .releasing)
  }
}
