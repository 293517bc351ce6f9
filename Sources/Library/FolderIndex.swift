// One folder's index in memory: its entries, their order, and the summary of what is below it.
// `apply` makes all changes, new ones and those of a journal alike, so that memory and card cannot
// diverge. A plain value.

import Recorder

struct FolderIndex {
  private(set) var id: ItemID
  var name: String
  private(set) var order = Folder.SortOrder.byDate
  private(set) var entries: [ItemID: Entry] = [:]
  /// The user's order; before there is one, the order of arrival.
  private(set) var sequence: [ItemID] = []
  /// The subfolders among the items.
  private(set) var folders: Set<ItemID> = []
  /// The items with an operation that was begun and not finished.
  private(set) var begun: Set<ItemID> = []
  private(set) var tally = Tally()
  private var newest = NewestDate()
  /// One more than the highest number ever given to a recording, as far as this folder knows.
  private(set) var next = 1
  /// Whether a change was skipped because a name in it is not valid: the index is damaged or was
  /// not written by Reel.
  private(set) var wasDistrusted = false
  /// Number of entries by folded name; made at the first use.
  private var names: [String: Int]?

  init(id: ItemID, name: String) {
    self.id = id
    self.name = name
  }

  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
    sequence.reserveCapacity(count)
  }

  /// Sets what a snapshot says of the folder itself.
  mutating func describe(id: ItemID, name: String, order: Folder.SortOrder) {
    (self.id, self.name, self.order) = (id, name, order)
  }

  /// Makes a change, unless a name in it could lead out of the directory.
  mutating func apply(_ change: consuming IndexChange) {
    guard change.isBelievable else {
      wasDistrusted = true
      return
    }
    switch consume change {
    case .put(let entry): put(entry)
    case .gone(let id): remove(id)
    case .place(let id, let index): place(id, at: index)
    case .order(let order):
      if order == .byHand, self.order != .byHand { sequence = sorted() }
      self.order = order
    case .next(let number): if Recording.sequences.contains(number) { next = max(next, number) }
    case .count(let id, let summary): count(id, summary)
    case .name(let name): self.name = name
    case .intend(let id, let intent):
      if entries[id] != nil { begun.insert(id) }
      entries[id]?.intent = intent
    case .settled(let id):
      begun.remove(id)
      entries[id]?.intent = nil
      entries[id]?.formerName = nil
    }
  }

  private mutating func put(_ entry: consuming Entry) {
    let id = entry.id
    let summary = entry.summary
    if names != nil { noteNames(of: entry) }
    if let number = entry.sequence, Recording.sequences.contains(number) {
      next = max(next, FileName.sequence(after: number))
    }
    // Most folders have few of either, so most items need no look-up here.
    if entry.isFolder { folders.insert(id) } else if !folders.isEmpty { folders.remove(id) }
    if entry.isBegun { begun.insert(id) } else if !begun.isEmpty { begun.remove(id) }
    if let old = entries.updateValue(entry, forKey: id) {
      replace(old.summary, with: summary)
      forgetName(of: old)
    } else {
      replace(Summary(), with: summary)
      sequence.append(id)
    }
  }

  private mutating func remove(_ id: ItemID) {
    guard let old = entries.removeValue(forKey: id) else { return }
    replace(old.summary, with: Summary())
    folders.remove(id)
    begun.remove(id)
    forgetName(of: old)
    // Usually the last one goes: a take that was never made, or a new item that moves.
    if let index = sequence.lastIndex(of: id) { sequence.remove(at: index) }
  }

  private mutating func place(_ id: ItemID, at index: Int) {
    guard let old = sequence.firstIndex(of: id) else { return }
    sequence.remove(at: old)
    sequence.insert(id, at: min(max(index, 0), sequence.count))
  }

  private mutating func count(_ id: ItemID, _ new: Summary) {
    guard case .folder(let folder) = entries[id]?.item else { return }
    replace(folder.summary, with: new)
    entries[id]?.item = .folder(folder.changed(summary: new))
  }

  // MARK: The summary

  /// The counts of everything below, and the date of the newest recording.
  var summary: Summary {
    mutating get {
      if newest.mustRebuild { newest.rebuild(from: entries.values.lazy.map(\.summary.latest)) }
      return Summary(tally, latest: newest.value)
    }
  }

  private mutating func replace(_ old: Summary, with new: Summary) {
    tally = tally + new.tally - old.tally
    guard old.latest != new.latest else { return }
    newest.remove(old.latest)
    newest.insert(new.latest)
  }

  private mutating func forgetName(of old: Entry) {
    guard names != nil else { return }
    for name in old.fileNames {
      let folded = FileName.folded(name)
      if let count = names?[folded], count > 1 {
        names?[folded] = count - 1
      } else {
        names?[folded] = nil
      }
    }
  }

  private mutating func noteNames(of entry: Entry) {
    for name in entry.fileNames { names?[FileName.folded(name), default: 0] += 1 }
  }

  /// Whether an entry has that name, or one that some cards treat as the same.
  mutating func isTaken(_ name: String) -> Bool {
    if names == nil {
      names = [:]
      for entry in entries.values { noteNames(of: entry) }
    }
    return names?[FileName.folded(name)] != nil
  }

  // MARK: SortOrder

  /// The items in the folder's order. Unless that is the user's, folders come first.
  func sorted() -> [ItemID] {
    if order == .byHand { return sequence }
    return sequence.sorted { left, right in
      guard let one = entries[left], let other = entries[right] else { return left < right }
      return comesBefore(one, other)
    }
  }

  private func comesBefore(_ one: Entry, _ other: Entry) -> Bool {
    switch (one.item, other.item) {
    case (.folder(let left), .folder(let right)): return left.comesBefore(right)
    case (.folder, .recording): return true
    case (.recording, .folder): return false
    case (.recording(let left), .recording(let right)): return left.comesBefore(right, in: order)
    }
  }
}
