// A capture step, marked as realtime twice: the compiler refuses to build it if it could allocate
// or lock, and under RealtimeSanitizer the tests fail if it ever does. With REEL_PLANT_ALLOCATION
// set, one test allocates on purpose: scripts/check-realtime requires it to be caught.
import Glibc
import Realtime
import Testing

@Suite struct RealtimeMarksTests {
  @Test func aBlockGoesFromCaptureToEncoderWithoutAllocationOrLock() throws {
    // Given a capture step and an encoder that sleeps
    let sound = try ByteRing(capacity: 4096, residency: .locked)
    let blocks = try Ring<Block>(capacity: 8, residency: .locked)
    let level = Snapshot(Block(0))
    let levelReader = level.reader
    let wakeUp = try WakeUp()
    var capture = CaptureStep(
      sound: sound.producer, blocks: blocks.producer, level: level.writer,
      waker: wakeUp.makeWaker())
    var encode = EncodeStep(sound: sound.consumer, blocks: blocks.consumer)
    _ = wakeUp.listen()
    var input = [UInt8](1...100)
    let stop = StopFlag()
    // When a block is captured
    let isCaptured = input.withUnsafeBytes { bytes in
      inRealtimeSection { capture.run(bytes, Block(7), until: stop) }
    }
    // Then the encoder is woken and finds all of it
    #expect(isCaptured && wakeUp.listen())
    let block = input.withUnsafeMutableBytes { bytes in
      inRealtimeSection { encode.run(bytes) }
    }
    #expect(block == Block(7) && levelReader.read() == Block(7))
    #expect(input == [UInt8](1...100))
  }

  @Test(.enabled(if: getenv("REEL_PLANT_ALLOCATION") != nil))
  func anAllocationInARealtimeSectionIsCaught() {
    var items: [Int] = []
    inRealtimeSection { items.append(1) }
    #expect(items == [1])
  }
}

struct CaptureStep: ~Copyable, Sendable {
  var sound: RingProducer<UInt8>
  var blocks: RingProducer<Block>
  var level: SnapshotWriter<Block>
  let waker: Waker

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func run(_ bytes: UnsafeRawBufferPointer, _ block: Block, until stop: StopFlag) -> Bool {
    if stop.isRaised() || sound.isAbandoned { return false }
    let isWhole = sound.write(bytes) == bytes.count
    let isKnown = blocks.push(block)
    level.write(block)
    waker.wake()
    return isWhole && isKnown
  }
}

struct EncodeStep: ~Copyable, Sendable {
  var sound: RingConsumer<UInt8>
  var blocks: RingConsumer<Block>

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func run(_ bytes: UnsafeMutableRawBufferPointer) -> Block? {
    guard let block = blocks.pop(), sound.read(into: bytes) == bytes.count else { return nil }
    let next = sound.peek(atMost: 1)
    sound.consume(next.count)
    return block
  }
}
