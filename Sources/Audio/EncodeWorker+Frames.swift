// How the encode worker moves frames from the PCM ring into the takes, with silence for lost
// frames, and passes pages and reports on. Part of the worker, on its thread; it allocates when a
// take begins or splits, and never waits.

import Recorder
import Tape

extension EncodeWorker {
  /// Frames newer than this are held back: an order arrives a little later than the instant it
  /// names, and encoded frames cannot be taken back.
  private var heldFrames: Int64 { Int64(format.rate / 10) }

  /// How many frames are encoded at a time: few enough that their pages fit if the ring has room.
  private var pieceFrames: Int64 { Int64(format.rate / 10) }

  func feed(_ take: EncodingTake) {
    do throws(TapeError) {
      while !take.isOver, pages.hasRoom(bytes: plan.coding.mostBytesAtOnce) {
        if take.writer == nil {
          try begin(take)
        } else if let part = take.beginSplitIfDue() {
          try take.writer?.split(tags: tags(part.label), serial: part.label.recording.id.serial)
        } else if take.isAtEnd {
          try take.writer?.finish { page throws(TapeError) in put(page, of: take) }
        } else if try !feedPiece(take) {
          return
        }
      }
    } catch {
      giveUp(take, .failed)
    }
  }

  /// Makes the first pages. Called when there is room for them.
  private func begin(_ take: EncodingTake) throws(TapeError) {
    let label = take.part.label
    take.writer = try plan.coding.begin(
      float: format.samples == .float, tags: tags(label), serial: label.recording.id.serial
    ) { page throws(TapeError) in put(page, of: take) }
  }

  /// Encodes part of a block, or of the silence before it. Returns false if there is no more yet.
  private func feedPiece(_ take: EncodingTake) throws(TapeError) -> Bool {
    guard let block = history.block(from: take.nextFrame) else {
      // The frames were lost with the device, or are overdue: silence up to the promised end.
      return isGone || isOverdue(take) ? try fill(take, upTo: take.boundary, .stalled) : false
    }
    if block.header.firstFrame > take.nextFrame {
      let loss = Arrival.Loss(code: block.header.loss) ?? .stalled
      return try fill(take, upTo: min(block.header.firstFrame, take.boundary), loss)
    }
    let count = piece(of: take, upTo: min(block.endFrame, take.boundary))
    guard count > 0 else { return false }
    let part = take.part
    try history.withSamples(of: block, from: take.nextFrame, count: Int(count)) {
      bytes throws(TapeError) in
      part.measure(bytes, format.samples)
      try take.writer?.write(bytes) { page throws(TapeError) in put(page, of: take) }
    }
    take.nextFrame += count
    report(part, upTo: take.nextFrame)
    return true
  }

  /// Returns how many frames may be encoded now on the way to `frame`.
  private func piece(of take: EncodingTake, upTo frame: Int64) -> Int64 {
    let isOpen = take.endFrame == nil && !isGone
    let reach = isOpen ? history.endFrame - heldFrames : .max
    return min(frame, reach, take.nextFrame + pieceFrames) - take.nextFrame
  }

  /// Fills a hole with silence, in pieces, as pages have room, and reports it once.
  private func fill(
    _ take: EncodingTake, upTo frame: Int64, _ loss: Arrival.Loss
  ) throws(TapeError) -> Bool {
    let count = piece(of: take, upTo: frame)
    guard count > 0 else { return false }
    let part = take.part
    part.addGap(from: take.nextFrame, to: take.nextFrame + count, loss)
    try take.writer?.writeSilence(frames: count) { page throws(TapeError) in
      put(page, of: take)
    }
    take.nextFrame += count
    if take.nextFrame == frame, let gap = part.gaps.last { plan.tell(.take(part.id, .gap(gap))) }
    return true
  }

  // MARK: Pages and reports

  private func put(_ page: PageOut, of take: EncodingTake) {
    let part = take.parts[page.part]
    if page.isLast {
      // Before the page itself: the writer that sees the page finds this.
      part.isClosed = true
      let reason = page.part + 1 < take.parts.count ? StopReason.split : part.reason ?? .failed
      var closing = closing(of: part, frames: page.playableFrames, as: reason)
      closing.seal = page.seal
      plan.writing.post(.close(closing))
    }
    pages.put(page, file: part.file)
  }

  func closing(of part: TakePart, frames: Int64, as reason: StopReason) -> FileClosing {
    let integrity = part.integrity(device: plan.deviceName, reason: reason)
    var tags = tags(part.label)
    tags.apply(part.label, integrity)
    let rate = plan.coding.fileRate
    tags.marks = part.marks.map { Tags.Mark(frame: $0.frame, rate: rate, name: $0.name) }
    tags.trackGain = part.loudness.trackGain
    let sound = Sound(frames: frames, rate: rate, channels: format.channels)
    return FileClosing(
      file: part.file, id: part.id, sound: sound, tags: tags, integrity: integrity)
  }

  func tags(_ label: TakeLabel) -> Tags { Tags(label, device: plan.deviceName, format: format) }

  /// Reports progress, clipping and dead channels, once per second of sound.
  private func report(_ part: TakePart, upTo frame: Int64) {
    let seconds = (frame - part.firstFrame) / Int64(format.rate)
    guard seconds > part.toldSeconds else { return }
    part.toldSeconds = seconds
    let reading = part.levels.read()
    let behind = pages.behindMilliseconds(bitsPerSecond: plan.coding.bitsPerSecond)
    plan.tell(
      .take(
        part.id, .progress(frames: part.position(of: frame), behindMilliseconds: behind)))
    if reading.clippedFrames > part.toldClipped {
      part.toldClipped = reading.clippedFrames
      plan.tell(.take(part.id, .clipped(frames: reading.clippedFrames)))
    }
    reportDead(reading, of: part)
  }

  private func reportDead(_ reading: Levels.Reading, of part: TakePart) {
    let dead = (reading.left.seemsDead, reading.right.seemsDead)
    // If both seem dead, it is the microphone.
    let deadChannel = dead.0 == dead.1 ? nil : dead.0 ? 1 : 2
    if deadChannel != part.deadChannel {
      part.deadChannel = deadChannel
      part.wasDeadChannel = deadChannel ?? part.wasDeadChannel
      plan.tell(.take(part.id, .channelSeemsDead(deadChannel, of: format.channels)))
    }
    let isDead = dead.0 && dead.1
    if isDead != part.seemsDead {
      part.seemsDead = isDead
      part.wasDead = part.wasDead || isDead
      plan.tell(.take(part.id, .microphoneSeemsDead(isDead)))
    }
  }
}
