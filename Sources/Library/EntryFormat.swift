// Encodes and decodes entries as JSON; docs/card.md describes the keys. Default values are left
// out, to keep entries short. Unknown keys are skipped. Pure functions.

import JSON
import Recorder

extension JSONWriter {
  mutating func entry(_ entry: Entry) {
    object { json in
      switch entry.item {
      case .recording(let recording): json.recording(recording)
      case .folder(let folder): json.folder(folder)
      }
      if !entry.trail.isEmpty { json.member("from", ids: entry.trail) }
      if let thrownAt = entry.thrownAt { json.member("thrown", thrownAt.milliseconds) }
      if let name = entry.formerName { json.member("was", name) }
      if let intent = entry.intent { json.intent(intent) }
    }
  }

  mutating func intent(_ intent: Entry.Intent) {
    switch intent {
    case .purging: flag("purging", true)
    case .retagging: flag("retagging", true)
    case .leaving(let path, let landing):
      key("leaving")
      object { json in
        json.member("to", ids: path)
        json.member("file", landing.name)
        json.member("title", landing.title)
        if !landing.trail.isEmpty { json.member("from", ids: landing.trail) }
        if let thrownAt = landing.thrownAt { json.member("thrown", thrownAt.milliseconds) }
      }
    }
  }

  mutating func summary(_ summary: Summary) {
    if summary.tally.recordings != 0 { member("recordings", summary.tally.recordings) }
    if summary.tally.unheard != 0 { member("unheard", summary.tally.unheard) }
    if summary.tally.copied != 0 { member("copied", summary.tally.copied) }
    if let latest = summary.latest { member("latest", latest.milliseconds) }
  }

  private mutating func folder(_ folder: Folder) {
    member("folder", id: folder.id)
    member("name", folder.name)
    // By bytes: to Swift, "ü" and "u" with a combining diaeresis are equal, to a card they are not.
    if !folder.directory.utf8.elementsEqual(folder.name.utf8) {
      member("directory", folder.directory)
    }
    summary(folder.summary)
  }

  private mutating func recording(_ recording: Recording) {
    member("id", id: recording.id)
    // On the card 0 stands for no number.
    member("sequence", recording.sequence ?? 0)
    member("title", recording.title)
    flag("default", recording.titleIsDefault)
    if let file = recording.file { member("file", file) }
    let stage = recording.stage
    if stage != .finished { member("stage", stage.rawValue) }
    member("boot", id: recording.began.boot)
    member("monotonic", recording.began.instant.nanoseconds)
    member("wall", recording.began.wall.milliseconds)
    if recording.began.quality != .synchronised {
      member("clock", recording.began.quality.rawValue)
    }
    member("frames", recording.sound.frames)
    if recording.sound.rate != Sound.fileRate { member("rate", recording.sound.rate) }
    if recording.sound.channels != 1 { member("channels", recording.sound.channels) }
    if let bits = recording.sound.bits { member("bits", bits) }
    member("size", recording.sound.sizeBytes)
    if let hash = recording.sound.hash { member("hash", hash: hash) }
    let tracks = recording.tracks
    if !tracks.isUsual { self.tracks(tracks) }
    flag("heard", recording.isHeard)
    if !recording.marks.isEmpty { marks(recording.marks) }
    details(recording.details)
    integrity(recording.integrity)
    if let continues = recording.continues { member("continues", id: continues) }
    if recording.part != 1 { member("part", recording.part) }
    if !recording.copies.isEmpty { copies(recording.copies) }
  }

  private mutating func tracks(_ tracks: Tracks) {
    member("track", tracks.firstName)
    key("tracks")
    array { list in
      for track in tracks.others {
        list.object { json in
          json.member("number", track.number)
          json.member("name", track.plan.name)
          json.member("ending", track.plan.ending)
          json.member("frames", track.sound.frames)
          json.member("rate", track.sound.rate)
          json.member("channels", track.sound.channels)
          if let bits = track.sound.bits { json.member("bits", bits) }
          json.member("size", track.sound.sizeBytes)
          if let hash = track.sound.hash { json.member("hash", hash: hash) }
        }
      }
    }
  }

  private mutating func details(_ details: Recording.Details) {
    for field in RecordingField.allCases where !details[field].isEmpty {
      member(field.rawValue, details[field])
    }
  }

  private mutating func marks(_ marks: [Mark]) {
    key("marks")
    array { list in
      for mark in marks {
        list.array {
          $0.number(mark.frame)
          $0.string(mark.name)
        }
      }
    }
  }

