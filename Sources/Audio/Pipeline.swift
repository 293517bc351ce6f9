// The recording half of the sound path, running: a capture, an encode and a write thread, the rings
// between them, and the letter boxes into them. Made when a device has been opened, dropped when
// all three threads have ended. Orders are posted by the loop's thread, which never waits here.

import Realtime
import Recorder
import Synchronization
import Tape

/// How a recording is made, as the configuration has it.
public struct RecordSettings: Equatable, Sendable {
  public var opus = OpusSettings()
  public var prerollMilliseconds: Int64 = 2000
  /// How often what was written is made safe against a power cut.
  public var syncMilliseconds: Int64 = 1000
  /// How much sound the memory holds while the card stalls.
  public var stallSeconds = 600
  /// Of the capture thread; nil for an ordinary one.
  public var realtimePriority: Int?
  public var residency = Residency.prefaulted
  /// Where there is no room for what is heard, wait rather than lose it: for a microphone that
  /// hears faster than can be encoded.
  public var microphoneWaits = false

  public init() {}

  /// Variable bit rates overshoot what they are told by up to a half.
  var pageBytes: Int { max(1 << 20, opus.bitsPerSecond / 8 * 3 / 2 * stallSeconds) }
  /// What is kept for the next press, and as much again for an encoder that rests, and some more.
  var keepMilliseconds: Int64 { prerollMilliseconds + 2000 }
  func sampleFrames(_ format: StreamFormat) -> Int {
    Int(keepMilliseconds * 3 + 2000) * format.rate / 1000
  }
  /// With blocks half as long as usual they still do not fill up before the samples do.
  func headerCount(_ format: StreamFormat) -> Int {
    max(4096, 2 * sampleFrames(format) / max(1, format.periodFrames))
  }
  /// Pages may be little more than half as long as they are allowed to be.
  var pageCount: Int { max(16_384, stallSeconds * (2000 / opus.pageMilliseconds + 1)) }
}

/// What a room wants of a pipeline.
struct PipelineOrder: Sendable {
  /// The device's.
  let name: String
  let settings: RecordSettings
  let tell: @Sendable (SoundEvent) -> Void
  /// Called once, by the last thread, when `isOver` has become true.
  let over: @Sendable () -> Void
}

/// Somebody at work; letting go of it waits for the end of that. A protocol of its own, because
/// Swift 6.0's compiler falls over `any AnyObject & Sendable`.
protocol AtWork: AnyObject, Sendable {}

final class Pipeline: Sendable {
  let meter: SnapshotReader<MeterReading>
  let refusals: [Realtime.Refusal]
  private let parts: PipelineParts
  private let stopCapture: StopFlag
  /// Dropping one ends its thread and waits for it: in this order, each ends when the one before it
  /// has.
  private let capture: any AtWork
  private let encode: any AtWork
  private let write: any AtWork

  /// The stream has ended, for whatever reason: nothing new can be begun.
  var isGone: Bool { parts.line.goneErrno.load(ordering: .acquiring) != 0 }

  /// All three threads have ended: dropping this will not wait.
  var isOver: Bool { parts.state.isOver.load(ordering: .acquiring) }

  /// How long the threads that never wait for the card have been at their present piece of work.
  var busyMilliseconds: Int64 {
    isOver ? 0 : max(parts.pulse.busyMilliseconds, parts.encoderBell.pulse.busyMilliseconds)
  }

  /// The same of the one that may have to wait for the card.
  var cardBusyMilliseconds: Int64 { isOver ? 0 : parts.writerBell.pulse.busyMilliseconds }

  /// Lets the stream go. Takes that run are ended as if the device had been pulled.
  func stop() { stopCapture.raise() }

  func post(_ order: EncodeOrder) {
    parts.orders.post(order)
    parts.encoderBell.makeWaker().wake()
  }

  func post(_ order: WriteOrder) {
    parts.writing.post(order)
    parts.writerBell.makeWaker().wake()
  }

