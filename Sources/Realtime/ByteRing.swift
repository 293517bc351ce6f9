// The ring of bytes, for sound: raw memory in and out. Each end is used by one thread, which may
// be a realtime one.
import CRealtime

public typealias ByteRing = Ring<UInt8>

extension RingProducer where Item == UInt8 {
  /// Copies as many bytes as fit. Returns the number copied.
  @inlinable
  public mutating func write(_ source: UnsafeRawBufferPointer) -> Int {
    let start = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return write(UnsafeBufferPointer(start: start, count: source.count))
  }
}

extension RingConsumer where Item == UInt8 {
  /// Copies out as many bytes as are available and fit. Returns the number copied.
  @inlinable
  public mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let start = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return read(into: UnsafeMutableBufferPointer(start: start, count: target.count))
  }

  /// Like `consume`, but returns the memory to the kernel, a stretch at a time, before the producer
  /// gets the slots. For a ring that is sized for the worst case and is usually nearly empty. Calls
  /// the kernel, so not for realtime threads.
  public mutating func consumeAndReturn(_ count: Int) {
    let seen = writePositionSeen &- position
    precondition(count >= 0 && UInt(bitPattern: count) <= seen, "consume only what was seen")
    position = position &+ UInt(bitPattern: count)
    let stretch = min(max(memory.slotCount / 16, 1), Self.stretchBytes)
    let shared = memory.readPosition.pointee.load(ordering: .relaxed)
    let next = position & ~(stretch &- 1)
    guard Int(bitPattern: next &- shared) > 0 else { return }
    var done = shared
    while done != next {
      let end = min(next &- done, stretch &- (done & (stretch &- 1)))
      let start = memory.items + Int(bitPattern: done & (memory.slotCount &- 1))
      realtime_pages_return(start, Int(bitPattern: end))
      done = done &+ end
    }
    memory.readPosition.pointee.store(next, ordering: .releasing)
  }

  private static var stretchBytes: UInt { 1 << 18 }
}
