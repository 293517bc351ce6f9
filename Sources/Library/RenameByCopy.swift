// Renames files on FAT and exFAT, which write the old and the new name in no order, so that a power
// cut may leave neither. The file is copied, and its old name removed once the copy is synced. A
// power cut then leaves the old file whole, or the new one, or both; `settleRename` leaves one of
// two. A process that has the file open keeps the old one. Called on the card's thread; takes as
// long as copying.

import Glibc
import Recorder
import Tape

private let pieceBytes = 1 << 16

extension FileSystem {
  /// The old name is gone for good once its folder is synced, as after any rename.
  func renameByCopy(_ path: String, to target: String) throws(TapeError) {
    if let size = try entry(path)?.byteCount, try space().freeBytes < size {
      throw .system(.cannotWrite, "There is no room for a copy of \(path)", errno: ENOSPC)
    }
    let new = try open(target, .create)
    do {
      let old = try open(path, .read)
      try copy(old, to: new)
      try new.setModified(try old.modified())
      try new.sync()
      try syncDirectory(parent(of: target))
      try remove(path)
    } catch {
      // The old file is unchanged, and an unfinished copy is useless.
      try? remove(target)
      // Best effort as well: `settleRename` removes a copy that reappears after a power cut.
      try? syncDirectory(parent(of: target))
      throw error
    }
  }

  /// Resolves an interrupted rename that left both names; call it before using either. Removes the
  /// old file if the new one has all of its bytes, or the new one if it is an unfinished copy. If
  /// neither is certain, both stay. A power cut during the removal can shorten the old one: FAT
  /// frees a file's clusters before its name.
  public func settleRename(_ path: String, to target: String) throws(TapeError) {
    guard let one = try entry(path), let other = try entry(target), one.kind == .file,
      other.kind == .file, path != target
    else { return }
    try makeSafe(target)
    if one.byteCount <= other.byteCount, try isBeginning(path, of: target) {
      try remove(path)
      try syncDirectory(parent(of: path))
    } else if other.byteCount <= one.byteCount, try isCopyBegun(path, target) {
      try remove(target)
      try syncDirectory(parent(of: target))
    }
  }

  /// Syncs a copy and drops it from the cache, so that the card is compared. Found by a simulated
  /// year: after a failed sync the cache still showed every byte of the copy, and the old file was
  /// removed.
  private func makeSafe(_ copy: String) throws(TapeError) {
    try open(copy, .change).sync()
    try syncDirectory(parent(of: copy))
    forgetUnwritten(copy)
  }

  private func copy(_ old: File, to new: File) throws(TapeError) {
    var offset: Int64 = 0
    while case let piece = try old.bytes(at: offset, count: pieceBytes), !piece.isEmpty {
      try new.write(piece, at: offset)
      offset += Int64(piece.count)
    }
  }

  private func isBeginning(_ path: String, of target: String) throws(TapeError) -> Bool {
    let (one, other) = (try open(path, .read), try open(target, .read))
    var offset: Int64 = 0
    while case let piece = try one.bytes(at: offset, count: pieceBytes), !piece.isEmpty {
      if try other.bytes(at: offset, count: piece.count) != piece { return false }
      offset += Int64(piece.count)
    }
    return true
  }

  /// Whether `target` is an unfinished copy of `path`: it begins with the same bytes, or both are
  /// named like takes of one format and it is not whole. A file that a person put there is neither.
  func isCopyBegun(_ path: String, _ target: String) throws(TapeError) -> Bool {
    let copy = try open(target, .read)
    // These bytes include an Ogg stream's serial number, or that in a FLAC file's header.
    let beginning = try copy.bytes(at: 0, count: 64)
    if try open(path, .read).bytes(at: 0, count: beginning.count) == beginning { return true }
    let endings = [path, target].map { FileName.split($0).ending.lowercased() }
    guard endings[0] == endings[1], FileName.takeEndings.contains(endings[0]) else { return false }
    if try Repair.examine(copy).verdict != .whole { return true }
    // A card may show the header of another recording before the copy's own end, and FLAC's frames
    // do not say whose they are. Found by 300,000 power cuts.
    return try Repair.sumMatches(copy) == false
  }

  private func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