  private mutating func integrity(_ integrity: Integrity) {
    if !integrity.device.isEmpty { member("device", integrity.device) }
    if !integrity.gaps.isEmpty {
      key("gaps")
      array { list in
        for gap in integrity.gaps {
          list.array {
            $0.number(gap.frame)
            $0.number(gap.frames)
            $0.string(gap.cause.rawValue)
          }
        }
      }
    }
    if integrity.clippedFrames != 0 { member("clipped", integrity.clippedFrames) }
    if let peak = integrity.peakMillibels { member("peak", peak) }
    if let loudness = integrity.loudnessCentiLUFS { member("loudness", loudness) }
    flag("dead", integrity.microphoneSeemsDead)
    if let channel = integrity.deadChannel { member("deadChannel", channel) }
    if let reason = integrity.stopReason { member("stop", reason.rawValue) }
    if let cut = integrity.recoveredCutBytes { member("cut", cut) }
    flag("owed", integrity.endIsOwed)
  }
}

extension JSONReader {
  /// Nil if the value is not an entry. `device` is that of the entry before.
  mutating func entry(in parent: ItemID, device: inout String) -> Entry? {
    if let entry = exactly({ $0.recordingEntry(in: parent, device: &device) }) { return entry }
    var draft = EntryDraft()
    object { json, key in draft.read(key, &json) }
    return isBroken ? nil : draft.entry(in: parent)
  }

  mutating func intent(_ key: JSONKey) -> Entry.Intent? {
    switch key {
    case "purging": return flag() ? .purging : nil
    case "retagging": return flag() ? .retagging : nil
    case "leaving":
      var path: [ItemID] = []
      var landing = Landing(name: "", title: "")
      object { json, key in
        switch key {
        case "to": path = json.ids()
        case "file": landing.name = json.string()
        case "title": landing.title = json.string()
        case "from": landing.trail = json.ids()
        case "thrown": landing.thrownAt = WallTime(milliseconds: json.integer())
        default: json.skip()
        }
      }
      return landing.name.isEmpty || path.isEmpty ? nil : .leaving(to: path, as: landing)
    default: return nil
    }
  }
}

/// What an entry says of the sound of a file, being decoded.
private struct SoundDraft {
  var frames: Int64 = 0
  var rate = Sound.fileRate
  var channels = 1
  var bits: Int?
  var size: Int64 = 0
  var hash: SoundHash?

  /// False, and nothing is read, if the key is not about the sound.
  mutating func read(_ key: JSONKey, _ json: inout JSONReader) -> Bool {
    switch key {
    case "frames": frames = json.integer()
    case "rate": rate = json.count()
    case "channels": channels = json.count()
    case "bits": bits = json.count()
    case "size": size = json.integer()
    case "hash": hash = json.hash()
    default: return false
    }
    return true
  }

  var sound: Sound {
    Sound(
      frames: frames, rate: rate, channels: channels, sizeBytes: size, bits: bits, hash: hash)
  }
}

/// An entry being decoded.
private struct EntryDraft {
  var recordingID: ItemID?
  var folderID: ItemID?
  var sequence = 0
  var title = ""
  var titleIsDefault = false
  var file: String?
  var stage = Recording.Stage.finished
  var boot = ItemID.root
  var monotonic: Int64 = 0
  var wall: Int64 = 0
  var quality = ClockQuality.synchronised
  var sound = SoundDraft()
  var tracks = Tracks()
  var isHeard = false
  var marks: [Mark] = []
  var details = Recording.Details()
  var integrity = Integrity()
  var continues: ItemID?
  var part = 1
  var copies: [RecordingCopy] = []
  var name = ""
  var directory: String?
  var summary = Summary()
  var trail: [ItemID] = []
  var thrownAt: WallTime?
  var formerName: String?
  var intent: Entry.Intent?

  mutating func read(_ key: JSONKey, _ json: inout JSONReader) {
    switch key {
    case "id": recordingID = json.id()
    case "sequence":
      let number = json.count()
      sequence = Recording.sequences.contains(number) ? number : 0
    case "title": title = json.string()
    case "default": titleIsDefault = json.flag()
    case "file": file = json.string()
    case "stage": stage = json.name(stage)
    case "boot": boot = json.id()
    case "monotonic": monotonic = json.integer()
    case "wall": wall = json.integer()
    case "clock": quality = json.name(quality)
    case "heard": isHeard = json.flag()
    case "marks": marks = json.marks()
    case "continues": continues = json.id()
    case "part": part = json.count()
    default: if !sound.read(key, &json) { readRarer(key, &json) }
    }
  }

