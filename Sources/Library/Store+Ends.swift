// Repairs the ends of files: those of takes that were cut short, and those that a failed or full
// card did not accept, once it does. Runs on the card's thread.

import Recorder
import Tape

extension Store {
  // MARK: A take that was cut short

  /// Returns false if the file of its first track has no sound: files of other tracks, but for one
  /// that may take its place, do not belong to the recording any more.
  func recover(
    _ entry: Entry, _ recording: Recording, isThere: Bool, in folder: OpenFolder
  ) throws(TapeError) -> Bool {
    let id = folder.index.id
    guard isThere else {
      try promoteOrDrop(entry, recording, in: folder)
      return false
    }
    let path = join(try path(of: id), entry.fileName)
    // The cache may show what never reached the card. Found by a simulated year: a card failed
    // during a take, and the daemon restarted before a power cut.
    system.forgetUnwritten(path)
    let file = try system.open(path, .change)
    // Without a report, no page of sound had reached the card.
    guard let report = try repair(file, of: entry) else {
      // Before its entry changes: a file without one stays for ever.
      try discard(entry.fileName, try file.byteCount(), in: id)
      try promoteOrDrop(entry, recording, in: folder)
      return false
    }
    let tracks = try endedTracks(of: entry, in: id)
    try settle(entry, recording.with(tracks), file, report, in: folder)
    return true
  }

  /// The first of the other tracks that has sound takes the place of one that has none. Files that
  /// are not the take's are discarded. Found by random power cuts: FAT showed a purged recording
  /// in the file of a new track, and it came back.
  private func promoteOrDrop(
    _ entry: Entry, _ recording: Recording, in folder: OpenFolder
  ) throws(TapeError) {
    let id = folder.index.id
    var best: (name: String, report: Repair.Report, plan: String)?
    var others: [(number: Int, name: String)] = []
    for track in recording.tracks.others {
      guard let file = try file(of: track, besides: entry, in: id) else { continue }
      let name = track.fileName(besides: entry.fileName)
      if let (report, plan) = try repair(file, of: entry, as: track) {
        if best != nil { others.append((track.number, name)) }
        best = best ?? (name, report, plan)
      } else {
        try discard(name, try file.byteCount(), in: id)
      }
    }
    guard let best else {
      try change([.gone(entry.id)], in: folder)
      homes[entry.id] = nil
      return
    }
    // They are found by their tags, which FAT may show as those of a recording that was purged.
    for other in others {
      _ = retag(recording, track: other.number, named: other.name, in: id, .ofCutTake)
    }
    let file = try system.open(join(try path(of: id), best.name), .change)
    let alone = recording.changed(file: best.name).with(Tracks(firstName: best.plan))
    try settle(entry.withFileName(best.name), alone, file, best.report, in: folder)
  }

  /// Repairs the file of another track, and returns the name of the track it has. Found by random
  /// power cuts: FAT showed the take's tags behind the header of a deleted take, and the file was
  /// adopted by its tags, without the title that a person had typed.
  private func repair(
    _ file: borrowing System.File, of entry: Entry, as track: Track
  ) throws(TapeError) -> (Repair.Report, String)? {
    if let report = try repair(file, of: entry, track: track.number) {
      return (report, track.plan.name)
    }
    guard let tags = try Tags.read(from: file), tags.id == entry.id.description else { return nil }
    let report = try Repair.repair(file)
    guard report.examination.hasSound else { return nil }
    return (report, RecordingFacts(tags).track?.name ?? track.plan.name)
  }

