// Renaming files on cards that write the old name and the new in no order, so that a power cut may
// leave neither: FAT and exFAT. There a file is copied, and its old name goes when the new one is
// safe. A cut then leaves the old file whole, or the new one, or both; `settleRename` makes one of
// two. Whoever has the file open keeps the old one. Called on the card's thread; takes as long as
// copying takes.

import Glibc
import Tape

private let pieceBytes = 1 << 16

extension FileSystem {
  /// The old name goes for good when its folder is synced, as after any renaming.
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
      // The old file is as it was; what there is of the new one is of no use.
      try? remove(target)
      // The same: should it be found there after a cut, it is a copy too many.
      try? syncDirectory(parent(of: target))
      throw error
    }
  }

  /// To be called before anything is made of two names of which one was to become the other: takes
  /// away the old one if both have the same bytes, or the new one if it is an unfinished copy.
  /// Where that cannot be told, both stay.
  public func settleRename(_ path: String, to target: String) throws(TapeError) {
    guard let one = try entry(path), let other = try entry(target), one.kind == .file,
      other.kind == .file, path != target
    else { return }
    if one.byteCount == other.byteCount, try isSame(path, target) {
      try remove(path)
      try syncDirectory(parent(of: path))
    } else if other.byteCount <= one.byteCount, try isCopyBegun(path, target) {
      try remove(target)
      try syncDirectory(parent(of: target))
    }
  }

  private func copy(_ old: File, to new: File) throws(TapeError) {
    var offset: Int64 = 0
    while case let piece = try old.bytes(at: offset, count: pieceBytes), !piece.isEmpty {
      try new.write(piece, at: offset)
      offset += Int64(piece.count)
    }
  }

  private func isSame(_ path: String, _ target: String) throws(TapeError) -> Bool {
    let (one, other) = (try open(path, .read), try open(target, .read))
    var offset: Int64 = 0
    while case let piece = try one.bytes(at: offset, count: pieceBytes), !piece.isEmpty {
      if try other.bytes(at: offset, count: pieceBytes) != piece { return false }
      offset += Int64(piece.count)
    }
    return true
  }

  /// It begins like the other, or makes no sense. Sound that somebody put there does neither.
  private func isCopyBegun(_ path: String, _ target: String) throws(TapeError) -> Bool {
    let copy = try open(target, .read)
    // The serial number of an Ogg stream is in there.
    let beginning = try copy.bytes(at: 0, count: 64)
    if try open(path, .read).bytes(at: 0, count: beginning.count) == beginning { return true }
    return try Repair.examine(copy).verdict != .whole
  }

  private func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
