// A folder's index on the card: two snapshot slots that are written in turn, and a journal of the
// changes since. Nothing still needed is ever overwritten: a new snapshot replaces the older one,
// and journal lines name the snapshot they follow. So a power cut at any point leaves a valid
// state. Used on the card's thread only.

import Realtime
import Recorder
import Tape

private let journalBlockBytes: Int64 = 4096
/// A small folder's journal reaches this length before its next snapshot; longer ones are cut off
/// then.
private let keptJournalBytes: Int64 = 20_480
/// Longer than nearly all lines, and shorter than the second-level cache of a small processor.
private let pieceBytes = 65_536

struct IndexFiles<System: FileSystem> {
  let system: System

  // MARK: Reading

  /// Called before the first read: the cache may show what an earlier process failed to write.
  func forgetUnwritten(at path: String) {
    for name in FileName.slots + [FileName.journal] { system.forgetUnwritten(join(path, name)) }
  }

  /// Reads an index. Fails, and changes nothing, if a file exists but cannot be read, or is of a
  /// newer version.
  func read(_ id: ItemID, at path: String, name: String) throws(TapeError) -> OpenFolder {
    var newest = try newestSnapshot(of: id, at: path)
    // Taken, because changes to an index that has two owners copy all of it.
    let folder = OpenFolder(newest.index.take() ?? FolderIndex(id: id, name: name))
    (folder.generation, folder.snapshotGeneration) = (newest.generation, newest.generation)
    folder.snapshotBytes = Int64(newest.byteCount)
    try replayJournal(into: folder, at: path, broken: newest.broken)
    return folder
  }

  private struct NewestSnapshot {
    var index: FolderIndex?
    var byteCount = 0
    var generation = 0
    /// Names of the slots that are not valid.
    var broken: [String] = []
  }

  private func newestSnapshot(
    of id: ItemID, at path: String
  ) throws(TapeError) -> NewestSnapshot {
    var newest = NewestSnapshot()
    for (name, claimed) in try slots(at: path) {
      // Skip a slot whose generation is lower than that of a valid slot.
      if claimed > 0, claimed < newest.generation { continue }
      guard let bytes = try contents(of: join(path, name)) else { continue }
      let slot = bytes.withUnsafeBytes {
        IndexFormat.slot($0, isNeeded: { $0 > newest.generation })
      }
      switch slot {
      case .older: break
      case .broken: newest.broken.append(name)
      case .newer: throw Self.refusal(path)
      // A card may show old bytes there, such as another folder's snapshot.
      case .whole(let index, _, _) where index.id != id: newest.broken.append(name)
      case .whole(let index, let generation, let byteCount):
        (newest.index, newest.generation, newest.byteCount) = (index, generation, byteCount)
      }
    }
    return newest
  }

  /// Both slots, the one with the higher claimed generation first.
  private func slots(at path: String) throws(TapeError) -> [(name: String, generation: Int)] {
    var slots: [(name: String, generation: Int)] = []
    for name in FileName.slots {
      guard let head = try contents(of: join(path, name), upTo: 128) else { continue }
      slots.append((name, head.withUnsafeBytes { IndexFormat.generation(of: $0) }))
    }
    return slots.sorted { $0.generation > $1.generation }
  }

  /// The identity and name in a directory's newest valid snapshot; nil if there is none.
  func identity(at path: String) throws(TapeError) -> (id: ItemID, name: String)? {
    var best: (generation: Int, id: ItemID, name: String)?
    for name in FileName.slots {
      guard let bytes = try contents(of: join(path, name)) else { continue }
      switch bytes.withUnsafeBytes({ IndexFormat.slot($0) }) {
      case .newer: throw Self.refusal(path)
      case .whole(let index, let generation, _):
        if generation > best?.generation ?? 0 { best = (generation, index.id, index.name) }
      case .older, .broken: break
      }
    }
    return best.map { ($0.id, $0.name) }
  }

  private func replayJournal(
    into folder: OpenFolder, at path: String, broken: [String]
  ) throws(TapeError) {
    var replay = JournalReplay(folder)
    let byteCount = try inPieces(join(path, FileName.journal)) { replay.run($0, isLast: $1) }
    if replay.isNewer { throw Self.refusal(path) }
    folder.hasJournal = byteCount != nil
    folder.journalBytes = byteCount ?? 0
    folder.syncedLines = folder.lineCount
    let isTorn = replay.linesEnd > folder.journalEnd
    folder.tornBytes = isTorn ? folder.journalBytes - folder.journalEnd : 0
    folder.hasTornLine = replay.hasTornLine
    var damaged: [String] = []
    if replay.hasLostLines { damaged.append(FileName.journal) }
    // A snapshot torn during its write leaves the lines after the previous one. If there are none,
    // the broken slot was the newer one.
    if replay.hasLostLines || folder.lineCount == 0 { damaged += broken }
    if !damaged.isEmpty || folder.index.wasDistrusted {
      folder.damage = OpenFolder.Damage(files: damaged)
    }
    if replay.lastGeneration > folder.generation { folder.generation = replay.lastGeneration }
  }

