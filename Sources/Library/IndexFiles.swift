// A folder's index on the card: two snapshot slots that are written in turn, and a journal of the
// changes since. Nothing that is needed is ever overwritten: a new snapshot goes where the older
// one is, and lines of the journal say which snapshot they follow, so that a cut at any point
// leaves something true. Used on the card's thread only.

import Glibc
import Recorder
import Tape

struct IndexFiles<System: FileSystem> {
  let system: System

  // MARK: Reading

  /// Before it is read for the first time: what a process before this one could not write is no
  /// ground to go on from.
  func forgetUnwritten(at path: String) {
    for name in FileName.slots + [FileName.journal] { system.forgetUnwritten(join(path, name)) }
  }

  /// Fails, and changes nothing, when a file is there and cannot be read, or is of a newer version.
  func read(_ id: ItemID, at path: String, name: String) throws(TapeError) -> OpenFolder {
    var (best, bestBytes, generation): (FolderIndex?, Int, Int) = (nil, 0, 0)
    var broken: [String] = []
    for (name, claimed) in try slots(at: path) {
      // One that says itself to be older than a whole one is not needed.
      if claimed > 0, claimed < generation { continue }
      guard let bytes = try contents(of: join(path, name)) else { continue }
      let slot = bytes.withUnsafeBytes {
        IndexFormat.slot($0, isNeeded: { $0 > generation })
      }
      switch slot {
      case .older: break
      case .broken: broken.append(name)
      case .newer: throw Self.refusal(path)
      case .whole(let index, let number, let byteCount):
        // What lies there may be what the card had in that place before.
        if index.id != id {
          broken.append(name)
        } else {
          (best, bestBytes, generation) = (index, byteCount, number)
        }
      }
    }
    let index = best ?? FolderIndex(id: id, name: name)
    let folder = OpenFolder(index)
    (folder.generation, folder.snapshotGeneration) = (generation, generation)
    folder.snapshotBytes = Int64(bestBytes)
    let journal = try contents(of: join(path, FileName.journal))
    folder.hasJournal = journal != nil
    try replay(journal ?? [], into: folder, at: path, broken: broken)
    return folder
  }

  /// Both slots, the one with the higher generation first, as far as their first bytes tell.
  private func slots(at path: String) throws(TapeError) -> [(name: String, generation: Int)] {
    var slots: [(name: String, generation: Int)] = []
    for name in FileName.slots {
      guard let head = try contents(of: join(path, name), upTo: 128) else { continue }
      slots.append((name, head.withUnsafeBytes { IndexFormat.generation(of: $0) }))
    }
    return slots.sorted { $0.generation > $1.generation }
  }

  /// What the index in a directory says of itself; nil when there is none that can be believed.
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

  private func replay(
    _ journal: [UInt8], into folder: OpenFolder, at path: String, broken: [String]
  ) throws(TapeError) {
    var replay = Replay(folder)
    journal.withUnsafeBytes { replay.run($0) }
    if replay.isNewer { throw Self.refusal(path) }
    folder.tornBytes = Int64(journal.count) - folder.journalEnd
    folder.hasTornLine = replay.hasTornLine
    var damaged: [String] = []
    if replay.hasLostLines { damaged.append(FileName.journal) }
    // A slot that was being written is followed by the journal of the one before. With nothing
    // behind that, the broken one was the newer.
    if replay.hasLostLines || folder.lineCount == 0 { damaged += broken }
    if !damaged.isEmpty { folder.damage = OpenFolder.Damage(files: damaged) }
    if replay.lastGeneration > folder.generation { folder.generation = replay.lastGeneration }
  }

