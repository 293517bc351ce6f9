// News from the card. What it has done becomes true in the library here, and whoever asked for it
// is answered.

extension State {
  mutating func hear(_ event: CardEvent, _ turn: inout Turn) {
    switch event {
    case .opened(let report):
      open(report, &turn)
      handOverTakes(&turn)
    case .failed(let why): fail(why, &turn)
    case .listed(let id, let listing):
      library.fill(id, with: listing, &turn)
      expectTimes(of: listing)
    case .unreadable(let id, let why):
      library.setReading(of: id, .failed(why), &turn)
      note(.cardFailed, item: id, why, &turn)
    case .take(let id, let event): hear(event, ofFileOf: id, &turn)
    case .work(let ticket, let event): hear(event, of: ticket, &turn)
    case .found(let finding): hear(finding, &turn)
    case .space(let freeBytes, let totalBytes): hearSpace(freeBytes, totalBytes, &turn)
    case .condition(let condition): hear(condition, &turn)
    case .recycled(let gone):
      card.isRecycling = false
      lose(gone, as: .recycled, &turn)
    }
  }

  private mutating func open(_ report: CardReport, _ turn: inout Turn) {
    if library.phase != .exported { library.phase = .ready }
    library.nextSequence = max(library.nextSequence, report.nextSequence, 1)
    if library.root != nil {
      panel.wayBack = WayBack(
        folders: (panel.place.trail + [panel.place.folder]).filter { $0 != .root },
        selection: panel.place.selection)
      panel.place = Place()
      library.forget(&turn)
      library.recount(.root, report.root, &turn)
      return library.recount(.trash, report.trash, &turn)
    }
    for (id, name, tally) in [
      (ItemID.root, "Recordings", report.root), (ItemID.trash, "Trash", report.trash),
    ] where library.folders[id] == nil {
      let directory = id == .trash ? ".trash" : ""
      library.insert(
        Folder(id: id, parent: nil, name: name, directory: directory, tally: tally.bounded), &turn)
    }
  }

  /// What the card was asked to do is not going to be done.
  private mutating func fail(_ why: String, _ turn: inout Turn) {
    if library.phase == .failed(why) { return }
    library.phase = .failed(why)
    card.isRecycling = false
    note(.cardFailed, item: nil, why, &turn)
    for id in takesWaitingForCard {
      note(.takeFailed, item: nil, why, &turn)
      dropTake(id, &turn)
    }
    for (ticket, pending) in library.pending.sorted(by: { $0.key < $1.key }) {
      library.pending[ticket] = nil
      answer(pending.origin, .failed(why), &turn)
    }
  }

  /// Recordings of this boot, made before the daemon was started again, wait for the clock too.
  private mutating func expectTimes(of listing: Listing) {
    for recording in listing.recordings
    where recording.began.boot == clock.boot && recording.began.quality == .unsynchronised
      && library.recordings[recording.id] != nil && !library.unsettledTimes.contains(recording.id)
    {
      library.unsettledTimes.append(recording.id)
    }
  }

  private mutating func hear(
    _ event: TakeFileEvent, ofFileOf id: ItemID, _ turn: inout Turn
  ) {
    guard let recording = library.recordings[id] else { return }
    switch event {
    case .made(let file): attach(recording, to: file, &turn)
    case .madeElsewhere(let folder, let file):
      guard library.folders[folder] != nil else { return }
      let wished = library.title(of: recording.folder) ?? ""
      library.move(id, to: folder, &turn)
      attach(recording, to: file, &turn)
      note(.takeElsewhere, item: id, wished, &turn)
    case .failed(let why):
      // With a file it goes on: what could not be kept of it now is kept with its end.
      if recording.isSettled || recording.file != nil {
        return wasNotKept(id, why, &turn)
      }
      note(.takeFailed, item: nil, why, &turn)
      dropTake(id, &turn)
    case .kept: wasKept(id)
    }
  }

  private mutating func attach(_ take: Recording, to file: String, _ turn: inout Turn) {
    library.update(take.id, &turn) { $0.file = file }
    if let path = library.place(of: take.id), !take.isSettled {
      turn.emit(.sound(.attach(take.id, path)))
    }
  }

  /// A take for which the card could not make a file: there is nothing to keep.
  private mutating func dropTake(_ id: ItemID, _ turn: inout Turn) {
    if transport.take.running?.id == id { transport.take = .none }
    transport.closing.removeAll { $0 == id }
    turn.emit(.sound(.end(id, at: now, .cardFailed)))
    turn.emit(.card(.forget(id)))
    stepAside(from: id)
    library.remove(id, &turn)
  }

  // MARK: Work

  private mutating func hear(_ event: WorkEvent, of ticket: Int, _ turn: inout Turn) {
    guard let pending = library.pending[ticket] else { return }
    switch event {
    case .progress(let permille):
      let permille = min(max(permille, 0), 1000)
      answer(pending.origin, .working(ticket: ticket, permille: permille), &turn)
    case .failed(let why):
      library.pending[ticket] = nil
      if case .exportMode(true) = pending.work, library.phase == .exported {
        library.phase = .ready
      }
      note(.workFailed, item: pending.work.touches.first, why, &turn)
      answer(pending.origin, .failed(why), &turn)
    case .done(let result):
      library.pending[ticket] = nil
      answer(pending.origin, apply(result, for: pending.origin, &turn), &turn)
    }
  }

