// Takes in the store: makes the entry and file of a new take, saves its recording, and renames the
// file after the title once the take is over. Runs on the card's thread.

import Glibc
import Recorder
import Tape

extension Store {
  /// Writes the entry first, then makes the file: after any power cut a file has its entry.
  func begin(_ recording: Recording) {
    do throws(TapeError) {
      if phase == .exported { throw Self.exported }
      send(.take(recording.id, try made(recording)))
    } catch {
      running.remove(recording.id)
      send(.take(recording.id, .failed(notice(of: error))))
    }
  }

  /// If the folder cannot be written, the take goes to the root instead of failing.
  private func made(_ recording: Recording) throws(TapeError) -> TakeFileEvent {
    do { return .made(file: try make(recording)) } catch {
      let isPointless = error.code == .diskFull || error.errno == EROFS
      if recording.folder == .root || isPointless { throw error }
      _ = notice(of: error)
      homes[recording.id] = nil
      return .madeElsewhere(.root, file: try make(recording.changed(folder: .root)))
    }
  }

  private func make(_ recording: Recording) throws(TapeError) -> String {
    let folder = try folder(recording.folder)
    let recording = recording.with(Tracks(trackPlans))
    let name = try freeName(in: folder, for: recording.fileNames) {
      FileName.recording(
        sequence: recording.sequence, title: recording.title, ending: trackPlans[0].ending,
        number: $0, trackCount: trackPlans.count)
    }
    if let number = recording.sequence { try useUp(number, in: recording.folder) }
    running.insert(recording.id)
    homes[recording.id] = recording.folder
    try change([.put(Entry(recording.changed(file: name)))], in: folder)
    let path = try path(of: recording.folder)
    do {
      for file in recording.fileNames(name) {
        try system.create(growing: join(path, file)).sync()
      }
      try system.syncDirectory(path)
    } catch {
      revert([.gone(recording.id)], in: folder)
      throw error
    }
    return name
  }

  /// Marks a number as used for good, even if the folder that used it is lost.
  func useUp(_ sequence: Int, in id: ItemID) throws(TapeError) {
    let next = FileName.sequence(after: sequence)
    let root = try folder(.root)
    if id != .root, root.index.next < next { try change([.next(next)], in: root) }
    // The trash's index keeps an upper bound, written rarely, in case the root's index is lost:
    // above a hundred, it is higher than any number given.
    let (trash, given) = (try folder(.trash), max(next, root.index.next))
    if trash.index.next <= given, given > Self.rememberedFrom || trash.index.next > 1 {
      try change([.next(FileName.sequence(after: given, by: 100))], in: trash)
    }
  }

  func keep(_ recording: Recording) {
    do throws(TapeError) {
      if phase == .exported { throw Self.exported }
      if let file = try kept(recording) { send(.take(recording.id, .made(file: file))) }
      if recording.isSettled { running.remove(recording.id) }
      send(.take(recording.id, .kept))
    } catch {
      send(.take(recording.id, .failed(notice(of: error))))
    }
  }

  /// Saves a recording. Returns its file's name if that changed.
  private func kept(_ recording: Recording) throws(TapeError) -> String? {
    // The store knows where it is: the sender may not know of a move yet.
    let id = homes[recording.id] ?? recording.folder
    let folder = try folder(id)
    guard let old = folder.index.entries[recording.id], let before = old.recording,
      let name = before.file
    else { throw Self.notFound }
    let recording = recording.knowing(before).knowingHashes(of: before)
    if recording.integrity.endIsOwed { owed.next.insert(recording.id) }
    // A card that failed or was full at its end: what was written was cut.
    if !before.isSettled, recording.integrity.stopReason?.isCutShort ?? false {
      unhashed.append(Unhashed(id: recording.id, folder: id))
    }
    var entry = old
    entry.formerName = nil
    entry.item = .recording(
      recording.changed(folder: id, file: name, thrownFrom: .some(before.thrownFrom)))
    if needsNewTags(recording, before), old.intent == nil {
      // Until the entry is settled, recovery repairs torn tags as those of a cut take.
      if before.isSettled || !retag(recording, named: name, in: id) { entry.intent = .retagging }
    }
    let isNewName = before.title != recording.title || !before.isSettled
    let isNamed = recording.isSettled && isNewName
    let new = isNamed ? try fileName(for: recording, in: folder, now: name) : name
    try put(entry, named: new, before: name, in: folder)
    return new == name ? nil : new
  }

