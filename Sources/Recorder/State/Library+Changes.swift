// The ways in which the tree changes. Nothing else writes to its tables. Each keeps five
// invariants: a folder lists exactly its known children, in its order; a folder's tally is the sum
// of everything below it; `takes` lists exactly the recordings that are takes; every changed item
// has a new revision; every change is announced to its observers.

extension Library {
  // MARK: Coming and going

  mutating func insert(_ recording: Recording, at handIndex: Int? = nil, _ step: inout Step) {
    precondition(!contains(recording.id), "an item comes into the library once")
    recordings[recording.id] = recording
    if !recording.isSettled { takes.append(recording.id) }
    touch(recording.id)
    list(recording.id, in: recording.folder, at: handIndex, &step)
    count(recording.tally, in: recording.folder, &step)
  }

  mutating func insert(_ folder: Folder, at handIndex: Int? = nil, _ step: inout Step) {
    precondition(!contains(folder.id), "an item comes into the library once")
    folders[folder.id] = folder
    touch(folder.id)
    guard let parent = folder.parent else { return }
    list(folder.id, in: parent, at: handIndex, &step)
    count(folder.tally, in: parent, &step)
  }

  /// Removes an item and everything below it.
  mutating func remove(_ id: ItemID, _ step: inout Step) {
    guard let parent = parent(of: id) else { return }
    unlist(id, from: parent, &step)
    count(Tally() - tally(of: id), in: parent, &step)
    for gone in subtree(of: id) {
      recordings[gone] = nil
      folders[gone] = nil
    }
    takes.removeAll { recordings[$0] == nil }
  }

  /// Moves an item into another folder; `change` may give it a new name there.
  mutating func move(
    _ id: ItemID, to target: ItemID, at handIndex: Int? = nil, _ step: inout Step,
    change: (inout Library) -> Void = { _ in }
  ) {
    guard let source = parent(of: id), folders[target] != nil, !isBelow(id, target) else { return }
    unlist(id, from: source, &step)
    count(Tally() - tally(of: id), in: source, &step)
    change(&self)
    recordings[id]?.folder = target
    folders[id]?.parent = target
    touch(id)
    list(id, in: target, at: handIndex, &step)
    count(tally(of: id), in: target, &step)
    step.announce(.moved(from: source, to: target), at: address(of: id))
  }

  // MARK: Changing in place

  /// Changes one recording, and its position in the order if that depends on the change.
  mutating func update(
    _ id: ItemID, _ step: inout Step, _ change: (inout Recording) -> Void
  ) {
    guard let old = recordings[id] else { return }
    reposition(id, in: old.folder, &step) { $0.recordings[id]?.apply(change) }
    count(tally(of: id) - old.tally, in: old.folder, &step)
    if !old.isSettled, recordings[id]?.isSettled == true { takes.removeAll { $0 == id } }
    let title = recordings[id]?.title ?? old.title
    step.announce(
      title == old.title ? .updated : .renamed(from: old.title, to: title), at: .item(id))
  }

  mutating func rename(
    folder id: ItemID, to name: String, directory: String, _ step: inout Step
  ) {
    guard let folder = folders[id], let parent = folder.parent else { return }
    reposition(id, in: parent, &step) {
      $0.folders[id]?.name = name
      $0.folders[id]?.directory = directory
    }
    step.announce(.renamed(from: folder.name, to: name), at: .folder(id))
  }

  mutating func setOrder(of id: ItemID, _ order: Folder.SortOrder, _ step: inout Step) {
    guard folders[id] != nil else { return }
    folders[id]?.order = order
    if order != .byHand { sort(id) }
    touch(id)
    step.announce(.reordered(order), at: .folder(id))
  }

  mutating func setReading(of id: ItemID, _ reading: Folder.Reading, _ step: inout Step) {
    guard folders[id] != nil else { return }
    folders[id]?.reading = reading
    touch(id)
    step.announce(.reloaded, at: .folder(id))
  }

  /// Replaces a folder's items by the card's listing. Known items that are not listed are removed,
  /// except a take in progress, whose file the card may not have made yet.
  mutating func fill(_ id: ItemID, with listing: Listing, _ step: inout Step) {
    guard let folder = folders[id] else { return }
    let found = Set(listing.folders.map(\.id) + listing.recordings.map(\.id))
    for stray in Array(folder.items) where !found.contains(stray) && !holdsTake(stray) {
      remove(stray, &step)
    }
    for recording in listing.recordings { insert(recording, into: id) }
    for folder in listing.folders { insert(folder, into: id) }
    let kept = (folders[id]?.items ?? ItemOrder()).filter { !found.contains($0) }
    var seen = Set<ItemID>()
    let listed = (listing.folders.map(\.id) + listing.recordings.map(\.id))
      .filter { parent(of: $0) == id && seen.insert($0).inserted }
    folders[id]?.items = ItemOrder(listed + kept)
    folders[id]?.order = listing.order
    folders[id]?.reading = .read
    if listing.order != .byHand { sort(id) }
    let sum = (listed + kept).reduce(Tally()) { $0 + tally(of: $1) }
    count(sum - tally(of: id), in: id, &step)
    touch(id)
    step.announce(.reloaded, at: .folder(id))
  }