  private mutating func apply(
    _ result: WorkResult, for origin: Origin, _ turn: inout Turn
  ) -> Reply {
    switch result {
    case .made(let folder): return add(folder, for: origin, &turn)
    case .renamed(let id, let name, let file): return rename(id, name, file, &turn)
    case .moved(let id, let path, let index, let name, let file):
      move(id, along: path, at: index, name, file, &turn)
      return .done(id)
    case .thrown(let id, let file, let newName):
      throwAway(id, file, newName, &turn)
      return .done(id)
    case .purged(let gone, let left): purge(gone, left: left, &turn)
    case .sorted(let id, let order): library.setOrder(of: id, order, &turn)
    case .searched(let hits): return .found(hits)
    case .imported(let recording):
      adopt(recording, path: [recording.folder], &turn)
      return .done(recording.id)
    case .told(let text): return .told(text)
    case .waveform(let waveform): return .waveform(waveform)
    case .exportMode(true):
      library.phase = .exported
      unload(&turn)
    case .exportMode(false):
      // Whoever had the card may have changed anything on it: it is read afresh.
      library.phase = .opening
      turn.emit(.card(.open))
    }
    return .done(nil)
  }

  private mutating func add(_ folder: Folder, for origin: Origin, _ turn: inout Turn) -> Reply {
    guard let parent = folder.parent, library.folders[parent] != nil, !library.contains(folder.id)
    else { return .done(folder.id) }
    var new = folder
    new.reading = .read
    new.items = ItemOrder()
    new.tally = Tally()
    library.insert(new, &turn)
    if place(of: origin).folder == parent { withPlace(of: origin) { $0.selection = folder.id } }
    return .done(folder.id)
  }

  private mutating func rename(
    _ id: ItemID, _ name: String, _ file: String, _ turn: inout Turn
  ) -> Reply {
    if library.folders[id] != nil {
      library.rename(folder: id, to: name, directory: file, &turn)
    } else {
      library.update(id, &turn) {
        $0.title = name
        $0.titleIsDefault = false
        $0.file = file
      }
    }
    return .done(id)
  }

  private mutating func move(
    _ id: ItemID, along path: [ItemID], at index: Int?, _ name: String, _ file: String,
    _ turn: inout Turn
  ) {
    guard let target = path.last, library.contains(id) else { return }
    stepAside(from: id)
    guard library.folders[target] != nil else {
      if library.holdsTake(id) { return }
      // Restored to where nobody has looked yet: it will be found there.
      let tally = library.recordings[id]?.tally ?? library.folders[id]?.tally ?? Tally()
      library.remove(id, &turn)
      return library.countUnread(tally, along: path, &turn)
    }
    library.move(id, to: target, at: index, &turn) { $0.place(id, name: name, file: file) }
  }

  private mutating func throwAway(
    _ id: ItemID, _ file: String, _ newName: String?, _ turn: inout Turn
  ) {
    guard library.contains(id) else { return }
    if let item = transport.deck.cue?.item, library.isBelow(id, item) { unload(&turn) }
    stepAside(from: id)
    library.move(id, to: .trash, &turn) { $0.throwAway(id, file: file, newName) }
  }

  private mutating func purge(_ gone: [ItemID], left: Tally, _ turn: inout Turn) {
    for id in gone where library.isInTrash(id) && !library.holdsTake(id) {
      stepAside(from: id)
      library.remove(id, &turn)
    }
    if let trash = library.folders[.trash], trash.reading != .read {
      library.recount(.trash, left, &turn)
    }
  }

  // MARK: Findings

  private mutating func hear(_ finding: CardFinding, _ turn: inout Turn) {
    switch finding {
    case .recovered(let recording, let path):
      adopt(recording, path: path, &turn)
      note(.recovered, item: recording.id, recording.title, &turn)
    case .adopted(let recording, let path):
      adopt(recording, path: path, &turn)
      note(.fileAdopted, item: recording.id, recording.title, &turn)
    case .vanished(let gone): lose(gone, as: .fileVanished, &turn)
    case .closed(let recording):
      guard library.recordings[recording.id]?.isSettled == true else { return }
      library.update(recording.id, &turn) {
        ($0.sound, $0.integrity) = (recording.sound, recording.integrity)
        $0.cutToLength()
      }
    case .arrived(let recording, let path): adopt(recording, path: path, &turn)
    case .rebuilt(let folder):
      note(.indexRebuilt, item: folder, library.title(of: folder) ?? "", &turn)
    case .tornLine(let folder, let bytes):
      let name = library.title(of: folder) ?? ""
      note(.indexMended, item: folder, "\(name), \(bytes) bytes", &turn)
    case .folder(let folder, let path): adopt(folder, path: path, &turn)
    case .miscounted(let item):
      let difference = item.tally.boundedDifference
      guard let known = library.folders[item.id] else {
        return library.countUnread(difference, along: item.path, &turn)
      }
      // One that was read knows better what is in it.
      if known.reading != .read { library.recount(item.id, known.tally + difference, &turn) }
    }
  }

