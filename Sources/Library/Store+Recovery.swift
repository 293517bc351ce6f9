// Recovery, folder by folder, in the background on the card's thread: repairs takes that were cut
// short, adopts files without an entry, and drops entries without a file. It must delete nothing
// but its own part files and empty files of takes. A second run changes nothing. Running takes are
// left alone.

import Recorder
import Tape

extension Store {
  /// Runs one slice; false if nothing is left to do.
  func recover() -> Bool {
    guard var state = recovery, phase == .open, !isReadOnly else { return false }
    let isGoingOn = step(&state)
    recovery = isGoingOn ? state : nil
    return isGoingOn
  }

  private func step(_ state: inout Recovery) -> Bool {
    if let id = state.left.popLast() {
      examine(id, &state)
    } else if let stray = state.strayFolders.popLast() {
      attempt(&state) { state throws(TapeError) in try adopt(folder: stray, &state) }
    } else if !state.strays.isEmpty {
      compareOrTakeIn(&state)
    } else if let (id, missing) = state.missing.first {
      state.missing[id] = nil
      if !state.isPartial {
        attempt(&state) { _ throws(TapeError) in
          try letGo(missing.entry, in: missing.folder)
        }
      }
    } else if let id = miscounted.popFirst() {
      attempt(&state) { _ throws(TapeError) in _ = try folder(id) }
    } else {
      return false
    }
    return true
  }

  /// A failure with one item must not stop the recovery of the others.
  private func attempt(
    _ state: inout Recovery, _ body: (inout Recovery) throws(TapeError) -> Void
  ) {
    do { try body(&state) } catch {
      state.isPartial = true
      _ = notice(of: error)
    }
  }

  // MARK: One folder

  private func examine(_ id: ItemID, _ state: inout Recovery) {
    let isKnown = folders[id] != nil
    do {
      let folder = try folder(id)
      try examine(folder, &state)
      noteForManifest(folder)
      if !isKnown, folder.uncounted.isEmpty, !wantsSnapshots.contains(id) { drop(id) }
    } catch {
      state.isPartial = true
      _ = notice(of: error)
    }
  }

