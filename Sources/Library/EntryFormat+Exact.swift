// Reads an entry that is laid out exactly as `JSONWriter.entry` writes it, which is nearly every
// entry of a card that only Reel has written. All others, such as folders, items with an intent,
// recordings of several tracks and copies under another name, are left to `JSONReader`, which reads
// the same values from the same bytes. Pure functions. They must not accept what `JSONReader.entry`
// rejects.

import JSON
import Recorder

extension JSONCursor {
  /// Reads a recording's entry, with the keys in the order of `JSONWriter.entry`. Nil, and stopped,
  /// if anything else comes next. `device` is that of the entry before: the same text is shared.
  mutating func recordingEntry(in parent: ItemID, device: inout String) -> Entry? {
    expect("{\"id\":")
    let id = id()
    expect(",\"sequence\":")
    let sequence = count()
    expect(",\"title\":")
    let title = string()
    let titleIsDefault = skips(",\"default\":true")
    let file = skips(",\"file\":") ? string() : nil
    let stage = stage()
    let began = moment()
    let (sound, isHeard) = sound()
    let marks = skips(",\"marks\":") ? marks() : []
    let details = details()
    if skips(",\"device\":") { device = string(orSame: device) } else { device = "" }
    let integrity = integrity(device)
    let continues = skips(",\"continues\":") ? self.id() : nil
    let part = skips(",\"part\":") ? count() : 1
    let copies = skips(",\"copies\":") ? copies() : []
    let trail = skips(",\"from\":") ? ids() : []
    let thrownAt = skips(",\"thrown\":") ? WallTime(milliseconds: integer()) : nil
    let formerName = skips(",\"was\":") ? string() : nil
    expect("}")
    if !isExact { return nil }
    var entry = Entry(
      Recording(
        id: id, folder: parent, sequence: Recording.sequences.contains(sequence) ? sequence : nil,
        title: title, titleIsDefault: titleIsDefault, began: began, stage: stage, file: file,
        sound: sound, isHeard: isHeard, marks: marks, details: details, integrity: integrity,
        continues: continues, part: part, thrownFrom: trail.last, copies: copies))
    entry.extra = Entry.Extra(trail: trail, thrownAt: thrownAt, formerName: formerName)
    return entry
  }

  private mutating func id() -> ItemID {
    plainText(byteCount: ItemID.digitCount) { ItemID(digits: $0) } ?? .root
  }

  private mutating func ids() -> [ItemID] {
    var ids: [ItemID] = []
    array { ids.append($0.id()) }
    return ids
  }

  private mutating func stage() -> Recording.Stage {
    // Each take's first line says this, and a journal has as many of those as of others.
    if skips(",\"stage\":\"recording\"") { return .recording }
    return skips(",\"stage\":") ? name(.finished) : .finished
  }

  private mutating func moment() -> Moment {
    expect(",\"boot\":")
    let boot = id()
    expect(",\"monotonic\":")
    let instant = Instant(nanoseconds: integer())
    expect(",\"wall\":")
    let wall = WallTime(milliseconds: integer())
    let quality = skips(",\"clock\":") ? name(.synchronised) : ClockQuality.synchronised
    return Moment(boot: boot, instant: instant, wall: wall, quality: quality)
  }

  private mutating func sound() -> (Sound, isHeard: Bool) {
    expect(",\"frames\":")
    let frames = integer()
    let rate = skips(",\"rate\":") ? count() : Sound.fileRate
    let channels = skips(",\"channels\":") ? count() : 1
    let bits = skips(",\"bits\":") ? count() : nil
    expect(",\"size\":")
    let sound = Sound(
      frames: frames, rate: rate, channels: channels, sizeBytes: integer(), bits: bits,
      hash: skips(",\"hash\":") ? hash() : nil)
    return (sound, skips(",\"heard\":true"))
  }

  private mutating func marks() -> [Mark] {
    var marks: [Mark] = []
    array { list in
      list.expect("[")
      let frame = list.integer()
      list.expect(",")
      marks.append(Mark(frame: frame, name: list.string()))
      list.expect("]")
    }
    return marks
  }

  /// Stopped at a copy that is not believable or not of another target than those before.
  private mutating func copies() -> [RecordingCopy] {
    var copies: [RecordingCopy] = []
    array { list in
      list.expect("[")
      let target = list.string()
      list.expect(",")
      let verifiedAt = WallTime(milliseconds: list.integer())
      list.expect(",")
      let file = list.string()
      let remote = list.skips(",") ? list.string() : file
      let texts = list.skips(",") ? list.string() : nil
      list.expect("]")
      let copy = RecordingCopy(
        target: target, remote: remote, file: file, verifiedAt: verifiedAt, texts: texts)
      let isNew = !copies.contains { $0.target == target }
      if !copy.isBelievable || !isNew || copies.count == RecordingCopy.most { list.stop() }
      copies.append(copy)
    }
    return copies
  }

  private mutating func details() -> Recording.Details {
    var details = Recording.Details()
    if skips(",\"notes\":") { details.notes = string() }
    if skips(",\"place\":") { details.place = string() }
    if skips(",\"speaker\":") { details.speaker = string() }
    return details
  }

  private mutating func integrity(_ device: String) -> Integrity {
    // Made at once, because a variable of its size is copied when it is returned. Arguments are
    // read in their order.
    Integrity(
      device: device,
      gaps: skips(",\"gaps\":") ? gaps() : [],
      clippedFrames: skips(",\"clipped\":") ? integer() : 0,
      peakMillibels: skips(",\"peak\":") ? count() : nil,
      loudnessCentiLUFS: skips(",\"loudness\":") ? count() : nil,
      microphoneSeemsDead: skips(",\"dead\":true"),
      deadChannel: skips(",\"deadChannel\":") ? count() : nil,
      stopReason: skips(",\"stop\":") ? name(.failed) : nil,
      recoveredCutBytes: skips(",\"cut\":") ? integer() : nil,
      endIsOwed: skips(",\"owed\":true"))
  }

  private mutating func gaps() -> [Gap] {
    var gaps: [Gap] = []
    array { list in
      list.expect("[")
      let frame = list.integer()
      list.expect(",")
      let frames = list.integer()
      list.expect(",")
      gaps.append(Gap(frame: frame, frames: frames, cause: list.name(.overrun)))
      list.expect("]")
    }
    return gaps
  }
}