  /// Nil when there is no such file.
  private func contents(
    of path: String, upTo limit: Int = .max
  ) throws(TapeError) -> [UInt8]? {
    guard let entry = try system.entry(path), entry.kind == .file else { return nil }
    let file = try system.open(path, .read)
    let count = min(limit, Int(clamping: try file.byteCount()))
    if count > 1 << 30 {
      throw TapeError(.cannotRead, "\(path) is much too long for an index; move it elsewhere.")
    }
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

  private static func refusal(_ path: String) -> TapeError {
    let name = path.isEmpty ? "This card" : "The folder \(path)"
    return TapeError(
      .unsupported, "\(name) was written by a newer version of Reel; update this one to use it.")
  }

  // MARK: Writing

  /// Adds a line to the journal. With `synced` it is on the card for good when this returns; only
  /// then may anybody be told. The change is made in memory, too, unless this fails.
  func append(
    _ changes: [IndexChange], to folder: OpenFolder, at path: String, synced: Bool = true
  ) throws(TapeError) {
    precondition(!changes.isEmpty, "a line says what changed")
    let line = IndexFormat.line(
      changes, after: folder.generation, number: folder.lineCount + 1, before: folder.lastSum,
      in: folder.index.id)
    let name = join(path, FileName.journal)
    let file: System.File
    if folder.hasJournal {
      file = try system.open(name, .change)
    } else {
      file = try system.open(name, .create)
      (folder.hasJournal, folder.hasUnsyncedName) = (true, true)
    }
    do {
      // Lines of before the last snapshot may still be there: no half of one must stay behind.
      if folder.tornBytes > 0 {
        try file.truncate(to: folder.journalEnd)
        folder.tornBytes = 0
      }
      try file.write(line, at: folder.journalEnd)
      if synced { try file.sync() }
      if synced, folder.hasUnsyncedName {
        try system.syncDirectory(path)
        folder.hasUnsyncedName = false
      }
    } catch {
      // What was refused must not be found there later. If not even that can be done, the next line
      // is written over it.
      try? file.truncate(to: folder.journalEnd)
      // Nor after a cut, if the card still takes it.
      try? file.sync()
      throw error
    }
    folder.journalEnd += Int64(line.count)
    folder.lineCount += 1
    folder.lastSum = line.withUnsafeBytes { IndexFormat.sum(of: $0) }
    for change in changes { folder.index.apply(change) }
  }

  /// Writes the whole index into the older slot, and begins the journal afresh.
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
    // What is behind it does no harm, and is cut off only where it is worth a call.
    if let old, old.byteCount / 2 > bytes.count { try file.truncate(to: Int64(bytes.count)) }
    try file.sync()
    if isNew { try system.syncDirectory(path) }
    // From here on the lines in the journal are of the past, whether they can be cut off or not.
    (folder.generation, folder.snapshotGeneration) = (generation, generation)
    folder.snapshotBytes = Int64(bytes.count)
    (folder.lineCount, folder.journalEnd, folder.lastSum) = (0, 0, 0)
    if folder.hasJournal, !keepsJournal {
      let journal = try system.open(join(path, FileName.journal), .change)
      try journal.truncate(to: 0)
    }
    (folder.tornBytes, folder.hasTornLine) = (0, false)
  }

  /// Gives files that make no sense another name, for somebody to look at, and writes a snapshot of
  /// what could be saved.
  func setAside(_ damage: OpenFolder.Damage, of folder: OpenFolder, at path: String)
    throws(TapeError)
  {
    // What the journal says is in no other place: it goes when the snapshot is there. A broken slot
    // goes first, for that is where the snapshot belongs.
    let isJournal = damage.files.contains(FileName.journal)
    for name in damage.files where name != FileName.journal { try setAside(name, at: path) }
    try system.syncDirectory(path)
    try writeSnapshot(of: folder, at: path, keepsJournal: isJournal)
    if isJournal {
      try setAside(FileName.journal, at: path)
      try system.syncDirectory(path)
      folder.hasJournal = false
    }
    folder.damage = nil
  }

  /// Under a name that nobody takes for anything, with all that is in it.
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

/// Reads a journal line by line, up to the first that is none.
private struct Replay {
  private let folder: OpenFolder
  private(set) var isNewer = false
  /// There is a good line behind a bad one, or a line whose snapshot is lost.
  private(set) var hasLostLines = false
  private(set) var hasTornLine = false
  private(set) var lastGeneration = 0

  init(_ folder: OpenFolder) { self.folder = folder }

  mutating func run(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    var hasEnded = false
    while start < bytes.count {
      let end = lineEnd(in: bytes, from: start)
      let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      // Without its end a line may be missing what no checksum knows of.
      let line = end < bytes.count ? IndexFormat.line(text, in: folder.index.id) : nil
      start = end + 1
      guard let line else {
        (hasEnded, hasTornLine) = (true, true)
        continue
      }
      if line.version > IndexFormat.version {
        isNewer = true
        return
      }
      // Of before the last snapshot: the journal had not been cut yet.
      if line.generation < folder.generation { continue }
      // A line that was read already stands there once more: the card left old bytes behind the
      // last line, and what they say has been overtaken.
      if line.generation == folder.generation, line.number <= folder.lineCount {
        (hasEnded, hasTornLine) = (true, true)
        continue
      }
      if take(line, isNext: !hasEnded) { folder.journalEnd = Int64(start) } else { hasEnded = true }
    }
  }

  /// There may be tens of thousands of lines: the C library finds their ends faster.
  private func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress,
      let end = memchr(base + start, 10, bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(end) - base
  }

  /// Lines that cannot be told to be the next are made use of all the same: most changes say all
  /// there is to say of an item.
  private mutating func take(_ line: IndexFormat.Line, isNext: Bool) -> Bool {
    lastGeneration = max(lastGeneration, line.generation)
    for change in line.changes { folder.index.apply(change) }
    guard isNext, line.generation == folder.generation, line.number == folder.lineCount + 1,
      line.before == folder.lastSum
    else {
      hasLostLines = true
      return false
    }
    folder.lineCount += 1
    folder.lastSum = line.sum
    return true
  }
}
