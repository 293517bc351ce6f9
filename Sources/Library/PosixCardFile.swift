// A file of the mounted card, shared by whoever holds it and closed when the last of them lets go.
// Called on one thread at a time; every call may wait for the disk.

import Synchronization
import Tape

public final class PosixCardFile: TapeFile, Sendable {
  private let file: PosixFile
  /// A file just made has a name and a place that only the full sync is sure to write.
  private let needsFullSync: Atomic<Bool>

  init(_ path: String, below root: Int32, _ flags: Int32, isNew: Bool) throws(TapeError) {
    file = try PosixFile.open(path, below: root, flags: flags)
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
