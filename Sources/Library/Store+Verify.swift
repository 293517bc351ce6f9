// Verifies each recording against its entry and its own pages: the file exists, has its length and
// its hash, and is whole from first page to last. Reads everything, one file a step, with other
// work in between. If an entry has no hash, it gets one. Runs on the card's thread.

import Recorder
import Tape

extension Store {
  func verification(of id: ItemID) throws(TapeError) -> Verification {
    if id == .root || id == .trash || tree[id] != nil {
      let expected = try folder(id).index.tally.recordings
      return Verification(folders: [id], expected: Int64(expected))
    }
    let (folder, _) = try home(of: id)
    return Verification(recordings: [(folder.index.id, id)], expected: 1)
  }

  func step(_ verification: inout Verification, _ ticket: Int) throws(TapeError) -> Bool {
    if let (folder, id) = verification.recordings.popLast() {
      try check(id, in: folder, &verification, ticket)
      verification.checked += 1
      reportProgress(ticket, done: verification.checked * 1000, of: verification.expected * 1000)
      return true
    }
    if let id = verification.folders.popLast() {
      try list(id, in: &verification)
      return true
    }
    send(.work(ticket: ticket, .done(.verified(verification.report))))
    return false
  }

  private func list(_ id: ItemID, in verification: inout Verification) throws(TapeError) {
    do {
      try visit(id) { folder in
        if folder.damage != nil {
          verification.add("The index of “\(folder.index.name)” is damaged.")
        }
        for entry in folder.index.entries.values.sorted(by: { $0.id > $1.id }) {
          if entry.folder != nil { verification.folders.append(entry.id) }
          if entry.recording?.isSettled == true { verification.recordings.append((id, entry.id)) }
        }
      }
    } catch {
      verification.add(error.sentence)
    }
  }

  /// Checks each of a recording's files.
  private func check(
    _ id: ItemID, in home: ItemID, _ verification: inout Verification, _ ticket: Int
  ) throws(TapeError) {
    for index in 0..<Tracks.most {
      // It may have left the folder since it was listed, or since its last file was checked.
      guard let recording = try folder(home).index.entries[id]?.recording,
        let first = recording.file, case let names = recording.fileNames(first),
        names.indices.contains(index)
      else { return }
      let number = recording.trackNumbers[index]
      let checked = index == 0 ? recording : recording.alone(recording.tracks.others[index - 1])
      let path = join(try path(of: home), names[index])
      let check = FileCheck(recording: checked, path: path, ticket: ticket)
      let (fault, found) = try result(of: check, verification)
      if let fault {
        verification.add(fault, file: path)
      } else if let found, keepIfPossible(found, of: Unhashed(id: id, folder: home), number) {
        verification.hashed += 1
      }
    }
  }

  /// A card that cannot be written can be verified all the same.
  private func keepIfPossible(
    _ hasher: SoundHasher, of recording: Unhashed, _ track: Int
  ) -> Bool {
    if isReadOnly { return false }
    do { return try keep(hasher, of: recording, track: track) } catch {
      _ = notice(of: error)
      return false
    }
  }

  /// Returns a sentence on what is wrong with a file; nil if nothing is. If its hash was missing,
  /// the hasher has it.
  private func result(
    of check: FileCheck, _ verification: Verification
  ) throws(TapeError) -> (fault: String?, found: SoundHasher?) {
    let recording = check.recording
    do {
      guard let entry = try system.entry(check.path) else {
        return ("“\(recording.title)” has no file.", nil)
      }
      if recording.sound.sizeBytes > 0, entry.byteCount != recording.sound.sizeBytes {
        let sentence =
          "“\(recording.title)” is \(entry.byteCount) bytes long instead of"
          + " \(recording.sound.sizeBytes)."
        return (sentence, nil)
      }
      let file = try system.open(check.path, .read)
      let hasher = try SoundHasher.reading(file) { progress in
        report(progress, of: check, verification, pass: 0)
      }
      let isSame = recording.sound.hash.flatMap { known in
        SoundHash(hasher.sum).map(known.isSameSound)
      }
      let fault = try fault(of: file, isSame: isSame, check, verification)
      return (fault, recording.sound.hash == nil ? hasher : nil)
    } catch {
      if error.code == .cancelled { throw error }
      return ("“\(recording.title)” cannot be checked: \(error.sentence)", nil)
    }
  }