  /// Saves a recording that was cut short, and whose file has been repaired.
  private func settle(
    _ entry: Entry, _ recording: Recording, _ file: borrowing System.File,
    _ report: Repair.Report, in folder: OpenFolder
  ) throws(TapeError) {
    let id = folder.index.id
    var integrity = recording.integrity
    integrity.stopReason = .cut
    integrity.recoveredCutBytes = report.cutByteCount
    let repaired = try recording.changed(folder: id, stage: .recovered, integrity: integrity)
      .cut(as: file, report.examination)
    let isTold = retag(repaired, named: entry.fileName, in: id, .ofCutTake)
    try put(repaired, as: entry, isTold: isTold, in: folder)
    unhashed.append(Unhashed(id: entry.id, folder: id))
    send(.found(.recovered(repaired, path: trail(to: id))))
  }

  /// The file of another track, as the card has it; nil if it is gone.
  private func file(
    of track: Track, besides entry: Entry, in id: ItemID
  ) throws(TapeError) -> System.File? {
    let path = join(try path(of: id), track.fileName(besides: entry.fileName))
    guard try system.entry(path)?.kind == .file else { return nil }
    system.forgetUnwritten(path)
    return try system.open(path, .change)
  }

  /// Repairs the files of a recording's other tracks. Returns the tracks that have sound.
  private func endedTracks(
    of entry: Entry, in id: ItemID, distrusting endByteCount: Int64 = 0
  ) throws(TapeError) -> Tracks {
    var tracks = entry.recording?.tracks ?? Tracks()
    var ended: [Track] = []
    for var track in tracks.others {
      guard let file = try file(of: track, besides: entry, in: id) else { continue }
      let report = try repair(file, of: entry, track: track.number, distrusting: endByteCount)
      if let report {
        track.sound = try Sound(of: file, report.examination)
        ended.append(track)
      } else {
        try discard(track.fileName(besides: entry.fileName), try file.byteCount(), in: id)
      }
    }
    tracks.others = ended
    return tracks
  }

  /// Nil if none of its sound is left. Found by a simulated year: FAT may write a file's length
  /// before its bytes, so that it shows those of a recording that was deleted long ago.
  private func repair(
    _ file: borrowing System.File, of entry: Entry, track number: Int = 1,
    distrusting endByteCount: Int64 = 0
  ) throws(TapeError) -> Repair.Report? {
    let serial = entry.id.serial(ofTrack: number)
    let report = try Repair.repair(file, of: serial, distrusting: endByteCount)
    return report.examination.hasSound ? report : nil
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

  /// Discards the file before it removes the entry: a file without one stays for ever. Empty files
  /// of other tracks go with it.
  private func drop(
    _ entry: Entry, _ file: borrowing System.File, in folder: OpenFolder
  ) throws(TapeError) {
    let id = folder.index.id
    for path in try paths(of: entry, in: id).dropFirst()
    where try system.entry(path)?.byteCount ?? .max <= newFileBytes {
      try system.remove(path)
    }
    try discard(entry.fileName, try file.byteCount(), in: id)
    try change([.gone(entry.id)], in: folder)
    homes[entry.id] = nil
  }

  /// Removes a file that was never written to, and sets any other aside, as its content is unknown.
  private func discard(_ name: String, _ byteCount: Int64, in id: ItemID) throws(TapeError) {
    let path = try path(of: id)
    if byteCount <= newFileBytes {
      try system.remove(join(path, name))
    } else {
      try files.setAside(name, at: path)
    }
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
    let ended = try recording.changed(integrity: integrity)
      .with(try endedTracks(of: entry, in: id, distrusting: Repair.unsafeByteCount))
      .cut(as: file, report.examination)
    let isTold = retag(ended, named: entry.fileName, in: id, .afterCut)
    try put(ended, as: entry, isTold: isTold, in: folder)
    unhashed.append(Unhashed(id: entry.id, folder: id))
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
    let sound = try Sound(of: file, examination)
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

extension Sound {
  init<File: TapeFile & ~Copyable>(
    of file: borrowing File, _ examination: Repair.Examination
  ) throws(TapeError) {
    self.init(
      frames: examination.frames, rate: examination.rate, channels: examination.channels,
      sizeBytes: try file.byteCount(), bits: examination.bits)
  }
}
