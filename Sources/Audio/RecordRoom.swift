// The recording half of the sound room: it performs the reducer's commands for the microphone and
// returns what happened. All of it runs on the loop's thread and never waits: devices are opened on
// a thread of their own, everything else is posted.

import Realtime
import Recorder
import Synchronization
import Tape

/// Opens the file of a recording on the card.
public typealias OpenRecording = @Sendable (CardPath) throws(TapeError) -> PosixFile

/// The threads that do the room's work. In a simulation, one thread does all of it.
struct RecordHands<Stream: CaptureStream & ~Copyable>: Sendable {
  /// Does work that may take its time, on a thread. Releasing the result waits for it.
  let aside: @Sendable (@escaping @Sendable () -> Void) throws(RealtimeError) -> any AtWork
  let start: @Sendable (consuming Stream, PipelineOrder) throws -> Pipeline
  var nowNanoseconds: @Sendable () -> Int64 = { RealTime().nowNanoseconds() }

  static func threads(open: @escaping OpenRecording) -> RecordHands {
    RecordHands(
      aside: { work throws(RealtimeError) in
        let plan = ThreadPlan(name: "reel-open", residency: .onDemand)
        return ThreadBox(try OwnedThread.start(plan, 0) { _, _ in work() }) {}
      },
      start: { (stream: consuming Stream, order: PipelineOrder) in
        try Pipeline.start(stream, order, open: open)
      })
  }
}

/// The room that records.
public final class RecordRoom<Stream: CaptureStream & ~Copyable> {
  private let source: CaptureSource<Stream>
  private let settings: RecordSettings
  private let events = Mailbox<SoundEvent>()
  private let found = Mailbox<(opener: Int, Found)>()
  private let wake: @Sendable () -> Void
  private let hands: RecordHands<Stream>
  private var pipeline: Pipeline?
  private var info: CaptureInfo?
  /// Pipelines that still write what they hold.
  private var ending: [Pipeline] = []
  private var opener: Opener?
  private var lastOpener = 0
  private var mustOpen = false
  /// Set if the last device delivered nothing: it is probed, less and less often, until it does.
  private var probing: Probing?
  /// The pipelines of takes that are not over yet, and the numbers of their first tracks' files:
  /// those of the others follow.
  private var takes: [ItemID: (pipeline: Pipeline, file: Int32, isAttached: Bool)] = [:]
  private var lastFile: Int32 = 0
  private var isMetering = false
  private var isListening = false
  /// The way of live sound from the present pipeline.
  private var live: LiveLine?
  private var lastAbsence: String?
  /// The thread that measures what encoding costs, once the first device is opened.
  private var measuring: (any AtWork)?
  private var hasMeasured = false

  /// A thread that looks for a device, or opens it.
  private struct Opener {
    let work: any AtWork
    let number: Int
    let beganAt: Int64
    /// An opener that takes longer is abandoned.
    static var patienceNanoseconds: Int64 { 5_000_000_000 }
  }

  private struct Probing {
    var vain = 0
    var skips = 0
  }

  private enum Found: Sendable {
    case looked(Result<CaptureInfo, Absence>)
    case opened(Pipeline, CaptureInfo, StreamFormat)
    case failed(String)
  }

  /// `wake` is called by other threads when there is something to `collect`; it may only wake the
  /// loop. `open` opens a take's file for writing, on a thread that may wait.
  public convenience init(
    _ source: CaptureSource<Stream>, settings: RecordSettings, open: @escaping OpenRecording,
    wake: @escaping @Sendable () -> Void
  ) {
    self.init(source, settings: settings, hands: .threads(open: open), wake: wake)
  }

  init(
    _ source: CaptureSource<Stream>, settings: RecordSettings,
    hands: RecordHands<Stream>, wake: @escaping @Sendable () -> Void
  ) {
    self.hands = hands
    self.source = source
    self.settings = settings
    self.wake = wake
  }

  /// Ends the running takes, and waits for the card as long as that takes.
  deinit {
    pipeline?.stop()
    // Their files can no longer be made.
    for take in takes.values where !take.isAttached {
      for file in files(from: take.file) { take.pipeline.post(.discard(file: file)) }
    }
    opener?.work.awaitEnd(milliseconds: 700)
    if let opener { AbandonedThreads.leave(opener.work) }
    measuring?.awaitEnd(milliseconds: 700)
    if let measuring { AbandonedThreads.leave(measuring) }
  }

