// How the encode worker moves frames from the PCM ring into the tracks of the takes, with silence
// for lost frames. All tracks of a take advance together, a piece at a time. Part of the worker, on
// its thread; it allocates when a take begins or splits, and never waits.

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
      while !take.isOver, pages.hasRoom(bytes: plan.mostBytesAtOnce, files: plan.tracks.count) {
        if !take.hasBegun {
          try begin(take)
        } else if let part = take.beginSplitIfDue() {
          try split(take, part.label)
        } else if take.isAtEnd {
          try finish(take)
        } else if try !feedPiece(take) {
          return
        }
      }
    } catch {
      giveUp(take, .failed)
    }
  }

  /// Makes the first pages of every track. Called when there is room for them.
  private func begin(_ take: EncodingTake) throws(TapeError) {
    let label = take.part.label
    for (index, track) in take.tracks.enumerated() {
      let serial = label.recording.id.serial(ofTrack: index + 1)
      try track.begin(plan.tags(label, track: index), serial: serial) {
        page throws(TapeError) in put(page, of: take, track: index)
      }
    }
  }

  private func split(_ take: EncodingTake, _ label: TakeLabel) throws(TapeError) {
    for (index, track) in take.tracks.enumerated() {
      let serial = label.recording.id.serial(ofTrack: index + 1)
      try track.split(plan.tags(label, track: index), serial: serial)
    }
  }

  private func finish(_ take: EncodingTake) throws(TapeError) {
    for (index, track) in take.tracks.enumerated() {
      try track.finish { page throws(TapeError) in put(page, of: take, track: index) }
    }
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
      bytes throws(TapeError) in try encode(bytes, of: take, part)
    }
    take.nextFrame += count
    report(part, upTo: take.nextFrame)
    return true
  }

  private func encode(
    _ frames: UnsafeRawBufferPointer, of take: EncodingTake, _ part: TakePart
  ) throws(TapeError) {
    for (index, track) in take.tracks.enumerated() {
      try track.write(frames, of: part) { page throws(TapeError) in
        put(page, of: take, track: index)
      }
    }
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
    for (index, track) in take.tracks.enumerated() {
      try track.writeSilence(frames: count) { page throws(TapeError) in
        put(page, of: take, track: index)
      }
    }
    take.nextFrame += count
    if take.nextFrame == frame, let gap = part.lastGap(rate: plan.fileRate) {
      plan.tell(.take(part.id, .gap(gap)))
    }
    return true
  }
}
