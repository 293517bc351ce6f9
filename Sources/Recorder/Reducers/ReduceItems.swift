// Requests about folders and recordings. A request is checked here and performed by the card room.
// The library changes when the card reports that it is done, so what is acknowledged is durable.

extension State {
  mutating func handle(_ request: ItemRequest, from origin: Origin, _ step: inout Step) {
    switch request {
    case .setHeard(let id, let isHeard):
      setHeard(id, isHeard, &step)
      return answer(origin, .done(id), &step)
    case .describe(let id, let field, let text):
      if let old = changeText(of: id, field, text, &step) {
        rememberText(field, old, of: id, by: origin)
      }
      return answer(origin, .done(id), &step)
    case .cancel(let ticket):
      step.emit(.card(.cancel(ticket: ticket)))
      return answer(origin, .done(nil), &step)
    case .undo: return undoNewest(from: origin, &step)
    case .mark(let id, let change):
      return handle(change, toMarkOf: id, from: origin, &step)
    default: break
    }
    guard let work = work(for: request, from: origin, newID: step.newID()) else {
      return answer(origin, .refused(.notFound), &step)
    }
    if case .importFile = work { library.nextSequence = library.nextSequence.clampedAdding(1) }
    hand(work, from: origin, &step)
  }

  /// Hands work to the card under a ticket, which it returns.
  @discardableResult
  mutating func hand(_ work: CardWork, from origin: Origin, _ step: inout Step) -> Int {
    library.lastTicket += 1
    library.pending[library.lastTicket] = PendingWork(origin: origin, work: work)
    step.emit(.card(.work(ticket: library.lastTicket, work)))
    answer(origin, .working(ticket: library.lastTicket, permille: 0), &step)
    return library.lastTicket
  }

  /// Sets a text about a recording, which `refusal` has checked; returns the one before.
  @discardableResult
  mutating func changeText(
    of id: ItemID, _ field: RecordingField, _ text: String, _ step: inout Step
  ) -> String? {
    guard let old = library.recordings[id]?.details[field] else { return nil }
    library.update(id, &step) { $0.details[field] = field.cleaned(text) ?? "" }
    keep(id, &step)
    return old
  }

  /// Why a request about items cannot be granted.
  func refusal(to request: ItemRequest, from origin: Origin) -> Refusal? {
    if case .cancel(let ticket) = request {
      return library.pending[ticket] == nil ? .notFound : nil
    }
    if let refusal = refusalToWrite(request) { return refusal }
    switch request {
    case .makeFolder(let name, let parent):
      return refusalToMakeFolder(in: parent ?? place(of: origin).folder, named: name)
    case .rename(let id, let name):
      if Text.title(name) == nil { return .noName }
      return refusalToChange(id ?? place(of: origin).selection)
    case .move(let id, let target, _):
      return refusalToMove(id ?? place(of: origin).selection, to: target)
    case .delete(let id):
      let item = id ?? place(of: origin).selection
      if let item, library.isInTrash(item) { return .rootStays }
      return refusalToChange(item, isGoing: true)
    case .restore(let id):
      guard let id = id ?? place(of: origin).selection, library.contains(id) else {
        return .notFound
      }
      return library.parent(of: id) == .trash ? nil : .notInTrash
    case .purge(.item(let id)):
      if !library.contains(id) { return .notFound }
      return id != .trash && library.isInTrash(id) ? nil : .notInTrash
    case .sort(let id, _):
      return library.folders[id ?? place(of: origin).folder] == nil ? .notFound : nil
    case .work(.export(let id, _, _, _, _)), .work(.waveform(let id, _)):
      return library.recordings[id]?.isSettled == true ? nil : .notFound
    case .work(.join(let ids, _, _, _)):
      return ids.allSatisfy { library.recordings[$0]?.isSettled == true } ? nil : .notFound
    case .importFile(_, let folder, _):
      return refusalToAdd(to: folder, named: "import")
    case .describe(let id, let field, let text):
      if library.recordings[id] == nil { return .notFound }
      return field.cleaned(text) == nil ? .tooLong : nil
    case .work(.verify(let id)):
      return library.contains(id) ? nil : .notFound
    case .mark(let id, let change): return refusalToChangeMark(of: id, change)
    case .undo: return refusalToUndo
    case .setHeard(let id, _): return library.recordings[id]?.isSettled == true ? nil : .notFound
    case .purge, .search, .copies, .noteCopy, .openFile, .manifest, .cancel: return nil
    }
  }