  /// Scans for a device, and soon reports a change. To be called every second while there is none,
  /// and with `isNews` when one may have come.
  public func announce(isNews: Bool = false) {
    if pipeline != nil || isOpening() { return }
    guard var probing else { return aside { [source] in .looked(source.look()) } }
    if probing.skips > 0, !isNews {
      probing.skips -= 1
      self.probing = probing
      return
    }
    (probing.skips, probing.vain) = (1 << min(probing.vain, 5), probing.vain + 1)
    self.probing = probing
    aside { [source] in .looked(source.probe()) }
  }

  /// Returns whether an opener is at work. Abandons one that hangs in a device or in a sound
  /// server.
  private func isOpening() -> Bool {
    guard let opener else { return false }
    if hands.nowNanoseconds() - opener.beganAt < Opener.patienceNanoseconds { return true }
    AbandonedThreads.leave(opener.work)
    self.opener = nil
    mustOpen = false
    handle(.failure(Absence("The sound device does not answer.")))
    return false
  }

  private func handle(_ look: Result<CaptureInfo, Absence>) {
    let absence: String?
    switch look {
    case .success(let info):
      (absence, probing) = (nil, nil)
      report(.found(info))
    case .failure(let why):
      absence = why.sentence
      if absence != lastAbsence { report(.lost(absence)) }
    }
    lastAbsence = absence
  }

  /// Performs a command without waiting; `collect` returns the results.
  public func perform(_ command: SoundCommand) {
    switch command {
    case .open: open()
    case .close: close()
    case .begin(let order, let label):
      guard let pipeline else { return fail(order.id) }
      pipeline.post(.begin(order, label, file: newFile(of: order.id, in: pipeline)))
    case .attach(let id, let path):
      guard let take = takes[id], !take.isAttached else { return }
      takes[id]?.isAttached = true
      for (index, file) in files(from: take.file).enumerated() {
        let path = settings.tracks[index].path(index, beside: path)
        take.pipeline.post(.attach(file: file, id, path))
      }
    case .label(let id, let label):
      guard let take = takes[id] else { return }
      for file in files(from: take.file) { take.pipeline.post(.label(file: file, label)) }
    case .mark(let id, let instant, let name):
      takes[id]?.pipeline.post(.mark(id, at: instant, name: name))
    case .split(let id, let point, let next, let label):
      guard let pipeline = takes[id]?.pipeline else { return fail(next.id) }
      pipeline.post(.split(id, at: point, label, file: newFile(of: next.id, in: pipeline)))
    case .end(let id, let instant, let reason): end(id, at: instant, reason)
    case .tone, .greet, .configure: break  // for other rooms
    }
  }

  /// Turns the level meter on or off.
  public func meter(_ isOn: Bool) {
    isMetering = isOn
    pipeline?.post(.meter(isOn))
  }

  /// Begins or ends to pass on what is heard. Never opens the device.
  public func listen(_ isOn: Bool) {
    isListening = isOn
    passOn()
  }

  /// A pipeline gets a line of its own: the one before may still write into its own.
  private func passOn() {
    live = nil
    guard let pipeline else { return }
    guard isListening, let info else { return pipeline.post(.live(nil)) }
    do throws(RealtimeError) {
      let line = try LiveLine(rate: info.rate)
      pipeline.post(.live(line))
      live = line
    } catch { report(.denied([error.sentence])) }
  }

  /// Returns what was heard since the last call.
  public func readLive() -> [LiveBlock] { live?.read() ?? [] }

  /// The latest levels; nil while no device is open.
  public var meterReading: MeterReading? { pipeline?.meter.read() }

  /// How long the slowest thread has been at its present piece of work: of those that capture and
  /// encode, and of those that may wait for the card.
  public var busyMilliseconds: (sound: Int64, card: Int64) {
    let all = ending + (pipeline.map { [$0] } ?? [])
    return (
      all.map(\.busyMilliseconds).max() ?? 0, all.map(\.cardBusyMilliseconds).max() ?? 0
    )
  }

  /// Returns the events since the last call, in order. To be called by the loop's thread when
  /// woken.
  public func collect() -> [SoundEvent] {
    for (number, found) in found.drain() { adopt(found, from: number) }
    // Read before the events: all events of a pipeline that is over are then there.
    let over = ending.filter(\.isOver)
    let news = events.drain()
    for event in news {
      if case .take(let id, .ended) = event { takes[id] = nil }
      // It may be an event of an earlier pipeline.
      if case .lost = event, let pipeline, pipeline.isGone {
        if pipeline.isGivenUp { probing = Probing() }
        close()
      }
    }
    for pipeline in over { forget(pipeline) }
    if measuring?.hasEnded == true { measuring = nil }
    return news
  }

