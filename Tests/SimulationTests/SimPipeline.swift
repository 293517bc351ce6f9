// The recording path without its threads: the workers that have threads on a board, each stepped
// when its bell was rung or its rest is over. Knows when each of them is due. One thread.

import Realtime
import Tape

@testable import Audio
@testable import Library
@testable import Realtime

// Sendable: a simulation has one thread.
final class SimPipeline: @unchecked Sendable {
  enum Worker: CaseIterable { case capture, encode, write }

  let session: DeviceSession
  let parts: PipelineParts
  let encode: EncodeWorker
  private let order: PipelineOrder
  private let stop = StopFlag()
  private var capture: CaptureWorker<SimMicrophone>
  private let write: WriteWorker<MemoryCardFile>
  private let device: SimDevice
  private let meter: SnapshotReader<MeterReading>
  private(set) var isCapturing = true
  private(set) var isEncoding = true
  private(set) var isWriting = true
  /// When each is due unless its bell rings before; and whether the bell was seen.
  private(set) var captureDue: Int64 = 0
  private(set) var encodeDue: Int64 = 0
  private(set) var writeDue: Int64 = 0
  private var hasSeenEncodeBell = false
  private var hasSeenWriteBell = false
  /// Whether the writer is in the middle of a step, while the card makes it wait.
  var isWriteBusy = false

  init(
    _ stream: consuming SimMicrophone, of device: SimDevice, _ session: DeviceSession,
    _ order: PipelineOrder, card: MemoryCard,
    times: @escaping @Sendable () -> (now: Int64, mono: Int64)
  ) throws {
    (self.device, self.session, self.order) = (device, session, order)
    let (format, settings) = (device.format, order.settings)
    let parts = try PipelineParts()
    self.parts = parts
    let frames = try FrameLine(
      settings, format, residency: .onDemand, waker: parts.encoderBell.makeWaker(),
      line: parts.line)
    let pages = try PageLine(settings, format, waker: parts.writerBell.makeWaker())
    let meter = Snapshot(MeterReading())
    self.meter = meter.reader
    write = parts.writer(
      order, pages.consumer,
      { path throws(TapeError) in
        try card.open(path.components.joined(separator: "/"), .change)
      },
      nowMilliseconds: { times().mono / 1_000_000 })
    encode = EncodeWorker(
      parts.plan(order, format, now: { times().mono }),
      EncodeParts(history: frames.history, pages: pages.producer, meter: meter.writer))
    capture = CaptureWorker(stream, publisher: frames.publisher)
  }

  /// The pipeline as the room gets it.
  var pipeline: Pipeline {
    Pipeline(
      parts, meter: meter, refusals: [], stopCapture: stop, capture: Nothing(),
      encode: Nothing(), write: Nothing())
  }

  private final class Nothing: AtWork { let hasEnded = true }

  /// Whether all workers have ended; a capture thread that hangs in the device is abandoned.
  var isOver: Bool { (!isCapturing || device.hangs) && !isEncoding && !isWriting }

  /// How many blocks wait in the encoder's memory.
  var blockCount: Int { encode.history.blocks.count }

  // MARK: When

  /// Wakes sleeping workers whose bells were rung, a little later.
  func listen(at now: Int64, latency: () -> Int64) {
    if isEncoding, !hasSeenEncodeBell, parts.encoderBell.isRung {
      hasSeenEncodeBell = true
      encodeDue = min(encodeDue, now + latency())
    }
    if isWriting, !isWriteBusy, !hasSeenWriteBell, parts.writerBell.isRung {
      hasSeenWriteBell = true
      writeDue = min(writeDue, now + latency())
    }
    if isCapturing, stop.isRaised() || device.session?.number != session.number {
      captureDue = min(captureDue, now)
    }
  }

  /// The worker that is due next, and when.
  var next: (worker: Worker, at: Int64)? {
    var next: (worker: Worker, at: Int64)?
    if isCapturing, !device.hangs { next = (.capture, captureDue) }
    if isEncoding, encodeDue < next?.at ?? .max { next = (.encode, encodeDue) }
    if isWriting, !isWriteBusy, writeDue < next?.at ?? .max { next = (.write, writeDue) }
    return next
  }

  func delayEncoder(until time: Int64) { encodeDue = max(encodeDue, time) }

  /// Called when the device delivers sound again.
  func resumeCapture(at now: Int64) { captureDue = min(captureDue, now) }

  func delayCapture(until time: Int64) { captureDue = max(captureDue, time) }

  // MARK: Steps, as the threads do them

  func stepCapture(at now: Int64, jitter: Int64) {
    isCapturing = !stop.isRaised() && capture.step()
    if !isCapturing {
      capture.end()
      device.close(session.number)
    }
    captureDue = max(now, device.dueNanoseconds) + jitter
  }

  func stepEncode(at now: Int64) {
    handle(parts.encoderBell, &hasSeenEncodeBell)
    isEncoding = encode.step()
    encodeDue = now + Int64(encode.restMilliseconds) * 1_000_000
    if !isEncoding { parts.endWriter() }
  }

  /// Steps the writer, during which the card may let time pass.
  func stepWrite(now: () -> Int64) {
    handle(parts.writerBell, &hasSeenWriteBell)
    isWriteBusy = true
    isWriting = write.step(until: parts.state)
    isWriteBusy = false
    let rest = write.restMilliseconds.map { Int64($0) * 1_000_000 }
    writeDue = rest.map { now() + $0 } ?? .max
    if !isWriting { parts.finish(order) }
  }

  private func handle(_ bell: WakeUp, _ hasSeen: inout Bool) {
    hasSeen = false
    if bell.isRung { _ = bell.wait(milliseconds: 0) }
  }
}
