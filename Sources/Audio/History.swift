// The past that the encoder can still reach: the blocks in the PCM ring that were not released. It
// maps frames to the bytes in the ring and instants to frames. Used by the encode thread; it copies
// no samples.

import Realtime
import Recorder

@usableFromInline struct History: ~Copyable, Sendable {
  struct Block: Sendable {
    let header: BlockHeader
    /// Where its samples begin, counted in bytes from the beginning of the stream.
    let offsetBytes: Int

    var endFrame: Int64 { header.firstFrame + Int64(header.frames) }
  }

  let format: StreamFormat
  private var samples: RingConsumer<UInt8>
  private var headers: RingConsumer<BlockHeader>
  private(set) var blocks: [Block] = []
  /// Bytes released so far, and bytes whose headers have been seen.
  private var releasedBytes = 0
  private var seenBytes = 0
  private var lap: RingLap
  /// The first frame it covers: frames from there to the first block were lost on the way.
  private(set) var startFrame: Int64?

  init(
    format: StreamFormat, samples: consuming RingConsumer<UInt8>,
    headers: consuming RingConsumer<BlockHeader>
  ) {
    self.format = format
    lap = RingLap(capacityBytes: samples.capacity, frameBytes: format.frameBytes)
    self.samples = samples
    self.headers = headers
  }

  /// Reads the headers of new blocks.
  mutating func update() {
    while let header = headers.pop() {
      precondition(header.frames >= 0, "a block has frames")
      if startFrame == nil { startFrame = header.firstFrame }
      let bytes = Int(header.frames) * format.frameBytes
      seenBytes += lap.tail
      lap.advance(lap.tail)
      blocks.append(Block(header: header, offsetBytes: seenBytes))
      seenBytes += bytes
      lap.advance(bytes)
    }
  }

  var heldBytes: Int { seenBytes - releasedBytes }
  var endFrame: Int64 { blocks.last?.endFrame ?? 0 }

  /// Returns the first block that has frames at or after `frame`. By binary search: an encoder that
  /// is far behind asks for every block while thousands wait.
  func block(from frame: Int64) -> Block? {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].endFrame > frame { high = middle } else { low = middle + 1 }
    }
    return low < blocks.count ? blocks[low] : nil
  }

  /// Releases what lies before a frame, except the last block, by which instants are mapped to
  /// frames.
  mutating func release(before frame: Int64) {
    let old = blocks.dropLast().prefix { $0.endFrame <= frame }
    guard let last = old.last else { return }
    startFrame = last.endFrame
    blocks.removeFirst(old.count)
    let target = blocks.first?.offsetBytes ?? seenBytes
    // The ring only consumes what was peeked at.
    _ = samples.peek(atMost: target - releasedBytes)
    samples.consume(target - releasedBytes)
    releasedBytes = target
  }

  /// Passes the samples of part of a block to `body`, in one or two pieces.
  mutating func withSamples<Failure: Error>(
    of block: Block, from frame: Int64, count: Int,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let skipped = Int(frame - block.header.firstFrame) * format.frameBytes
    let start = block.offsetBytes - releasedBytes + skipped
    let end = start + count * format.frameBytes
    let spans = samples.peek(atMost: end)
    precondition(spans.count == end, "a block whose header is there has its samples there")
    for (span, base) in [(spans.first, 0), (spans.second, spans.first.count)] {
      let low = max(start - base, 0)
      let high = min(end - base, span.count)
      guard low < high else { continue }
      try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(span)[low..<high]))
    }
  }

  // MARK: Time

  /// Returns the frame heard at an instant, by the block it falls into or the last one before it.
  func frame(at instant: Instant) -> Int64? {
    guard
      let block = blocks.last(where: { $0.header.nanoseconds <= instant.nanoseconds })
        ?? blocks.first
    else { return nil }
    let nanoseconds = instant.nanoseconds - block.header.nanoseconds
    let frames = (Double(nanoseconds) * Double(format.rate) / 1e9).rounded()
    return block.header.firstFrame + Int64(frames)
  }

  func instant(of frame: Int64) -> Instant? {
    guard let block = blocks.last(where: { $0.header.firstFrame <= frame }) ?? blocks.first else {
      return nil
    }
    let nanoseconds = Double(frame - block.header.firstFrame) * 1e9 / Double(format.rate)
    return Instant(nanoseconds: block.header.nanoseconds + Int64(nanoseconds))
  }
}