  /// Drops a pipeline that is over. Takes requested after it stopped listening have failed.
  private func forget(_ pipeline: Pipeline) {
    ending.removeAll { $0 === pipeline }
    for id in takes.filter({ $0.value.pipeline === pipeline }).keys.sorted() {
      takes[id] = nil
      fail(id)
    }
  }

  // MARK: Opening and closing

  private func open() {
    // The opener may be scanning, or opening another.
    if isOpening() {
      mustOpen = true
      return
    }
    if pipeline != nil, let info { return report(.opened(info)) }
    let (source, settings, hands, events, wake) = (source, settings, hands, events, wake)
    let tell: @Sendable (SoundEvent) -> Void = {
      events.post($0)
      wake()
    }
    aside { Self.open(source, settings, hands, tell, wake) }
  }

  /// Does work on an opener's thread: finding and opening a device can take seconds, which must not
  /// hold up the loop.
  private func aside(_ work: @escaping @Sendable () -> Found) {
    let (found, wake) = (found, wake)
    mustOpen = false
    guard AbandonedThreads.count < AbandonedThreads.most else {
      lastAbsence = nil  // An order to open is always answered.
      return handle(.failure(Absence("The sound device does not answer.")))
    }
    lastOpener += 1
    do {
      let opened = try hands.aside { [number = lastOpener] in
        found.post((number, work()))
        wake()
      }
      opener = Opener(work: opened, number: lastOpener, beganAt: hands.nowNanoseconds())
    } catch {
      self.report(.lost(error.sentence))
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
        try settings.validate(for: format)
        let info = CaptureInfo(name: found.name, rate: format.rate, channels: format.channels)
        let order = PipelineOrder(name: found.name, settings: settings, tell: tell, over: wake)
        let pipeline = try hands.start(stream, order)
        return .opened(pipeline, info, format)
      } catch {
        return .failed("\(error)")
      }
    }
  }

  private func adopt(_ news: Found, from number: Int) {
    guard number == opener?.number else {
      // The opener was abandoned meanwhile.
      if case .opened(let late, _, _) = news {
        late.stop()
        ending.append(late)
      }
      return
    }
    opener = nil
    switch news {
    case .looked(let look):
      if mustOpen { return open() }
      handle(look)
    case .failed(let why): report(.lost(why))
    case .opened(let pipeline, let info, let format):
      self.pipeline = pipeline
      self.info = info
      pipeline.post(.meter(isMetering))
      if isListening { passOn() }
      if !pipeline.refusals.isEmpty { report(.denied(pipeline.refusals.map(\.sentence))) }
      report(.opened(info))
      measureEncoding(of: format)
    }
  }

  /// Measures once what encoding costs, on a thread that gives way to every other: recording can
  /// begin meanwhile.
  private func measureEncoding(of format: StreamFormat) {
    guard settings.measuresEncoding, !hasMeasured else { return }
    hasMeasured = true
    let (settings, events, wake) = (settings, events, wake)
    // Without the thread there is no figure until a take has been measured.
    measuring = try? hands.aside {
      EncodingCost.giveWay()
      guard let permille = settings.encodingPermille(for: format) else { return }
      events.post(.encoding(permille: permille))
      wake()
    }
  }

  private func close() {
    guard let pipeline else { return }
    pipeline.stop()
    ending.append(pipeline)
    self.pipeline = nil
    live = nil
  }

  // MARK: Takes

  /// Numbers the files of a take or part. Returns the number of the first track's.
  private func newFile(of id: ItemID, in pipeline: Pipeline) -> Int32 {
    let first = lastFile &+ 1
    lastFile &+= Int32(settings.tracks.count)
    takes[id] = (pipeline, first, false)
    return first
  }

  /// The numbers of the files of all tracks.
  private func files(from first: Int32) -> [Int32] {
    settings.tracks.indices.map { first &+ Int32($0) }
  }

  private func end(_ id: ItemID, at instant: Instant, _ reason: StopReason) {
    guard let take = takes[id] else { return }
    if reason == .cardFailed {
      // The card could not make its files, so its sound is discarded.
      take.pipeline.post(.abandon(id, reason))
      for file in files(from: take.file) { take.pipeline.post(.discard(file: file)) }
      takes[id] = nil
    } else {
      take.pipeline.post(.end(id, at: instant, reason))
    }
  }

  private func fail(_ id: ItemID) {
    let report = TakeReport(
      sound: Sound(), integrity: Integrity(stopReason: .failed),
      tracks: Tracks(settings.tracks.map(\.plan)))
    self.report(.take(id, .ended(report)))
  }

  private func report(_ event: SoundEvent) {
    events.post(event)
    wake()
  }
}
