// Copies a file or a directory tree slice by slice, for renames on FAT and exFAT, where a plain
// rename is not safe from a power cut. The original is not touched and stays in use; what changes
// meanwhile is detected at the end and copied again. Index files are copied last, all at once. Runs
// on the card's thread.

import Recorder
import Tape

struct TreeCopy {
  private(set) var doneBytes: Int64 = 0
  /// Paths still to copy, below the root of the copy ("" is the root itself); the next one last.
  private var left = [""]
  /// Bytes copied of the next path.
  private var offset: Int64 = 0

  /// Takes some tenths of a second on a slow card.
  private static let pieceBytes = 1 << 20

  /// Creates the target, which reserves its name.
  init<System: FileSystem>(
    from old: String, to new: String, on system: System
  ) throws(TapeError) {
    if try system.entry(old)?.kind == .directory {
      try system.makeDirectory(new)
    } else {
      _ = try system.open(new, .create)
    }
  }

  /// Copies one slice. True when the copy is the same as its original.
  mutating func isComplete<System: FileSystem>(
    from old: String, to new: String, on system: System
  ) throws(TapeError) -> Bool {
    if try step(from: old, to: new, on: system) { return false }
    return try isSame(old, new, on: system)
  }

  /// Copies one slice; false when no known path is left.
  private mutating func step<System: FileSystem>(
    from old: String, to new: String, on system: System
  ) throws(TapeError) -> Bool {
    guard let path = left.last else { return false }
    let (source, target) = (join(old, path), join(new, path))
    switch try system.entry(source)?.kind {
    case .file: try copyPiece(source, target, on: system)
    case .directory: try enter(path, source, target, on: system)
    case .other: throw TapeError(.unsupported, "\(source) is neither a file nor a folder.")
    case nil:
      // It was removed while it was being copied.
      if try system.entry(target) != nil { try system.removeTree(target) }
      next()
    }
    return true
  }

  private mutating func next() {
    left.removeLast()
    offset = 0
  }

  private mutating func enter<System: FileSystem>(
    _ path: String, _ source: String, _ target: String, on system: System
  ) throws(TapeError) {
    if try system.entry(target) == nil { try system.makeDirectory(target) }
    next()
    left += try system.namesButIndex(in: source).keys.map { join(path, $0) }
  }

  private mutating func copyPiece<System: FileSystem>(
    _ source: String, _ target: String, on system: System
  ) throws(TapeError) {
    let old = try system.open(source, .read)
    let isThere = try system.entry(target) != nil
    let new = try system.open(target, isThere ? .change : .create)
    if offset == 0, isThere { try new.truncate(to: 0) }
    let piece = try old.bytes(at: offset, count: Self.pieceBytes)
    if !piece.isEmpty { try new.write(piece, at: offset) }
    offset += Int64(piece.count)
    doneBytes += Int64(piece.count)
    guard piece.count < Self.pieceBytes else { return }
    try new.setModified(try old.modified())
    try new.sync()
    next()
  }

  // MARK: What changed meanwhile

  /// Compares both once everything is copied; false if something must be copied again.
  private mutating func isSame<System: FileSystem>(
    _ old: String, _ new: String, on system: System
  ) throws(TapeError) -> Bool {
    try compare("", old, new, on: system)
    return left.isEmpty
  }

  private mutating func compare<System: FileSystem>(
    _ path: String, _ old: String, _ new: String, on system: System
  ) throws(TapeError) {
    guard try system.entry(join(old, path))?.kind == .directory else { return }
    var copies = try system.namesButIndex(in: join(new, path))
    for (name, entry) in try system.namesButIndex(in: join(old, path)) {
      let inside = join(path, name)
      let copy = copies.removeValue(forKey: name)
      if let copy, copy.isLike(entry) {
        if entry.kind == .directory { try compare(inside, old, new, on: system) }
        continue
      }
      if copy != nil { try system.removeTree(join(new, inside)) }
      left.append(inside)
    }
    for name in copies.keys { try system.removeTree(join(join(new, path), name)) }
  }
}

