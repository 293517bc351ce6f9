// Capturing, as a worker: wait, read, stamp, publish. Run on the capture thread, which may have
// realtime priority: after the stream is open nothing here allocates, locks, counts references or
// calls the kernel, but for the device's own waiting and the bell for a sleeping encoder.

import Glibc
import Realtime
import Synchronization

/// A block of captured frames, as its header travels beside the samples. From it follows which
/// frame was heard at any instant near it.
struct BlockHeader: BitwiseCopyable, Equatable, Sendable {
  let firstFrame: Int64
  let nanoseconds: Int64
  let frames: Int32
  /// Nothing was lost before it: 0. Else why, as `Arrival.Loss` is coded.
  let loss: UInt8
}

/// How much may gather before the encoder is woken; and whether the device is gone. Between the
/// capture thread and the encode thread.
final class CaptureLine: Sendable {
  /// Bytes that wait for the encoder before it is woken. Stored by the encode thread.
  let wakeAtBytes = Atomic<Int>(0)
  /// 0 as long as the stream runs, then the errno it ended with. Stored by the capture thread.
  let goneErrno = Atomic<Int32>(0)
  /// Grows with every block. Stored by the capture thread.
  let blocks = Atomic<Int>(0)
}

/// The realtime half that knows no device: from samples that lie in the ring to a published block.
struct CapturePublisher: ~Copyable, Sendable {
  private var samples: RingProducer<UInt8>
  private var headers: RingProducer<BlockHeader>
  private let waker: Realtime.Waker
  private let line: CaptureLine
  private var clock: FrameClock
  private let frameBytes: Int
  private let capacityBytes: Int
  /// Why the next block stands after a hole, and how much of that hole was dropped here.
  private var loss: UInt8 = 0
  private var droppedFrames: Int64 = 0

  init(
    samples: consuming RingProducer<UInt8>, headers: consuming RingProducer<BlockHeader>,
    waker: consuming Realtime.Waker, line: CaptureLine, format: StreamFormat
  ) {
    capacityBytes = samples.capacity
    self.samples = samples
    self.headers = headers
    self.waker = waker
    self.line = line
    frameBytes = format.frameBytes
    clock = FrameClock(rate: format.rate, periodFrames: format.periodFrames)
  }

  /// Room for one block, in one piece; empty when the encoder is too far behind.
  mutating func room(atMost bytes: Int) -> UnsafeMutableRawBufferPointer {
    // Samples without their header would be taken for those of the next block.
    if headers.freeCount() == 0 { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    let span = samples.reserve(atMost: bytes).first
    return UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(span)[
        ..<(span.count / frameBytes * frameBytes)])
  }

  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  mutating func publish(_ frames: Int, atNanoseconds heard: Int64, isBehind: Bool) {
    let stamp = clock.take(frames: frames, atNanoseconds: heard, isBehind: isBehind)
    line.blocks.add(1, ordering: .relaxed)
    let fresh = frames &- stamp.staleFrames
    if fresh == 0 { return }
    if stamp.staleFrames > 0 { leaveOut(stamp.staleFrames, of: frames) }
    // A hole that nobody announced is a stall.
    if stamp.lostFrames > 0, loss == 0 { loss = 3 }
    let isAfterHole = stamp.lostFrames > 0 || droppedFrames > 0
    let header = BlockHeader(
      firstFrame: stamp.firstFrame, nanoseconds: stamp.nanoseconds,
      frames: Int32(truncatingIfNeeded: fresh), loss: isAfterHole ? loss : 0)
    // The samples first: whoever sees the header finds them. There was room for it.
    samples.commit(fresh &* frameBytes)
    _ = headers.push(header)
    loss = 0
    droppedFrames = 0
    if mustWake() { waker.wake() }
  }

  /// Moves a block's frames to its beginning, over those that are not to be.
  private mutating func leaveOut(_ stale: Int, of frames: Int) {
    let block = samples.reserve(atMost: frames &* frameBytes).first
    guard let start = UnsafeMutableRawPointer(block.baseAddress) else { return }
    start.copyMemory(
      from: start + stale &* frameBytes, byteCount: (frames &- stale) &* frameBytes)
  }

  /// Enough has come in; or blocks are so small that their headers fill up before.
  private mutating func mustWake() -> Bool {
    capacityBytes &- samples.freeCount() >= line.wakeAtBytes.load(ordering: .relaxed)
      || headers.freeCount() < headers.capacity / 2
  }

  /// The next block stands after a hole; how long it was follows from that block's time.
  mutating func restarted(_ reason: Arrival.Loss) {
    loss = reason.code
    clock.restarted()
  }

  /// Frames that came while there was no room: their time has passed, and the next block says so.
  mutating func drop(_ frames: Int) {
    loss = Arrival.Loss.overrun.code
    droppedFrames &+= Int64(frames)
    clock.skip(frames)
    waker.wake()
  }

  /// The stream has ended, with an errno or because it was to. What was said first counts.
  func end(errno: Int32) {
    _ = line.goneErrno.compareExchange(
      expected: 0, desired: errno == 0 ? -1 : errno, ordering: .releasing)
    waker.wake()
  }
}

extension Arrival.Loss {
  /// As it travels in a block's header, where 0 is none and 3 is a stall.
  var code: UInt8 { rawValue &+ 1 }

  init?(code: UInt8) {
    guard code > 0 else { return nil }
    self.init(rawValue: code &- 1)
  }
}

/// The worker: a device and the publisher.
struct CaptureWorker<Stream: CaptureStream & ~Copyable>: ~Copyable, Sendable {
  private var stream: Stream
  private var publisher: CapturePublisher
  private let blockBytes: Int
  private let waits: Bool
  /// Where samples go that have no room in the ring: they are read so that the device goes on.
  private var scratch: [UInt8]

  /// `waits`: the stream can be left to itself until there is room.
  init(_ stream: consuming Stream, publisher: consuming CapturePublisher, waits: Bool = false) {
    self.waits = waits
    blockBytes = stream.format.periodFrames * stream.format.frameBytes
    scratch = Array(repeating: 0, count: blockBytes)
    self.stream = stream
    self.publisher = publisher
  }

  /// Tells the encoder that no more will come.
  func end() { publisher.end(errno: 0) }

  /// One wait and what it brought; false when the device is gone.
  mutating func step() -> Bool {
    let room = inRealtimeSection { publisher.room(atMost: blockBytes) }
    if room.isEmpty { return waits ? rest() : dropOne() }
    switch stream.read(into: room) {
    case .frames(let frames, let heard, let isBehind):
      inRealtimeSection {
        publisher.publish(frames, atNanoseconds: heard, isBehind: isBehind)
      }
    case .nothing: break
    case .restarted(let reason): publisher.restarted(reason)
    case .gone(let number):
      publisher.end(errno: number)
      return false
    }
    return true
  }

  private func rest() -> Bool {
    usleep(2_000)
    return true
  }

  private mutating func dropOne() -> Bool {
    let arrival = scratch.withUnsafeMutableBytes { stream.read(into: $0) }
    switch arrival {
    case .frames(let frames, _, _): inRealtimeSection { publisher.drop(frames) }
    case .nothing: break
    case .restarted(let reason): publisher.restarted(reason)
    case .gone(let number):
      publisher.end(errno: number)
      return false
    }
    return true
  }
}
