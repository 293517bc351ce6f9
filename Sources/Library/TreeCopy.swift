// A file, or a directory with all that is in it, copied bit by bit, on cards where nothing else
// keeps it safe while it gets another name: FAT and exFAT. The original stays as it is and may be
// used and changed meanwhile; what changed is seen at the end and copied again. Indexes come last,
// all at once. On the card's thread.

import Tape

struct TreeCopy {
  let totalBytes: Int64
  private(set) var doneBytes: Int64 = 0
  /// Paths below what is copied ("" is that itself), the next one last.
  private var left = [""]
  /// How much there is of the next one.
  private var offset: Int64 = 0

  /// Some tenths of a second of a slow card.
  private static let pieceBytes = 1 << 20

  /// Takes the new name, so that nothing else gets it.
  init<System: FileSystem>(
    of byteCount: Int64, from old: String, to new: String, on system: System
  ) throws(TapeError) {
    totalBytes = byteCount
    if try system.entry(old)?.kind == .directory {
      try system.makeDirectory(new)
    } else {
      _ = try system.open(new, .create)
    }
  }

  /// One slice; false when everything was copied that was known of.
  mutating func step<System: FileSystem>(
    from old: String, to new: String, on system: System
  ) throws(TapeError) -> Bool {
    guard let path = left.last else { return false }
    let (source, target) = (join(old, path), join(new, path))
    switch try system.entry(source)?.kind {
    case .file: try copyPiece(source, target, on: system)
    case .directory: try enter(path, source, target, on: system)
    case .other: throw TapeError(.unsupported, "\(source) is neither a file nor a folder.")
    case nil:
      // It went while it was being copied.
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

  /// To be called when all is copied: false if something is to be copied again.
  mutating func isSame<System: FileSystem>(
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
  /// Whether a copy is as long and as old as what it was made of. Cards round times.
  fileprivate func isLike(_ other: FileEntry) -> Bool {
    if kind != other.kind { return false }
    return kind == .directory
      || byteCount == other.byteCount && abs(modified - other.modified) < 3_000_000_000
  }
}

extension FileSystem {
  /// How many bytes are in a file, or in all files below a directory.
  func byteCount(below path: String) throws(TapeError) -> Int64 {
    guard let entry = try entry(path) else { return 0 }
    guard entry.kind == .directory else { return entry.byteCount }
    var total: Int64 = 0
    for (name, inside) in try list(path).compactMap({ entry in entry.name.map { ($0, entry) } }) {
      total += inside.kind == .directory ? try byteCount(below: join(path, name)) : inside.byteCount
    }
    return total
  }

  /// Copies the indexes of a directory and of all below it, and makes the whole copy safe, but for
  /// its own name.
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
    // What was removed from the old one must not come back in a cut, and seem to be more than it.
    try syncDirectory(old)
  }

  /// Takes away what is a copy of something in another directory, or was to become one, and then
  /// the directory unless something else is in it.
  func removeCopy(_ copy: String, of original: String) throws(TapeError) {
    for entry in try list(copy) {
      guard let name = entry.name else { continue }
      let (one, other) = (join(copy, name), join(original, name))
      let twin = try self.entry(other)
      switch entry.kind {
      case .directory: if twin?.kind == .directory { try removeCopy(one, of: other) }
      case .file:
        if FileName.isIndex(name) || twin.map({ entry.byteCount <= $0.byteCount }) ?? false {
          try remove(one)
        }
      case .other: break
      }
    }
    if try list(copy).isEmpty { try removeDirectory(copy) }
  }

  /// A file, or a directory with all that is in it. Never follows a link.
  func removeTree(_ path: String) throws(TapeError) {
    guard let entry = try entry(path) else { return }
    guard entry.kind == .directory else { return try remove(path) }
    for inside in try list(path) {
      if let name = inside.name {
        try removeTree(join(path, name))
      } else {
        // It has no name that could be said: it gets one that no cut has left there.
        var number = 1
        while try self.entry(join(path, ".unnamed-\(number)")) != nil { number += 1 }
        let name = ".unnamed-\(number)"
        try rename(rawName: inside.rawName, in: path, to: name)
        try removeTree(join(path, name))
      }
    }
    try removeDirectory(path)
  }

  /// What is in a directory but for what the store keeps there of its own.
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
