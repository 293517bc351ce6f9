// The ways in which the tree changes. Nothing else writes to its tables. Each keeps five
// invariants: a folder lists exactly its known children, in its order; a folder's summary is the
// sum and the newest date of everything below it; `takes` lists exactly the recordings that are
// takes; every changed item has a new revision; every change is announced to its observers.

extension Library {
  // MARK: Coming and going

  mutating func insert(_ recording: Recording, at handIndex: Int? = nil, _ step: inout Step) {
    precondition(!contains(recording.id), "an item comes into the library once")
    recordings[recording.id] = recording
    if !recording.isSettled { takes.append(recording.id) }
    touch(recording.id)
    list(recording.id, in: recording.folder, at: handIndex, &step)
    count(Summary(), recording.summary, in: recording.folder, &step)
  }

  mutating func insert(_ folder: Folder, at handIndex: Int? = nil, _ step: inout Step) {
    precondition(!contains(folder.id), "an item comes into the library once")
    folders[folder.id] = folder
    touch(folder.id)
    guard let parent = folder.parent else { return }
    list(folder.id, in: parent, at: handIndex, &step)
    count(Summary(), folder.summary, in: parent, &step)
  }

  /// Removes an item and everything below it.
  mutating func remove(_ id: ItemID, _ step: inout Step) {
    guard let parent = parent(of: id) else { return }
    unlist(id, from: parent, &step)
    count(summary(of: id), Summary(), in: parent, &step)
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
    count(summary(of: id), Summary(), in: source, &step)
    change(&self)
    recordings[id]?.folder = target
    folders[id]?.parent = target
    touch(id)
    list(id, in: target, at: handIndex, &step)
    count(Summary(), summary(of: id), in: target, &step)
    step.announce(.moved(from: source, to: target), at: address(of: id))
  }

  // MARK: Changing in place

  /// Changes one recording, and its position in the order if that depends on the change.
  mutating func update(
    _ id: ItemID, _ step: inout Step, _ change: (inout Recording) -> Void
  ) {
    guard let old = recordings[id] else { return }
    reposition(id, in: old.folder, &step) { $0.recordings[id]?.apply(change) }
    count(old.summary, summary(of: id), in: old.folder, &step)
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
    // Else each of many strays could look for the newest among the rest.
    folders[id]?.newest = NewestDate()
    let found = Set(listing.items.map(\.id))
    for stray in Array(folder.items) where !found.contains(stray) && !holdsTake(stray) {
      remove(stray, &step)
    }
    for case .recording(let recording) in listing.items { insert(recording, into: id) }
    for case .folder(let folder) in listing.items { insert(folder, into: id) }
    let kept = (folders[id]?.items ?? ItemOrder()).filter { !found.contains($0) }
    var seen = Set<ItemID>()
    let listed = listing.items.map(\.id)
      .filter { parent(of: $0) == id && seen.insert($0).inserted }
    folders[id]?.items = ItemOrder(listed + kept)
    folders[id]?.order = listing.order
    folders[id]?.reading = .read
    if listing.order != .byHand { sort(id) }
    folders[id]?.newest = folder.newest
    let old = summary(of: id)
    let tally = (listed + kept).reduce(Tally()) { $0 + summary(of: $1).tally }
    folders[id]?.tally = tally
    rebuildNewest(in: id)
    announce(changeFrom: old, of: id, &step)
    touch(id)
    step.announce(.reloaded, at: .folder(id))
  }

  /// Counts an item of an unread folder in or out, at the deepest known folder of its path.
  mutating func countUnread(
    _ difference: Tally, latest: WallTime? = nil, along path: [ItemID], _ step: inout Step
  ) {
    guard let folder = path.last(where: { folders[$0] != nil }) else { return }
    // A folder that has been read lists all its items: its counts are right already.
    guard let known = folders[folder], known.reading != .read else { return }
    let tally = (known.tally + difference).bounded
    set(Summary(tally, latest: Summary.later(known.latest, latest)), of: folder, &step)
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

  /// Sets the summary of an unread folder to that of the card.
  mutating func recount(_ id: ItemID, _ summary: Summary, _ step: inout Step) {
    set(Summary(summary.tally.bounded, latest: summary.latest), of: id, &step)
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

  func summary(of id: ItemID) -> Summary {
    recordings[id]?.summary ?? folders[id]?.summary ?? Summary()
  }

  private mutating func rebuildNewest(in id: ItemID) {
    guard let folder = folders[id], folder.parent != nil else { return }
    let dates = folder.items.map { summary(of: $0).latest }
    folders[id]?.newest.rebuild(from: dates)
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

  /// Counts an item whose share of the folder was `old` and is `new` now, in the folder and in all
  /// above it.
  private mutating func count(
    _ old: Summary, _ new: Summary, in folder: ItemID, _ step: inout Step
  ) {
    guard let before = folders[folder]?.summary else { return }
    folders[folder]?.tally = before.tally + (new.tally - old.tally)
    if old.latest != new.latest { follow(old.latest, became: new.latest, in: folder) }
    announce(changeFrom: before, of: folder, &step)
  }

  /// Sets the summary of a folder, and changes those of all above it.
  private mutating func set(_ summary: Summary, of folder: ItemID, _ step: inout Step) {
    guard let old = folders[folder] else { return }
    folders[folder]?.summary = Summary(
      summary.tally, latest: old.parent == nil ? nil : summary.latest)
    announce(changeFrom: old.summary, of: folder, &step)
  }

  private mutating func announce(
    changeFrom old: Summary, of folder: ItemID, _ step: inout Step
  ) {
    guard let new = folders[folder]?.summary, new != old else { return }
    touch(folder)
    step.announce(.counted(new), at: .folder(folder))
    guard let parent = folders[folder]?.parent else { return }
    if let index = index(of: folder) {
      touch(parent)
      step.announce(.changed(folder, at: index, was: index), at: .folder(parent))
    }
    count(old, new, in: parent, &step)
  }

  /// Follows the date of an item in a folder.
  private mutating func follow(_ old: WallTime?, became new: WallTime?, in id: ItemID) {
    guard let folder = folders[id], folder.parent != nil else { return }
    if folder.reading == .read {
      folders[id]?.newest.remove(old)
      folders[id]?.newest.insert(new)
      if folders[id]?.newest.mustRebuild == true { rebuildNewest(in: id) }
    } else if old == nil || old != folder.latest {
      folders[id]?.newest = NewestDate(Summary.later(folder.latest, new))
    } else {
      // The newest has gone, or got another date. What the folder has besides is not known.
      folders[id]?.newest = NewestDate(new)
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
