// Files and directories that no index knows: recordings whose index is lost, what somebody moved or
// renamed with a file manager, and sound of other kinds dropped on the card. What is sound is taken
// in, under its own identity if that is free; what is not is left alone.

import Recorder
import Tape

extension Store {
  // MARK: Directories

  func takeIn(folder stray: Recovery.Stray, _ state: inout Recovery) throws(TapeError) {
    let parent = try folder(stray.folder)
    let path = join(try path(of: stray.folder), stray.name)
    guard try system.entry(path)?.kind == .directory, !parent.index.isTaken(stray.name) else {
      return
    }
    let known = try files.identity(at: path)
    if let id = known?.id, let missing = state.missing.removeValue(forKey: id) {
      return try follow(missing.entry, from: missing.folder, to: stray, &state)
    }
    // A copy of a folder needs an identity of its own, and so does all that is in it.
    let isCopy = known.map { tree[$0.id] != nil || $0.id == .root || $0.id == .trash } ?? false
    let id = isCopy ? freshID() : known?.id ?? freshID()
    // Where directories keep their names, theirs says little.
    let name = known.map { known in
      let isSame = FileName.directory(title: known.name) == stray.name
      return isSame || !system.renamesFoldersSafely ? known.name : stray.name
    }
    let folder = Folder(
      id: id, parent: stray.folder, name: name ?? stray.name, directory: stray.name)
    try change([.put(Entry(folder))], in: parent)
    tree[id] = Branch(parent: stray.folder, directory: stray.name)
    if isCopy || known == nil { try beginIndex(of: id, name: folder.name, at: path) }
    send(.found(.folder(folder, path: trail(to: stray.folder))))
    // What is in it already is counted when it is read.
    _ = try self.folder(id)
    state.left.append(id)
  }

  /// A directory that somebody moved or renamed.
  private func follow(
    _ entry: Entry, from source: ItemID, to stray: Recovery.Stray, _ state: inout Recovery
  ) throws(TapeError) {
    let from = try folder(source)
    guard from.index.entries[entry.id] != nil else { return }
    let isSame =
      entry.fileName == stray.name || FileName.directory(title: entry.title) == stray.name
    let landing = Landing(name: stray.name, title: isSame ? entry.title : stray.name)
    let moved = entry.placed(in: stray.folder, landing: landing)
    try change([.put(moved)], in: stray.folder)
    if source != stray.folder { try change([.gone(entry.id)], in: from) }
    tree[entry.id] = Branch(parent: stray.folder, directory: stray.name)
    tallies[entry.id] = nil
    if let folder = moved.folder {
      send(.found(.folder(folder, path: trail(to: stray.folder))))
    }
    state.left.append(entry.id)
  }

  /// An index for a directory that has none of its own.
  private func beginIndex(of id: ItemID, name: String, at path: String) throws(TapeError) {
    let folder = OpenFolder(FolderIndex(id: id, name: name))
    var own: [String] = []
    for name in FileName.slots + [FileName.journal] where try system.entry(join(path, name)) != nil
    {
      own.append(name)
    }
    try files.setAside(OpenFolder.Damage(files: own), of: folder, at: path)
  }

  func freshID() -> ItemID {
    var generator = SystemRandomNumberGenerator()
    return ItemID(high: generator.next(), low: generator.next())
  }

  // MARK: Files

  /// First it is found out which identities are taken, then the strays of one folder are taken in.
  func compareOrTakeIn(_ state: inout Recovery) {
    if state.taken == nil {
      (state.taken, state.leftToCompare) = ([], [.trash, .root])
      return
    }
    if let id = state.leftToCompare.popLast() { return compare(id, &state) }
    guard let first = state.strays.first else { return }
    let some = Array(state.strays.prefix { $0.folder == first.folder }.prefix(16))
    state.strays.removeFirst(some.count)
    do { try takeIn(some, in: first.folder, &state) } catch {
      state.isPartial = true
      _ = notice(of: error)
    }
    if state.strays.isEmpty { state.taken = nil }
  }

  private func compare(_ id: ItemID, _ state: inout Recovery) {
    let isKnown = folders[id] != nil
    do {
      let folder = try folder(id)
      for entry in folder.index.entries.values {
        if entry.folder != nil {
          if state.missing[entry.id] == nil { state.leftToCompare.append(entry.id) }
        } else if state.missing[entry.id] == nil {
          state.taken?.insert(entry.id)
        }
      }
      if !isKnown, folder.uncounted.isEmpty { drop(id) }
    } catch {
      state.isPartial = true
    }
  }

  private func takeIn(
    _ strays: [Recovery.Stray], in id: ItemID, _ state: inout Recovery
  ) throws(TapeError) {
    let folder = try folder(id)
    var changes: [IndexChange] = []
    var events: [CardEvent] = []
    for stray in strays where !folder.index.isTaken(stray.name) {
      guard let find = look(at: stray) else { continue }
      if let brought = find.id, let missing = state.missing.removeValue(forKey: brought) {
        try follow(missing.entry, from: missing.folder, to: find)
        continue
      }
      var recording = find.recording
      if state.taken?.insert(recording.id).inserted == false {
        recording = recording.copied(as: freshID())
      }
      try useUp(recording.sequence, in: id)
      homes[recording.id] = folders[id] == nil ? nil : id
      changes.append(.put(Entry(recording)))
      let isMended = recording.stage == .recovered
      let path = trail(to: id)
      events.append(
        .found(isMended ? .recovered(recording, path: path) : .adopted(recording, path: path)))
    }
    if !changes.isEmpty { try change(changes, in: folder) }
    for event in events { send(event) }
  }

