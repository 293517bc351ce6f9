// The way of live sound from the encode thread to the loop's: a ring of samples, and one of what
// they are. Neither end waits. If the loop is late, pieces are dropped as a whole: a take is not
// touched, because it has a ring of its own.

import Realtime

/// What a piece of live sound is; it travels beside the samples.
private struct LiveHeader: BitwiseCopyable, Sendable {
  let firstFrame: Int64
  let nanoseconds: Int64
  let frames: Int32
}

/// Both ends of the rings. `@unchecked`: the encode thread alone uses the producers, the loop's
/// thread alone the consumers, and what the two share is in the rings, which are made for that.
final class LiveLine: @unchecked Sendable {
  private var samplesIn: RingProducer<Int16>
  private var samplesOut: RingConsumer<Int16>
  private var headersIn: RingProducer<LiveHeader>
  private var headersOut: RingConsumer<LiveHeader>

  /// So many pieces wait at most: those of a second, even of a device with short periods.
  private static let headerCount = 1024

  /// Holds a second of sound.
  init(rate: Int) throws(RealtimeError) {
    let samples = try Ring<Int16>(capacity: rate, residency: .onDemand)
    let headers = try Ring<LiveHeader>(capacity: Self.headerCount, residency: .onDemand)
    samplesIn = samples.producer
    samplesOut = samples.consumer
    headersIn = headers.producer
    headersOut = headers.consumer
  }

  /// Passes a piece on, or drops it if there is no room. Called by the encode thread.
  func write(_ samples: UnsafeBufferPointer<Int16>, firstFrame: Int64, nanoseconds: Int64) {
    guard headersIn.freeCount() > 0, samplesIn.freeCount() >= samples.count else { return }
    // The samples first: a reader that sees the header finds them.
    _ = samplesIn.write(samples)
    _ = headersIn.push(
      LiveHeader(
        firstFrame: firstFrame, nanoseconds: nanoseconds,
        frames: Int32(truncatingIfNeeded: samples.count)))
  }

  /// Returns the pieces that came since the last call. Called by the loop's thread.
  func read() -> [LiveBlock] {
    var blocks: [LiveBlock] = []
    while let header = headersOut.pop() {
      var samples = [Int16](repeating: 0, count: Int(header.frames))
      let count = samples.withUnsafeMutableBufferPointer { samplesOut.read(into: $0) }
      precondition(count == samples.count, "a block whose header is there has its samples there")
      blocks.append(
        LiveBlock(
          firstFrame: header.firstFrame, nanoseconds: header.nanoseconds, samples: samples))
    }
    return blocks
  }
}