  /// What is given for the workers is kept as long as this is, and let go of in this order.
  init(
    _ parts: PipelineParts, meter: SnapshotReader<MeterReading>, refusals: [Realtime.Refusal],
    stopCapture: StopFlag, capture: any AtWork, encode: any AtWork,
    write: any AtWork
  ) {
    self.parts = parts
    self.meter = meter
    self.stopCapture = stopCapture
    self.refusals = refusals
    self.capture = capture
    self.encode = encode
    self.write = write
  }

  /// Starts the threads around a stream that is open and running. Called by an ordinary thread.
  static func start<Stream: CaptureStream & ~Copyable, File: TapeFile & Sendable & ~Copyable>(
    _ stream: consuming Stream, _ order: PipelineOrder,
    open: @escaping @Sendable (String) throws(TapeError) -> File
  ) throws(Realtime.Refusal) -> Pipeline {
    let (format, settings) = (stream.format, order.settings)
    let parts = try PipelineParts()
    let samples = try Ring<UInt8>(
      capacity: settings.sampleFrames(format) * format.frameBytes, residency: settings.residency)
    let headers = try Ring<BlockHeader>(
      capacity: settings.headerCount(format), residency: settings.residency)
    let pageHeaders = try Ring<PageHeader>(capacity: settings.pageCount, residency: .onDemand)
    let pageBytes = try Ring<UInt8>(capacity: settings.pageBytes, residency: .onDemand)
    let refusals = [samples.refusal, headers.refusal].compactMap { $0 }
    let meter = Snapshot(MeterReading())
    let reader = meter.reader
    let progress = PageProgress()

    let write = ThreadBox(
      try startWriter(
        parts, order, open,
        PageConsumer(
          headers: pageHeaders.consumer, bytes: pageBytes.consumer, progress: progress))
    ) { parts.endWriter() }
    let pages = PageProducer(
      headers: pageHeaders.producer, bytes: pageBytes.producer,
      waker: parts.writerBell.makeWaker(), progress: progress)
    let history = History(format: format, samples: samples.consumer, headers: headers.consumer)
    let encode = ThreadBox(
      try startEncoder(
        parts, parts.plan(order, format),
        EncodeParts(history: history, pages: pages, meter: meter.writer))
    ) { parts.endEncoder() }
    let publisher = CapturePublisher(
      samples: samples.producer, headers: headers.producer,
      waker: parts.encoderBell.makeWaker(), line: parts.line, format: format)
    let capture = ThreadBox(
      try startCapture(
        CaptureWorker(stream, publisher: publisher, waits: settings.microphoneWaits), settings,
        parts.pulse)
    ) {}
    return Pipeline(
      parts, meter: reader, refusals: refusals + capture.refusals, stopCapture: capture.stopFlag,
      capture: capture, encode: encode, write: write)
  }

  // MARK: The three threads

  private static func startCapture<Stream: CaptureStream & ~Copyable>(
    _ worker: consuming CaptureWorker<Stream>, _ settings: RecordSettings, _ pulse: Pulse
  ) throws(Realtime.Refusal) -> OwnedThread<CaptureWorker<Stream>> {
    let plan = ThreadPlan(
      name: "reel-capture", realtimePriority: settings.realtimePriority,
      residency: settings.residency)
    return try OwnedThread.start(plan, worker) { worker, stop in
      pulse.beat()
      while !stop.isRaised(), worker.step() { pulse.beat() }
      worker.end()
      pulse.rest()
    }
  }

  private static func startEncoder(
    _ parts: PipelineParts, _ plan: EncodePlan, _ given: consuming EncodeParts
  ) throws(Realtime.Refusal) -> OwnedThread<EncodeParts?> {
    let bell = parts.encoderBell
    let thread = ThreadPlan(
      name: "reel-encode", residency: .onDemand, stackByteCount: 1 << 20)
    return try OwnedThread.start(thread, Optional(given)) { given, _ in
      guard let made = given.take() else { return }
      let worker = EncodeWorker(plan, made)
      while worker.step() { _ = bell.wait(milliseconds: worker.restMilliseconds) }
      bell.pulse.rest()
      parts.endWriter()
    }
  }

