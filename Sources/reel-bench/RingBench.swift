// Our ring between two threads, each on a processor of its own: COUNT blocks of SIZE bytes, or
// COUNT items of four bytes one at a time. The peers do the same in Benchmarks/ring-peers.cpp; a
// change here needs the same change there.
import Realtime
import Synchronization

/// Returns bytes or items a second; nil if the arguments make no sense.
func measureRing(_ arguments: [String]) throws -> String? {
  guard
    arguments.count == 3, let size = Int(arguments[1]), size >= 4, let count = Int(arguments[2]),
    count > 0
  else { return nil }
  switch arguments[0] {
  case "bytes": return "\(try bytesPerSecond(blockByteCount: size, blockCount: count))"
  case "items": return "\(try itemsPerSecond(count: count))"
  default: return nil
  }
}

private let ringByteCount = 65_536

private func bytesPerSecond(blockByteCount: Int, blockCount: Int) throws(RealtimeError) -> Double {
  let ring = try ByteRing(capacity: ringByteCount)
  let seconds = try secondsBetween(
    ring,
    write: { producer in
      writeBlocks(to: &producer, byteCount: blockByteCount, count: blockCount)
    },
    read: { consumer in
      readBlocks(from: &consumer, byteCount: blockByteCount, count: blockCount)
    })
  return Double(blockCount * blockByteCount) / seconds
}

private func itemsPerSecond(count: Int) throws(RealtimeError) -> Double {
  let ring = try Ring<UInt32>(capacity: ringByteCount / MemoryLayout<UInt32>.size)
  let seconds = try secondsBetween(
    ring,
    write: { producer in
      writeItems(to: &producer, count: count)
    },
    read: { consumer in
      readItems(from: &consumer, count: count)
    })
  return Double(count) / seconds
}

private func writeBlocks(to producer: inout RingProducer<UInt8>, byteCount: Int, count: Int) {
  withBlock(byteCount) { block in
    for index in 0..<count {
      block.storeBytes(of: UInt32(truncatingIfNeeded: index), as: UInt32.self)
      var done = 0
      while done < byteCount {
        let written = producer.write(UnsafeRawBufferPointer(rebasing: block[done...]))
        if written == 0 { spinHint() }
        done += written
      }
    }
  }
}

private func readBlocks(from consumer: inout RingConsumer<UInt8>, byteCount: Int, count: Int) {
  withBlock(byteCount) { block in
    for index in 0..<count {
      var done = 0
      while done < byteCount {
        let read = consumer.read(into: UnsafeMutableRawBufferPointer(rebasing: block[done...]))
        if read == 0 { spinHint() }
        done += read
      }
      let number = block.load(as: UInt32.self)
      precondition(number == UInt32(truncatingIfNeeded: index), "blocks come in order")
    }
  }
}

private func writeItems(to producer: inout RingProducer<UInt32>, count: Int) {
  for index in 0..<count {
    while !producer.push(UInt32(truncatingIfNeeded: index)) { spinHint() }
  }
}

private func readItems(from consumer: inout RingConsumer<UInt32>, count: Int) {
  var index = 0
  while index < count {
    guard let item = consumer.pop() else {
      spinHint()
      continue
    }
    precondition(item == UInt32(truncatingIfNeeded: index), "items come in order")
    index += 1
  }
}

private func withBlock(_ byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
  let block = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
  block.initializeMemory(as: UInt8.self, repeating: 0)
  body(block)
  block.deallocate()
}

/// Runs the writer on one processor and the reader on another. Returns the reader's seconds.
private func secondsBetween<Item>(
  _ ring: consuming Ring<Item>,
  write: @escaping @Sendable (inout RingProducer<Item>) -> Void,
  read: @escaping @Sendable (inout RingConsumer<Item>) -> Void
) throws(RealtimeError) -> Double {
  let gate = Gate()
  let writing = try OwnedThread.start(
    ThreadPlan(name: "writer", processor: 0), ring.producer
  ) { producer, _ in
    gate.pass()
    write(&producer)
  }
  let reading = try OwnedThread.start(
    ThreadPlan(name: "reader", processor: 1), Reader(consumer: ring.consumer)
  ) { reader, _ in
    gate.pass()
    let start = ContinuousClock.now
    read(&reader.consumer)
    reader.duration = ContinuousClock.now - start
  }
  let duration = reading.join().duration
  _ = writing.join()
  return duration / .seconds(1)
}

private struct Reader<Item: BitwiseCopyable & Sendable>: ~Copyable {
  var consumer: RingConsumer<Item>
  var duration = Duration.zero
}

/// Lets two threads start together.
private final class Gate: Sendable {
  /// Counted up by both threads.
  private let arrived = Atomic<Int>(0)

  func pass() {
    arrived.wrappingAdd(1, ordering: .sequentiallyConsistent)
    while arrived.load(ordering: .sequentiallyConsistent) < 2 { spinHint() }
  }
}
