// Encoding, as a worker: it follows the frames in the PCM ring, begins takes in the past, splits
// and ends them at their very frame, fills holes with silence, measures, and hands whole pages on.
// Made and used on the encode thread, an ordinary one; in a test or a simulation the same `step` is
// called on another. It never touches a file and never waits.

import Realtime
import Recorder
import Synchronization
import Tape

/// What the encode thread is asked to do.
enum EncodeOrder: Sendable {
  case begin(TakeOrder, TakeLabel, file: Int32)
  case mark(ItemID, at: Recorder.Instant, name: String)
  case split(ItemID, at: SplitPoint, TakeLabel, file: Int32)
  case end(ItemID, at: Recorder.Instant, StopReason)
  /// Its file cannot be written: what would come of it goes nowhere.
  case abandon(ItemID)
  case meter(Bool)
}

/// How the encode thread is set up; what it shares with others is in here.
struct EncodePlan: Sendable {
  let settings: OpusSettings
  let format: StreamFormat
  let deviceName: String
  let line: CaptureLine
  let orders: Mailbox<EncodeOrder>
  let writing: Mailbox<WriteOrder>
  let tell: @Sendable (SoundEvent) -> Void
  /// How much of the past stays within reach, for the pre-roll of the next press.
  let keepMilliseconds: Int64
}

final class EncodeWorker {
  let plan: EncodePlan
  var format: StreamFormat { plan.format }
  var history: History
  var pages: PageProducer
  private(set) var isGone = false
  private let keepFrames: Int64
  private var meter: MeterWriter
  private var takes: [EncodingTake] = []

  init(_ plan: EncodePlan, _ parts: consuming EncodeParts) {
    self.plan = plan
    keepFrames = plan.keepMilliseconds * Int64(plan.format.rate) / 1000
    meter = MeterWriter(parts.meter, format: plan.format)
    history = parts.history
    pages = parts.pages
  }

  /// Does what there is to do; false when the device is gone and every take has been ended.
  func step() -> Bool {
    // Asked before looking: whatever came before the end is in the ring then.
    let goneErrno = plan.line.goneErrno.load(ordering: .acquiring)
    history.look()
    // Before the first block nobody can say which frame an instant is.
    if hasBegun || goneErrno != 0 {
      for order in plan.orders.takeAll() { carryOut(order) }
    }
    if goneErrno != 0, !isGone { loseDevice(goneErrno) }
    for take in takes { feed(take) }
    pages.wakeIfNeeded()
    takes.removeAll(where: \.isOver)
    meter.follow(&history)
    let reading = takes.map(\.nextFrame).min() ?? .max
    history.release(before: min(reading, history.endFrame - keepFrames))
    plan.line.wakeAtBytes.store(wakeAtBytes, ordering: .relaxed)
    return !(isGone && takes.isEmpty)
  }

  private var hasBegun: Bool { history.startFrame != nil }

  /// How long it may sleep when nobody wakes it: a ring that fills up must be emptied in time even
  /// when nothing listens.
  var restMilliseconds: Int { takes.isEmpty && !meter.isOn ? 4000 : 100 }

  /// A twentieth of a second at a time while somebody records or looks; else as much again as is
  /// kept anyway, so that an armed recorder rests. The first block is waited for.
  private var wakeAtBytes: Int {
    let isBusy = !takes.isEmpty || meter.isOn || !hasBegun
    let moreFrames = isBusy ? Int64(hasBegun ? format.rate / 20 : 0) : keepFrames
    return history.heldBytes + Int(moreFrames) * format.frameBytes
  }

  // MARK: Orders

  private func carryOut(_ order: EncodeOrder) {
    switch order {
    case .begin(let order, let label, let file): begin(order, label, file: file)
    case .mark(let id, let instant, let name):
      guard let part = take(with: id)?.part(id), let frame = history.frame(at: instant) else {
        return
      }
      let mark = Mark(frame: max(0, part.position(of: frame)), name: name)
      part.marks.append(mark)
      plan.tell(.take(id, .marked(mark)))
    case .split(let id, let point, let label, let file): split(id, at: point, label, file: file)
    case .end(let id, let instant, let reason):
      guard let take = take(with: id) else { return }
      take.end(at: history.frame(at: instant) ?? take.nextFrame, reason)
    case .abandon(let id): abandon(id)
    case .meter(let isOn): meter.turn(isOn, at: history.endFrame)
    }
  }

  private func take(with id: ItemID) -> EncodingTake? { takes.first { $0.part(id) != nil } }

  private func begin(_ order: TakeOrder, _ label: TakeLabel, file: Int32) {
    let wanted = order.pressed.adding(milliseconds: -order.prerollMilliseconds)
    let first = max(history.frame(at: wanted) ?? 0, history.startFrame ?? 0)
    do {
      let part = try TakePart(label, file: file, at: first, format: format)
      takes.append(EncodingTake(part))
      plan.tell(.take(part.id, .began(at: history.instant(of: first) ?? wanted, rate: 48_000)))
    } catch {
      refuse(label, file: file)
    }
  }

  /// A part that came to nothing: whatever its file is, it is told of and closed.
  private func refuse(_ label: TakeLabel, file: Int32) {
    let integrity = Integrity(device: plan.deviceName, stopReason: .failed)
    plan.writing.post(
      .mend(
        FileClosing(
          file: file, id: label.recording.id, sound: Sound(channels: format.channels),
          tags: tags(label), integrity: integrity)))
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
    // What is encoded cannot be cut any more, and two cuts need some packets between them.
    let apart = take.newest.firstFrame + Int64(format.rate / 5)
    let frame = max(wanted, take.nextFrame, apart)
    do {
      take.addSplit(try TakePart(label, file: file, at: frame, format: format))
      let began = history.instant(of: frame) ?? label.recording.began.instant
      plan.tell(.take(label.recording.id, .began(at: began, rate: 48_000)))
    } catch {
      take.end(at: frame, .failed)
      refuse(label, file: file)
    }
  }

  /// What was heard before the device went is all there is: takes end there, but for an end or a
  /// split that was promised beyond.
  private func loseDevice(_ errno: Int32) {
    isGone = true
    // Below zero it was let go of, not lost.
    if errno > 0 { plan.tell(.lost("\(plan.deviceName) was unplugged or failed")) }
    for take in takes where take.endFrame == nil { take.end(at: history.endFrame, .deviceLost) }
  }

  /// A file cannot be written. If it is the one that grows, the take is over; if it lies behind a
  /// split to come, the take ends there; if it lies back, what is missing of it is at its end only.
  private func abandon(_ id: ItemID) {
    guard let take = take(with: id) else { return }
    if take.part.id == id { return giveUp(take, .cardFailed) }
    for part in take.dropSplits(from: id) { mend(part, .cardFailed) }
  }

  /// Ends a take in the middle: every file of it that is not closed yet is closed as it is.
  func giveUp(_ take: EncodingTake, _ reason: StopReason) {
    take.isAbandoned = true
    for part in take.openParts { mend(part, reason) }
  }

  private func mend(_ part: TakePart, _ reason: StopReason) {
    plan.writing.post(.mend(closing(of: part, frames: 0, as: reason)))
    pages.wake()
  }
}