  private func refusalToWrite(_ request: ItemRequest) -> Refusal? {
    // The key is known without a card.
    if request == .manifest(.about) { return library.pending.count >= 64 ? .busy : nil }
    switch library.phase {
    case .ready: break
    case .closed, .opening: return .notReady
    case .exported: return .cardExported
    case .failed: return .cardFailed
    }
    if library.pending.count >= 64 { return .busy }
    switch request {
    case .search, .copies, .openFile, .manifest, .work, .cancel: return nil
    default: return card.isReadOnly ? .cardReadOnly : nil
    }
  }

  private func refusalToAdd(to id: ItemID, named name: String) -> Refusal? {
    guard let folder = library.folders[id] else { return .notFound }
    if library.isInTrash(id) { return .rootStays }
    if Text.title(name) == nil { return .noName }
    return folder.items.count >= settings.itemsPerFolder ? .folderFull : nil
  }

  private func refusalToMakeFolder(in id: ItemID, named name: String) -> Refusal? {
    if let refusal = refusalToAdd(to: id, named: name) { return refusal }
    if library.path(to: id).count >= settings.folderDepth { return .tooDeep }
    let (folder, title) = (library.folders[id], Text.title(name))
    for item in folder?.items ?? ItemOrder() {
      guard let inner = library.folders[item] else {
        // Folders come first in every order but that by hand.
        if folder?.order == .byHand { continue } else { break }
      }
      if inner.name == title { return .nameTaken }
    }
    return nil
  }

  /// Refuses to rename, move or delete an item that is gone, fixed, in use or being worked on.
  private func refusalToChange(_ item: ItemID?, isGoing: Bool = false) -> Refusal? {
    guard let id = item, library.contains(id) else { return .notFound }
    if id == .root || id == .trash { return .rootStays }
    if isGoing, library.holdsTake(id) { return .stillInUse }
    return library.pending.values.contains { $0.work.touches.contains(id) } ? .busy : nil
  }

  private func refusalToMove(_ item: ItemID?, to target: ItemID) -> Refusal? {
    if let refusal = refusalToChange(item, isGoing: true) { return refusal }
    guard let id = item, let folder = library.folders[target] else { return .notFound }
    if library.isInTrash(target) { return .notInTrash }
    if library.isInTrash(id) { return .notFound }
    if library.isBelow(id, target) { return .intoItself }
    if library.parent(of: id) != target, folder.items.count >= settings.itemsPerFolder {
      return .folderFull
    }
    let isTooDeep = library.path(to: target).count >= settings.folderDepth
    return isTooDeep && library.folders[id] != nil ? .tooDeep : nil
  }

  /// The card's work for a request that is not refused.
  func work(for request: ItemRequest, from origin: Origin, newID: ItemID) -> CardWork? {
    let place = place(of: origin)
    switch request {
    case .makeFolder(let name, let parent):
      return Text.title(name).map { .makeFolder(newID, name: $0, in: parent ?? place.folder) }
    case .rename(let id, let name):
      guard let id = id ?? place.selection else { return nil }
      return Text.title(name).map { .rename(id, to: $0) }
    case .move(let id, let target, let index):
      return (id ?? place.selection).map { .move($0, to: target, at: index) }
    case .delete(let id): return (id ?? place.selection).map { .throwAway($0) }
    case .restore(let id): return (id ?? place.selection).map { .restore($0) }
    case .purge(let purge): return .purge(purge)
    case .sort(let id, let order): return .sort(id ?? place.folder, order)
    case .search(let text): return .search(text)
    case .copies(let query): return .copies(query)
    case .noteCopy(let note): return .noteCopy(note)
    case .openFile(let file): return .openFile(file)
    case .manifest(let query): return .manifest(query)
    case .importFile(let path, let folder, let format):
      return .importFile(
        newID, sequence: library.nextSequence, from: path, into: folder, format: format)
    case .work(let work): return .long(work)
    case .setHeard, .describe, .mark, .cancel, .undo: return nil
    }
  }
}
