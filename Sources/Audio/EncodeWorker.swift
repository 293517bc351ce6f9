// The encode worker: it follows the frames in the PCM ring, begins takes in the past, splits and
// ends them at the exact frame, fills holes with silence, measures, and passes whole pages on. Made
// and used on the encode thread, an ordinary one; a test or a simulation calls the same `step` on
// another. It never touches a file and never waits.

import Glibc
import Realtime
import Recorder
import Synchronization
import Tape

final class EncodeWorker {
  let plan: EncodePlan
  var format: StreamFormat { plan.format }
  var history: History
  var pages: PageProducer
  private(set) var isGone = false
  private let keepFrames: Int64
  private var meter: MeterWriter
  private var live: LiveWriter
  private var takes: [EncodingTake] = []
  private var delivery: DeliveryWatch
  private var gauge = EncodingGauge()
  private var isSilent = false
  /// Takes that were begun before the first block came.
  private var unheard: [ItemID] = []

  init(_ plan: EncodePlan, _ parts: consuming EncodeParts) {
    self.plan = plan
    keepFrames = plan.keepMilliseconds * Int64(plan.format.rate) / 1000
    meter = MeterWriter(parts.meter, of: plan.format, track: plan.tracks[0])
    live = LiveWriter(of: plan.format, track: plan.tracks[0])
    delivery = DeliveryWatch(now: plan.now?() ?? 0)
    history = parts.history
    pages = parts.pages
  }

  /// Does the work that is ready. Returns false if the device is gone and every take has ended.
  func step() -> Bool {
    // Read before the ring: all that came before the end is then in the ring.
    var goneErrno = plan.line.goneErrno.load(ordering: .acquiring)
    history.update()
    if hasBegun, !unheard.isEmpty { reportBeginnings() }
    if goneErrno == 0 { goneErrno = watchDelivery() }
    // Before the first block, an instant cannot be mapped to a frame. A stop doesn't wait for one.
    if hasBegun || goneErrno != 0 || isQuiet {
      for order in plan.orders.drain() { perform(order) }
    }
    if goneErrno != 0, !isGone { loseDevice(goneErrno) }
    encode()
    pages.wakeIfNeeded()
    takes.removeAll(where: \.isOver)
    meter.follow(&history)
    live.follow(&history)
    let reading = takes.map(\.nextFrame).min() ?? .max
    history.release(before: min(reading, history.endFrame - keepFrames))
    rest(untilFrames: Int(framesToWake))
    return !(isGone && takes.isEmpty)
  }

  /// Encodes the takes' frames that are in the ring, and measures the processor time.
  private func encode() {
    let (began, first) = (plan.processorNanoseconds?(), nextFrames)
    for take in takes { feed(take) }
    guard let began, let ended = plan.processorNanoseconds?() else { return }
    let permille = gauge.add(
      nanoseconds: ended - began, frames: nextFrames - first, rate: format.rate)
    if let permille { plan.tell(.encoding(permille: permille)) }
  }

  /// Grows by each frame that is encoded.
  private var nextFrames: Int64 { takes.reduce(0) { $0 + $1.nextFrame } }

  private var hasBegun: Bool { history.startFrame != nil }

  /// How long it may sleep if it is not woken: the ring must be emptied before it is full, even if
  /// nothing is recorded, and a device that delivers nothing must be noticed in time.
  var restMilliseconds: Int {
    let isIdle = takes.isEmpty && !meter.isOn && !live.isOn
    let longest = isIdle ? 4000 : isHurried ? 100 : 400
    return plan.now == nil ? longest : min(longest, delivery.restMilliseconds)
  }

  /// Whether the meter, a listener or the end of a take is waited for.
  private var isHurried: Bool {
    meter.isOn || live.isOn || takes.contains { $0.endFrame != nil }
  }

