// A file of the mounted card, closed with its last reference. Called on one thread at a time; every
// call may block on the disk.

import Synchronization
import Tape

/// An open file of a card.
public final class PosixCardFile: TapeFile, Sendable {
  private let file: PosixFile
  /// Set for a new file, whose name and place only fsync is sure to write, and for a new time.
  private let needsFullSync: Atomic<Bool>

  init(_ file: consuming PosixFile, isNew: Bool) {
    self.file = file
    needsFullSync = Atomic(isNew)
  }

  public func byteCount() throws(TapeError) -> Int64 { try file.byteCount() }

  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TapeError) -> Int {
    try file.read(into: buffer, at: offset)
  }

  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError) {
    try file.write(bytes, at: offset)
  }

  public func truncate(to byteCount: Int64) throws(TapeError) {
    try file.truncate(to: byteCount)
  }

  public func sync() throws(TapeError) {
    guard needsFullSync.load(ordering: .relaxed) else { return try file.syncData() }
    try file.sync()
    needsFullSync.store(false, ordering: .relaxed)
  }

  public func modified() throws(TapeError) -> Int64 { try file.modified() }

  public func setModified(_ nanoseconds: Int64) throws(TapeError) {
    try file.setModified(nanoseconds)
    needsFullSync.store(true, ordering: .relaxed)
  }
}
