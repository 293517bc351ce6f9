// Corrects the time in a recording's tags when the clock became known after it was made: the index
// may be lost one day, and other players show the tags. The folder records the intent first, since
// a power cut during the write breaks the tags; they are repaired and written again when the folder
// is read. Runs on the card's thread.

import Recorder
import Tape

extension Store {
  /// Whether a changed entry requires new tags in its file.
  func needsNewTags(_ recording: Recording, _ old: Recording) -> Bool {
    recording.isSettled && recording.began.quality == .corrected
      && (old.began != recording.began || !old.isSettled)
  }

  /// Writes the tags. False if a later attempt may succeed; until then the index has the time.
  @discardableResult
  func retag(_ recording: Recording, at path: String) -> Bool {
    do {
      try writeTags(of: recording, at: path)
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
    // Halves of two torn comments may look like one. Reel's own files have no others.
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

  /// Writes the last draft that fits.
  private func writeFullest(of drafts: [Tags], into file: System.File) throws(TapeError) {
    var drafts = drafts
    while let tags = drafts.popLast() {
      do { return try tags.write(into: file) } catch {
        if error.code != .noRoom || drafts.isEmpty { throw error }
      }
    }
  }
}
