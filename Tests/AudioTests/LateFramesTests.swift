// Proves that the publisher drops frames that a server delivers after they were given up, sample by
// sample, and that everything else keeps its place. Runs on the thread of the test.

import Realtime
import Testing

@testable import Audio

@Suite struct LateFramesTests {
  /// A block from the ring. Each sample is its own frame number.
  private struct Published {
    let header: BlockHeader
    let samples: [Int16]
  }

  private struct Line: ~Copyable {
    var publisher: CapturePublisher
    var samples: RingConsumer<UInt8>
    var headers: RingConsumer<BlockHeader>

    static func make() throws -> Line {
      let samples = try Ring<UInt8>(capacity: 1 << 17)
      let headers = try Ring<BlockHeader>(capacity: 64)
      let publisher = CapturePublisher(
        samples: samples.producer, headers: headers.producer, waker: try WakeUp().makeWaker(),
        line: CaptureLine(),
        format: StreamFormat(rate: 48_000, channels: 1, samples: .int16, periodFrames: 480))
      return Line(
        publisher: publisher, samples: samples.consumer, headers: headers.consumer)
    }

    /// Publishes a block of numbers from `first` on, stamped as heard at that frame.
    mutating func handle(from first: Int, at frame: Int, isBehind: Bool = false) {
      let room = publisher.room(atMost: 960)
      for index in 0..<480 {
        room.storeBytes(
          of: Int16(truncatingIfNeeded: first + index), toByteOffset: index * 2, as: Int16.self)
      }
      publisher.publish(480, atNanoseconds: Int64(frame) * 62_500 / 3, isBehind: isBehind)
    }

    mutating func take() -> Published? {
      guard let header = headers.pop() else { return nil }
      var block = [Int16](repeating: -1, count: Int(header.frames))
      let count = block.withUnsafeMutableBytes { samples.read(into: $0) }
      return Published(header: header, samples: Array(block[..<(count / 2)]))
    }

    mutating func drain() -> [Published] {
      var all: [Published] = []
      while let next = take() { all.append(next) }
      return all
    }
  }

  @Test func whatComesTooLateIsLeftOutAndTheRestKeepsItsPlace() throws {
    // Given a stream of numbers
    var line = try Line.make()
    for block in 0..<10 { line.handle(from: block * 480, at: block * 480) }
    _ = line.drain()
    // When nothing comes for 4,000 frames, then a block that looks as if they were lost
    line.handle(from: 4_800, at: 8_800)
    // And then the rest in a burst, whose last block is current
    for block in 0..<9 {
      line.handle(from: 5_280 + block * 480, at: 5_280 + block * 480, isBehind: block < 8)
    }
    let came = line.drain()
    // Then there is a gap, the block that came first, and no frame that the gap already stands for
    #expect(came.map(\.header.firstFrame) == [8_800, 9_280])
    #expect(came.map(\.header.loss) == [3, 0])
    #expect(came[0].samples == (4_800..<5_280).map { Int16($0) })
    // And the rest comes from its first new frame on
    #expect(came[1].samples == (9_280..<9_600).map { Int16($0) })
    line.handle(from: 9_600, at: 9_600)
    let next = line.take()
    let last = try #require(next)
    #expect(last.header.firstFrame == 9_600 && last.samples.first == 9_600)
  }

  @Test func whatWasNotGivenUpIsNeverLeftOut() throws {
    // Given a stream that has lost nothing, whose times go back
    var line = try Line.make()
    for block in 0..<10 { line.handle(from: block * 480, at: block * 480) }
    line.handle(from: 4_800, at: 3_000)
    let came = line.drain()
    #expect(came.count == 11)
  }
}
