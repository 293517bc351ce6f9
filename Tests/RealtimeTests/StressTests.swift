// Two or more threads and millions of items, each of them checked. ThreadSanitizer is run over
// these; built with REEL_PLANT_RELAXED_PUBLISH it must report a race, which proves that it detects
// them.
import Glibc
import Realtime
import Testing

@Suite struct StressTests {
  @Test func bytesInBlocksOfAnySizeArriveInOrder() throws {
    // Given a small ring whose positions are about to wrap
    let ring = try Ring<UInt8>(capacity: 1000, startPosition: 0 &- 500_000)
    let byteCount = 4_000_000
    // When one thread writes blocks of changing sizes, and another reads blocks of other sizes
    let writing = try OwnedThread.start(ThreadPlan(name: "writer"), ring.producer) { producer, _ in
      writeNumberedBytes(to: &producer, count: byteCount)
    }
    let reading = try OwnedThread.start(
      ThreadPlan(name: "reader"), ByteTally(consumer: ring.consumer)
    ) { tally, _ in
      tally.read(count: byteCount)
    }
    // Then every byte is in its place
    #expect(reading.join().mistakeCount == 0)
    _ = writing.join()
  }

  @Test func itemsOneByOneArriveInOrder() throws {
    // Given a ring of structs whose positions are about to wrap
    let ring = try Ring<Block>(capacity: 64, startPosition: 0 &- 1000)
    let itemCount = 1_000_000
    // When one thread adds them and another removes them
    let writing = try OwnedThread.start(ThreadPlan(name: "writer"), ring.producer) { producer, _ in
      for index in 0..<itemCount {
        while !producer.push(Block(index)) { sched_yield() }
      }
    }
    let reading = try OwnedThread.start(
      ThreadPlan(name: "reader"), BlockTally(consumer: ring.consumer)
    ) { tally, _ in
      tally.read(count: itemCount)
    }
    // Then each is whole and in its place
    #expect(reading.join().mistakeCount == 0)
    _ = writing.join()
  }

  @Test func anAbandonedRingIsReadToItsEnd() throws {
    for _ in 0..<200 {
      // Given a thread that writes a little, drops its end and exits
      let ring = try Ring<Block>(capacity: 16)
      let writing = try OwnedThread.start(
        ThreadPlan(name: "writer"), Optional(ring.producer)
      ) { producer, _ in
        for index in 0..<10 { _ = producer?.push(Block(index)) }
        producer = nil
      }
      // When the reader treats the ring as ended once it is abandoned and then empty
      var consumer = ring.consumer
      var count = 0
      while true {
        let isLast = consumer.isAbandoned
        while consumer.pop() != nil { count += 1 }
        if isLast { break }
        sched_yield()
      }
      // Then it has read everything
      #expect(count == 10)
      _ = writing.join()
    }
  }

  @Test func readersNeverSeeATornSnapshotOrAnOlderOne() throws {
    // Given a writer that writes all the time
    let snapshot = Snapshot(Wide(0))
    let reader = snapshot.reader
    let writing = try OwnedThread.start(ThreadPlan(name: "writer"), snapshot.writer) {
      writer, stop in
      var number: UInt64 = 0
      while !stop.isRaised() {
        number += 1
        writer.write(Wide(number))
      }
    }
    // When two threads read all the time
    let read: @Sendable (inout SnapshotTally, StopFlag) -> Void = { tally, _ in
      tally.read(reader, newerCount: 20_000)
    }
    let first = try OwnedThread.start(ThreadPlan(name: "first"), SnapshotTally(), body: read)
    let second = try OwnedThread.start(ThreadPlan(name: "second"), SnapshotTally(), body: read)
    // Then each value is whole and none is older than the one before
    for tally in [first.join(), second.join()] {
      #expect(tally.tornCount == 0 && tally.olderCount == 0)
    }
    _ = writing.join()
  }
}

/// The byte that belongs at a place; 251 is prime, so it does not divide the ring's size.
private func byte(at index: Int) -> UInt8 { UInt8(index % 251) }

private func writeNumberedBytes(to producer: inout RingProducer<UInt8>, count: Int) {
  var next = 0
  var block = [UInt8](repeating: 0, count: 800)
  while next < count {
    let blockCount = min(1 + next % 797, count - next)
    for index in 0..<blockCount { block[index] = byte(at: next + index) }
    let written = block.withUnsafeBytes {
      producer.write(UnsafeRawBufferPointer(rebasing: $0[..<blockCount]))
    }
    next += written
    if written == 0 { sched_yield() }
  }
}

private struct ByteTally: ~Copyable {
  var consumer: RingConsumer<UInt8>
  var mistakeCount = 0

  mutating func read(count: Int) {
    var next = 0
    var block = [UInt8](repeating: 0, count: 600)
    while next < count {
      let wanted = 1 + next % 599
      let got = block.withUnsafeMutableBytes {
        consumer.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      for index in 0..<got where block[index] != byte(at: next + index) { mistakeCount += 1 }
      next += got
      if got == 0 { sched_yield() }
    }
  }
}

private struct BlockTally: ~Copyable {
  var consumer: RingConsumer<Block>
  var mistakeCount = 0

  mutating func read(count: Int) {
    var next = 0
    while next < count {
      guard let block = consumer.pop() else {
        sched_yield()
        continue
      }
      if block != Block(next) { mistakeCount += 1 }
      next += 1
    }
  }
}

private struct SnapshotTally {
  var tornCount = 0
  var olderCount = 0

  /// Reads until `newerCount` newer values came: on a busy machine the writer may not run for long.
  mutating func read(_ reader: SnapshotReader<Wide>, newerCount: Int) {
    var last: UInt64 = 0
    var newer = 0
    while newer < newerCount {
      let value = reader.read()
      if !value.isWhole { tornCount += 1 }
      if value.number < last { olderCount += 1 }
      if value.number > last { newer += 1 } else { sched_yield() }
      last = value.number
    }
  }
}