  /// Tells the capture thread when to wake this one.
  private func rest(untilFrames frames: Int) {
    plan.line.wakeFrames.store(frames, ordering: .relaxed)
    plan.line.wakeAtBytes.store(
      history.heldBytes + frames * format.frameBytes, ordering: .relaxed)
  }

  /// While it only records, the encoder is woken once a page: more often would not bring more sound
  /// to the card. If it is hurried, it is woken each twentieth of a second. With no take, as much
  /// again gathers as is kept anyway, so that an armed recorder rests. The first block wakes it at
  /// once.
  private var framesToWake: Int64 {
    let least = Int64(format.rate / 20)
    if !hasBegun { return 0 }
    if isHurried { return least }
    return takes.isEmpty ? keepFrames : max(least, takes.map(\.framesToPage).min() ?? least)
  }

  // MARK: Orders

  private func perform(_ order: EncodeOrder) {
    switch order {
    case .begin(let order, let label, let file): begin(order, label, file: file)
    case .mark(let id, let instant, let name):
      guard let part = take(with: id)?.part(id), let frame = history.frame(at: instant) else {
        return
      }
      part.addMark(at: frame, name)
      if let mark = part.lastMark(rate: plan.fileRate) { plan.tell(.take(id, .marked(mark))) }
    case .split(let id, let point, let label, let file): split(id, at: point, label, file: file)
    case .end(let id, let instant, let reason):
      guard let take = take(with: id) else { return }
      // If the device never delivered a frame, the take ends for that reason.
      take.end(
        at: history.frame(at: instant) ?? take.nextFrame, hasBegun ? reason : .deviceLost,
        orderedAt: plan.now?())
    case .abandon(let id, let reason): abandon(id, reason)
    case .meter(let isOn): meter.turn(isOn, at: history.endFrame)
    case .live(let line): live.turn(to: line, at: history.endFrame)
    }
  }

  private func take(with id: ItemID) -> EncodingTake? { takes.first { $0.part(id) != nil } }

  private func begin(_ order: TakePlan, _ label: TakeLabel, file: Int32) {
    let wanted = order.pressed.adding(milliseconds: -order.prerollMilliseconds)
    let first = max(history.frame(at: wanted) ?? 0, history.startFrame ?? 0)
    do {
      let part = try TakePart(label, file: file, at: first, plan)
      takes.append(EncodingTake(part, plan))
      if !hasBegun { unheard.append(part.id) }
      let began = history.instant(of: first) ?? wanted
      plan.tell(.take(part.id, .began(at: began, rate: plan.fileRate)))
    } catch {
      refuse(label, file: file)
    }
  }

  /// Reports when the waiting takes began, now that the first block has come.
  private func reportBeginnings() {
    let began = history.startFrame.flatMap { history.instant(of: $0) }
    for id in unheard where take(with: id) != nil {
      if let began { plan.tell(.take(id, .began(at: began, rate: plan.fileRate))) }
    }
    unheard = []
  }

  /// Closes and reports the files of a part that could not begin.
  private func refuse(_ label: TakeLabel, file: Int32) {
    let integrity = Integrity(device: plan.deviceName, stopReason: .failed)
    for index in plan.tracks.indices {
      plan.writing.post(
        .repair(
          FileClosing(
            file: file &+ Int32(index), id: label.recording.id, track: plan.place(index),
            sound: plan.sound(track: index), tags: plan.tags(label, track: index),
            integrity: integrity)))
    }
    pages.wake()
  }

  private func split(_ id: ItemID, at point: SplitPoint, _ label: TakeLabel, file: Int32) {
    guard let take = take(with: id), take.endFrame == nil else { return refuse(label, file: file) }
    let wanted =
      switch point {
      case .instant(let instant): history.frame(at: instant) ?? take.nextFrame
      case .length(let milliseconds):
        take.newest.firstFrame + milliseconds * Int64(format.rate) / 1000
      }
    // Encoded frames cannot be cut any more, and two cuts need some packets between them.
    let apart = take.newest.firstFrame + Int64(format.rate / 5)
    let frame = max(wanted, take.nextFrame, apart)
    do {
      take.addSplit(try TakePart(label, file: file, at: frame, plan))
      let began = history.instant(of: frame) ?? label.recording.began.instant
      plan.tell(.take(label.recording.id, .began(at: began, rate: plan.fileRate)))
    } catch {
      take.end(at: frame, .failed)
      refuse(label, file: file)
    }
  }