  private func examine(_ folder: OpenFolder, _ state: inout Recovery) throws(TapeError) {
    let id = folder.index.id
    let path = try path(of: id)
    if id == .trash, try system.entry(path) == nil { return }
    try setAside(in: folder)
    if folder.hasTornLine {
      send(.found(.tornLine(folder: id, bytes: folder.tornBytes)))
      // With a new generation, a lost line cannot reappear.
      try files.writeSnapshot(of: folder, at: path)
    }
    var present = try listing(of: path, &state)
    for entry in folder.index.entries.values.sorted(by: { $0.id < $1.id }) {
      let name = FileName.normalised(entry.fileName)
      // A symbolic link, or a file in place of a folder, is not the entry's item.
      let isOther = present[name].map { $0.kind != entry.kind } ?? false
      let file = isOther ? nil : present.removeValue(forKey: name)
      let others = isOther ? [] : takeOthers(of: entry, from: &present)
      if let old = entry.formerName {
        for name in entry.fileNames(old) { present[FileName.normalised(name)] = nil }
      }
      if running.contains(entry.id) { continue }
      attempt(&state) { state throws(TapeError) in
        if isOther, entry.recording?.isSettled != false {
          try letGo(entry, from: folder)
        } else {
          try examine(entry, as: file, others, in: folder, &state)
        }
      }
    }
    // Files of other tracks come last: their recording, if it is a stray, is adopted first.
    let left = present.map { (FileName.isTrack($0.key) ? 1 : 0, $0.key, $0.value) }
    for (_, name, entry) in left.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      // A part file of an interrupted import or export; the source still exists. Imports and
      // exports of this run have ended before recovery gets its turn.
      if entry.kind == .file, PartName.isOne(name) {
        attempt(&state) { _ throws(TapeError) in try system.remove(join(path, name)) }
      } else {
        sort(entry, in: id, &state)
      }
    }
  }

  private func examine(
    _ entry: Entry, as file: FileEntry?, _ others: [FileEntry], in folder: OpenFolder,
    _ state: inout Recovery
  ) throws(TapeError) {
    if let recording = entry.recording, !recording.isSettled {
      if try !recover(entry, recording, isThere: file != nil, in: folder) {
        for other in others { sort(other, in: folder.index.id, &state) }
      }
    } else if let file {
      if entry.folder != nil { state.left.append(entry.id) }
      if entry.recording?.integrity.endIsOwed == true {
        homes[entry.id] = folder.index.id
        owed.next.insert(entry.id)
      }
      if !file.rawName.elementsEqual(entry.fileName.utf8), let name = file.name {
        try respell(entry, as: name, in: folder)
      }
      if others.count + 1 < entry.fileCount { try dropTracks(of: entry.id, in: folder) }
    } else {
      state.missing[entry.id] = (folder.index.id, entry)
      // If its first file is found elsewhere, these are not with it.
      for other in others { sort(other, in: folder.index.id, isFree: true, &state) }
    }
  }

  /// Takes the files of a recording's other tracks out of those that no entry has claimed.
  private func takeOthers(
    of entry: Entry, from present: inout [String: FileEntry]
  ) -> [FileEntry] {
    entry.fileNames.dropFirst().compactMap { name in
      let key = FileName.normalised(name)
      guard present[key]?.kind == .file, let file = present.removeValue(forKey: key) else {
        return nil
      }
      return file
    }
  }

  /// Drops the tracks whose file a person has removed.
  private func dropTracks(of id: ItemID, in folder: OpenFolder) throws(TapeError) {
    guard var entry = folder.index.entries[id], let recording = entry.recording else { return }
    var tracks = recording.tracks
    let directory = try path(of: folder.index.id)
    var kept: [Track] = []
    for track in tracks.others {
      let path = join(directory, track.fileName(besides: entry.fileName))
      if try system.entry(path)?.kind == .file {
        kept.append(track)
      } else {
        let why = "The file of the track “\(track.plan.name)” of “\(recording.title)” is gone."
        send(.found(.left(folder: folder.index.id, why: why)))
      }
    }
    tracks.others = kept
    let changed = recording.with(tracks)
    entry.item = .recording(changed)
    try change([.put(entry)], in: folder)
    send(.found(.closed(changed)))
  }

  /// Another system wrote the same name in other code points; the entry takes that spelling.
  private func respell(_ entry: Entry, as name: String, in folder: OpenFolder) throws(TapeError) {
    let respelled = entry.withFileName(name)
    try change([.put(respelled)], in: folder)
    switch respelled.item {
    case .recording: send(.take(entry.id, .made(file: name)))
    case .folder(let inside):
      tree[inside.id] = Branch(parent: folder.index.id, directory: name)
      send(.found(.folder(inside, path: trail(to: folder.index.id))))
    }
  }

  /// A directory's entries by normalised name. Entries whose names are not valid UTF-8 get new
  /// ones.
  private func listing(
    of path: String, _ state: inout Recovery
  ) throws(TapeError) -> [String: FileEntry] {
    var present: [String: FileEntry] = [:]
    for entry in try system.list(path) {
      if let name = entry.name {
        present[FileName.normalised(name)] = entry
      } else {
        attempt(&state) { _ throws(TapeError) in
          let named = try self.named(entry, in: path)
          if let name = named.name { present[name] = named }
        }
      }
    }
    return present
  }

  /// Renames an entry whose name is not valid UTF-8, so that it can be opened.
  private func named(_ entry: FileEntry, in path: String) throws(TapeError) -> FileEntry {
    let readable = String(decoding: entry.rawName, as: UTF8.self)
    let (_, title, ending) = FileName.parts(readable)
    var (name, number) = ("", 0)
    repeat {
      number += 1
      name = FileName.recording(sequence: 0, title: title, ending: ending, number: number)
    } while try system.entry(join(path, name)) != nil
    try system.rename(rawName: entry.rawName, in: path, to: name)
    return FileEntry(
      rawName: Array(name.utf8), kind: entry.kind, byteCount: entry.byteCount,
      modified: entry.modified)
  }

  private func sort(
    _ entry: FileEntry, in folder: ItemID, isFree: Bool = false, _ state: inout Recovery
  ) {
    guard let name = entry.name, !FileName.isOwn(name) else { return }
    let stray = Recovery.Stray(folder: folder, name: name, isFree: isFree)
    switch entry.kind {
    case .directory: if !Recovery.isForeign(name) { state.strayFolders.append(stray) }
    case .file:
      if FileName.soundEndings.contains(FileName.parts(name).ending.lowercased()),
        entry.byteCount > 0
      {
        state.strays.append(stray)
      }
    // Symbolic links are not followed.
    case .other: break
    }
  }

  // MARK: An entry whose file is gone

  private func letGo(_ entry: Entry, in id: ItemID) throws(TapeError) {
    let folder = try folder(id)
    // It may have changed since it was found missing.
    guard let now = folder.index.entries[entry.id], now.fileName == entry.fileName,
      try system.entry(join(try path(of: id), entry.fileName)) == nil
    else { return }
    try letGo(now, from: folder)
  }

  private func letGo(_ entry: Entry, from folder: OpenFolder) throws(TapeError) {
    let id = folder.index.id
    let path = trail(to: id)
    try change([.gone(entry.id)], in: folder)
    if homes[entry.id] == id { homes[entry.id] = nil }
    if tree[entry.id]?.parent == id { (tree[entry.id], folders[entry.id]) = (nil, nil) }
    send(.found(.vanished([Whereabouts(id: entry.id, path: path, tally: entry.summary.tally)])))
  }
}
