// The recording half of the sound path, running: a capture, an encode and a write thread, the rings
// between them, and their mailboxes. Made when a device has been opened, dropped when all three
// threads have ended. Orders are posted by the loop's thread, which never waits here.

import Glibc
import Realtime
import Recorder
import Synchronization
import Tape

/// What a room gives a new pipeline.
struct PipelineOrder: Sendable {
  /// The name of the device.
  let name: String
  let settings: RecordSettings
  let tell: @Sendable (SoundEvent) -> Void
  /// Called once, by the last thread, when `isOver` has become true.
  let over: @Sendable () -> Void
}

final class Pipeline: Sendable {
  let meter: SnapshotReader<MeterReading>
  let refusals: [RealtimeError]
  private let parts: PipelineParts
  private let stopCapture: StopFlag
  /// Dropping one ends its thread and waits for it. They end in this order, each after the one
  /// before it. Only the capture thread may hang, in its device; then it is abandoned.
  private let capture: any AtWork
  private let encode: any AtWork
  private let write: any AtWork

  /// True once the stream has ended, for any reason: no take can begin.
  var isGone: Bool { parts.line.goneErrno.load(ordering: .acquiring) != 0 }

  /// True once every file is closed: dropping this will not wait.
  var isOver: Bool { parts.state.isOver.load(ordering: .acquiring) }

  /// How long the capture and encode threads, which never wait for the card, have been at their
  /// present piece of work. Once the stream has ended, a capture thread that hangs in its device no
  /// longer counts.
  var busyMilliseconds: Int64 {
    if isOver { return 0 }
    let encoding = parts.encoderBell.pulse.busyMilliseconds
    return isGone ? encoding : max(parts.pulse.busyMilliseconds, encoding)
  }

  /// The same for the write thread, which may wait for the card.
  var cardBusyMilliseconds: Int64 { isOver ? 0 : parts.writerBell.pulse.busyMilliseconds }

  /// True if the stream ended because its device delivered nothing.
  var isGivenUp: Bool { parts.line.isGivenUp.load(ordering: .acquiring) }

  /// Ends the stream. Running takes end as if the device had been unplugged.
  func stop() {
    stopCapture.raise()
    parts.line.isLetGo.store(true, ordering: .releasing)
    parts.encoderBell.makeWaker().wake()
  }

  func post(_ order: EncodeOrder) {
    parts.orders.post(order)
    parts.encoderBell.makeWaker().wake()
  }

  func post(_ order: WriteOrder) {
    parts.writing.post(order)
    parts.writerBell.makeWaker().wake()
  }