  /// A file that somebody moved or renamed: what people typed goes with it.
  private func follow(
    _ entry: Entry, from source: ItemID, to find: Recovery.Find
  ) throws(TapeError) {
    guard let old = entry.recording else { return }
    let name = find.stray.name
    let expected = FileName.parts(entry.fileName).title
    let isSame = FileName.parts(name).title == expected
    let landing = Landing(name: name, title: isSame ? old.title : FileName.parts(name).title)
    let moved = entry.placed(in: find.stray.folder, landing: landing)
    try change([.put(moved)], in: find.stray.folder)
    if source != find.stray.folder { try change([.gone(entry.id)], in: source) }
    homes[entry.id] = find.stray.folder
    if let recording = moved.recording {
      send(.found(.adopted(recording, path: trail(to: find.stray.folder))))
    }
  }

  /// What a file is; nil when it is no sound that can be played.
  private func look(at stray: Recovery.Stray) -> Recovery.Find? {
    do {
      let path = join(try path(of: stray.folder), stray.name)
      system.forgetUnwritten(path)
      let file = try system.open(path, .read)
      let examination = try Repair.examine(file)
      switch examination.verdict {
      case .whole: return try opus(stray, file, examination, mended: nil)
      case .mendable:
        let report = try Repair.mend(try system.open(path, .change))
        return try opus(stray, file, report.examination, mended: report.cutByteCount)
      case .foreign: return try foreign(stray, at: path, modified: try file.modified())
      case .noSound, .chained: return nil
      }
    } catch {
      // Left alone: it will be looked at again at the next start.
      return nil
    }
  }

  private func opus(
    _ stray: Recovery.Stray, _ file: System.File, _ examination: Repair.Examination,
    mended cut: Int64?
  ) throws(TapeError) -> Recovery.Find {
    let tags = try Tags.read(from: file) ?? Tags()
    let sound = Sound(
      frames: examination.frames, channels: tags.channels ?? 1, sizeBytes: try file.byteCount())
    let found = find(stray, tags, sound, modified: try file.modified(), mended: cut)
    if cut == nil { return found }
    let recording = try found.recording.asLong(as: file, examination)
    return Recovery.Find(stray: stray, recording: recording, id: found.id)
  }

  /// Sound of another kind, if libsndfile or libopusfile can read it.
  private func foreign(
    _ stray: Recovery.Stray, at path: String, modified: Int64
  ) throws(TapeError) -> Recovery.Find? {
    guard let directory, let size = try system.entry(path)?.byteCount else { return nil }
    let reader = try SoundReader.open(join(directory, path))
    guard let frames = reader.frames, frames > 0, reader.sampleRate > 0 else { return nil }
    let sound = Sound(
      frames: frames, rate: reader.sampleRate, channels: reader.channels, sizeBytes: size)
    return find(stray, reader.tags, sound, modified: modified, mended: nil)
  }

  private func find(
    _ stray: Recovery.Stray, _ tags: Tags, _ sound: Sound, modified: Int64, mended cut: Int64?
  ) -> Recovery.Find {
    let parts = FileName.parts(stray.name)
    let sequence = tags.sequence.flatMap { (1...999_999_999).contains($0) ? $0 : nil }
    let id = tags.id.flatMap { ItemID($0) }
    var integrity = Integrity(device: tags.device ?? "")
    if let cut { (integrity.stopReason, integrity.recoveredCutBytes) = (.cut, cut) }
    let recording = Recording(
      id: id ?? freshID(), folder: stray.folder, sequence: sequence ?? parts.sequence ?? 0,
      title: title(of: parts, tags), began: moment(tags, modified: modified),
      stage: cut == nil ? .finished : .recovered, file: stray.name, sound: sound,
      marks: tags.marks.map { Mark(frame: $0.frame, name: $0.name) }, integrity: integrity)
    return Recovery.Find(stray: stray, recording: recording, id: id)
  }

  /// That of the file's tags says more, unless somebody gave the file another name since.
  private func title(
    of parts: (sequence: Int?, title: String, ending: String), _ tags: Tags
  ) -> String {
    if let title = tags.title.flatMap(Text.title), FileName.directory(title: title) == parts.title {
      return title
    }
    return Text.title(parts.title) ?? "Untitled"
  }

  private func moment(_ tags: Tags, modified: Int64) -> Moment {
    let told = tags.date.flatMap { WallTime(iso8601: $0) }
    let quality: ClockQuality =
      switch tags.timeQuality {
      case .synchronised: .synchronised
      case .corrected: .corrected
      case .unsynchronised, nil: told == nil ? .synchronised : .unsynchronised
      }
    return Moment(
      boot: tags.bootID.flatMap { ItemID($0) } ?? .root,
      instant: Instant(nanoseconds: Int64(clamping: tags.monotonicNanoseconds ?? 0)),
      wall: told ?? WallTime(milliseconds: modified / 1_000_000), quality: quality)
  }
}

extension Recording {
  /// Another recording of the same sound.
  fileprivate func copied(as id: ItemID) -> Recording {
    Recording(
      id: id, folder: folder, sequence: sequence, title: title, titleIsDefault: titleIsDefault,
      began: began, stage: stage, file: file, sound: sound, isHeard: isHeard, marks: marks,
      integrity: integrity, part: part)
  }
}
