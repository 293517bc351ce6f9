// The ways in which the tree changes. Nothing else writes to its tables. Each keeps four promises:
// a folder lists exactly its children that are known, in its order; a folder's tally is the sum of
// what is below it; whatever changed has a new revision; whoever observes it is told what happened.

extension Library {
  // MARK: Coming and going

  mutating func insert(_ recording: Recording, at handIndex: Int? = nil, _ turn: inout Turn) {
    precondition(!contains(recording.id), "an item comes into the library once")
    recordings[recording.id] = recording
    touch(recording.id)
    list(recording.id, in: recording.folder, at: handIndex, &turn)
    count(recording.tally, in: recording.folder, &turn)
  }

  mutating func insert(_ folder: Folder, at handIndex: Int? = nil, _ turn: inout Turn) {
    precondition(!contains(folder.id), "an item comes into the library once")
    folders[folder.id] = folder
    touch(folder.id)
    guard let parent = folder.parent else { return }
    list(folder.id, in: parent, at: handIndex, &turn)
    count(folder.tally, in: parent, &turn)
  }

  /// Takes an item out, with all that is below it.
  mutating func remove(_ id: ItemID, _ turn: inout Turn) {
    guard let parent = parent(of: id) else { return }
    unlist(id, from: parent, &turn)
    count(Tally() - tally(of: id), in: parent, &turn)
    for gone in subtree(of: id) {
      recordings[gone] = nil
      folders[gone] = nil
    }
  }

  /// Puts an item into another folder; `change` may give it a new name for there.
  mutating func move(
    _ id: ItemID, to target: ItemID, at handIndex: Int? = nil, _ turn: inout Turn,
    change: (inout Library) -> Void = { _ in }
  ) {
    guard let source = parent(of: id), folders[target] != nil, !isBelow(id, target) else { return }
    unlist(id, from: source, &turn)
    count(Tally() - tally(of: id), in: source, &turn)
    change(&self)
    recordings[id]?.folder = target
    folders[id]?.parent = target
    touch(id)
    list(id, in: target, at: handIndex, &turn)
    count(tally(of: id), in: target, &turn)
    turn.announce(.moved(from: source, to: target), at: address(of: id))
  }

  // MARK: Changing in place

  /// Changes one recording, and its place in the order if that follows from it.
  mutating func update(
    _ id: ItemID, _ turn: inout Turn, _ change: (inout Recording) -> Void
  ) {
    guard let old = recordings[id] else { return }
    reposition(id, in: old.folder, &turn) { $0.recordings[id]?.apply(change) }
    count(tally(of: id) - old.tally, in: old.folder, &turn)
    let title = recordings[id]?.title ?? old.title
    turn.announce(
      title == old.title ? .updated : .renamed(from: old.title, to: title), at: .item(id))
  }

  mutating func rename(
    folder id: ItemID, to name: String, directory: String, _ turn: inout Turn
  ) {
    guard let folder = folders[id], let parent = folder.parent else { return }
    reposition(id, in: parent, &turn) {
      $0.folders[id]?.name = name
      $0.folders[id]?.directory = directory
    }
    turn.announce(.renamed(from: folder.name, to: name), at: .folder(id))
  }

  mutating func setOrder(of id: ItemID, _ order: Folder.Order, _ turn: inout Turn) {
    guard folders[id] != nil else { return }
    folders[id]?.order = order
    if order != .byHand { sort(id) }
    touch(id)
    turn.announce(.reordered(order), at: .folder(id))
  }

  mutating func setReading(of id: ItemID, _ reading: Folder.Reading, _ turn: inout Turn) {
    guard folders[id] != nil else { return }
    folders[id]?.reading = reading
    touch(id)
    turn.announce(.reloaded, at: .folder(id))
  }