  private mutating func adopt(_ folder: Folder, path: [ItemID], _ turn: inout Turn) {
    guard let parent = path.last, library.recordings[folder.id] == nil,
      folder.id != .root, folder.id != .trash
    else { return }
    if let known = library.folders[folder.id] {
      if library.holdsTake(folder.id), known.parent != parent { return }
      guard library.folders[parent] != nil, !library.isBelow(folder.id, parent) else { return }
      if known.parent != parent { library.move(folder.id, to: parent, &turn) }
      library.rename(folder: folder.id, to: folder.name, directory: folder.directory, &turn)
    } else if library.folders[parent] != nil {
      var new = folder
      new.parent = parent
      new.reading = .unread
      new.items = ItemOrder()
      new.tally = folder.tally.bounded
      library.insert(new, &turn)
    } else {
      library.countUnread(folder.tally.bounded, along: path, &turn)
    }
  }

  private mutating func adopt(_ recording: Recording, path: [ItemID], _ turn: inout Turn) {
    library.nextSequence = max(library.nextSequence, recording.sequence.clampedAdding(1))
    guard recording.isSettled else { return }
    if let known = library.recordings[recording.id] {
      guard known.isSettled else { return }
      // Somebody put it elsewhere with a file manager.
      if known.folder != recording.folder, library.folders[recording.folder] != nil {
        stepAside(from: recording.id)
        library.move(recording.id, to: recording.folder, &turn)
      }
      return library.update(recording.id, &turn) { $0.take(recording) }
    }
    if library.folders[recording.folder] == nil || library.folders[recording.id] != nil {
      return library.countUnread(recording.tally, along: path, &turn)
    }
    library.insert(recording, &turn)
  }

  private mutating func lose(_ gone: [Whereabouts], as kind: Notice.Kind, _ turn: inout Turn) {
    for item in gone {
      if let recording = library.recordings[item.id] {
        if !recording.isSettled { continue }
        if transport.deck.cue?.item == item.id { unload(&turn) }
        note(kind, item: nil, recording.title, &turn)
        stepAside(from: item.id)
        library.remove(item.id, &turn)
      } else if let folder = library.folders[item.id], folder.parent != nil {
        if library.holdsTake(item.id) { continue }
        note(kind, item: nil, folder.name, &turn)
        stepAside(from: item.id)
        library.remove(item.id, &turn)
      } else {
        note(kind, item: nil, "", &turn)
        library.countUnread(Tally() - item.tally.bounded, along: item.path, &turn)
      }
    }
  }

  // MARK: Room and health

  private mutating func hearSpace(_ freeBytes: Int64, _ totalBytes: Int64, _ turn: inout Turn) {
    let wasShort = isShortOfSpace
    card.freeBytes = max(0, freeBytes)
    card.totalBytes = max(0, totalBytes)
    if isShortOfSpace, !wasShort, settings.whenFull == .stop {
      let left = Duration.words(seconds: (leftMilliseconds ?? 0) / 1000)
      note(.cardLow, item: nil, "\(left) left", &turn)
    }
    if !isShortOfSpace { acknowledge(.cardLow, &turn) }
    keepAgain(&turn)
  }

  private mutating func hear(_ condition: CardCondition, _ turn: inout Turn) {
    switch condition {
    case .writable:
      card.isReadOnly = false
      acknowledge(.cardReadOnly, &turn)
      keepAgain(&turn)
    case .readOnly:
      if !card.isReadOnly { note(.cardReadOnly, item: nil, "", &turn) }
      card.isReadOnly = true
    case .volatile(let isVolatile):
      if isVolatile, !card.isVolatile { note(.cardVolatile, item: nil, "", &turn) }
      card.isVolatile = isVolatile
    }
  }
}

extension Library {
  fileprivate mutating func place(_ id: ItemID, name: String, file: String) {
    if folders[id] != nil {
      folders[id]?.name = name
      folders[id]?.directory = file
      folders[id]?.thrownFrom = nil
    } else {
      recordings[id]?.title = name
      recordings[id]?.file = file
      recordings[id]?.thrownFrom = nil
    }
  }

  fileprivate mutating func throwAway(_ id: ItemID, file: String, _ newName: String?) {
    if let folder = folders[id] {
      folders[id]?.thrownFrom = folder.parent
      folders[id]?.directory = file
      folders[id]?.name = newName ?? folder.name
    } else {
      let folder = recordings[id]?.folder
      recordings[id]?.thrownFrom = folder
      recordings[id]?.file = file
    }
  }
}

extension Recording {
  /// What the card knows better than we do; how far it was heard stays.
  fileprivate mutating func take(_ other: Recording) {
    title = other.title
    stage = other.stage
    sound = other.sound
    integrity = other.integrity
    file = other.file ?? file
    marks = other.marks
  }
}
