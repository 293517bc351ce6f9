// Events from the card. Completed work is applied to the library here, and its origin is answered.

extension State {
  mutating func handle(_ event: CardEvent, _ step: inout Step) {
    switch event {
    case .opened(let report):
      open(report, &step)
      handOverTakes(&step)
    case .failed(let why): fail(why, &step)
    case .listed(let id, let listing):
      library.fill(id, with: listing, &step)
      expectTimes(of: listing)
    case .unreadable(let id, let why):
      library.setReading(of: id, .failed(why), &step)
      note(.cardFailed, item: id, why, &step)
    case .take(let id, let event): handle(event, ofFileOf: id, &step)
    case .work(let ticket, let event): handle(event, of: ticket, &step)
    case .found(let finding): handle(finding, &step)
    case .space(let freeBytes, let totalBytes): handleSpace(freeBytes, totalBytes, &step)
    case .condition(let condition): handle(condition, &step)
    case .recycled(let gone):
      card.isRecycling = false
      lose(gone, as: .recycled, &step)
    }
  }

  private mutating func open(_ report: CardReport, _ step: inout Step) {
    if library.phase != .exported { library.phase = .ready }
    library.nextSequence = max(library.nextSequence, report.nextSequence, 1)
    if library.root != nil {
      panel.placeToRestore = PlaceToRestore(
        folders: (panel.place.trail + [panel.place.folder]).filter { $0 != .root },
        selection: panel.place.selection)
      panel.place = Place()
      library.forget(&step)
      library.recount(.root, report.root, &step)
      return library.recount(.trash, report.trash, &step)
    }
    // A take that began before the root existed is in no list: it is inserted again after the root.
    let early = takesWaitingForCard.compactMap { library.recordings[$0] }
    for take in early { library.remove(take.id, &step) }
    for (id, name, tally) in [
      (ItemID.root, "Recordings", report.root), (ItemID.trash, "Trash", report.trash),
    ] where library.folders[id] == nil {
      let directory = id == .trash ? ".trash" : ""
      library.insert(
        Folder(id: id, parent: nil, name: name, directory: directory, tally: tally.bounded), &step)
    }
    for take in early { library.insert(take, &step) }
  }

  /// The card failed: its pending work and the takes that wait for it cannot be completed.
  private mutating func fail(_ why: String, _ step: inout Step) {
    if library.phase == .failed(why) { return }
    library.phase = .failed(why)
    card.isRecycling = false
    note(.cardFailed, item: nil, why, &step)
    for id in takesWaitingForCard {
      note(.takeFailed, item: nil, why, &step)
      dropTake(id, &step)
    }
    for (ticket, pending) in library.pending.sorted(by: { $0.key < $1.key }) {
      library.pending[ticket] = nil
      answer(pending.origin, .failed(why), &step)
    }
  }

  /// Recordings of this boot from before a restart of the daemon wait for the clock, too.
  private mutating func expectTimes(of listing: Listing) {
    for recording in listing.recordings
    where recording.began.boot == clock.boot && recording.began.quality == .unsynchronised
      && library.recordings[recording.id] != nil && !library.unsettledTimes.contains(recording.id)
    {
      library.unsettledTimes.append(recording.id)
    }
  }

  private mutating func handle(
    _ event: TakeFileEvent, ofFileOf id: ItemID, _ step: inout Step
  ) {
    guard let recording = library.recordings[id] else { return }
    switch event {
    case .made(let file): attach(recording, to: file, &step)
    case .madeElsewhere(let folder, let file):
      guard library.folders[folder] != nil else { return }
      let requested = library.title(of: recording.folder) ?? ""
      library.move(id, to: folder, &step)
      attach(recording, to: file, &step)
      note(.takeElsewhere, item: id, requested, &step)
    case .failed(let why):
      // A take that has a file goes on; its entry is written again later.
      if recording.isSettled || recording.file != nil {
        return wasNotKept(id, why, &step)
      }
      note(.takeFailed, item: nil, why, &step)
      dropTake(id, &step)
    case .kept: wasKept(id)
    }
  }

  private mutating func attach(_ take: Recording, to file: String, _ step: inout Step) {
    library.update(take.id, &step) { $0.setFile(file) }
    if let path = library.place(of: take.id), !take.isSettled {
      step.emit(.sound(.attach(take.id, path)))
    }
  }

  /// Drops a take for which the card could not make a file.
  private mutating func dropTake(_ id: ItemID, _ step: inout Step) {
    if transport.take.running?.id == id { transport.take = .none }
    step.emit(.sound(.end(id, at: now, .cardFailed)))
    step.emit(.card(.forget(id)))
    moveSelection(awayFrom: id)
    library.remove(id, &step)
  }

  // MARK: Work