  /// The threads are kept as long as this pipeline, and dropped in this order.
  init(
    _ parts: PipelineParts, meter: SnapshotReader<MeterReading>, refusals: [RealtimeError],
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

  /// If this is over, does not wait. Otherwise waits for the capture thread, which still closes its
  /// device when the last file is closed: at most 0.7 s, which is longer than any working device
  /// needs. Then abandons it.
  deinit {
    let mayWait = !isOver
    stop()
    if mayWait { capture.awaitEnd(milliseconds: 700) }
    AbandonedThreads.leave(capture)
  }

  /// Starts the threads around a stream that is open and running. Called by an ordinary thread.
  static func start<Stream: CaptureStream & ~Copyable, File: TapeFile & Sendable & ~Copyable>(
    _ stream: consuming Stream, _ order: PipelineOrder,
    open: @escaping @Sendable (CardPath) throws(TapeError) -> File
  ) throws(RealtimeError) -> Pipeline {
    let (format, settings) = (stream.format, order.settings)
    let parts = try PipelineParts()
    let plan = parts.plan(order, format)
    let frames = try FrameLine(
      settings, format, residency: settings.residency, waker: parts.encoderBell.makeWaker(),
      line: parts.line)
    let pages = try PageLine(settings, format, waker: parts.writerBell.makeWaker())
    // The rings are locked first, in case the limit does not allow both.
    let program = settings.residency == .locked ? ProgramPages.lock() : nil
    let refusals = frames.refusals + [program].compactMap { $0 }
    let meter = Snapshot(MeterReading())
    let reader = meter.reader

    let write = ThreadBox(try startWriter(parts, order, open, pages.consumer)) {
      parts.endWriter()
    }
    let encode = ThreadBox(
      try startEncoder(
        parts, plan,
        EncodeParts(history: frames.history, pages: pages.producer, meter: meter.writer))
    ) { parts.endEncoder() }
    let capture = ThreadBox(
      try startCapture(
        CaptureWorker(stream, publisher: frames.publisher, waits: settings.microphoneWaits),
        settings, parts.pulse)
    ) {}
    return Pipeline(
      parts, meter: reader, refusals: refusals + capture.refusals, stopCapture: capture.stopFlag,
      capture: capture, encode: encode, write: write)
  }

  // MARK: The three threads

  // Without versions for what is shipped, these threads would look up their types as they run.

  /// The thread also closes the device, since that may hang, as reading may.
  @_specialize(where Stream == AlsaCapture)
  private static func startCapture<Stream: CaptureStream & ~Copyable>(
    _ worker: consuming CaptureWorker<Stream>, _ settings: RecordSettings, _ pulse: Pulse
  ) throws(RealtimeError) -> OwnedThread<CaptureWorker<Stream>?> {
    let plan = ThreadPlan(
      name: "reel-capture", realtimePriority: settings.realtimePriority,
      residency: settings.residency)
    return try OwnedThread.start(plan, Optional(worker)) { given, stop in
      guard var worker = given.take() else { return }
      pulse.beat()
      while !stop.isRaised(), worker.step() { pulse.beat() }
      worker.end()
      pulse.rest()
    }
  }

  private static func startEncoder(
    _ parts: PipelineParts, _ plan: EncodePlan, _ given: consuming EncodeParts
  ) throws(RealtimeError) -> OwnedThread<EncodeParts?> {
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

  @_specialize(where File == PosixFile)
  private static func startWriter<File: TapeFile & Sendable & ~Copyable>(
    _ parts: PipelineParts, _ order: PipelineOrder,
    _ open: @escaping @Sendable (CardPath) throws(TapeError) -> File,
    _ pages: consuming PageConsumer
  ) throws(RealtimeError) -> OwnedThread<PageConsumer?> {
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

/// A thread that a class can keep, whatever it works on. Dropping it calls `end` and waits for the
/// thread. `end` makes what the thread waits for true, in case the thread that should do so never
/// started.
final class ThreadBox<State: ~Copyable & Sendable>: AtWork {
  let stopFlag: StopFlag
  let refusals: [RealtimeError]
  private let thread: OwnedThread<State>
  private let end: @Sendable () -> Void

  var hasEnded: Bool { thread.hasEnded }

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
  /// Pulse of the capture thread.
  let pulse = Pulse()
  let orders = Mailbox<EncodeOrder>()
  let writing = Mailbox<WriteOrder>()
  let state = WriterState()
  let encoderBell: WakeUp
  let writerBell: WakeUp

  init() throws(RealtimeError) {
    encoderBell = try WakeUp()
    writerBell = try WakeUp()
  }

  /// Ends the stream as if it had been told to end.
  func endEncoder() {
    _ = line.goneErrno.compareExchange(expected: 0, desired: -1, ordering: .releasing)
    encoderBell.makeWaker().wake()
  }

  /// Tells the writer that the encoder is done, or never began.
  func endWriter() {
    state.hasEncoded.store(true, ordering: .releasing)
    writerBell.makeWaker().wake()
  }

  func plan(
    _ order: PipelineOrder, _ format: StreamFormat,
    now: @escaping @Sendable () -> Int64 = { RealTime().nowNanoseconds() }
  ) -> EncodePlan {
    let processor: @Sendable () -> Int64 = { EncodingCost.threadNanoseconds() }
    return EncodePlan(
      tracks: order.settings.tracks(of: format), format: format, deviceName: order.name, line: line,
      orders: orders, writing: writing, tell: order.tell,
      keepMilliseconds: order.settings.keepMilliseconds,
      now: order.settings.microphoneWaits ? nil : now,
      processorNanoseconds: order.settings.measuresEncoding ? processor : nil)
  }

  /// Makes the write worker; called on the thread that uses it.
  func writer<File: TapeFile & ~Copyable>(
    _ order: PipelineOrder, _ pages: consuming PageConsumer,
    _ open: @escaping (CardPath) throws(TapeError) -> File, nowMilliseconds: @escaping () -> Int64
  ) -> WriteWorker<File> {
    WriteWorker(
      pages: pages, orders: writing, syncMilliseconds: order.settings.syncMilliseconds,
      now: nowMilliseconds,
      abandon: { [orders, encoderBell] in
        orders.post(.abandon($0, $1))
        encoderBell.makeWaker().wake()
      }, tell: order.tell, open: open)
  }

  /// Called when the write worker is done.
  func finish(_ order: PipelineOrder) {
    state.isOver.store(true, ordering: .releasing)
    order.over()
  }
}

/// The progress of the encode and write threads.
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
