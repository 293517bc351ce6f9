// Recovery, folder by folder, in the background: takes that were cut short are mended, files nobody
// indexed are taken in, entries without a file are let go. It deletes nothing but half files of its
// own and empty ones of takes; a second run changes nothing. Takes of this run are left alone.

import Recorder
import Tape

extension Store {
  /// One slice; false when there is nothing left to do.
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
      attempt(&state) { state throws(TapeError) in try takeIn(folder: stray, &state) }
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

  /// What fails for one thing must not keep the others from being found.
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
      // With a new generation no line that was lost can ever come back.
      try files.writeSnapshot(of: folder, at: path)
    }
    var present = try listing(of: path, &state)
    for entry in folder.index.entries.values.sorted(by: { $0.id < $1.id }) {
      let file = present.removeValue(forKey: FileName.normalised(entry.fileName))
      if let old = entry.formerName { present[FileName.normalised(old)] = nil }
      if running.contains(entry.id) { continue }
      attempt(&state) { state throws(TapeError) in
        try examine(entry, as: file, in: folder, &state)
      }
    }
    for (name, entry) in present.sorted(by: { $0.key < $1.key }) {
      // An import or export that was cut off: its source is where it was, and it has an end here
      // only. Those of this run are over when recovery comes to have its turn.
      if entry.kind == .file, PartName.isOne(name) {
        attempt(&state) { _ throws(TapeError) in try system.remove(join(path, name)) }
      } else {
        sort(entry, in: id, &state)
      }
    }
  }

  private func examine(
    _ entry: Entry, as file: FileEntry?, in folder: OpenFolder, _ state: inout Recovery
  ) throws(TapeError) {
    if let recording = entry.recording, !recording.isSettled {
      try recover(entry, recording, isThere: file != nil, in: folder)
    } else if let file {
      if entry.folder != nil { state.left.append(entry.id) }
      if entry.recording?.integrity.endIsOwed == true {
        homes[entry.id] = folder.index.id
        owed.next.insert(entry.id)
      }
      if !file.rawName.elementsEqual(entry.fileName.utf8), let name = file.name {
        try respell(entry, as: name, in: folder)
      }
    } else {
      state.missing[entry.id] = (folder.index.id, entry)
    }
  }

  /// Another system wrote the very same name in other code points, and by those it is found.
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

  /// By names as the store writes them.
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

  /// Nobody could open it by a name that is no text: it gets one.
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

  private func sort(_ entry: FileEntry, in folder: ItemID, _ state: inout Recovery) {
    guard let name = entry.name, !FileName.isOwn(name) else { return }
    let stray = Recovery.Stray(folder: folder, name: name)
    switch entry.kind {
    case .directory: if !Recovery.isForeign(name) { state.strayFolders.append(stray) }
    case .file:
      if Recovery.endings.contains(FileName.parts(name).ending.lowercased()), entry.byteCount > 0 {
        state.strays.append(stray)
      }
    // Links lead who knows where.
    case .other: break
    }
  }

  // MARK: An entry whose file is gone

  private func letGo(_ entry: Entry, in id: ItemID) throws(TapeError) {
    let folder = try folder(id)
    // It may have changed since it was missed.
    guard let now = folder.index.entries[entry.id], now.fileName == entry.fileName,
      try system.entry(join(try path(of: id), entry.fileName)) == nil
    else { return }
    let path = trail(to: id)
    try change([.gone(entry.id)], in: folder)
    if homes[entry.id] == id { homes[entry.id] = nil }
    if tree[entry.id]?.parent == id { (tree[entry.id], folders[entry.id]) = (nil, nil) }
    send(.found(.vanished([Whereabouts(id: entry.id, path: path, tally: now.tally)])))
  }
}