  private mutating func handle(_ event: WorkEvent, of ticket: Int, _ step: inout Step) {
    guard let pending = library.pending[ticket] else { return }
    switch event {
    case .progress(let permille):
      let permille = min(max(permille, 0), 1000)
      answer(pending.origin, .working(ticket: ticket, permille: permille), &step)
    case .failed(let why):
      library.pending[ticket] = nil
      if case .exportMode(true) = pending.work, library.phase == .exported {
        library.phase = .ready
      }
      if case .makeFolder(let id, _, _) = pending.work { dropOverflow(id, &step) }
      note(.workFailed, item: pending.work.touches.first, why, &step)
      answer(pending.origin, .failed(why), &step)
    case .done(let result):
      library.pending[ticket] = nil
      answer(pending.origin, apply(result, for: pending.origin, &step), &step)
    }
  }

  private mutating func apply(
    _ result: WorkResult, for origin: Origin, _ step: inout Step
  ) -> Reply {
    switch result {
    case .made(let folder): return add(folder, for: origin, &step)
    case .renamed(let id, let name, let file): return rename(id, name, file, &step)
    case .moved(let id, let path, let index, let name, let file):
      move(id, along: path, at: index, name, file, &step)
      return .done(id)
    case .thrown(let id, let file, let newName):
      throwAway(id, file, newName, &step)
      return .done(id)
    case .purged(let gone, let left): purge(gone, left: left, &step)
    case .sorted(let id, let order): library.setOrder(of: id, order, &step)
    case .searched(let hits): return .found(hits)
    case .imported(let recording):
      adopt(recording, path: [recording.folder], &step)
      return .done(recording.id)
    case .told(let text): return .told(text)
    case .waveform(let waveform): return .waveform(waveform)
    case .exportMode(true):
      library.phase = .exported
      unload(&step)
    case .exportMode(false):
      // The computer may have changed anything on the card: it is opened and read again.
      library.phase = .opening
      step.emit(.card(.open))
    }
    return .done(nil)
  }

  private mutating func add(_ folder: Folder, for origin: Origin, _ step: inout Step) -> Reply {
    // `overflow` has already inserted the folder of a take whose own folder was full.
    if library.folders[folder.id] != nil {
      library.rename(folder: folder.id, to: folder.name, directory: folder.directory, &step)
    }
    guard let parent = folder.parent, library.folders[parent] != nil, !library.contains(folder.id)
    else { return .done(folder.id) }
    var new = folder
    new.reading = .read
    new.items = ItemOrder()
    new.tally = Tally()
    library.insert(new, &step)
    if place(of: origin).folder == parent { withPlace(of: origin) { $0.selection = folder.id } }
    return .done(folder.id)
  }

  private mutating func rename(
    _ id: ItemID, _ name: String, _ file: String, _ step: inout Step
  ) -> Reply {
    if library.folders[id] != nil {
      library.rename(folder: id, to: name, directory: file, &step)
    } else {
      library.update(id, &step) {
        $0.title = name
        $0.titleIsDefault = false
        $0.setFile(file)
      }
    }
    return .done(id)
  }

  private mutating func move(
    _ id: ItemID, along path: [ItemID], at index: Int?, _ name: String, _ file: String,
    _ step: inout Step
  ) {
    guard let target = path.last, library.contains(id) else { return }
    moveSelection(awayFrom: id)
    guard library.folders[target] != nil else {
      if library.holdsTake(id) { return }
      // The target has not been read: only its counts change, and reading it will find the item.
      let tally = library.recordings[id]?.tally ?? library.folders[id]?.tally ?? Tally()
      library.remove(id, &step)
      return library.countUnread(tally, along: path, &step)
    }
    library.move(id, to: target, at: index, &step) { $0.place(id, name: name, file: file) }
  }

  private mutating func throwAway(
    _ id: ItemID, _ file: String, _ newName: String?, _ step: inout Step
  ) {
    guard library.contains(id) else { return }
    if let item = transport.deck.cue?.item, library.isBelow(id, item) { unload(&step) }
    moveSelection(awayFrom: id)
    library.move(id, to: .trash, &step) { $0.throwAway(id, file: file, newName) }
  }

  private mutating func purge(_ gone: [ItemID], left: Tally, _ step: inout Step) {
    for id in gone where library.isInTrash(id) && !library.holdsTake(id) {
      moveSelection(awayFrom: id)
      library.remove(id, &step)
    }
    if let trash = library.folders[.trash], trash.reading != .read {
      library.recount(.trash, left, &step)
    }
  }

  // MARK: Findings

