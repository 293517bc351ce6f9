// Writes what the index knows of a recording into the tags of its file: the index may be lost one
// day, and other players show the tags. The sound path has written most of them at the end of the
// take; the store adds what became known later, such as the true time or notes. The folder records
// the intent first, since a power cut during the write breaks the tags; they are repaired and
// written again when the folder is read. Runs on the card's thread.

import Recorder
import Tape

/// What is known of earlier attempts to write tags.
enum TagAttempt {
  case first
  /// One may have failed before. Tags that are there already may be in memory only: after a failed
  /// sync the system believes them to be on the card.
  case again
  /// Power may have been cut while they were written.
  case afterCut
  /// The same, and the file's sound is that of a take which was cut short.
  case ofCutTake
}

extension Store {
  /// Whether a changed entry requires new tags in its file. At the end of a take they are compared
  /// with the file's own.
  func needsNewTags(_ recording: Recording, _ old: Recording) -> Bool {
    guard recording.isSettled, !recording.integrity.endIsOwed, recording.sequence != nil else {
      return false
    }
    return !old.isSettled || old.details != recording.details || old.marks != recording.marks
      || (recording.began.quality == .corrected && old.began != recording.began)
  }

  /// Writes the tags of all files. False if a later attempt may succeed; until then the index has
  /// the time.
  @discardableResult
  func retag(
    _ recording: Recording, named name: String, in folder: ItemID, _ attempt: TagAttempt = .first
  ) -> Bool {
    let numbers = [1] + recording.tracks.others.map(\.number)
    var isDone = true
    for (number, file) in zip(numbers, recording.fileNames(name)) {
      isDone =
        retag(recording, track: number, named: file, in: folder, attempt) && isDone
    }
    return isDone
  }

  func retag(
    _ recording: Recording, track number: Int, named name: String, in folder: ItemID,
    _ attempt: TagAttempt
  ) -> Bool {
    do {
      let path = join(try path(of: folder), name)
      // A track's file that is gone is recovery's to find.
      if number > 1, try system.entry(path) == nil { return true }
      try writeTags(of: recording, track: number, at: path, attempt)
      return true
    } catch {
      // No retry: other formats have other tags, and some files have no room for more.
      if error.code == .notSound || error.code == .noRoom { return true }
      _ = notice(of: error)
      return false
    }
  }

  /// Finishes a change whose file has its new name: writes new tags if intended, then settles the
  /// entry. If the tags cannot be written, the intent stays for the next read.
  func settleTags(
    of entry: Entry, in folder: OpenFolder, _ attempt: TagAttempt = .again
  ) throws(TapeError) {
    if entry.intent == .retagging, let recording = entry.recording {
      let name = entry.fileName
      guard retag(recording, named: name, in: folder.index.id, attempt) else { return }
    }
    try settle(entry.id, in: folder)
  }

  private func writeTags(
    of recording: Recording, track number: Int, at path: String, _ attempt: TagAttempt
  ) throws(TapeError) {
    let file = try system.open(path, .change)
    let examination = try Repair.examine(file)
    let evenIfSame = attempt != .first
    // FLAC has no sum of its tags: after a cut, halves of two may be believed.
    let isCut = attempt == .afterCut || attempt == .ofCutTake
    let isTorn = examination.tagsAreDamaged || isCut && examination.bits != nil
    guard let old = try Tags.read(from: file) else { return }
    var tags = old
    if isTorn {
      // Halves of two torn comments may look like one. Reel's own files have no others.
      (tags.others, tags.facts) = ([], [])
      // Its sound is the take's, so an identity of another is left from what was there before.
      if attempt == .ofCutTake { tags.id = recording.id.description }
      tags.id = tags.id ?? recording.id.description
    }
    // A copy of another recording, or sound that Reel did not record, keeps its own tags.
    guard tags.id == recording.id.description else { return }
    tags.update(from: recording, track: number)
    if !isTorn, !evenIfSame, tags.comments == old.comments { return }
    let modified = try file.modified()
    do { try tags.write(into: file, evenIfSame: evenIfSame) } catch {
      guard error.code == .noRoom else { throw error }
      tags.title = old.title
      try tags.write(into: file, evenIfSame: evenIfSame)
    }
    try file.setModified(modified)
  }
}

extension Tags {
  /// Sets all tags by what the index knows. What it does not know stays: the device of an entry
  /// without one, and facts that a newer version has written.
  mutating func update(from recording: Recording, track number: Int = 1) {
    let recording = recording.ofTrack(number)
    let (began, details) = (recording.began, recording.details)
    sequence = recording.sequence
    bootID = began.boot.description
    monotonicNanoseconds = UInt64(max(0, began.instant.nanoseconds))
    date = CalendarDate(began.wall, utcOffsetSeconds: 0).iso8601
    timeQuality = TimeQuality(rawValue: began.quality.rawValue)
    if !recording.integrity.device.isEmpty { device = recording.integrity.device }
    channels = channels ?? recording.sound.channels
    title = recording.title
    place = details.place.isEmpty ? nil : details.place
    speaker = details.speaker.isEmpty ? nil : details.speaker
    notes = details.notes.isEmpty ? nil : details.notes
    // The writer of the take has rounded the gain from the exact loudness.
    trackGain =
      trackGain ?? recording.integrity.loudnessCentiLUFS.map { (-2300 &- $0) &* 256 / 100 }
    marks = recording.marks.map {
      Mark(frame: $0.frame, rate: recording.sound.rate, name: $0.name)
    }
    facts =
      RecordingFacts(recording, track: number).facts.map { Comment(key: $0.key, value: $0.value) }
      + facts.filter { !RecordingFacts.keys.contains($0.key) }
  }
}

extension Recording {
  /// The recording as the file of one of its tracks tells it: with that track's sound, and with
  /// positions at that file's rate.
  fileprivate func ofTrack(_ number: Int) -> Recording {
    guard let sound = tracks.others.first(where: { $0.number == number })?.sound else {
      return self
    }
    func position(_ frame: Int64) -> Int64 { scaled(frame, from: self.sound.rate, to: sound.rate) }
    var integrity = integrity
    integrity.gaps = integrity.gaps.map {
      Gap(frame: position($0.frame), frames: position($0.frames), cause: $0.cause)
    }
    let marks = marks.map { Mark(frame: position($0.frame), name: $0.name) }
    return changed(sound: sound, integrity: integrity, marks: marks)
  }
}
