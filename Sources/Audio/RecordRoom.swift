// The recording half of the sound room: it carries out the reducer's commands for the microphone
// and brings back what happened. All of it runs on the loop's thread and never waits: devices are
// opened on a thread of their own, everything else is post.

import Realtime
import Recorder
import Synchronization
import Tape

/// A microphone that can be opened: what it is, and how.
public struct CaptureSource<Stream: CaptureStream & ~Copyable>: Sendable {
  /// What there is to open; why there is nothing. Asked every second while there is nothing.
  public let look: @Sendable () -> Result<CaptureInfo, Absence>
  /// May take its time.
  public let open: @Sendable () throws -> Stream

  public init(
    look: @escaping @Sendable () -> Result<CaptureInfo, Absence>,
    open: @escaping @Sendable () throws -> Stream
  ) {
    self.look = look
    self.open = open
  }
}

/// Why there is no device.
public struct Absence: Error, Sendable {
  public let sentence: String
  public init(_ sentence: String) { self.sentence = sentence }
}

/// Who does the room's work: threads of its own. In a simulation one hand does all of it.
struct RecordHands<Stream: CaptureStream & ~Copyable>: Sendable {
  /// Does what may take its time. Letting go of what comes back waits for it.
  let aside: @Sendable (@escaping @Sendable () -> Void) throws(Realtime.Refusal) -> any AtWork
  let start: @Sendable (consuming Stream, PipelineOrder) throws -> Pipeline

  static var threads: RecordHands {
    RecordHands(
      aside: { work throws(Realtime.Refusal) in
        let plan = ThreadPlan(name: "reel-open", residency: .onDemand)
        return ThreadBox(try OwnedThread.start(plan, 0) { _, _ in work() }) {}
      },
      start: { (stream: consuming Stream, order: PipelineOrder) in
        try Pipeline.start(stream, order) { path throws(TapeError) in
          try PosixFile.open(path, .change)
        }
      })
  }
}

public final class RecordRoom<Stream: CaptureStream & ~Copyable> {
  private let source: CaptureSource<Stream>
  private let settings: RecordSettings
  private let directory: String
  private let events = Mailbox<SoundEvent>()
  private let found = Mailbox<Found>()
  private let wake: @Sendable () -> Void
  private let hands: RecordHands<Stream>
  private var pipeline: Pipeline?
  private var info: CaptureInfo?
  /// Those that still write what they hold.
  private var ending: [Pipeline] = []
  /// Looks for a device, or opens it.
  private var opener: (any AtWork)?
  private var mustOpen = false
  /// Where takes go that are not over yet.
  private var takes: [ItemID: (pipeline: Pipeline, file: Int32, isAttached: Bool)] = [:]
  private var lastFile: Int32 = 0
  private var isMetering = false
  private var lastAbsence: String?

  private enum Found: Sendable {
    case looked(Result<CaptureInfo, Absence>)
    case opened(Pipeline, CaptureInfo)
    case failed(String)
  }

  /// `wake` is called by other threads when there is something to `collect`; it may only pass that
  /// on to the loop.
  public convenience init(
    _ source: CaptureSource<Stream>, settings: RecordSettings, directory: String,
    wake: @escaping @Sendable () -> Void
  ) {
    self.init(source, settings: settings, directory: directory, hands: .threads, wake: wake)
  }

  init(
    _ source: CaptureSource<Stream>, settings: RecordSettings, directory: String,
    hands: RecordHands<Stream>, wake: @escaping @Sendable () -> Void
  ) {
    self.hands = hands
    self.source = source
    self.settings = settings
    self.directory = directory
    self.wake = wake
  }

  /// Ends what is recorded, and waits for the card as long as that takes.
  deinit {
    pipeline?.stop()
    // Nobody can make their files any more.
    for take in takes.values where !take.isAttached {
      take.pipeline.post(.discard(file: take.file))
    }
  }

  /// Looks whether there is a device, and says so soon if that is news.
  public func announce() {
    if pipeline != nil || opener != nil { return }
    aside { [source] in .looked(source.look()) }
  }

  private func hear(_ look: Result<CaptureInfo, Absence>) {
    let absence: String?
    switch look {
    case .success(let info):
      absence = nil
      tell(.found(info))
    case .failure(let why):
      absence = why.sentence
      if absence != lastAbsence { tell(.lost(absence)) }
    }
    lastAbsence = absence
  }

  public func carryOut(_ command: SoundCommand) {
    switch command {
    case .open: open()
    case .close: close()
    case .begin(let order, let label):
      guard let pipeline else { return fail(order.id) }
      pipeline.post(.begin(order, label, file: newFile(of: order.id, in: pipeline)))
    case .attach(let id, let path):
      guard let take = takes[id], !take.isAttached else { return }
      takes[id]?.isAttached = true
      let file = directory + "/" + path.components.joined(separator: "/")
      take.pipeline.post(.attach(file: take.file, id, path: file))
    case .label(let id, let label):
      guard let take = takes[id] else { return }
      take.pipeline.post(.label(file: take.file, label))
    case .mark(let id, let instant, let name):
      takes[id]?.pipeline.post(.mark(id, at: instant, name: name))
    case .split(let id, let point, let next, let label):
      guard let pipeline = takes[id]?.pipeline else { return fail(next.id) }
      pipeline.post(.split(id, at: point, label, file: newFile(of: next.id, in: pipeline)))
    case .end(let id, let instant, let reason): end(id, at: instant, reason)
    case .tone, .greet, .configure: break  // a speaker's affair, and the card's
    }
  }