  /// Ends the takes with the last frame that was heard. An end or a split that was promised later
  /// still counts.
  private func loseDevice(_ errno: Int32) {
    isGone = true
    // Below zero, the stream was told to end and was not lost.
    let why = delivery.isLost ? "delivers no sound" : "was unplugged or failed"
    if errno > 0 { plan.tell(.lost("\(plan.deviceName) \(why)")) }
    for take in takes where take.endFrame == nil { take.end(at: lastFrame, .deviceLost) }
  }

  /// Where a take ends when its device is gone: with the last frame that was heard, or, if the
  /// device was silent, now, so that marks that were set meanwhile keep their place.
  private var lastFrame: Int64 {
    guard delivery.isLost, let now = plan.now?() else { return history.endFrame }
    return history.frame(at: Instant(nanoseconds: now)) ?? history.endFrame
  }

  // MARK: Delivery

  /// Reports a device that delivers nothing, and later gives it up. Returns how it ended, coded as
  /// `CaptureLine.goneErrno`.
  private func watchDelivery() -> Int32 {
    guard let now = plan.now?() else { return 0 }
    delivery.scan(
      blocks: plan.line.blocks.load(ordering: .relaxed),
      heardUntil: history.instant(of: history.endFrame)?.nanoseconds ?? now, now: now)
    if delivery.isSilent != isSilent {
      isSilent = delivery.isSilent
      plan.tell(.delivers(!isSilent))
    }
    if delivery.isLost {
      plan.line.isGivenUp.store(true, ordering: .releasing)
      return end(errno: ETIMEDOUT)
    }
    let isLetGo = plan.line.isLetGo.load(ordering: .acquiring)
    return delivery.hangs(isLetGo: isLetGo) ? end(errno: -1) : 0
  }

  /// Ends the stream in place of a capture thread that hangs. Returns how it ended.
  private func end(errno: Int32) -> Int32 {
    let before = plan.line.goneErrno.compareExchange(
      expected: 0, desired: errno, ordering: .acquiringAndReleasing)
    return before.exchanged ? errno : before.original
  }

  private var isQuiet: Bool {
    plan.now != nil && delivery.quietNanoseconds >= DeliveryWatch.graceNanoseconds
  }

  /// Returns whether the take was told to end and the frames up to there don't come.
  func isOverdue(_ take: EncodingTake) -> Bool {
    take.endOrderedAt.map(delivery.isOverdue) ?? false
  }

  /// Handles a file that cannot be written. If it is one of the present part, the take is over: its
  /// other files are ended as if it had been stopped. If it belongs to a later split, the take ends
  /// there. If it is an earlier one, it lacks only its end.
  private func abandon(_ id: ItemID, _ reason: StopReason) {
    guard let take = take(with: id) else { return }
    guard take.part.id == id else {
      for part in take.dropSplits(from: id, reason) { repair(part, reason) }
      return
    }
    if take.tracks.count == 1 { return giveUp(take, reason) }
    for part in take.endNow(reason) { repair(part, reason) }
  }

  /// Ends a take in the middle: each of its files that is still open is closed as it is.
  func giveUp(_ take: EncodingTake, _ reason: StopReason) {
    take.isAbandoned = true
    for part in take.openParts { repair(part, reason) }
  }

  private func repair(_ part: TakePart, _ reason: StopReason) {
    for index in part.files.indices where !part.files[index].isClosed {
      plan.writing.post(.repair(closing(of: part, track: index, frames: 0, as: reason)))
    }
    pages.wake()
  }
}
