// What a sync makes safe on a card in memory: no more than the weakest real file system of its kind
// guarantees. Behind the card's lock.

extension MemoryCardDisk {
  /// Syncs a file's bytes and length. A journalling file system also commits its name and every
  /// earlier change of names; FAT guarantees nothing about names.
  mutating func sync(file: Int) {
    var isCommitted = 0
    if kind == .journalling {
      isCommitted = 1 + (pending.lastIndex { $0.names(node: file) } ?? -1)
    }
    settle { index, change in
      switch change {
      case .data(_, let changed): changed == file
      case .names: index < isCommitted
      }
    }
    safe.files[file]?.modified = live.files[file]?.modified ?? 0
  }

  /// Drops a file's unsynced writes: they will never be safe. Once the power is cut, nothing
  /// changes.
  mutating func giveUp(file: Int) {
    if isCut || counts.operations > faults.cutAfter ?? .max { return }
    pending.removeAll { change in
      if case .data(.write, let changed) = change { changed == file } else { false }
    }
  }

  /// Stops showing writes that were dropped; the file keeps its length.
  mutating func forgetUnwritten(_ file: Int) {
    guard let shown = live.files[file], let written = safe.files[file] else { return }
    live.files[file]?.bytes = written.bytes
    for case .data(let change, let changed) in pending where changed == file {
      live.apply(change, to: file)
    }
    live.resize(file, to: shown.bytes.count)
  }

  /// Syncs the names in a folder; on a journalling file system also every earlier change of names.
  mutating func sync(folder: Int) {
    if kind == .fat { return settleNames(in: folder) }
    let isCommitted =
      1 + (pending.lastIndex { $0.names(node: folder) || $0.changes(folder: folder) } ?? -1)
    settle { index, change in
      if case .names = change { index < isCommitted } else { false }
    }
  }

  /// On FAT the names of a folder are written without those of any other folder.
  private mutating func settleNames(in folder: Int) {
    var rest: [Pending] = []
    for change in pending {
      guard case .names(let names, let node) = change else {
        rest.append(change)
        continue
      }
      for name in names where name.folder == folder { makeSafe(name) }
      let others = names.filter { $0.folder != folder }
      if !others.isEmpty { rest.append(.names(others, node: node)) }
    }
    pending = rest
    forgetGone()
  }

  private mutating func settle(_ isSafe: (Int, Pending) -> Bool) {
    var rest: [Pending] = []
    for (index, change) in pending.enumerated() {
      guard isSafe(index, change) else {
        rest.append(change)
        continue
      }
      switch change {
      case .data(let change, let file): safe.apply(change, to: file)
      case .names(let names, _): for name in names { makeSafe(name) }
      }
    }
    pending = rest
    forgetGone()
  }

  private mutating func makeSafe(_ name: MemoryCardTree.NameChange) {
    let before = safe.folders[name.folder]?.entries[name.key]?.node
    safe.apply(name)
    if name.entry == nil, let before, live.files[before] == nil, live.folders[before] == nil {
      gone.append(before)
    }
  }

  /// Drops nodes that have no name left, neither live nor safe, and their pending data.
  private mutating func forgetGone() {
    guard !gone.isEmpty else { return }
    for node in gone {
      safe.files[node] = nil
      safe.folders[node] = nil
    }
    gone = []
    pending.removeAll { change in
      if case .data(_, let file) = change { safe.files[file] == nil } else { false }
    }
  }
}

extension MemoryCardDisk.Pending {
  func names(node wanted: Int) -> Bool {
    if case .names(_, let node) = self { node == wanted } else { false }
  }

  func changes(folder: Int) -> Bool {
    if case .names(let names, _) = self { names.contains { $0.folder == folder } } else { false }
  }
}
