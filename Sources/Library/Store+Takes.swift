// Recordings in the store: the file and the entry of a take that begins, what is kept of it, and
// the name of its file, which follows the title once the take is over.

import Glibc
import Recorder
import Tape

extension Store {
  /// The entry first, then the file: whatever a cut leaves, a file has its entry.
  func begin(_ recording: Recording) {
    do throws(TapeError) {
      if phase == .exported { throw Self.exported }
      send(.take(recording.id, try made(recording)))
    } catch {
      running.remove(recording.id)
      send(.take(recording.id, .failed(notice(of: error))))
    }
  }

  /// A folder that cannot be written into is no reason to lose a take: it goes to the root.
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
    let name = try freeName(in: folder) {
      FileName.recording(
        sequence: recording.sequence, title: recording.title, ending: FileName.ending, number: $0)
    }
    try useUp(recording.sequence, in: recording.folder)
    running.insert(recording.id)
    homes[recording.id] = recording.folder
    try change([.put(Entry(recording.changed(file: name)))], in: folder)
    let path = try path(of: recording.folder)
    do {
      let file = try system.open(join(path, name), .create)
      try file.sync()
      try system.syncDirectory(path)
    } catch {
      takeBack([.gone(recording.id)], in: folder)
      throw error
    }
    return name
  }

  /// A number is given once, whatever becomes of the folder it was used in.
  func useUp(_ sequence: Int, in id: ItemID) throws(TapeError) {
    let next = sequence < .max ? sequence + 1 : sequence
    let root = try folder(.root)
    if id != .root, root.index.next < next { try change([.next(next)], in: root) }
    // A second place to remember it, written rarely, for when the first is lost: above a hundred,
    // what the trash says is more than was ever given.
    let (trash, given) = (try folder(.trash), max(next, root.index.next))
    if trash.index.next <= given, given > Self.rememberedFrom || trash.index.next > 1 {
      try change([.next(given + 100)], in: trash)
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

  /// The name of its file, if that has changed.
  private func kept(_ recording: Recording) throws(TapeError) -> String? {
    // Where it is the card knows better: whoever wrote this may not have heard of a move.
    let id = homes[recording.id] ?? recording.folder
    let folder = try folder(id)
    guard let old = folder.index.entries[recording.id], let before = old.recording,
      let name = before.file
    else { throw Self.notFound }
    let recording = recording.knowing(before)
    if recording.integrity.endIsOwed { owed.next.insert(recording.id) }
    var entry = old
    entry.formerName = nil
    entry.item = .recording(
      recording.changed(folder: id, file: name, thrownFrom: .some(before.thrownFrom)))
    if needsNewTags(recording, before), old.intent == nil {
      if before.isSettled {
        entry.intent = .retagging
      } else {
        // While the index says that it is not over, a cut is mended as that of a take.
        retag(recording, at: join(try path(of: id), name))
      }
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
      let file = try system.entry(join(try path(of: folder.index.id), name))
      if let file, file.byteCount > longestCopyBytes { return name }
    }
    return try freeName(in: folder, except: name) {
      FileName.recording(
        sequence: recording.sequence, title: recording.title,
        ending: FileName.parts(name).ending, number: $0)
    }
  }

  /// Writes down an entry under a new name, then gives its file that name. Should power be cut in
  /// between, the entry knows both.
  func put(
    _ entry: Entry, named new: String, before old: String, in folder: OpenFolder
  ) throws(TapeError) {
    if new == old {
      try change([.put(entry)], in: folder)
      if entry.intent == .retagging { finishTags(of: entry, in: folder) }
      return
    }
    let path = try path(of: folder.index.id)
    var entry = entry.withFileName(new)
    entry.formerName = old
    let before = folder.index.entries[entry.id]
    try change([.put(entry)], in: folder)
    do {
      try system.rename(join(path, old), to: join(path, new))
      try syncAfterRenaming(join(path, old), to: join(path, new), in: path)
    } catch {
      if let before { takeBack([.put(before)], in: folder) }
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

  /// What cannot be made safe is undone.
  private func syncAfterRenaming(
    _ old: String, to new: String, in path: String
  ) throws(TapeError) {
    do { try system.syncDirectory(path) } catch {
      try system.rename(new, to: old)
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
    // Otherwise the directory keeps the name it has: no title is worth what is in it.
    try put(entry, named: new, before: name, in: folder)
    if entry.folder != nil { nameInside(id, title) }
    return .renamed(id, name: title, file: new)
  }

  /// A folder knows its own name as well, for when the folder it is in forgets. Nice to have.
  private func nameInside(_ id: ItemID, _ title: String) {
    do { try change([.name(title)], in: id) } catch { reread(id) }
  }

  /// The take never came to be. A file with sound in it stays, and is found by recovery.
  func forget(_ id: ItemID) {
    running.remove(id)
    do {
      let (folder, entry) = try home(of: id)
      if entry.recording?.isSettled != false { return }
      let path = join(try path(of: folder.index.id), entry.fileName)
      if let file = try system.entry(path) {
        guard file.kind == .file, file.byteCount == 0 else { return }
        try removeFile(of: entry, in: folder)
      }
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

  /// With a name that somebody gave it.
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
  /// Whoever wrote this may not have heard yet that its file has got the end it was owed.
  fileprivate func knowing(_ before: Recording) -> Recording {
    guard integrity.endIsOwed, before.isSettled, !before.integrity.endIsOwed else { return self }
    return changed(sound: before.sound, integrity: before.integrity)
  }
}
