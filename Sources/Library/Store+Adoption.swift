// Adopts files and directories that no index knows: recordings whose index is lost, items that were
// moved or renamed with a file manager, and other sound copied to the card. Sound is adopted under
// its own identity if that is free; anything else is left alone. Runs on the card's thread.

import Recorder
import Tape

extension Store {
  // MARK: Directories

  func adopt(folder stray: Recovery.Stray, _ state: inout Recovery) throws(TapeError) {
    let parent = try folder(stray.folder)
    let path = join(try path(of: stray.folder), stray.name)
    guard try system.entry(path)?.kind == .directory, !parent.index.isTaken(stray.name) else {
      return
    }
    let known = try files.identity(at: path)
    if let id = known?.id, let missing = state.missing.removeValue(forKey: id) {
      return try follow(missing.entry, from: missing.folder, to: stray, &state)
    }
    // A copied folder needs a new identity, and so does everything in it.
    let isCopy = known.map { tree[$0.id] != nil || $0.id == .root || $0.id == .trash } ?? false
    let id = isCopy ? freshID() : known?.id ?? freshID()
    // Where directories are not renamed with their folders, the index knows the name better.
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
    // Reading the folder counts what is in it.
    _ = try self.folder(id)
    state.left.append(id)
  }

  /// Updates the entry of a directory that was moved or renamed by hand.
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
    summaries[entry.id] = nil
    if let folder = moved.folder {
      send(.found(.folder(folder, path: trail(to: stray.folder))))
    }
    state.left.append(entry.id)
  }

  /// Starts an index for a directory; index files in it are set aside.
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

  /// Collects the identities in use first, then adopts strays of one folder at a time.
  func compareOrTakeIn(_ state: inout Recovery) {
    if state.taken == nil {
      (state.taken, state.leftToCompare) = ([], [.trash, .root])
      return
    }
    if let id = state.leftToCompare.popLast() { return compare(id, &state) }
    guard let first = state.strays.first else { return }
    let some = Array(state.strays.prefix { $0.folder == first.folder }.prefix(16))
    state.strays.removeFirst(some.count)
    do { try adopt(some, in: first.folder, &state) } catch {
      state.isPartial = true
      _ = notice(of: error)
    }
    if state.strays.isEmpty { state.taken = nil }
  }

  private func compare(_ id: ItemID, _ state: inout Recovery) {
    do {
      try visit(id) { folder in
        for entry in folder.index.entries.values where state.missing[entry.id] == nil {
          if entry.folder != nil {
            state.leftToCompare.append(entry.id)
          } else {
            state.taken?.insert(entry.id)
          }
        }
      }
    } catch {
      state.isPartial = true
    }
  }

  private func adopt(
    _ strays: [Recovery.Stray], in id: ItemID, _ state: inout Recovery
  ) throws(TapeError) {
    let folder = try folder(id)
    var changes: [IndexChange] = []
    var events: [CardEvent] = []
    for stray in strays where stray.isFree || !folder.index.isTaken(stray.name) {
      guard let find = examine(stray) else { continue }
      var recording = find.recording
      if let fact = find.track, fact.isOther {
        // The recording it belongs to may be among those just found.
        if !changes.isEmpty { try change(changes, in: folder) }
        changes = []
        if try attach(find, as: fact, in: folder) { continue }
        // Its recording may be found elsewhere.
        if state.missing[recording.id] != nil { recording = recording.copied(as: freshID()) }
      } else if let brought = find.id, let missing = state.missing.removeValue(forKey: brought) {
        try follow(missing.entry, from: missing.folder, to: find)
        continue
      }
      if state.taken?.insert(recording.id).inserted == false {
        recording = recording.copied(as: freshID())
      }
      if let number = recording.sequence { try useUp(number, in: id) }
      homes[recording.id] = folders[id] == nil ? nil : id
      changes.append(.put(Entry(recording)))
      // Of other files it is computed when they are verified: there may be a whole library of them.
      if find.isRepaired { unhashed.append(Unhashed(id: recording.id, folder: id)) }
      let isMended = recording.stage == .recovered
      let path = trail(to: id)
      events.append(
        .found(isMended ? .recovered(recording, path: path) : .adopted(recording, path: path)))
    }
    if !changes.isEmpty { try change(changes, in: folder) }
    for event in events { send(event) }
  }

  /// Adds a file to the recording whose track it is, if that is in the folder and lacks it.
  private func attach(
    _ find: Recovery.Find, as fact: TrackFact, in folder: OpenFolder
  ) throws(TapeError) -> Bool {
    guard let id = find.id, var entry = folder.index.entries[id], let recording = entry.recording,
      recording.isSettled
    else { return false }
    let plan = TrackPlan(name: fact.name, ending: FileName.split(find.stray.name).ending)
    let track = Track(fact.number, plan, sound: find.recording.sound)
    var tracks = recording.tracks
    guard track.isBelievable, track.fileName(besides: entry.fileName) == find.stray.name,
      !tracks.others.contains(where: { $0.number == track.number })
    else { return false }
    tracks.others = (tracks.others + [track]).sorted { $0.number < $1.number }
    let whole = recording.with(tracks)
    entry.item = .recording(whole)
    try change([.put(entry)], in: folder)
    send(.found(.closed(whole)))
    return true
  }

  /// Moves the entry of a file that was moved or renamed by hand, with what users typed.
  private func follow(
    _ entry: Entry, from source: ItemID, to find: Recovery.Find
  ) throws(TapeError) {
    guard let old = entry.recording else { return }
    let name = find.stray.name
    func title(_ name: String) -> String {
      old.sequence != nil ? FileName.parts(name).title : FileName.split(name).stem
    }
    let isSame = title(name) == title(entry.fileName)
    let landing = Landing(name: name, title: isSame ? old.title : title(name))
    let moved = entry.placed(in: find.stray.folder, landing: landing)
    try change([.put(moved)], in: find.stray.folder)
    if source != find.stray.folder { try change([.gone(entry.id)], in: source) }
    homes[entry.id] = find.stray.folder
    if let recording = moved.recording {
      send(.found(.adopted(recording, path: trail(to: find.stray.folder))))
    }
  }

  /// Identifies a file; nil if it is not sound that can be played.
  private func examine(_ stray: Recovery.Stray) -> Recovery.Find? {
    do {
      let path = join(try path(of: stray.folder), stray.name)
      system.forgetUnwritten(path)
      let file = try system.open(path, .read)
      let examination = try Repair.examine(file)
      switch examination.verdict {
      case .whole: return try own(stray, file, examination, repaired: nil)
      case .repairable:
        let report = try Repair.repair(try system.open(path, .change))
        return try own(stray, file, report.examination, repaired: report.cutByteCount)
      case .foreign: return try foreign(stray, at: path, modified: try file.modified())
      case .noSound, .chained: return nil
      }
    } catch {
      // Left alone: the next start examines it again.
      return nil
    }
  }

  /// A file of a kind that Reel records.
  private func own(
    _ stray: Recovery.Stray, _ file: System.File, _ examination: Repair.Examination,
    repaired cut: Int64?
  ) throws(TapeError) -> Recovery.Find {
    let tags = try Tags.read(from: file) ?? Tags()
    let sound = try Sound(of: file, examination)
    let found = find(stray, tags, sound, modified: try file.modified(), repaired: cut)
    if cut == nil { return found }
    let recording = try found.recording.asLong(as: file, examination)
    // If this fails, the file says what it said, and its entry says what is true.
    retag(recording, named: stray.name, in: stray.folder)
    return Recovery.Find(
      stray: stray, recording: recording, id: found.id, track: found.track, isRepaired: true)
  }

  /// Sound of another kind, if libsndfile or libopusfile can read it.
  private func foreign(
    _ stray: Recovery.Stray, at path: String, modified: Int64
  ) throws(TapeError) -> Recovery.Find? {
    guard let file = try system.plainFile(path) else { return nil }
    let size = try file.byteCount()
    let reader = try SoundReader.open(file)
    guard let frames = reader.frames, frames > 0, reader.sampleRate > 0 else { return nil }
    let sound = Sound(
      frames: frames, rate: reader.sampleRate, channels: reader.channels, sizeBytes: size)
    return find(stray, reader.tags, sound, modified: modified, repaired: nil)
  }

  private func find(
    _ stray: Recovery.Stray, _ tags: Tags, _ sound: Sound, modified: Int64, repaired cut: Int64?
  ) -> Recovery.Find {
    let id = tags.id.flatMap { ItemID($0) }
    let sequence = number(of: stray.name, tags)
    let facts = RecordingFacts(tags)
    var integrity = facts.integrity
    integrity.device = tags.device ?? ""
    if let cut { (integrity.stopReason, integrity.recoveredCutBytes) = (.cut, cut) }
    let isOther = facts.track?.isOther ?? false
    let named = isOther ? FileName.withoutTrack(stray.name) : stray.name
    let title = title(of: named, sequence, tags)
    var recording = Recording(
      id: id ?? freshID(), folder: stray.folder, sequence: sequence, title: title,
      titleIsDefault: facts.titleIsDefault && title == tags.title,
      began: moment(tags, facts, otherwise: WallTime(milliseconds: modified / 1_000_000)),
      stage: cut == nil && !facts.isRecovered ? .finished : .recovered, file: stray.name,
      sound: sound,
      marks: tags.marks(rate: sound.rate),
      details: tags.details, integrity: integrity,
      continues: facts.continues == id ? nil : facts.continues, part: facts.part)
    recording.cutToLength()
    if let track = facts.track { recording.tracks = Tracks(firstName: track.name) }
    return Recovery.Find(stray: stray, recording: recording, id: id, track: facts.track)
  }

  /// A file's sequence number; nil for sound that Reel did not record, whose name may begin with a
  /// date.
  func number(of name: String, _ tags: Tags) -> Int? {
    guard tags.id.flatMap({ ItemID($0) }) != nil else { return nil }
    if let sequence = tags.sequence, Recording.sequences.contains(sequence) { return sequence }
    return FileName.parts(name).sequence
  }

  /// The title in the tags, unless the file was renamed since.
  private func title(of name: String, _ sequence: Int?, _ tags: Tags) -> String {
    let own = sequence != nil ? FileName.parts(name).title : FileName.split(name).stem
    if let title = tags.title.flatMap(Text.title) {
      let whole = FileName.recording(
        sequence: sequence, title: title, ending: FileName.split(name).ending)
      if FileName.directory(title: title) == own || whole == name { return title }
    }
    return Text.title(own) ?? "Untitled"
  }

  /// When the sound began, as far as its file tells.
  func moment(_ tags: Tags, otherwise: WallTime) -> Moment {
    let moment = moment(tags, RecordingFacts(tags), otherwise: otherwise)
    return Moment(
      boot: .root, instant: Instant(nanoseconds: 0), wall: moment.wall, quality: moment.quality)
  }

  private func moment(_ tags: Tags, _ facts: RecordingFacts, otherwise: WallTime) -> Moment {
    let date = tags.date.flatMap { WallTime(iso8601: $0) }
    // Another program may have changed the date.
    let isExact = facts.wall.map { CalendarDate($0, utcOffsetSeconds: 0).iso8601 } == tags.date
    let told = date != nil && isExact ? facts.wall : date
    let quality: ClockQuality =
      switch tags.timeQuality {
      case .synchronised: .synchronised
      case .corrected: .corrected
      case .unsynchronised, nil: told == nil ? .synchronised : .unsynchronised
      }
    return Moment(
      boot: tags.bootID.flatMap { ItemID($0) } ?? .root,
      instant: Instant(nanoseconds: Int64(clamping: tags.monotonicNanoseconds ?? 0)),
      wall: told ?? otherwise, quality: quality)
  }
}

extension Recording {
  /// The same recording with another identity.
  fileprivate func copied(as id: ItemID) -> Recording {
    Recording(
      id: id, folder: folder, sequence: sequence, title: title, titleIsDefault: titleIsDefault,
      began: began, stage: stage, file: file, sound: sound, isHeard: isHeard, marks: marks,
      details: details, integrity: integrity, part: part
    ).with(tracks)
  }
}

extension RecordingFacts {
  init(_ tags: Tags) { self.init(tags.facts.map { Fact(key: $0.key, value: $0.value) }) }
}

extension Tags {
  func marks(rate: Int) -> [Recorder.Mark] {
    marks.map { Recorder.Mark(frame: $0.frame(rate: rate), name: $0.name) }
  }

  /// What people typed about the recording, as far as it is valid.
  var details: Recording.Details {
    var details = Recording.Details()
    for (field, text) in [(RecordingField.notes, notes), (.place, place), (.speaker, speaker)] {
      details[field] = text.flatMap(field.cleaned) ?? ""
    }
    return details
  }
}
