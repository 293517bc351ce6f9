// How the encode worker passes pages on, with what is known of a file when its last page is made,
// and how it reports on a take once a second. Part of the worker, on its thread; it never waits.

import Recorder
import Tape

extension EncodeWorker {
  func put(_ page: PageOut, of take: EncodingTake, track index: Int) {
    let part = take.parts[page.part]
    let file = part.files[index]
    if page.isLast {
      // Before the page itself: the writer that sees the page finds this.
      file.isClosed = true
      let reason = page.part + 1 < take.parts.count ? StopReason.split : part.reason ?? .failed
      var closing = closing(of: part, track: index, frames: page.playableFrames, as: reason)
      closing.seal = page.seal
      plan.writing.post(.close(closing))
    }
    pages.put(page, file: file.number)
  }

  func closing(
    of part: TakePart, track index: Int, frames: Int64, as reason: StopReason
  ) -> FileClosing {
    let file = part.files[index]
    let integrity = part.integrity(device: plan.deviceName, reason: reason, rate: file.rate)
    var tags = plan.tags(part.label, track: index)
    tags.apply(part.label, integrity, track: plan.place(index))
    tags.marks = part.marks(rate: file.rate).map {
      Tags.Mark(frame: $0.frame, rate: file.rate, name: $0.name)
    }
    tags.trackGain = file.loudness.trackGain
    return FileClosing(
      file: file.number, id: part.id, track: plan.place(index),
      sound: plan.sound(frames: frames, track: index), tags: tags, integrity: integrity)
  }

  /// Reports progress, clipping and dead channels, once per second of sound.
  func report(_ part: TakePart, upTo frame: Int64) {
    let seconds = (frame - part.firstFrame) / Int64(format.rate)
    guard seconds > part.toldSeconds else { return }
    part.toldSeconds = seconds
    let reading = part.levels.read()
    let frames = part.position(of: frame, rate: plan.fileRate)
    let behind = pages.behindMilliseconds(bitsPerSecond: plan.bitsPerSecond)
    plan.tell(.take(part.id, .progress(frames: frames, behindMilliseconds: behind)))
    if reading.clippedFrames > part.toldClipped {
      part.toldClipped = reading.clippedFrames
      plan.tell(.take(part.id, .clipped(frames: reading.clippedFrames)))
    }
    reportDead(reading, of: part)
  }

  private func reportDead(_ reading: Levels.Reading, of part: TakePart) {
    // If all seem dead, it is the microphone. Channels are counted as the device counts them.
    let deadChannel = reading.deadChannel.map { plan.tracks[0].channels[$0] + 1 }
    if deadChannel != part.deadChannel {
      part.deadChannel = deadChannel
      part.wasDeadChannel = deadChannel ?? part.wasDeadChannel
      plan.tell(.take(part.id, .channelSeemsDead(deadChannel, of: format.channels)))
    }
    if reading.seemsDead != part.seemsDead {
      part.seemsDead = reading.seemsDead
      part.wasDead = part.wasDead || reading.seemsDead
      plan.tell(.take(part.id, .microphoneSeemsDead(reading.seemsDead)))
    }
  }
}