  /// Nil if there is no such file.
  private func contents(
    of path: String, upTo limit: Int = .max
  ) throws(TapeError) -> [UInt8]? {
    guard let (file, count) = try indexFile(path, upTo: limit) else { return nil }
    var result = Result<Int, TapeError>.success(0)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = Result { () throws(TapeError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      }
      if case .success(let count) = result { filled = count }
    }
    _ = try result.get()
    return bytes
  }

  /// Reads a file piece by piece: a journal may be long, and each piece is in the processor's cache
  /// when it is used. `use` returns how many bytes of a piece it needs no more; the others come
  /// again, with those behind them. Returns the number of bytes; nil if there is no such file.
  private func inPieces(
    _ path: String, _ use: (UnsafeRawBufferPointer, _ isLast: Bool) -> Int
  ) throws(TapeError) -> Int64? {
    guard let (file, size) = try indexFile(path, upTo: .max) else { return nil }
    var piece = Buffer<UInt8>(count: min(pieceBytes, max(size, 1)))
    var (filled, offset) = (0, 0)
    while true {
      let room = min(piece.count - filled, size - offset)
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: piece.raw[filled..<filled + room]),
        at: Int64(offset))
      (filled, offset) = (filled + count, offset + count)
      let isLast = count < room || offset == size
      let used = use(UnsafeRawBufferPointer(rebasing: piece.raw[..<filled]), isLast)
      if isLast { return Int64(offset) }
      let rest = UnsafeRawBufferPointer(rebasing: piece.raw[used..<filled])
      filled = rest.count
      if filled < piece.count {
        piece.raw.copyMemory(from: rest)
      } else {
        let longer = Buffer<UInt8>(count: min(piece.count * 2, size))
        longer.raw.copyMemory(from: rest)
        piece = longer
      }
    }
  }

  private func indexFile(
    _ path: String, upTo limit: Int
  ) throws(TapeError) -> (file: System.File, size: Int)? {
    guard let entry = try system.entry(path), entry.kind == .file else { return nil }
    let file = try system.open(path, .read)
    let size = min(limit, Int(clamping: try file.byteCount()))
    if size > 1 << 30 {
      throw TapeError(.cannotRead, "\(path) is much too long for an index; move it elsewhere.")
    }
    return (file, size)
  }

  private static func refusal(_ path: String) -> TapeError {
    let name = path.isEmpty ? "This card" : "The folder \(path)"
    return TapeError(
      .unsupported, "\(name) was written by a newer version of Reel; update this one to use it.")
  }

  // MARK: Writing

  /// Appends a line to the journal and, unless that fails, makes the changes in memory. With
  /// `synced`, the line is on the card when this returns; only then may the changes be
  /// acknowledged.
  func append(
    _ changes: [IndexChange], to folder: OpenFolder, at path: String, synced: Bool = true
  ) throws(TapeError) {
    precondition(!changes.isEmpty, "a line says what changed")
    let line = IndexFormat.line(
      changes, after: folder.generation, number: folder.lineCount + 1, safe: folder.syncedLines,
      before: folder.lastSum, in: folder.index.id)
    let name = join(path, FileName.journal)
    let file: System.File
    if folder.hasJournal {
      file = try system.open(name, .change)
    } else {
      file = try system.create(growing: name)
      (folder.hasJournal, folder.hasUnsyncedName, folder.journalBytes) = (true, true, 0)
    }
    do {
      // Lines from before the last snapshot may follow: no rest of one may stay behind the new
      // line.
      if folder.tornBytes > 0 {
        try file.truncate(to: folder.journalEnd)
        (folder.tornBytes, folder.journalBytes) = (0, folder.journalEnd)
      }
      try write(line, to: file, of: folder)
      if synced { try file.sync() }
      if synced, folder.hasUnsyncedName {
        try system.syncDirectory(path)
        folder.hasUnsyncedName = false
      }
    } catch {
      // A line that failed must not be read later. If it cannot be cut off either, the next line
      // overwrites it.
      try? file.truncate(to: folder.journalEnd)
      // Nor after a power cut, if the card still accepts a sync.
      try? file.sync()
      folder.journalBytes = folder.journalEnd
      throw error
    }
    folder.journalEnd += Int64(line.count)
    folder.lineCount += 1
    if synced { folder.syncedLines = folder.lineCount }
    folder.lastSum = line.withUnsafeBytes { IndexFormat.sum(of: $0) }
    for change in changes { folder.index.apply(change) }
  }

  /// Writes a line. The journal grows by zeros, a block at a time. A line written over them changes
  /// neither the file's length nor its block map, so its sync writes only its bytes.
  private func write(
    _ line: [UInt8], to file: System.File, of folder: OpenFolder
  ) throws(TapeError) {
    let end = folder.journalEnd + Int64(line.count)
    if end <= folder.journalBytes { return try file.write(line, at: folder.journalEnd) }
    let size = (end / journalBlockBytes + 1) * journalBlockBytes
    do {
      try file.write(line + [UInt8](repeating: 0, count: Int(size - end)), at: folder.journalEnd)
      folder.journalBytes = size
    } catch {
      // On a full card, omit the zeros: even a deletion needs its line.
      guard error.code == .diskFull else { throw error }
      try file.truncate(to: folder.journalEnd)
      try file.write(line, at: folder.journalEnd)
      folder.journalBytes = end
    }
  }

  /// Overwrites lines that a snapshot made obsolete with zeros. A journal longer than most folders
  /// need is cut off.
  private func clearJournal(
    of folder: OpenFolder, at path: String, upTo used: Int64
  ) throws(TapeError) {
    let journal = try system.open(join(path, FileName.journal), .change)
    if folder.journalBytes > keptJournalBytes {
      folder.journalBytes = 0
      return try journal.truncate(to: 0)
    }
    try journal.write([UInt8](repeating: 0, count: Int(used)), at: 0)
  }

  /// Writes the whole index into the older slot and starts the journal afresh.
  func writeSnapshot(
    of folder: OpenFolder, at path: String, keepsJournal: Bool = false
  ) throws(TapeError) {
    var generation = folder.generation + 1
    if folder.snapshotGeneration > 0, (generation - folder.snapshotGeneration) % 2 == 0 {
      generation += 1
    }
    let bytes = IndexFormat.snapshot(of: folder.index, generation: generation)
    let name = join(path, FileName.slots[generation % 2])
    let old = try system.entry(name)
    let isNew = old == nil
    let file = try system.open(name, isNew ? .create : .change)
    try file.write(bytes, at: 0)
    // Bytes behind the snapshot are harmless; cut them off only if they exceed it.
    if let old, old.byteCount / 2 > bytes.count { try file.truncate(to: Int64(bytes.count)) }
    try file.sync()
    if isNew { try system.syncDirectory(path) }
    // From here on the journal's lines are obsolete, even if clearing them fails.
    (folder.generation, folder.snapshotGeneration) = (generation, generation)
    folder.snapshotBytes = Int64(bytes.count)
    let used = folder.tornBytes > 0 ? folder.journalBytes : folder.journalEnd
    (folder.lineCount, folder.syncedLines, folder.journalEnd, folder.lastSum) = (0, 0, 0, 0)
    if folder.hasJournal, !keepsJournal { try clearJournal(of: folder, at: path, upTo: used) }
    (folder.tornBytes, folder.hasTornLine) = (0, false)
  }

  /// Renames damaged files, for a person to examine, and writes a snapshot of what could be saved.
  func setAside(_ damage: OpenFolder.Damage, of folder: OpenFolder, at path: String)
    throws(TapeError)
  {
    // Nothing else has the journal's content, so it is renamed after the snapshot is written. A
    // broken slot is renamed before, because the snapshot takes its place.
    let isJournal = damage.files.contains(FileName.journal)
    for name in damage.files where name != FileName.journal { try setAside(name, at: path) }
    try system.syncDirectory(path)
    try writeSnapshot(of: folder, at: path, keepsJournal: isJournal)
    if isJournal {
      try setAside(FileName.journal, at: path)
      try system.syncDirectory(path)
      (folder.hasJournal, folder.journalBytes) = (false, 0)
    }
    folder.damage = nil
  }

  /// Renames a file or a directory to `NAME.damaged-N`, which Reel ignores.
  func setAside(_ name: String, at path: String) throws(TapeError) {
    guard try system.entry(join(path, name)) != nil else { return }
    var number = 1
    while try system.entry(join(path, "\(name).damaged-\(number)")) != nil { number += 1 }
    try system.rename(join(path, name), to: join(path, "\(name).damaged-\(number)"))
  }
}

func join(_ path: String, _ name: String) -> String {
  path.isEmpty || name.isEmpty ? path + name : path + "/" + name
}
