// What a sync makes safe on a card in memory, as weakly as any real file system of its kind would
// have it. Behind the card's lock.

extension MemoryCardDisk {
  /// A file's bytes and length. A journalling file system also writes its name, and with it every
  /// step on names that came before; FAT promises nothing about names.
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

  /// What was written and not synced will never be safe. With the power gone it is as it was.
  mutating func giveUp(file: Int) {
    if isCut || counts.operations > faults.cutAfter ?? .max { return }
    pending.removeAll { change in
      if case .data(.write, let changed) = change { changed == file } else { false }
    }
  }

  /// What was given up is not shown any more; the file is as long as it was.
  mutating func forgetUnwritten(_ file: Int) {
    guard let shown = live.files[file], let written = safe.files[file] else { return }
    live.files[file]?.bytes = written.bytes
    for case .data(let change, let changed) in pending where changed == file {
      live.apply(change, to: file)
    }
    live.resize(file, to: shown.bytes.count)
  }

  /// The names in a folder; in a journalling file system again with every step before.
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

  /// What has no name any more, neither in what is seen nor in what is safe, is worth nothing.
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