  private mutating func readRarer(_ key: JSONKey, _ json: inout JSONReader) {
    switch key {
    case "copies": copies = json.copies()
    case "track": tracks.firstName = TrackPlan.name(json.string()) ?? tracks.firstName
    case "tracks": tracks.others = json.tracks()
    case "notes": details.notes = json.string()
    case "place": details.place = json.string()
    case "speaker": details.speaker = json.string()
    case "device": integrity.device = json.string()
    case "gaps": integrity.gaps = json.gaps()
    case "clipped": integrity.clippedFrames = json.integer()
    case "peak": integrity.peakMillibels = json.count()
    case "loudness": integrity.loudnessCentiLUFS = json.count()
    case "dead": integrity.microphoneSeemsDead = json.flag()
    case "deadChannel": integrity.deadChannel = json.count()
    case "stop": integrity.stopReason = json.name(StopReason.failed)
    case "cut": integrity.recoveredCutBytes = json.integer()
    case "owed": integrity.endIsOwed = json.flag()
    case "folder": folderID = json.id()
    case "name": name = json.string()
    case "directory": directory = json.string()
    case "recordings": summary.tally.recordings = json.size()
    case "unheard": summary.tally.unheard = json.size()
    case "copied": summary.tally.copied = json.size()
    case "latest": summary.latest = WallTime(milliseconds: json.integer())
    case "from": trail = json.ids()
    case "thrown": thrownAt = WallTime(milliseconds: json.integer())
    case "was": formerName = json.string()
    case "purging", "leaving", "retagging": intent = json.intent(key)
    default: json.skip()
    }
  }

  func entry(in parent: ItemID) -> Entry? {
    var entry: Entry
    if let id = folderID {
      entry = Entry(
        Folder(
          id: id, parent: parent, name: name, directory: directory ?? name,
          tally: summary.tally, latest: summary.latest, thrownFrom: trail.last))
    } else if let id = recordingID {
      entry = Entry(recording(id, in: parent))
    } else {
      return nil
    }
    (entry.trail, entry.thrownAt) = (trail, thrownAt)
    (entry.formerName, entry.intent) = (formerName, intent)
    return entry
  }

  private func recording(_ id: ItemID, in parent: ItemID) -> Recording {
    Recording(
      id: id, folder: parent, sequence: sequence == 0 ? nil : sequence, title: title,
      titleIsDefault: titleIsDefault,
      began: Moment(
        boot: boot, instant: Instant(nanoseconds: monotonic),
        wall: WallTime(milliseconds: wall), quality: quality),
      stage: stage, file: file,
      sound: sound.sound,
      isHeard: isHeard, marks: marks, details: details, integrity: integrity,
      continues: continues, part: part, thrownFrom: trail.last, copies: copies
    ).with(tracks)
  }
}

extension JSONReader {
  /// Drops a track whose name or ending is not valid: it could lead to another file.
  fileprivate mutating func tracks() -> [Track] {
    var tracks: [Track] = []
    array { list in
      var (number, name, ending, sound) = (0, "", "", SoundDraft())
      list.object { json, key in
        switch key {
        case "number": number = json.count()
        case "name": name = json.string()
        case "ending": ending = json.string()
        default: if !sound.read(key, &json) { json.skip() }
        }
      }
      let track = Track(number, TrackPlan(name: name, ending: ending), sound: sound.sound)
      if track.isBelievable, track.number > tracks.last?.number ?? 1 { tracks.append(track) }
    }
    return tracks
  }

  fileprivate mutating func marks() -> [Mark] {
    var marks: [Mark] = []
    array { list in
      var frame: Int64 = 0
      var name = ""
      var index = 0
      list.array { json in
        switch index {
        case 0: frame = json.integer()
        case 1: name = json.string()
        default: json.skip()
        }
        index += 1
      }
      marks.append(Mark(frame: frame, name: name))
    }
    return marks
  }

  fileprivate mutating func gaps() -> [Gap] {
    var gaps: [Gap] = []
    array { list in
      var numbers: [Int64] = []
      var cause = Gap.Cause.overrun
      list.array { json in
        if numbers.count < 2 { numbers.append(json.integer()) } else { cause = json.name(cause) }
      }
      if numbers.count == 2 {
        gaps.append(Gap(frame: numbers[0], frames: numbers[1], cause: cause))
      }
    }
    return gaps
  }
}
