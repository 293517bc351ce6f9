// The ends of files: what becomes of a take that was cut short, and the end that a card which
// failed or was full did not take, given to the file once it does. On the card's thread.

import Recorder
import Tape

extension Store {
  // MARK: A take that was cut short

  func recover(
    _ entry: Entry, _ recording: Recording, isThere: Bool, in folder: OpenFolder
  ) throws(TapeError) {
    let id = folder.index.id
    guard isThere else { return try change([.gone(entry.id)], in: folder) }
    let path = join(try path(of: id), entry.fileName)
    // Found by a simulated year: a card failed in a take, and the daemon began again before a cut.
    system.forgetUnwritten(path)
    let file = try system.open(path, .change)
    // Else not one page of it had reached the card.
    guard let report = try mend(file, of: entry) else { return try drop(entry, file, in: folder) }
    var integrity = recording.integrity
    integrity.stopReason = .cut
    integrity.recoveredCutBytes = report.cutByteCount
    let mended = try recording.changed(folder: id, stage: .recovered, integrity: integrity)
      .cut(as: file, report.examination)
    if needsNewTags(mended, recording) { retag(mended, at: path) }
    try put(mended, as: entry, in: folder)
    send(.found(.recovered(mended, path: trail(to: id))))
  }

  /// Nil when nothing is left of its sound. Found by a simulated year: on FAT a file may have got
  /// its length before its bytes, and show those of a recording that was deleted long ago.
  private func mend(
    _ file: borrowing System.File, of entry: Entry, distrusting endByteCount: Int64 = 0
  ) throws(TapeError) -> Repair.Report? {
    let report = try Repair.mend(file, of: entry.id.serial, distrusting: endByteCount)
    switch report.examination.verdict {
    case .whole, .mendable: return report
    case .noSound, .foreign, .chained: return nil
    }
  }

  private func put(
    _ recording: Recording, as entry: Entry, in folder: OpenFolder
  ) throws(TapeError) {
    var entry = entry
    entry.item = .recording(recording)
    try change([.put(entry)], in: folder)
  }

  /// A file with a single byte in it is set aside: nobody knows what that is.
  private func drop(
    _ entry: Entry, _ file: borrowing System.File, in folder: OpenFolder
  ) throws(TapeError) {
    if try file.byteCount() == 0 {
      try removeFile(of: entry, in: folder)
    } else {
      let path = try path(of: folder.index.id)
      try files.setAside(entry.fileName, at: path)
      try system.syncDirectory(path)
    }
    try change([.gone(entry.id)], in: folder)
    homes[entry.id] = nil
  }

  /// Before its entry goes: a file without one would be left for ever.
  func removeFile(of entry: Entry, in folder: OpenFolder) throws(TapeError) {
    let path = try path(of: folder.index.id)
    try system.remove(join(path, entry.fileName))
    try system.syncDirectory(path)
  }

  // MARK: An end that is owed

  /// Gives one file its end, if it can be had; false when there is none to be tried.
  func endSomething() -> Bool {
    guard !isReadOnly, let id = owed.next.min() else { return false }
    owed.next.remove(id)
    do {
      let (folder, entry) = try home(of: id)
      if entry.intent != nil { owed.later.insert(id) } else { try end(entry, in: folder) }
    } catch {
      // Until the card is heard of again, or the thing is found again.
      if homes[id] != nil { owed.later.insert(id) }
      _ = notice(of: error)
    }
    return true
  }

  private func end(_ entry: Entry, in folder: OpenFolder) throws(TapeError) {
    guard let recording = entry.recording, recording.isSettled, recording.integrity.endIsOwed else {
      return
    }
    let id = folder.index.id
    let path = join(try path(of: id), entry.fileName)
    let file = try system.open(path, .change)
    guard let report = try mend(file, of: entry, distrusting: Repair.unsafeByteCount) else {
      // What was written of it went with the power.
      try drop(entry, file, in: folder)
      let gone = Whereabouts(id: entry.id, path: trail(to: id), tally: entry.tally)
      return send(.found(.vanished([gone])))
    }
    var integrity = recording.integrity
    integrity.endIsOwed = false
    let ended = try recording.changed(integrity: integrity).cut(as: file, report.examination)
    try put(ended, as: entry, in: folder)
    send(.found(.closed(ended)))
  }
}

extension Recording {
  /// The same for what this recorder recorded: its files begin at 0, unless a cut took that. Found
  /// by a simulated year: of a take cut in its first second, what was written first was torn out.
  fileprivate func cut<File: TapeFile & ~Copyable>(
    as file: borrowing File, _ examination: Repair.Examination
  ) throws(TapeError) -> Recording {
    var recording = self
    recording.loseBeginning(frames: examination.startFrame)
    return try recording.asLong(as: file, examination)
  }

  /// With the length of its file, and nothing told of what lies behind; what a cut has torn out of
  /// it is told of.
  func asLong<File: TapeFile & ~Copyable>(
    as file: borrowing File, _ examination: Repair.Examination
  ) throws(TapeError) -> Recording {
    var (sound, integrity) = (sound, integrity)
    sound.frames = examination.frames
    sound.sizeBytes = try file.byteCount()
    for hole in try Repair.holes(atEndOf: file, examination) {
      integrity.gaps = integrity.gaps.telling(
        Gap(frame: hole.frame, frames: hole.frames, cause: .cut))
    }
    var recording = changed(sound: sound, integrity: integrity)
    recording.cutToLength()
    return recording
  }
}
