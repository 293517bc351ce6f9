// Repairs the ends of files: those of takes that were cut short, and those that a failed or full
// card did not accept, once it does. Runs on the card's thread.

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
    // The cache may show what never reached the card. Found by a simulated year: a card failed
    // during a take, and the daemon restarted before a power cut.
    system.forgetUnwritten(path)
    let file = try system.open(path, .change)
    // Without a report, no page of sound had reached the card.
    guard let report = try repair(file, of: entry) else { return try drop(entry, file, in: folder) }
    var integrity = recording.integrity
    integrity.stopReason = .cut
    integrity.recoveredCutBytes = report.cutByteCount
    let repaired = try recording.changed(folder: id, stage: .recovered, integrity: integrity)
      .cut(as: file, report.examination)
    try put(repaired, as: entry, isTold: retag(repaired, at: path), in: folder)
    send(.found(.recovered(repaired, path: trail(to: id))))
  }

  /// Nil if none of its sound is left. Found by a simulated year: FAT may write a file's length
  /// before its bytes, so that it shows those of a recording that was deleted long ago.
  private func repair(
    _ file: borrowing System.File, of entry: Entry, distrusting endByteCount: Int64 = 0
  ) throws(TapeError) -> Repair.Report? {
    let report = try Repair.repair(file, of: entry.id.serial, distrusting: endByteCount)
    switch report.examination.verdict {
    case .whole, .repairable: return report
    case .noSound, .foreign, .chained: return nil
    }
  }

  /// Its file is told of it later if it could not be told now.
  private func put(
    _ recording: Recording, as entry: Entry, isTold: Bool, in folder: OpenFolder
  ) throws(TapeError) {
    var entry = entry
    entry.item = .recording(recording)
    if !isTold { entry.intent = .retagging }
    try change([.put(entry)], in: folder)
  }

  /// Removes an empty file, and sets any other aside, as its content is unknown.
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

  /// Removes an entry's file. Call it before removing the entry: a file without one stays for ever.
  func removeFile(of entry: Entry, in folder: OpenFolder) throws(TapeError) {
    let path = try path(of: folder.index.id)
    try system.remove(join(path, entry.fileName))
    try system.syncDirectory(path)
  }

  // MARK: An end that is owed

  /// Tries to write the missing end of one file; false if there is none to try.
  func endSomething() -> Bool {
    guard !isReadOnly, let id = owed.next.min() else { return false }
    owed.next.remove(id)
    do {
      let (folder, entry) = try home(of: id)
      if entry.intent != nil { owed.later.insert(id) } else { try end(entry, in: folder) }
    } catch {
      // Retried after the next space measurement, or once recovery finds the recording again.
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
    guard let report = try repair(file, of: entry, distrusting: Repair.unsafeByteCount) else {
      // The power cut took all of its sound.
      try drop(entry, file, in: folder)
      let gone = Whereabouts(id: entry.id, path: trail(to: id), tally: entry.summary.tally)
      return send(.found(.vanished([gone])))
    }
    var integrity = recording.integrity
    integrity.endIsOwed = false
    let ended = try recording.changed(integrity: integrity).cut(as: file, report.examination)
    try put(ended, as: entry, isTold: retag(ended, at: path), in: folder)
    send(.found(.closed(ended)))
  }
}

extension Recording {
  /// Like `asLong`, for Reel's own files, which begin at frame 0 unless a power cut took that.
  /// Found by a simulated year: a take cut in its first second had lost what was written first.
  fileprivate func cut<File: TapeFile & ~Copyable>(
    as file: borrowing File, _ examination: Repair.Examination
  ) throws(TapeError) -> Recording {
    var recording = self
    recording.loseBeginning(frames: examination.startFrame)
    return try recording.asLong(as: file, examination)
  }

  /// Returns the recording with its file's length. Gaps and marks beyond that are dropped; what a
  /// power cut tore out is added as gaps.
  func asLong<File: TapeFile & ~Copyable>(
    as file: borrowing File, _ examination: Repair.Examination
  ) throws(TapeError) -> Recording {
    let sound = Sound(
      frames: examination.frames, rate: examination.rate, channels: examination.channels,
      sizeBytes: try file.byteCount())
    var integrity = integrity
    for hole in try Repair.holes(atEndOf: file, examination) {
      integrity.gaps = integrity.gaps.telling(
        Gap(frame: hole.frame, frames: hole.frames, cause: .cut))
    }
    var recording = changed(sound: sound, integrity: integrity)
    recording.cutToLength()
    return recording
  }
}