  public func meter(_ isOn: Bool) {
    isMetering = isOn
    pipeline?.post(.meter(isOn))
  }

  public var meterReading: MeterReading? { pipeline?.meter.read() }

  /// How long the slowest thread has been at its present piece of work: of those that hear and
  /// encode, and of those that may have to wait for the card.
  public var busyMilliseconds: (sound: Int64, card: Int64) {
    let all = ending + (pipeline.map { [$0] } ?? [])
    return (
      all.map(\.busyMilliseconds).max() ?? 0, all.map(\.cardBusyMilliseconds).max() ?? 0
    )
  }

  /// What happened since the last time, in order. To be called by the loop's thread when woken.
  public func collect() -> [SoundEvent] {
    for found in found.takeAll() { adopt(found) }
    // Asked before looking: what a pipeline had to tell is there then.
    let over = ending.filter(\.isOver)
    let news = events.takeAll()
    for event in news {
      if case .take(let id, .ended) = event { takes[id] = nil }
      // It may be the news of an earlier one.
      if case .lost = event, pipeline?.isGone ?? false { close() }
    }
    for pipeline in over { forget(pipeline) }
    return news
  }

  /// What was asked of it when it had already stopped listening came to nothing.
  private func forget(_ pipeline: Pipeline) {
    ending.removeAll { $0 === pipeline }
    for id in takes.filter({ $0.value.pipeline === pipeline }).keys.sorted() {
      takes[id] = nil
      fail(id)
    }
  }

  // MARK: Opening and closing

  private func open() {
    // It may be looking, or letting go of another.
    if opener != nil {
      mustOpen = true
      return
    }
    if pipeline != nil, let info { return tell(.opened(info)) }
    let (source, settings, hands, events, wake) = (source, settings, hands, events, wake)
    let tell: @Sendable (SoundEvent) -> Void = {
      events.post($0)
      wake()
    }
    aside { Self.open(source, settings, hands, tell, wake) }
  }

  /// Looking for a device and opening it can take seconds: that must not hold up the loop.
  private func aside(_ work: @escaping @Sendable () -> Found) {
    let (found, wake) = (found, wake)
    mustOpen = false
    do {
      opener = try hands.aside {
        found.post(work())
        wake()
      }
    } catch {
      self.tell(.lost(error.sentence))
    }
  }

  private static func open(
    _ source: CaptureSource<Stream>, _ settings: RecordSettings, _ hands: RecordHands<Stream>,
    _ tell: @escaping @Sendable (SoundEvent) -> Void, _ wake: @escaping @Sendable () -> Void
  ) -> Found {
    switch source.look() {
    case .failure(let absence): return .failed(absence.sentence)
    case .success(let found):
      do {
        let stream = try source.open()
        let format = stream.format
        let info = CaptureInfo(name: found.name, rate: format.rate, channels: format.channels)
        let order = PipelineOrder(name: found.name, settings: settings, tell: tell, over: wake)
        let pipeline = try hands.start(stream, order)
        return .opened(pipeline, info)
      } catch {
        return .failed("\(error)")
      }
    }
  }

  private func adopt(_ news: Found) {
    opener = nil
    switch news {
    case .looked(let look):
      if mustOpen { return open() }
      hear(look)
    case .failed(let why): tell(.lost(why))
    case .opened(let pipeline, let info):
      self.pipeline = pipeline
      self.info = info
      pipeline.post(.meter(isMetering))
      if !pipeline.refusals.isEmpty { tell(.denied(pipeline.refusals.map(\.sentence))) }
      tell(.opened(info))
    }
  }

  private func close() {
    guard let pipeline else { return }
    pipeline.stop()
    ending.append(pipeline)
    self.pipeline = nil
  }

  // MARK: Takes

  private func newFile(of id: ItemID, in pipeline: Pipeline) -> Int32 {
    lastFile &+= 1
    takes[id] = (pipeline, lastFile, false)
    return lastFile
  }

  private func end(_ id: ItemID, at instant: Instant, _ reason: StopReason) {
    guard let take = takes[id] else { return }
    if reason == .cardFailed {
      // The card could not make its file: there is nowhere for it to go.
      take.pipeline.post(.abandon(id))
      take.pipeline.post(.discard(file: take.file))
      takes[id] = nil
    } else {
      take.pipeline.post(.end(id, at: instant, reason))
    }
  }

  private func fail(_ id: ItemID) {
    let integrity = Integrity(stopReason: .failed)
    tell(.take(id, .ended(TakeReport(sound: Sound(), integrity: integrity))))
  }

  private func tell(_ event: SoundEvent) {
    events.post(event)
    wake()
  }
}
