// The capture worker: wait, read, stamp, publish. Run on the capture thread, which may have
// realtime priority: after the stream is open nothing here allocates, locks, counts references or
// calls the kernel, except the device's own waiting and the bell for a sleeping encoder.

import Glibc
import Realtime
import Synchronization

/// The header of a block of captured frames; it travels beside the samples. It tells which frame
/// was heard at any instant near it.
struct BlockHeader: BitwiseCopyable, Equatable, Sendable {
  let firstFrame: Int64
  let nanoseconds: Int64
  let frames: Int32
  /// 0 if no frames were lost before it; else why, as `Arrival.Loss` is coded.
  let loss: UInt8
}

/// The place of the next block in the ring. A frame is never split: if frames of 6 bytes do not
/// divide the ring, its last bytes stay unused on every lap. Both ends count alike.
struct RingLap: Sendable {
  private let capacityBytes: Int
  private let usableBytes: Int
  private var place = 0

  init(capacityBytes: Int, frameBytes: Int) {
    self.capacityBytes = capacityBytes
    usableBytes = capacityBytes / frameBytes * frameBytes
  }

  /// How many unused bytes come before the next block.
  var tail: Int { place == usableBytes ? capacityBytes &- usableBytes : 0 }

  mutating func advance(_ bytes: Int) {
    place &+= bytes
    if place >= capacityBytes { place &-= capacityBytes }
  }
}

/// The state that the capture thread, the encode thread and the loop's thread share.
final class CaptureLine: Sendable {
  /// The encoder is woken when this many bytes wait for it. Stored by the encode thread.
  let wakeAtBytes = Atomic<Int>(0)
  /// How many frames more that was when it was stored. Stored by the encode thread.
  let wakeFrames = Atomic<Int>(0)
  /// 0 while the stream runs, then the errno it ended with, or -1 if it was told to end. Stored
  /// once: by the capture thread, or by another if that hangs or never started.
  let goneErrno = Atomic<Int32>(0)
  /// Grows with every block that the device delivers. Stored by the capture thread, watched by the
  /// encode thread.
  let blocks = Atomic<Int>(0)
  /// True once the stream is to end. Stored by the loop's thread.
  let isLetGo = Atomic<Bool>(false)
  /// True if it was ended because the device delivered nothing for too long. Stored by the encode
  /// thread.
  let isGivenUp = Atomic<Bool>(false)
}

/// The realtime half that knows no device: publishes blocks of samples that are in the ring.
@usableFromInline struct CapturePublisher: ~Copyable, Sendable {
  private var samples: RingProducer<UInt8>
  private var headers: RingProducer<BlockHeader>
  private let waker: Waker
  private let line: CaptureLine
  private var clock: FrameClock
  private let frameBytes: Int
  private let capacityBytes: Int
  private var lap: RingLap
  /// Why there is a hole before the next block, and how many of its frames were dropped here.
  private var loss: UInt8 = 0
  private var droppedFrames: Int64 = 0

  init(
    samples: consuming RingProducer<UInt8>, headers: consuming RingProducer<BlockHeader>,
    waker: consuming Waker, line: CaptureLine, format: StreamFormat
  ) {
    capacityBytes = samples.capacity
    lap = RingLap(capacityBytes: samples.capacity, frameBytes: format.frameBytes)
    self.samples = samples
    self.headers = headers
    self.waker = waker
    self.line = line
    frameBytes = format.frameBytes
    clock = FrameClock(rate: format.rate, periodFrames: format.periodFrames)
  }

