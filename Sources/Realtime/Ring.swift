// A lock-free ring between two threads: one end writes, the other reads, neither ever waits. Made
// and torn down by ordinary threads; the ends are then used by one thread each, which may be a
// realtime one: nothing but making a ring and dropping its ends allocates or calls the kernel.
//
// Positions run freely and wrap at the end of UInt, so full and empty can't be confused and no slot
// is wasted. A slot is the position masked, so the capacity is a power of two. Each end keeps its
// own position and a copy of the other's. It reads the other's shared position only if the ring
// seems full or empty, so that the cache line seldom moves between cores.
import CRealtime
import Synchronization

/// Both ends of a new ring, to be taken apart and given to their threads:
/// `let ring = try Ring<Float>(...)`, then `ring.producer` here and `ring.consumer` there.
@frozen public struct Ring<Item: BitwiseCopyable & Sendable>: ~Copyable {
  public let producer: RingProducer<Item>
  public let consumer: RingConsumer<Item>
  /// Why the memory could not be locked, if that was requested.
  public let refusal: RealtimeError?

  /// - Parameter capacity: the least number of items; rounded up to a power of two.
  public init(capacity: Int, residency: Residency = .prefaulted) throws(RealtimeError) {
    try self.init(capacity: capacity, residency: residency, startPosition: 0)
  }

  /// For tests, which start just before the position wraps.
  package init(
    capacity: Int, residency: Residency = .prefaulted, startPosition: UInt
  ) throws(RealtimeError) {
    precondition(capacity > 0 && capacity <= Int.max / 4, "a ring holds at least one item")
    let slotCount = 1 << (Int.bitWidth - (capacity - 1).leadingZeroBitCount)
    let (memory, refusal) = try RingMemory<Item>.map(
      slotCount: slotCount, residency: residency, startPosition: startPosition)
    producer = RingProducer(memory: memory, startPosition: startPosition)
    consumer = RingConsumer(memory: memory, startPosition: startPosition)
    self.refusal = refusal
  }
}

/// Addresses of the shared parts of a ring. The two ends own the memory.
@usableFromInline
struct RingMemory<Item: BitwiseCopyable & Sendable> {
  /// Twice a cache line, because the prefetcher of some cores fetches lines in pairs.
  private static var spacing: Int { 128 }

  /// How many items were ever written. Stored by the producer only.
  @usableFromInline let writePosition: UnsafeMutablePointer<Atomic<UInt>>
  /// How many items were ever read. Stored by the consumer only.
  @usableFromInline let readPosition: UnsafeMutablePointer<Atomic<UInt>>
  /// The ends that were dropped. Each end adds its own bit as its last action.
  @usableFromInline let gone: UnsafeMutablePointer<Atomic<UInt8>>
  /// A slot belongs to the producer until `writePosition` has passed it, then to the
  /// consumer until `readPosition` has.
  @usableFromInline let items: UnsafeMutablePointer<Item>
  @usableFromInline let slotCount: UInt
  private let pages: Pages

  static func map(
    slotCount: Int, residency: Residency, startPosition: UInt
  ) throws(RealtimeError) -> (RingMemory, RealtimeError?) {
    precondition(MemoryLayout<Item>.alignment <= spacing, "no item is aligned wider than this")
    let (byteCount, tooMuch) = slotCount.multipliedReportingOverflow(by: MemoryLayout<Item>.stride)
    precondition(!tooMuch && byteCount <= Int.max / 2, "a ring must fit in memory")
    let (pages, refusal) = try Pages.map(byteCount: 3 * spacing + byteCount, residency: residency)
    let memory = RingMemory(pages: pages, slotCount: slotCount)
    memory.writePosition.initialize(to: Atomic(startPosition))
    memory.readPosition.initialize(to: Atomic(startPosition))
    memory.gone.initialize(to: Atomic(0))
    return (memory, refusal)
  }

  private init(pages: Pages, slotCount: Int) {
    let start = pages.usable.start
    let spacing = Self.spacing
    writePosition = start.bindMemory(to: Atomic<UInt>.self, capacity: 1)
    readPosition = (start + spacing).bindMemory(to: Atomic<UInt>.self, capacity: 1)
    gone = (start + 2 * spacing).bindMemory(to: Atomic<UInt8>.self, capacity: 1)
    items = (start + 3 * spacing).bindMemory(to: Item.self, capacity: slotCount)
    self.slotCount = UInt(slotCount)
    self.pages = pages
  }

  /// Marks an end as dropped; the second one frees the memory. Acquires what the other end did
  /// before it was dropped, so that none of it can happen after the unmapping.
  func leave(_ end: RingEnd) {
    let before = gone.pointee.bitwiseOr(end.rawValue, ordering: .acquiringAndReleasing).oldValue
    precondition(before & end.rawValue == 0, "an end can go only once")
    if before != 0 { pages.unmap() }
  }

  @inlinable
  func isGone(_ end: RingEnd) -> Bool {
    gone.pointee.load(ordering: .acquiring) & end.rawValue != 0
  }
}

@usableFromInline
enum RingEnd: UInt8 {
  case producer = 1
  case consumer = 2
}

/// Up to two runs of slots; the second continues the first at the start of the ring. Valid until
/// they are committed or consumed.
@frozen public struct RingSpans<Item: BitwiseCopyable & Sendable> {
  public let first: UnsafeMutableBufferPointer<Item>
  public let second: UnsafeMutableBufferPointer<Item>

  @inlinable public var count: Int { first.count &+ second.count }

  @inlinable
  init(of memory: RingMemory<Item>, from position: UInt, count: UInt) {
    let start = position & (memory.slotCount &- 1)
    let firstCount = min(count, memory.slotCount &- start)
    first = UnsafeMutableBufferPointer(
      start: memory.items + Int(bitPattern: start), count: Int(bitPattern: firstCount))
    second = UnsafeMutableBufferPointer(
      start: memory.items, count: Int(bitPattern: count &- firstCount))
  }

  /// Copies in as many items as there are slots.
  @inlinable
  func fill(from source: UnsafePointer<Item>) {
    guard let start = first.baseAddress, let wrapped = second.baseAddress else { return }
    let stride = MemoryLayout<Item>.stride
    realtime_copy(start, source, first.count &* stride)
    if second.count > 0 {
      realtime_copy(wrapped, source + first.count, second.count &* stride)
    }
  }

  /// Copies all items out.
  @inlinable
  func copy(to target: UnsafeMutablePointer<Item>) {
    guard let start = first.baseAddress, let wrapped = second.baseAddress else { return }
    let stride = MemoryLayout<Item>.stride
    realtime_copy(target, start, first.count &* stride)
    if second.count > 0 {
      realtime_copy(target + first.count, wrapped, second.count &* stride)
    }
  }
}
