// Undo: remembers how to reverse each change to folders and recordings when it is made, and makes
// the reversing requests one after another when that is asked for. Pure.

extension State {
  /// Why the newest change cannot be undone now, as far as its first request tells.
  var refusalToUndo: Refusal? {
    if undo.run != nil { return .busy }
    guard let newest = undo.steps.last else { return .nothingToUndo }
    return newest.reversals.first { !isDone($0) }.flatMap { refusal(to: $0, from: .appliance) }
  }

  /// Forgets a change that can never be undone. One that cannot be undone now, for instance because
  /// its item is playing, is kept.
  mutating func undoRefused(_ refusal: Refusal) {
    switch refusal {
    case .notFound, .notInTrash, .rootStays: _ = undo.takeNewest()
    default: break
    }
  }

  mutating func undoNewest(from origin: Origin, _ step: inout Step) {
    guard let newest = undo.takeNewest() else { return }
    undo.run = UndoRun(origin: origin, name: newest.name, left: newest.reversals)
    continueUndo(&step)
  }

  /// Makes reversing requests until the card has to be waited for, or none is left.
  private mutating func continueUndo(_ step: inout Step) {
    while let run = undo.run, run.ticket == nil {
      guard let request = run.left.first else {
        return endUndo(.told("Undone: \(run.name)."), &step)
      }
      undo.run?.left.removeFirst()
      if isDone(request) { continue }
      if let refusal = refusal(to: request, from: .appliance) {
        return endUndo(.refused(refusal), &step)
      }
      if case .mark(let id, let change) = request {
        changeMark(of: id, change, &step)
      } else if case .describe(let id, let field, let text) = request {
        changeText(of: id, field, text, &step)
      } else if let work = work(for: request, from: .appliance, newID: step.newID()) {
        let ticket = hand(work, from: .appliance, &step)
        undo.run?.ticket = ticket
      }
    }
  }

  /// Whether an item that is to be moved is where it belongs.
  private func isDone(_ request: ItemRequest) -> Bool {
    guard case .move(let id?, let target, at: nil) = request else { return false }
    return library.parent(of: id) == target
  }

  private mutating func endUndo(_ reply: Reply, _ step: inout Step) {
    guard let origin = undo.run?.origin else { return }
    undo.run = nil
    answer(origin, reply, &step)
  }

  /// Goes on after the card's work for a reversing request; ends if it failed.
  mutating func undoWorkEnded(_ ticket: Int, failure: String?, _ step: inout Step) {
    guard let waiting = undo.run?.ticket, waiting == ticket else { return }
    if let failure { return endUndo(.failed(failure), &step) }
    undo.run?.ticket = nil
    continueUndo(&step)
  }

  /// Forgets how to reverse what was done to a card that is opened anew: anything may have changed.
  mutating func forgetUndo(_ step: inout Step) {
    undo.clear()
    if undo.run != nil { endUndo(.refused(.notReady), &step) }
  }

  // MARK: Remembering

  /// How to reverse what the card has done, before it is applied to the library; nil if it cannot
  /// be reversed, or reverses something itself.
  func undoStep(for result: WorkResult, of ticket: Int, from origin: Origin) -> UndoStep? {
    if undo.run?.ticket == ticket { return nil }
    guard let (kind, id, reversals) = reversals(of: result), let title = library.title(of: id)
    else { return nil }
    return UndoStep(kind, title, by: commandID(of: origin), reversals)
  }

  /// Adds a change that can be undone, if its item is still known.
  mutating func remember(_ undone: UndoStep?, of result: WorkResult) {
    guard let undone, let id = result.changedItem, library.contains(id) else { return }
    undo.append(undone)
  }

  mutating func rememberMark(
    _ old: Mark?, _ new: Mark?, of id: ItemID, by origin: Origin?
  ) {
    if old != new { remember(.mark, of: id, by: origin, .mark(id, .replace(new, by: old))) }
  }

  mutating func rememberText(
    _ field: RecordingField, _ old: String, of id: ItemID, by origin: Origin
  ) {
    remember(.describe, of: id, by: origin, .describe(id, field, old))
  }

  private mutating func remember(
    _ kind: UndoStep.Kind, of id: ItemID, by origin: Origin?, _ reversal: ItemRequest
  ) {
    guard let title = library.title(of: id) else { return }
    undo.append(UndoStep(kind, title, by: origin.flatMap(commandID), [reversal]))
  }

  private func commandID(of origin: Origin) -> CommandID? {
    command(of: origin).map { CommandID(origin: origin, began: $0.began) }
  }

  private func reversals(of result: WorkResult) -> (UndoStep.Kind, ItemID, [ItemRequest])? {
    switch result {
    case .renamed(let id, let name, _):
      let back = renaming(id, from: name)
      return back.isEmpty ? nil : (.rename, id, back)
    case .moved(let id, _, _, let name, _):
      if library.isInTrash(id) { return (.restore, id, [.delete(id)]) }
      return (.move, id, moving(id) + renaming(id, from: name))
    case .thrown(let id, _, let newName):
      // Restoring moves it elsewhere if its folder was in the trash meanwhile.
      let name = newName ?? library.title(of: id) ?? ""
      return (.delete, id, [.restore(id)] + renaming(id, from: name) + moving(id))
    case .sorted(let id, let order):
      // The order by hand is not kept: it cannot be given back.
      guard let old = library.folders[id]?.order, old != order, old != .byHand else { return nil }
      return (.sort, id, [.sort(id, old)])
    case .made, .purged, .searched, .uncopied, .copied, .opened, .manifest, .imported, .told,
      .verified, .waveform, .exportMode:
      return nil
    }
  }

  /// Moves an item back to where it is now.
  private func moving(_ id: ItemID) -> [ItemRequest] {
    guard let parent = library.parent(of: id), let folder = library.folders[parent] else {
      return []
    }
    return [.move(id, to: parent, at: folder.order == .byHand ? library.index(of: id) : nil)]
  }

  /// Gives an item back the name it has now. Two spellings of a letter are equal strings, and yet
  /// sorted differently.
  private func renaming(_ id: ItemID, from name: String) -> [ItemRequest] {
    guard let old = library.title(of: id), Text.order(old, name) != 0 else { return [] }
    return [.rename(id, to: old)]
  }
}

extension WorkResult {
  /// The item that a reversible change concerns.
  fileprivate var changedItem: ItemID? {
    switch self {
    case .renamed(let id, _, _), .moved(let id, _, _, _, _), .thrown(let id, _, _),
      .sorted(let id, _):
      id
    case .made, .purged, .searched, .uncopied, .copied, .opened, .manifest, .imported, .told,
      .verified, .waveform, .exportMode:
      nil
    }
  }
}