  /// Returns contiguous room for one block; empty if the encoder is too far behind.
  mutating func room(atMost bytes: Int) -> UnsafeMutableRawBufferPointer {
    // Samples without their header would be read as those of the next block.
    if headers.freeCount() == 0 { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    let tail = lap.tail
    if tail > 0 {
      if samples.freeCount() < tail {
        return UnsafeMutableRawBufferPointer(start: nil, count: 0)
      }
      samples.commit(tail)
      lap.advance(tail)
    }
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
    let stamp = clock.update(frames: frames, atNanoseconds: heard, isBehind: isBehind)
    line.blocks.add(1, ordering: .relaxed)
    let fresh = frames &- stamp.staleFrames
    if fresh == 0 { return }
    if stamp.staleFrames > 0 { leaveOut(stamp.staleFrames, of: frames) }
    // A hole that the device did not report is a stall.
    if stamp.lostFrames > 0, loss == 0 { loss = 3 }
    let isAfterHole = stamp.lostFrames > 0 || droppedFrames > 0
    let header = BlockHeader(
      firstFrame: stamp.firstFrame, nanoseconds: stamp.nanoseconds,
      frames: Int32(truncatingIfNeeded: fresh), loss: isAfterHole ? loss : 0)
    // The samples first: a reader that sees the header finds them. `room` made sure it fits.
    samples.commit(fresh &* frameBytes)
    lap.advance(fresh &* frameBytes)
    _ = headers.push(header)
    loss = 0
    droppedFrames = 0
    if mustWake() { waker.wake() }
  }

  /// Removes the stale frames at a block's beginning.
  private mutating func leaveOut(_ stale: Int, of frames: Int) {
    let block = samples.reserve(atMost: frames &* frameBytes).first
    guard let start = UnsafeMutableRawPointer(block.baseAddress) else { return }
    start.copyMemory(
      from: start + stale &* frameBytes, byteCount: (frames &- stale) &* frameBytes)
  }

  /// True if enough bytes wait, or if blocks are so small that the headers fill up first.
  private mutating func mustWake() -> Bool {
    capacityBytes &- samples.freeCount() >= line.wakeAtBytes.load(ordering: .relaxed)
      || headers.freeCount() < headers.capacity / 2
  }

  /// How many frames more are wanted before the encoder is woken. If it was just woken, it has not
  /// said yet what it wants next; that is then taken to be what it wanted last.
  mutating func framesToWake() -> Int {
    let waiting = capacityBytes &- samples.freeCount()
    let missing = line.wakeAtBytes.load(ordering: .relaxed) &- waiting
    return missing > 0 ? missing / frameBytes : line.wakeFrames.load(ordering: .relaxed)
  }

  /// Notes that frames were lost before the next block; that block's time tells how many.
  mutating func restarted(_ reason: Arrival.Loss) {
    loss = reason.code
    clock.restarted()
  }

  /// Counts frames that were dropped for lack of room. The next block reports the hole.
  mutating func drop(_ frames: Int) {
    line.blocks.add(1, ordering: .relaxed)
    loss = Arrival.Loss.overrun.code
    droppedFrames &+= Int64(frames)
    clock.skip(frames)
    waker.wake()
  }

  /// Records the end of the stream: an errno, or 0 if it was told to end. Only the first end
  /// counts.
  func end(errno: Int32) {
    _ = line.goneErrno.compareExchange(
      expected: 0, desired: errno == 0 ? -1 : errno, ordering: .releasing)
    waker.wake()
  }
}

extension Arrival.Loss {
  /// Its code in a block's header, where 0 is none and 3 is a stall.
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
  /// Takes the samples that do not fit into the ring: the device must be read to go on.
  private var scratch: [UInt8]

  /// `waits`: the stream can be left unread until there is room.
  init(_ stream: consuming Stream, publisher: consuming CapturePublisher, waits: Bool = false) {
    self.waits = waits
    blockBytes = stream.format.mostFrames * stream.format.frameBytes
    scratch = Array(repeating: 0, count: blockBytes)
    self.stream = stream
    self.publisher = publisher
  }

  /// Tells the encoder that no more frames will come.
  func end() { publisher.end(errno: 0) }

  /// Waits once and handles the result. Returns false if the device is gone.
  mutating func step() -> Bool {
    let room = inRealtimeSection { publisher.room(atMost: blockBytes) }
    if room.isEmpty { return waits ? rest() : dropOne() }
    // Until the encoder wants them, frames can stay in the device: each wait costs processor time.
    stream.allowWait(frames: inRealtimeSection { publisher.framesToWake() })
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