  /// Counts an item of an unread folder in or out, at the deepest known folder of its path.
  mutating func countUnread(_ difference: Tally, along path: [ItemID], _ step: inout Step) {
    guard let folder = path.last(where: { folders[$0] != nil }) else { return }
    // A folder that has been read lists all its items: its counts are right already.
    guard let known = folders[folder], known.reading != .read else { return }
    count((known.tally + difference).bounded - known.tally, in: folder, &step)
  }

  /// Forgets all items, because the card was away and may have changed. Takes in progress stay.
  mutating func forget(_ step: inout Step) {
    for top in [ItemID.root, .trash] {
      for id in Array(folders[top]?.items ?? ItemOrder()) where !holdsTake(id) {
        remove(id, &step)
      }
    }
    for id in folders.keys.sorted() { setReading(of: id, .unread, &step) }
  }

  /// Sets the counts of an unread folder to those of the card.
  mutating func recount(_ id: ItemID, _ tally: Tally, _ step: inout Step) {
    guard let known = folders[id] else { return }
    count(tally.bounded - known.tally, in: id, &step)
  }

  // MARK: The pieces

  /// Inserts a listed recording, unless it has moved elsewhere or is a take in progress.
  private mutating func insert(_ recording: Recording, into folder: ItemID) {
    if folders[recording.id] != nil || !recording.isSettled { return }
    if let known = recordings[recording.id], known.folder != folder || !known.isSettled { return }
    recordings[recording.id] = recording
    recordings[recording.id]?.folder = folder
    touch(recording.id)
  }

  /// Inserts a listed folder. A known folder keeps its own items and counts.
  private mutating func insert(_ folder: Folder, into parent: ItemID) {
    if recordings[folder.id] != nil || folder.id == .root || folder.id == .trash { return }
    if let known = folders[folder.id] {
      if known.parent == parent { folders[folder.id]?.name = folder.name }
    } else {
      folders[folder.id] = folder
      folders[folder.id]?.parent = parent
      folders[folder.id]?.items = ItemOrder()
      folders[folder.id]?.tally = folder.tally.bounded
      folders[folder.id]?.reading = .unread
    }
    touch(folder.id)
  }

  private func tally(of id: ItemID) -> Tally {
    recordings[id]?.tally ?? folders[id]?.tally ?? Tally()
  }

  private func address(of id: ItemID) -> Address { folders[id] != nil ? .folder(id) : .item(id) }

  private mutating func sort(_ id: ItemID) {
    guard let folder = folders[id] else { return }
    let sorted = folder.items.sorted { comesBefore($0, $1, in: folder.order) }
    folders[id]?.items = ItemOrder(sorted)
  }

  private mutating func list(
    _ id: ItemID, in parent: ItemID, at handIndex: Int?, _ step: inout Step
  ) {
    guard let index = insertionIndex(of: id, in: parent, at: handIndex) else { return }
    folders[parent]?.items.insert(id, at: index)
    touch(parent)
    step.announce(.added(id, at: index), at: .folder(parent))
  }

  private mutating func unlist(_ id: ItemID, from parent: ItemID, _ step: inout Step) {
    guard let index = index(of: id) else { return }
    folders[parent]?.items.remove(at: index)
    touch(parent)
    step.announce(.removed(id, at: index), at: .folder(parent))
  }

  private mutating func reposition(
    _ id: ItemID, in parent: ItemID, _ step: inout Step, _ change: (inout Library) -> Void
  ) {
    let old = index(of: id)
    let isByHand = folders[parent]?.order == .byHand
    if let old, !isByHand { folders[parent]?.items.remove(at: old) }
    change(&self)
    touch(id)
    touch(parent)
    guard let old else { return }
    var new = old
    if !isByHand, let index = insertionIndex(of: id, in: parent, at: nil) {
      folders[parent]?.items.insert(id, at: index)
      new = index
    }
    step.announce(.changed(id, at: new, was: old), at: .folder(parent))
  }

  private func insertionIndex(of id: ItemID, in parent: ItemID, at handIndex: Int?) -> Int? {
    guard let folder = folders[parent] else { return nil }
    let end = folder.items.count
    if folder.order == .byHand { return min(max(handIndex ?? end, 0), end) }
    return folder.items.partitionPoint { comesBefore($0, id, in: folder.order) }
  }

  /// Adds to the counts of a folder and of all above it.
  private mutating func count(_ difference: Tally, in folder: ItemID, _ step: inout Step) {
    if difference == Tally() { return }
    var next: ItemID? = folder
    while let id = next, let tally = folders[id]?.tally {
      folders[id]?.tally = tally + difference
      touch(id)
      step.announce(.counted(tally + difference), at: .folder(id))
      next = folders[id]?.parent
      if let next, let index = index(of: id) {
        touch(next)
        step.announce(.changed(id, at: index, was: index), at: .folder(next))
      }
    }
  }

  private mutating func touch(_ id: ItemID) {
    lastRevision += 1
    folders[id]?.revision = lastRevision
    recordings[id]?.revision = lastRevision
  }
}

extension Recording {
  /// Applies a change in place, without copying the lists.
  fileprivate mutating func apply(_ change: (inout Recording) -> Void) { change(&self) }
}