  private mutating func handle(_ finding: CardFinding, _ step: inout Step) {
    switch finding {
    case .recovered(let recording, let path):
      adopt(recording, path: path, &step)
      note(.recovered, item: recording.id, recording.title, &step)
    case .adopted(let recording, let path):
      adopt(recording, path: path, &step)
      note(.fileAdopted, item: recording.id, recording.title, &step)
    case .vanished(let gone): lose(gone, as: .fileVanished, &step)
    case .closed(let recording):
      guard library.recordings[recording.id]?.isSettled == true else { return }
      library.update(recording.id, &step) {
        ($0.sound, $0.integrity) = (recording.sound, recording.integrity)
        $0.cutToLength()
      }
    case .arrived(let recording, let path): adopt(recording, path: path, &step)
    case .rebuilt(let folder):
      note(.indexRebuilt, item: folder, library.title(of: folder) ?? "", &step)
    case .tornLine(let folder, let bytes):
      let name = library.title(of: folder) ?? ""
      note(.indexMended, item: folder, "\(name), \(bytes) bytes", &step)
    case .left(let folder, let why): note(.workFailed, item: folder, why, &step)
    case .folder(let folder, let path): adopt(folder, path: path, &step)
    case .miscounted(let item):
      let difference = item.tally.boundedDifference
      guard let known = library.folders[item.id] else {
        return library.countUnread(difference, along: item.path, &step)
      }
      // The counts of a folder that has been read are right already.
      if known.reading != .read { library.recount(item.id, known.tally + difference, &step) }
    }
  }

  private mutating func adopt(_ folder: Folder, path: [ItemID], _ step: inout Step) {
    guard let parent = path.last, library.recordings[folder.id] == nil,
      folder.id != .root, folder.id != .trash
    else { return }
    if let known = library.folders[folder.id] {
      if library.holdsTake(folder.id), known.parent != parent { return }
      guard library.folders[parent] != nil, !library.isBelow(folder.id, parent) else { return }
      if known.parent != parent { library.move(folder.id, to: parent, &step) }
      library.rename(folder: folder.id, to: folder.name, directory: folder.directory, &step)
    } else if library.folders[parent] != nil {
      var new = folder
      new.parent = parent
      new.reading = .unread
      new.items = ItemOrder()
      new.tally = folder.tally.bounded
      library.insert(new, &step)
    } else {
      library.countUnread(folder.tally.bounded, along: path, &step)
    }
  }

  private mutating func adopt(_ recording: Recording, path: [ItemID], _ step: inout Step) {
    library.nextSequence = max(library.nextSequence, (recording.sequence ?? 0).clampedAdding(1))
    guard recording.isSettled else { return }
    if let known = library.recordings[recording.id] {
      guard known.isSettled else { return }
      // The user moved it with a file manager.
      if known.folder != recording.folder, library.folders[recording.folder] != nil {
        moveSelection(awayFrom: recording.id)
        library.move(recording.id, to: recording.folder, &step)
      }
      return library.update(recording.id, &step) { $0.adopt(recording) }
    }
    if library.folders[recording.folder] == nil || library.folders[recording.id] != nil {
      return library.countUnread(recording.tally, along: path, &step)
    }
    library.insert(recording, &step)
  }

  private mutating func lose(_ gone: [Whereabouts], as kind: Notice.Kind, _ step: inout Step) {
    for item in gone {
      if let recording = library.recordings[item.id] {
        if !recording.isSettled { continue }
        if transport.deck.cue?.item == item.id { unload(&step) }
        note(kind, item: nil, recording.title, &step)
        moveSelection(awayFrom: item.id)
        library.remove(item.id, &step)
      } else if let folder = library.folders[item.id], folder.parent != nil {
        if library.holdsTake(item.id) { continue }
        note(kind, item: nil, folder.name, &step)
        moveSelection(awayFrom: item.id)
        library.remove(item.id, &step)
      } else {
        note(kind, item: nil, "", &step)
        library.countUnread(Tally() - item.tally.bounded, along: item.path, &step)
      }
    }
  }

  // MARK: Room and health

  private mutating func handleSpace(_ freeBytes: Int64, _ totalBytes: Int64, _ step: inout Step) {
    let wasShort = isShortOfSpace
    card.freeBytes = max(0, freeBytes)
    card.totalBytes = max(0, totalBytes)
    if isShortOfSpace, !wasShort, settings.whenFull == .stop {
      let left = Duration.words(seconds: (leftMilliseconds ?? 0) / 1000)
      note(.cardLow, item: nil, "\(left) left", &step)
    }
    if !isShortOfSpace { acknowledge(.cardLow, &step) }
    keepAgain(&step)
  }

  private mutating func handle(_ condition: CardCondition, _ step: inout Step) {
    switch condition {
    case .writable:
      card.isReadOnly = false
      acknowledge(.cardReadOnly, &step)
      keepAgain(&step)
    case .readOnly:
      if !card.isReadOnly { note(.cardReadOnly, item: nil, "", &step) }
      card.isReadOnly = true
    case .volatile(let isVolatile):
      if isVolatile, !card.isVolatile { note(.cardVolatile, item: nil, "", &step) }
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
      recordings[id]?.setFile(file)
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
      recordings[id]?.setFile(file)
    }
  }
}

extension Recording {
  /// Adopts what the card has read; `isHeard` and the sequence number stay.
  fileprivate mutating func adopt(_ other: Recording) {
    title = other.title
    life = Life(other.stage, CardEntry(sequence: sequence, file: other.file ?? file))
    sound = other.sound
    integrity = other.integrity
    marks = other.marks
  }
}