  private static func startWriter<File: TapeFile & Sendable & ~Copyable>(
    _ parts: PipelineParts, _ order: PipelineOrder,
    _ open: @escaping @Sendable (String) throws(TapeError) -> File,
    _ pages: consuming PageConsumer
  ) throws(Realtime.Refusal) -> OwnedThread<PageConsumer?> {
    let bell = parts.writerBell
    let thread = ThreadPlan(name: "reel-write")
    return try OwnedThread.start(thread, Optional(pages)) { pages, _ in
      guard let pages = pages.take() else { return }
      let worker = parts.writer(order, pages, open) { RealTime().nowNanoseconds() / 1_000_000 }
      while worker.step(until: parts.state) {
        _ = bell.wait(milliseconds: worker.restMilliseconds)
      }
      parts.finish(order)
    }
  }
}

/// A thread that a class can keep whatever it works on. Dropping it makes what the thread waits for
/// true, should the one who was to do that never have started, and waits for it.
final class ThreadBox<State: ~Copyable & Sendable>: AtWork {
  let stopFlag: StopFlag
  let refusals: [Realtime.Refusal]
  private let thread: OwnedThread<State>
  private let end: @Sendable () -> Void

  init(_ thread: consuming OwnedThread<State>, end: @escaping @Sendable () -> Void) {
    stopFlag = thread.stopFlag
    refusals = thread.refusals
    self.thread = thread
    self.end = end
  }

  deinit { end() }
}

/// What the threads of one pipeline share.
struct PipelineParts: Sendable {
  let line = CaptureLine()
  /// Of the capture thread.
  let pulse = Pulse()
  let orders = Mailbox<EncodeOrder>()
  let writing = Mailbox<WriteOrder>()
  let state = WriterState()
  let encoderBell: WakeUp
  let writerBell: WakeUp

  init() throws(Realtime.Refusal) {
    encoderBell = try WakeUp()
    writerBell = try WakeUp()
  }

  /// As if the device had been let go of.
  func endEncoder() {
    _ = line.goneErrno.compareExchange(expected: 0, desired: -1, ordering: .releasing)
    encoderBell.makeWaker().wake()
  }

  /// The encoder is done, or never began.
  func endWriter() {
    state.hasEncoded.store(true, ordering: .releasing)
    writerBell.makeWaker().wake()
  }

  func plan(_ order: PipelineOrder, _ format: StreamFormat) -> EncodePlan {
    var opus = order.settings.opus
    opus.sampleRate = format.rate
    opus.channels = format.channels
    return EncodePlan(
      settings: opus, format: format, deviceName: order.name, line: line, orders: orders,
      writing: writing, tell: order.tell, keepMilliseconds: order.settings.keepMilliseconds)
  }

  /// The write worker, to be made where it works.
  func writer<File: TapeFile & ~Copyable>(
    _ order: PipelineOrder, _ pages: consuming PageConsumer,
    _ open: @escaping (String) throws(TapeError) -> File, nowMilliseconds: @escaping () -> Int64
  ) -> WriteWorker<File> {
    WriteWorker(
      pages: pages, orders: writing, syncMilliseconds: order.settings.syncMilliseconds,
      now: nowMilliseconds,
      abandon: { [orders, encoderBell] in
        orders.post(.abandon($0))
        encoderBell.makeWaker().wake()
      }, tell: order.tell, open: open)
  }

  /// The write worker has said that it is done.
  func finish(_ order: PipelineOrder) {
    state.isOver.store(true, ordering: .releasing)
    order.over()
  }
}

/// How far the two ordinary threads are.
final class WriterState: Sendable {
  /// Stored by the encode thread: no more pages will come.
  let hasEncoded = Atomic<Bool>(false)
  /// Stored by the write thread: every file is closed.
  let isOver = Atomic<Bool>(false)
}

/// What an encode worker is made of, on its way to its thread.
struct EncodeParts: ~Copyable, Sendable {
  let history: History
  let pages: PageProducer
  let meter: SnapshotWriter<MeterReading>
}