  /// - Parameter isSame: whether the sound has the hash it had; nil if that is not known.
  private func fault(
    of file: borrowing System.File, isSame: Bool?, _ check: FileCheck,
    _ verification: Verification
  ) throws(TapeError) -> String? {
    let recording = check.recording
    let changed =
      "The sound of “\(recording.title)” has changed since it was recorded: replace its file by a"
      + " copy, if there is one, and check the card."
    let verdict = try Repair.examine(file).verdict
    if verdict == .foreign {
      return try isSame == false ? changed : foreignFault(recording, at: check.path)
    }
    if verdict != .whole { return "“\(recording.title)” is not whole." }
    let report: (Progress) -> Onward = { [unowned self] progress in
      self.report(progress, of: check, verification, pass: 1)
    }
    let sumMatches = try Repair.sumMatches(file, progress: report)
    // All of it was decoded, or is as it was written. A repaired file may lack sound all the same.
    let isWhole = sumMatches == true || isSame == true && recording.stage != .recovered
    if !isWhole, let damage = try Repair.measure(file, progress: report),
      let words = words(for: damage, in: recording)
    {
      return words
    }
    if isSame == false { return changed }
    guard sumMatches == false else { return nil }
    return isSame == true
      ? "The sound of “\(recording.title)” is as it was recorded, but its header has another sum."
      : "The sound of “\(recording.title)” is not what was recorded."
  }

  /// Reports the progress of one of the two times a file is read.
  private func report(
    _ progress: Progress, of check: FileCheck, _ verification: Verification, pass: Int64
  ) -> Onward {
    let part = (pass * 1000 + progress.done * 1000 / max(1, progress.total ?? 1)) / 2
    return goOn(
      check.ticket, done: verification.checked * 1000 + part, of: verification.expected * 1000)
  }

  private func foreignFault(_ recording: Recording, at path: String) throws(TapeError) -> String? {
    guard let file = try system.plainFile(path) else { return nil }
    let frames = try SoundReader.open(file).frames
    return frames == recording.sound.frames
      ? nil : "“\(recording.title)” has another length than it had."
  }

  private func words(for damage: Repair.Damage, in recording: Recording) -> String? {
    let told = recording.integrity.framesTornOut
    if damage.missingFrames > told {
      let lost = Duration.words(
        milliseconds: Frames.milliseconds(damage.missingFrames - told, rate: recording.sound.rate))
      return "“\(recording.title)” lacks \(lost) of sound."
    }
    // Beside what a power cut tore out, parts of pages may be left.
    return damage.strayByteCount > 0 && !damage.hasLostPages
      ? "“\(recording.title)” has \(damage.strayByteCount) bytes in it that are no sound." : nil
  }

  /// Called during long work: reports progress, handles waiting commands, and cancels the work if
  /// one of them asks for it.
  func goOn(_ ticket: Int, done: Int64, of total: Int64) -> Onward {
    reportProgress(ticket, done: done, of: total)
    pause()
    return isCancelled ? .cancel : .goOn
  }
}

/// A file that is being checked.
private struct FileCheck {
  /// The recording, with the sound of this file only.
  let recording: Recording
  let path: String
  let ticket: Int
}

extension Recording {
  /// One of its other tracks as a recording of its own.
  fileprivate func alone(_ track: Track) -> Recording {
    changed(title: "\(title), \(track.plan.name)", sound: track.sound).with(Tracks())
  }
}
