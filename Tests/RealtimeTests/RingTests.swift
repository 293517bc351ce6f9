// The ring on one thread: every layout, both ways to write and both ways to read, and what each end
// knows of the other.
import Glibc
import Realtime
import Testing

/// Makes a ring of small numbers with that many slots and both positions at `position`.
private func makeRing(slotCount: Int, at position: UInt) throws -> Ring<UInt16> {
  try Ring<UInt16>(capacity: slotCount, residency: .onDemand, startPosition: position)
}

/// Two rounds of positions for each ring: from zero, and across the point where UInt wraps.
private func positions(slotCount: Int) -> [UInt] {
  (0..<UInt(slotCount)).flatMap { [$0, 0 &- UInt(slotCount) &+ $0] }
}

/// All capacities up to 64 are rounded up to one of these.
private let slotCounts = [1, 2, 4, 8, 16, 32, 64]

@Suite struct RingTests {
  @Test(arguments: 1...64)
  func capacityIsRoundedUpToAPowerOfTwo(capacity: Int) throws {
    // Given a ring for at least that many items
    let ring = try Ring<UInt16>(capacity: capacity)
    // Then it holds the next power of two, and not more
    var producer = ring.producer
    let slotCount = slotCounts.first { $0 >= capacity } ?? 0
    #expect(producer.capacity == slotCount)
    #expect(push(&producer, [UInt16](repeating: 1, count: 65)) == slotCount)
  }

  @Test(arguments: slotCounts)
  func whatIsCopiedInComesOutInEveryLayout(slotCount: Int) throws {
    for position in positions(slotCount: slotCount) {
      for count in 0...slotCount {
        // Given an empty ring whose next slot is anywhere
        let ring = try makeRing(slotCount: slotCount, at: position)
        var producer = ring.producer
        var consumer = ring.consumer
        // When some items are copied in and read
        let items = (0..<count).map { UInt16($0) + 7 }
        let written = items.withUnsafeBufferPointer { producer.write($0) }
        // Then these come out, in order, and no more
        try #require(written == count)
        try #require(read(&consumer, atMost: slotCount + 1) == items)
        let counts = [consumer.availableCount(), producer.freeCount()]
        try #require(counts == [0, slotCount])
      }
    }
  }

  @Test(arguments: slotCounts)
  func whatIsFilledInPlaceIsSeenInPlaceInEveryLayout(slotCount: Int) throws {
    for position in positions(slotCount: slotCount) {
      for count in 0...slotCount {
        // Given an empty ring whose next slot is anywhere
        let ring = try makeRing(slotCount: slotCount, at: position)
        var producer = ring.producer
        var consumer = ring.consumer
        // When all room is reserved and a part of it committed
        fill(producer.reserve(atMost: slotCount + 1))
        producer.commit(count)
        // Then that part is seen, and half of it can be consumed
        try #require(peek(&consumer, atMost: slotCount) == numbers(0..<count))
        consumer.consume(count / 2)
        try #require(peek(&consumer, atMost: slotCount) == numbers(count / 2..<count))
        let freeCount = producer.freeCount()
        try #require(freeCount == slotCount - count + count / 2)
      }
    }
  }

  @Test(arguments: [0, 5, 1 << 20, 0 &- 70_000, 0 &- (1 << 20)] as [UInt])
  func whatIsReturnedToTheSystemComesAndGoesAsAnythingElse(position: UInt) throws {
    // Given a ring of a mebibyte
    let ring = try Ring<UInt8>(
      capacity: 1 << 20, residency: .onDemand, startPosition: position)
    var producer = ring.producer
    var consumer = ring.consumer
    var (written, read) = (0, 0)
    // The bytes repeat after 64 KiB, unlike the pieces and the ring's edges.
    let numbers = (0..<65_536 + 123_457).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    func values(from index: Int, count: Int) -> [UInt8] {
      Array(numbers[index % 65_536..<index % 65_536 + count])
    }
    // When much more than it holds goes through it, in pieces that fit nowhere evenly
    while read < 10 << 20 {
      let piece = values(from: written, count: 1 + written % 9_001)
      written += piece.withUnsafeBytes { producer.write($0) }
      if written - read < 700_000, written < 10 << 20 { continue }
      let spans = consumer.peek(atMost: 123_457)
      let bytes = Array(spans.first) + Array(spans.second)
      try #require(bytes == values(from: read, count: bytes.count))
      consumer.consumeAndReturn(bytes.count)
      read += bytes.count
    }
    // Then all of it came out, in order, and the ring is free again but for up to 64 KiB
    let free = producer.freeCount()
    #expect(free >= (1 << 20) - (written - read) - (1 << 16))
  }