extension FileEntry {
  /// Whether a copy has its original's length and time. Cards round times: up to 3 s may differ.
  fileprivate func isLike(_ other: FileEntry) -> Bool {
    if kind != other.kind { return false }
    return kind == .directory
      || byteCount == other.byteCount && abs(modified - other.modified) < 3_000_000_000
  }
}

extension FileSystem {
  /// Returns the bytes in a file, or in all files below a directory.
  func byteCount(below path: String) throws(TapeError) -> Int64 {
    guard let entry = try entry(path) else { return 0 }
    guard entry.kind == .directory else { return entry.byteCount }
    var total: Int64 = 0
    for (name, inside) in try list(path).compactMap({ entry in entry.name.map { ($0, entry) } }) {
      total += inside.kind == .directory ? try byteCount(below: join(path, name)) : inside.byteCount
    }
    return total
  }

  /// Copies the index files of a directory tree and syncs the whole copy, except for its own name
  /// in its parent.
  func finishCopy(from old: String, to new: String) throws(TapeError) {
    for name in FileName.slots + [FileName.journal] {
      let target = join(new, name)
      if try entry(target) != nil { try remove(target) }
      guard try entry(join(old, name)) != nil else { continue }
      let index = try open(join(old, name), .read)
      let copy = try open(target, .create)
      try copy.write(try index.bytes(at: 0, count: Int(try index.byteCount())), at: 0)
      try copy.sync()
    }
    for (name, entry) in try namesButIndex(in: old) where entry.kind == .directory {
      try finishCopy(from: join(old, name), to: join(new, name))
    }
    try syncDirectory(new)
    // If a power cut undid a removal in the old directory, it would seem to hold more than the
    // copy.
    try syncDirectory(old)
  }

  /// Removes from `copy` every file that is a copy of one in `original`, whole or begun, then the
  /// directory if it is empty.
  func removeCopy(_ copy: String, of original: String) throws(TapeError) {
    for entry in try list(copy) {
      guard let name = entry.name else { continue }
      let (one, other) = (join(copy, name), join(original, name))
      let twin = try self.entry(other)
      switch entry.kind {
      case .directory: if twin?.kind == .directory { try removeCopy(one, of: other) }
      case .file:
        let isShorter = twin.map { entry.byteCount <= $0.byteCount } ?? false
        if FileName.isIndex(name) {
          try remove(one)
        } else if isShorter, try isCopyBegun(other, one) {
          try remove(one)
        }
      case .other: break
      }
    }
    if try list(copy).isEmpty { try removeDirectory(copy) }
  }

  /// Removes a file or a directory tree. Never follows a symbolic link. With `keeps`, the directory
  /// stays, and so do entries directly in it whose names match.
  func removeTree(
    _ path: String, keeping keeps: ((String) -> Bool)? = nil
  ) throws(TapeError) {
    guard let entry = try entry(path) else { return }
    guard entry.kind == .directory else { return try remove(path) }
    for inside in try list(path) {
      if let name = inside.name {
        if keeps?(name) != true { try removeTree(join(path, name)) }
      } else {
        // Its name is not valid UTF-8. Rename it first, to one that no earlier attempt has left
        // behind.
        var number = 1
        while try self.entry(join(path, ".unnamed-\(number)")) != nil { number += 1 }
        let name = ".unnamed-\(number)"
        try rename(rawName: inside.rawName, in: path, to: name)
        try removeTree(join(path, name))
      }
    }
    if keeps == nil { try removeDirectory(path) }
  }

  /// The entries of a directory, without its index files.
  fileprivate func namesButIndex(in path: String) throws(TapeError) -> [String: FileEntry] {
    var names: [String: FileEntry] = [:]
    for entry in try list(path) {
      guard let name = entry.name else {
        let shown = String(decoding: entry.rawName, as: UTF8.self)
        throw TapeError(
          .unsupported, "\(join(path, shown)) has a name that is no text; give it another.")
      }
      if !FileName.isIndex(name) { names[name] = entry }
    }
    return names
  }
}
