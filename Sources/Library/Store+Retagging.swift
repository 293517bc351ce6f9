// The time in a recording's own tags, put right when the clock became known after it was made: the
// index may be lost one day, and other players show the tags. The folder says beforehand that it
// will be done, since a cut in the middle breaks the tags; they are mended and written again when
// the folder is read. On the card's thread.

import Recorder
import Tape

extension Store {
  /// Whether a change of its entry has to reach its file, too.
  func needsNewTags(_ recording: Recording, _ old: Recording) -> Bool {
    recording.isSettled && recording.began.quality == .corrected
      && (old.began != recording.began || !old.isSettled)
  }

  /// Nothing is lost if this fails: the index knows the time. False if it may do another time.
  @discardableResult
  func retag(_ recording: Recording, at path: String) -> Bool {
    do {
      try writeTags(of: recording, at: path)
      return true
    } catch {
      // Sound of other kinds has other tags, and some files have no room for more.
      if error.code == .notSound || error.code == .noRoom { return true }
      _ = notice(of: error)
      return false
    }
  }

  func finishRetagging(_ entry: Entry, ifBegunIn folder: OpenFolder) throws(TapeError) {
    guard entry.intent == .retagging, let recording = entry.recording else { return }
    let path = try path(of: folder.index.id)
    // With two names, the old one is whole.
    for name in [entry.formerName, recording.file].compactMap({ $0 })
    where try system.entry(join(path, name)) != nil {
      guard retag(recording, at: join(path, name)) else { return }
      break
    }
    try settle(entry.id, in: folder)
  }

  private func writeTags(of recording: Recording, at path: String) throws(TapeError) {
    let file = try system.open(path, .change)
    let modified = try file.modified()
    let isTorn = try Repair.examine(file).tagsAreDamaged
    if isTorn { _ = try Repair.mend(file) }
    guard var tags = try Tags.read(from: file) else { return }
    tags.date = CalendarDate(recording.began.wall, utcOffsetSeconds: 0).iso8601
    tags.timeQuality = .corrected
    let least = tags
    tags.title = recording.title
    if isTorn {
      tags.marks = recording.marks.map { Tags.Mark(frame: $0.frame, name: $0.name) }
      tags.trackGain = recording.integrity.loudnessCentiLUFS.map { (-2300 - $0) * 256 / 100 }
    }
    do { try tags.write(into: file) } catch {
      guard error.code == .noRoom else { throw error }
      try least.write(into: file)
    }
    try file.setModified(modified)
  }
}
