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
        selection: panel.place.chosen)
      panel.place = Place()
      library.forget(&step)
      forgetUndo(&step)
      library.recount(.root, Summary(report.root), &step)
      return library.recount(.trash, Summary(report.trash), &step)
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
      undoWorkEnded(ticket, failure: why, &step)
    }
  }

  /// Recordings of this boot from before a restart of the daemon wait for the clock, too.
  private mutating func expectTimes(of listing: Listing) {
    for case .recording(let recording) in listing.items
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
      undoWorkEnded(ticket, failure: why, &step)
    case .done(let result):
      library.pending[ticket] = nil
      let undone = undoStep(for: result, of: ticket, from: pending.origin)
      let reply = apply(result, for: pending.origin, &step)
      remember(undone, of: result)
      answer(pending.origin, reply, &step)
      undoWorkEnded(ticket, failure: nil, &step)
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
      arrived(id, from: origin)
      return .done(id)
    case .thrown(let id, let file, let newName):
      throwAway(id, file, newName, &step)
      return .done(id)
    case .purged(let gone, let left): purge(gone, left: left, &step)
    case .sorted(let id, let order): library.setOrder(of: id, order, &step)
    case .searched(let hits): return .found(hits)
    case .uncopied(let page): return .uncopied(page)
    case .copied(let copied): return follow(copied, &step)
    case .opened(let file): return .opened(file)
    case .manifest(let query, let facts): return .manifest(query, facts)
    case .imported(let recording):
      adopt(recording, path: [recording.folder], &step)
      arrived(recording.id, from: origin)
      return .done(recording.id)
    case .told(let text): return .told(text)
    case .verified(let report): return .verified(report)
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

  private mutating func follow(_ copied: CopyResult, _ step: inout Step) -> Reply {
    for copy in copied.copies { copying.settle(copied.id, at: copy.target) }
    if let target = copied.lost {
      note(.copyLost, item: copied.id, "“\(copied.title)” at \(target)", &step)
    }
    if library.recordings[copied.id] == nil {
      library.countUnread(copied.difference.boundedDifference, along: copied.path, &step)
      return .done(nil)
    }
    library.update(copied.id, &step) { $0.copies = copied.copies }
    return .done(copied.id)
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
    new.summary = Summary()
    library.insert(new, &step)
    if place(of: origin).folder == parent { withPlace(of: origin) { $0.choose(folder.id) } }
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
      let moved = library.summary(of: id)
      library.remove(id, &step)
      return library.countUnread(moved.tally, latest: moved.latest, along: path, &step)
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
      library.recount(.trash, Summary(left), &step)
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
