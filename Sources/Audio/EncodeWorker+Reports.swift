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
    let readings = part.files.map { $0.levels.read() }
    let frames = part.position(of: frame, rate: plan.fileRate)
    let behind = pages.behindMilliseconds(bitsPerSecond: plan.bitsPerSecond)
    plan.tell(.take(part.id, .progress(frames: frames, behindMilliseconds: behind)))
    for (index, file) in part.files.enumerated() {
      let clipped = readings[index].clippedFrames
      guard clipped > file.toldClipped else { continue }
      file.toldClipped = clipped
      let track = plan.tracks.count > 1 ? plan.tracks[index].plan.name : nil
      plan.tell(.take(part.id, .clipped(frames: clipped, track: track)))
    }
    reportDead(readings, of: part)
  }

  private func reportDead(_ readings: [Levels.Reading], of part: TakePart) {
    // If all seem dead, it is the microphone.
    let isDead = readings.allSatisfy(\.seemsDead)
    let deadChannel = isDead ? nil : firstDeadChannel(readings)
    if deadChannel != part.deadChannel {
      part.deadChannel = deadChannel
      part.wasDeadChannel = deadChannel ?? part.wasDeadChannel
      plan.tell(.take(part.id, .channelSeemsDead(deadChannel, of: format.channels)))
    }
    if isDead != part.seemsDead {
      part.seemsDead = isDead
      part.wasDead = part.wasDead || isDead
      plan.tell(.take(part.id, .microphoneSeemsDead(isDead)))
    }
  }

  /// Counted as the device counts them, from 1. A safety track may be too low to seem alive.
  private func firstDeadChannel(_ readings: [Levels.Reading]) -> Int? {
    for (track, reading) in zip(plan.tracks, readings) where track.plan.name != Tracks.safetyName {
      let dead = reading.seemsDead ? 0 : reading.deadChannel
      if let dead { return track.channels[dead] + 1 }
    }
    return nil
  }
}
