// The ring of bytes, for sound: raw memory in and out. Each end is used by one thread, which may
// be a realtime one.

public typealias ByteRing = Ring<UInt8>

extension RingProducer where Item == UInt8 {
  /// Copies as many bytes as fit, and says how many these were.
  @inlinable
  public mutating func write(_ source: UnsafeRawBufferPointer) -> Int {
    let start = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return write(UnsafeBufferPointer(start: start, count: source.count))
  }
}

extension RingConsumer where Item == UInt8 {
  /// Copies out as many bytes as there are room and bytes for, and says how many these were.
  @inlinable
  public mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let start = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return read(into: UnsafeMutableBufferPointer(start: start, count: target.count))
  }
}