  /// Takes over what the card found in a folder. What was known there and was not found is gone,
  /// except a take in progress, which the card may not have made yet.
  mutating func fill(_ id: ItemID, with listing: Listing, _ turn: inout Turn) {
    guard let folder = folders[id] else { return }
    let found = Set(listing.folders.map(\.id) + listing.recordings.map(\.id))
    for stray in Array(folder.items) where !found.contains(stray) && !holdsTake(stray) {
      remove(stray, &turn)
    }
    for recording in listing.recordings { take(recording, into: id) }
    for folder in listing.folders { take(folder, into: id) }
    let kept = (folders[id]?.items ?? ItemOrder()).filter { !found.contains($0) }
    var seen = Set<ItemID>()
    let listed = (listing.folders.map(\.id) + listing.recordings.map(\.id))
      .filter { parent(of: $0) == id && seen.insert($0).inserted }
    folders[id]?.items = ItemOrder(listed + kept)
    folders[id]?.order = listing.order
    folders[id]?.reading = .read
    if listing.order != .byHand { sort(id) }
    let sum = (listed + kept).reduce(Tally()) { $0 + tally(of: $1) }
    count(sum - tally(of: id), in: id, &turn)
    touch(id)
    turn.announce(.reloaded, at: .folder(id))
  }

  /// Counts something in or out that is in folders which have not been read.
  mutating func countUnread(_ difference: Tally, along path: [ItemID], _ turn: inout Turn) {
    guard let folder = path.last(where: { folders[$0] != nil }) else { return }
    // A folder that was read would know it: then it is not there, whatever the card believes.
    guard let known = folders[folder], known.reading != .read else { return }
    count((known.tally + difference).bounded - known.tally, in: folder, &turn)
  }

  /// The card was away: what was known of it may have changed. Takes in progress stay.
  mutating func forget(_ turn: inout Turn) {
    for top in [ItemID.root, .trash] {
      for id in Array(folders[top]?.items ?? ItemOrder()) where !holdsTake(id) {
        remove(id, &turn)
      }
    }
    for id in folders.keys.sorted() { setReading(of: id, .unread, &turn) }
  }

  /// What the card counted in a folder that has not been read.
  mutating func recount(_ id: ItemID, _ tally: Tally, _ turn: inout Turn) {
    guard let known = folders[id] else { return }
    count(tally.bounded - known.tally, in: id, &turn)
  }

  // MARK: The pieces

  /// A listed recording, unless it is known to be elsewhere by now, or is a take in progress.
  private mutating func take(_ recording: Recording, into folder: ItemID) {
    if folders[recording.id] != nil || !recording.isSettled { return }
    if let known = recordings[recording.id], known.folder != folder || !known.isSettled { return }
    recordings[recording.id] = recording
    recordings[recording.id]?.folder = folder
    touch(recording.id)
  }

  /// A listed folder. One that has been read knows better what is in it.
  private mutating func take(_ folder: Folder, into parent: ItemID) {
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
    _ id: ItemID, in parent: ItemID, at handIndex: Int?, _ turn: inout Turn
  ) {
    guard let index = insertionIndex(of: id, in: parent, at: handIndex) else { return }
    folders[parent]?.items.insert(id, at: index)
    touch(parent)
    turn.announce(.added(id, at: index), at: .folder(parent))
  }

  private mutating func unlist(_ id: ItemID, from parent: ItemID, _ turn: inout Turn) {
    guard let index = index(of: id) else { return }
    folders[parent]?.items.remove(at: index)
    touch(parent)
    turn.announce(.removed(id, at: index), at: .folder(parent))
  }

  private mutating func reposition(
    _ id: ItemID, in parent: ItemID, _ turn: inout Turn, _ change: (inout Library) -> Void
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
    turn.announce(.changed(id, at: new, was: old), at: .folder(parent))
  }

  private func insertionIndex(of id: ItemID, in parent: ItemID, at handIndex: Int?) -> Int? {
    guard let folder = folders[parent] else { return nil }
    let end = folder.items.count
    if folder.order == .byHand { return min(max(handIndex ?? end, 0), end) }
    return folder.items.partitionPoint { comesBefore($0, id, in: folder.order) }
  }

  /// Adds to the counts of a folder and of all above it.
  private mutating func count(_ difference: Tally, in folder: ItemID, _ turn: inout Turn) {
    if difference == Tally() { return }
    var next: ItemID? = folder
    while let id = next, let tally = folders[id]?.tally {
      folders[id]?.tally = tally + difference
      touch(id)
      turn.announce(.counted(tally + difference), at: .folder(id))
      next = folders[id]?.parent
      if let next, let index = index(of: id) {
        touch(next)
        turn.announce(.changed(id, at: index, was: index), at: .folder(next))
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
  /// Lets a closure change it where it is, without a copy of its lists.
  fileprivate mutating func apply(_ change: (inout Recording) -> Void) { change(&self) }
}