  @Test func aRingThatReturnsItsMemoryStaysSmall() throws {
    // Given a ring of 64 MiB that never holds much
    let ring = try Ring<UInt8>(capacity: 64 << 20, residency: .onDemand)
    var producer = ring.producer
    var consumer = ring.consumer
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    _ = piece.withUnsafeBytes { producer.write($0) }
    let start = try #require(consumer.peek(atMost: 1).first.baseAddress)
    // When it has been written all over, twice
    for _ in 0..<128 {
      _ = piece.withUnsafeBytes { producer.write($0) }
      _ = consumer.peek(atMost: piece.count)
      consumer.consumeAndReturn(piece.count)
    }
    // Then the system has most of it back
    #expect(residentByteCount(from: start, byteCount: 64 << 20) < 24 << 20)
  }

  @Test(arguments: slotCounts)
  func aFullRingTakesWhatFitsAndSaysSo(slotCount: Int) throws {
    for position in positions(slotCount: slotCount) {
      // Given a ring with one item in it
      let ring = try makeRing(slotCount: slotCount, at: position)
      var producer = ring.producer
      var consumer = ring.consumer
      try #require(push(&producer, [0]) == 1)
      // When more is written than fits
      let written = numbers(1..<slotCount + 5).withUnsafeBufferPointer { producer.write($0) }
      // Then the rest is left, nothing is overwritten, and room comes back item by item
      try #require(written == slotCount - 1)
      let reserved = producer.reserve(atMost: 1)
      try #require(reserved.count == 0 && push(&producer, [99]) == 0)
      let oldest = consumer.pop()
      try #require(oldest == 0 && push(&producer, [77, 78]) == 1)
      try #require(read(&consumer, atMost: 100) == numbers(1..<slotCount) + [77])
    }
  }

  @Test func anEmptyRingGivesNothing() throws {
    let ring = try makeRing(slotCount: 8, at: .max)
    var consumer = ring.consumer
    let item = consumer.pop()
    #expect(item == nil)
    #expect(peek(&consumer, atMost: 8).isEmpty)
    #expect(read(&consumer, atMost: 8).isEmpty)
  }

  @Test func itemsOfAnySizeKeepTheirFields() throws {
    // Given a ring of structs across the wrap of the position
    let ring = try Ring<Block>(capacity: 3, startPosition: .max)
    var producer = ring.producer
    var consumer = ring.consumer
    let blocks = (0..<4).map { Block($0) }
    // When it is filled
    #expect(push(&producer, blocks) == 4)
    // Then each comes out whole
    let first = consumer.pop()
    #expect(first == blocks[0] && read(&consumer, atMost: 4) == Array(blocks[1...]))
  }

  @Test func whatADroppedProducerWroteCanStillBeRead() throws {
    // Given a ring with items whose producer is gone
    let ring = try makeRing(slotCount: 4, at: 0)
    var consumer = ring.consumer
    drop(ring.producer, afterWriting: [1, 2])
    // Then the consumer knows, and still reads them
    let isAbandoned = consumer.isAbandoned
    #expect(isAbandoned)
    #expect(read(&consumer, atMost: 4) == [1, 2])
  }