  private func fileName(
    for recording: Recording, in folder: OpenFolder, now name: String
  ) throws(TapeError) -> String {
    if system.copiesToRename {
      let files = try paths(of: Entry(recording), in: folder.index.id, named: name)
      if try byteCount(of: files) > longestCopyBytes { return name }
    }
    return try freeName(in: folder, except: name, for: recording.fileNames) {
      FileName.recording(
        sequence: recording.sequence, title: recording.title,
        ending: FileName.parts(name).ending, number: $0,
        trackCount: 1 + recording.tracks.others.count)
    }
  }

  /// Writes an entry with a new name, then renames its files. If power is cut in between, the entry
  /// has both names.
  func put(
    _ entry: Entry, named new: String, before old: String, in folder: OpenFolder
  ) throws(TapeError) {
    if new == old {
      try change([.put(entry)], in: folder)
      if entry.intent == .retagging { finishTags(of: entry, in: folder) }
      return
    }
    let id = folder.index.id
    let moves = try moves(of: entry, named: old, from: id, to: id, as: new)
    var entry = entry.withFileName(new)
    entry.formerName = old
    let before = folder.index.entries[entry.id]
    try change([.put(entry)], in: folder)
    do {
      try rename(moves)
      try syncAfterRenaming(moves, in: try path(of: id))
    } catch {
      if let before { revert([.put(before)], in: folder) }
      throw error
    }
    finishTags(of: entry, in: folder)
    if let inside = entry.folder {
      tree[inside.id] = Branch(parent: folder.index.id, directory: new)
    }
  }

  private func finishTags(of entry: Entry, in folder: OpenFolder) {
    do { try settleTags(of: entry, in: folder) } catch { reread(folder.index.id) }
  }

  /// Undoes renames that cannot be synced.
  private func syncAfterRenaming(_ moves: [FileMove], in path: String) throws(TapeError) {
    do { try system.syncDirectory(path) } catch {
      try renameBack(moves)
      throw error
    }
  }

  func rename(_ id: ItemID, to title: String) throws(TapeError) -> WorkResult {
    let (folder, old) = try home(of: id)
    let name = old.fileName
    let entry = old.titled(title)
    var new = name
    if let recording = entry.recording {
      if recording.isSettled { new = try fileName(for: recording, in: folder, now: name) }
    } else if system.renamesFoldersSafely {
      new = try freeName(in: folder, except: name) {
        FileName.directory(title: title, number: $0)
      }
    }
    // Where a folder cannot be renamed safely, its directory keeps its name.
    try put(entry, named: new, before: name, in: folder)
    if entry.folder != nil { nameInside(id, title) }
    return .renamed(id, name: title, file: new)
  }

  /// Writes the title to the folder's own index too, in case its parent's is lost. Optional.
  private func nameInside(_ id: ItemID, _ title: String) {
    do { try change([.name(title)], in: id) } catch { reread(id) }
  }

  /// Drops a take that never started. A file with sound stays, for recovery to find.
  func forget(_ id: ItemID) {
    running.remove(id)
    do {
      let (folder, entry) = try home(of: id)
      if entry.recording?.isSettled != false { return }
      for path in try paths(of: entry, in: folder.index.id) {
        let file = try system.entry(path)
        if let file, file.kind != .file || file.byteCount > 0 { return }
      }
      try removeFiles(of: entry, in: folder.index.id)
      try change([.gone(id)], in: folder)
      homes[id] = nil
    } catch {
      _ = notice(of: error)
    }
  }
}

extension Entry {
  func withFileName(_ name: String) -> Entry {
    var entry = self
    switch item {
    case .recording(let recording): entry.item = .recording(recording.changed(file: name))
    case .folder(let folder): entry.item = .folder(folder.changed(directory: name))
    }
    return entry
  }

  /// The entry with a title that a user gave it.
  func titled(_ title: String) -> Entry {
    var entry = self
    entry.formerName = nil
    switch item {
    case .recording(let recording):
      entry.item = .recording(recording.changed(title: title, titleIsDefault: false))
    case .folder(let folder): entry.item = .folder(folder.changed(name: title))
    }
    return entry
  }
}

extension Recording {
  /// Keeps what the store has written meanwhile, since the sender may not know of it yet: the
  /// tracks, copies, the end of the sound, and a title that a user typed. A sender changes only
  /// default titles, and one that a take had when it ended would otherwise replace the name given
  /// at that moment.
  fileprivate func knowing(_ before: Recording) -> Recording {
    var known = with(before.copies)
    // Until its end a sender does not know of a take's tracks.
    if tracks.others.count < before.tracks.others.count { known = known.with(before.tracks) }
    if !before.titleIsDefault { known = known.changed(title: before.title, titleIsDefault: false) }
    guard integrity.endIsOwed, before.isSettled, !before.integrity.endIsOwed else { return known }
    return known.changed(sound: before.sound, integrity: before.integrity).with(before.tracks)
  }
}
