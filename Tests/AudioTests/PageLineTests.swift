// Pages on their way from the encoder to the writer, through the ring for usual times and the one
// for stalls. Both ends are used by one thread, in an order that a seed decides.
import Realtime
import Testing

@testable import Audio
@testable import Tape

@Suite struct PageLineTests {
  @Test(
    "pages keep their order and their bytes, through whichever ring",
    arguments: 1...20 as ClosedRange<UInt64>)
  func order(seed: UInt64) throws {
    // Given a line whose writer stands still now and then, longer than the usual ring lasts
    let line = try SmallLine(seed: seed)
    for _ in 0..<20 {
      while line.random.below(400) > 0, line.hasRoom { line.put() }
      // When it writes again, some of the pages or all of them
      let left = line.random.below(2) == 0 ? 0 : line.random.below(line.waiting.count + 1)
      while line.waiting.count > left { try line.writeRun() }
    }
    // Then all came as they were put, and both rings were used
    while !line.waiting.isEmpty { try line.writeRun() }
    #expect(line.stalledCount > 0 && line.usualCount > 0)
  }

  @Test("while the writer keeps up, the ring for stalls is not touched")
  func keepsUp() throws {
    let line = try SmallLine(seed: 1)
    for _ in 0..<2_000 {
      line.put()
      while !line.waiting.isEmpty { try line.writeRun() }
    }
    #expect(line.stalledCount == 0 && line.usualCount == 2_000)
  }

  @Test("there is room as long as one ring has room for all")
  func room() throws {
    let line = try SmallLine(seed: 1)
    while line.hasRoom { line.put() }
    #expect(line.waitingBytes > (1 << 20) - 2 * SmallLine.mostBytes)
    while !line.waiting.isEmpty { try line.writeRun() }
    #expect(line.hasRoom)
  }
}

/// A line with rings of 64 KiB and 1 MiB, and what is to come out of it.
private final class SmallLine {
  static let mostBytes = 5_000

  var random: SystemlessRandom
  private(set) var waiting: [(file: Int32, bytes: [UInt8])] = []
  private(set) var usualCount = 0
  private(set) var stalledCount = 0
  private var producer: PageProducer
  private var consumer: PageConsumer
  private var number = 0

  init(seed: UInt64) throws {
    let stream = StreamFormat(rate: 16_000, channels: 1, samples: .int16, periodFrames: 320)
    var settings = RecordSettings.quick
    settings.stallSeconds = 1
    let line = try PageLine(settings, stream, waker: try WakeUp().makeWaker())
    producer = line.producer
    consumer = line.consumer
    random = SystemlessRandom(seed: seed)
  }

  var waitingBytes: Int { waiting.reduce(0) { $0 + $1.bytes.count } }
  var hasRoom: Bool { producer.hasRoom(bytes: Self.mostBytes, files: 1) }

  /// Puts a page of any length; there must be room for it.
  func put() {
    number += 1
    let bytes = (0..<random.below(Self.mostBytes + 1)).map {
      UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 7)
    }
    let file = Int32(random.below(2))
    bytes.withUnsafeBytes {
      producer.put(
        PageOut(bytes: $0, part: 0, playableFrames: Int64(number), isLast: false), file: file)
    }
    waiting.append((file, bytes))
  }

  /// Takes the next run, and compares it with what was put.
  func writeRun() throws {
    let next = consumer.nextRun()
    let run = try #require(next)
    let put = waiting.prefix(run.pages)
    let spans = consumer.bytes(of: run)
    #expect(put.allSatisfy { $0.file == run.file })
    #expect(Array(spans.first) + Array(spans.second) == put.flatMap(\.bytes))
    if run.isStalled { stalledCount += run.pages } else { usualCount += run.pages }
    consumer.consume(run)
    waiting.removeFirst(run.pages)
  }
}