  @Test func aProducerKnowsThatNobodyWillRead() throws {
    let ring = try makeRing(slotCount: 4, at: 0)
    var producer = ring.producer
    let before = producer.isAbandoned
    drop(ring.consumer)
    let after = producer.isAbandoned
    #expect(!before && after)
    #expect(push(&producer, [1]) == 1)
  }

  @Test(arguments: [true, false])
  func theLastEndFreesTheMemory(producerGoesFirst: Bool) throws {
    // Another thread may map memory there at once, so one freed ring of 20 is proof: a ring that
    // leaks is never seen freed.
    let freed = try (0..<20).filter { _ in
      // Given a ring and an address in it
      let ring = try makeRing(slotCount: 64, at: 0)
      var producer = ring.producer
      let address = producer.reserve(atMost: 1).first.baseAddress
      // When both ends are dropped
      try #require(isMapped(address))
      if producerGoesFirst {
        drop(producer)
        try #require(isMapped(address))
        drop(ring.consumer)
      } else {
        drop(ring.consumer)
        try #require(isMapped(address))
        drop(producer)
      }
      // Then nothing is mapped there
      return !isMapped(address)
    }
    #expect(!freed.isEmpty)
  }

  @Test func theProgramIsLockedOrThatIsReported() throws {
    let refusal = ProgramPages.lock()
    // Given the mapping that holds this function
    let address = UInt(bitPattern: #dsohandle)
    let maps = try #require(fopen("/proc/self/smaps", "r"))
    defer { fclose(maps) }
    var (isHere, flags) = (false, "")
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, CInt(line.count), maps) != nil {
      let bytes = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let text = String(decoding: bytes, as: UTF8.self)
      let ends = text.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2 { isHere = (ends[0]..<ends[1]).contains(address) }
      if isHere, text.hasPrefix("VmFlags:") { flags = text }
    }
    // Then the kernel shows it as locked, or the refusal says why part of it is not
    #expect(refusal != nil || flags.split(separator: " ").contains("lo"))
    #expect(refusal == nil || refusal?.resource == .lockedMemory)
  }

  @Test func lockedMemoryIsLockedOrReported() throws {
    let ring = try Ring<UInt8>(capacity: 100_000, residency: .locked)
    let lockedKilobyteCount = try #require(processStatus("VmLck:"))
    #expect(ring.refusal?.resource == .lockedMemory || lockedKilobyteCount >= 100)
  }
}

private func numbers(_ range: Range<Int>) -> [UInt16] { range.map { UInt16($0) } }

private func fill(_ spans: RingSpans<UInt16>) {
  for index in 0..<spans.first.count { spans.first[index] = UInt16(index) }
  for index in 0..<spans.second.count { spans.second[index] = UInt16(spans.first.count + index) }
}

/// Pushes items one by one; returns how many fitted.
private func push<Item>(_ producer: inout RingProducer<Item>, _ items: [Item]) -> Int {
  for (index, item) in items.enumerated() where !producer.push(item) { return index }
  return items.count
}

private func peek<Item>(_ consumer: inout RingConsumer<Item>, atMost count: Int) -> [Item] {
  let spans = consumer.peek(atMost: count)
  return Array(spans.first) + Array(spans.second)
}

private func read<Item>(_ consumer: inout RingConsumer<Item>, atMost count: Int) -> [Item] {
  Array(unsafeUninitializedCapacity: count) { items, readCount in
    readCount = consumer.read(into: items)
  }
}

private func drop(_ producer: consuming RingProducer<UInt16>, afterWriting items: [UInt16] = []) {
  for item in items { _ = producer.push(item) }
}

private func drop(_ consumer: consuming RingConsumer<UInt16>) {}

private func isMapped(_ address: UnsafeMutablePointer<UInt16>?) -> Bool {
  let pageMask = UInt(getpagesize() - 1)
  let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: address) & ~pageMask)
  return msync(page, 1, MS_ASYNC) == 0
}
