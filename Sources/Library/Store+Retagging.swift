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

  /// The end of what was begun with an entry: its file has its name, and gets its tags if it was to
  /// have new ones. Where that fails the index remembers, for the next time it is read.
  func settleTags(of entry: Entry, in folder: OpenFolder) throws(TapeError) {
    if entry.intent == .retagging, let recording = entry.recording {
      let path = join(try path(of: folder.index.id), entry.fileName)
      guard retag(recording, at: path) else { return }
    }
    try settle(entry.id, in: folder)
  }

  private func writeTags(of recording: Recording, at path: String) throws(TapeError) {
    let file = try system.open(path, .change)
    let modified = try file.modified()
    let isTorn = try Repair.examine(file).tagsAreDamaged
    guard var tags = try Tags.read(from: file) else { return }
    tags.date = CalendarDate(recording.began.wall, utcOffsetSeconds: 0).iso8601
    tags.timeQuality = .corrected
    // Halves of two comments may look like one; our own files have no others.
    if isTorn { tags.others = [] }
    var drafts = [tags]
    tags.title = recording.title
    if isTorn {
      tags.trackGain = recording.integrity.loudnessCentiLUFS.map { (-2300 - $0) * 256 / 100 }
      tags.marks = []
      drafts.append(tags)
      tags.marks = recording.marks.map { Tags.Mark(frame: $0.frame, name: $0.name) }
    }
    drafts.append(tags)
    try writeFullest(of: drafts, into: file)
    try file.setModified(modified)
  }

  /// The last for which there is room.
  private func writeFullest(of drafts: [Tags], into file: System.File) throws(TapeError) {
    var drafts = drafts
    while let tags = drafts.popLast() {
      do { return try tags.write(into: file) } catch {
        if error.code != .noRoom || drafts.isEmpty { throw error }
      }
    }
  }
}
