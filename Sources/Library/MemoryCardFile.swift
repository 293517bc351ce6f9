// A file of a card in memory: a node's number, and calls that go through the card, so that each is
// counted and can fail. Any thread; closed with its last reference.

import Glibc
import Tape

/// An open file of a card in memory.
public final class MemoryCardFile: TapeFile, Sendable {
  private let card: MemoryCard
  private let node: Int
  private let path: String
  private let isReadOnly: Bool

  init(card: MemoryCard, node: Int, path: String, isReadOnly: Bool) {
    (self.card, self.node) = (card, node)
    (self.path, self.isReadOnly) = (path, isReadOnly)
  }

  deinit {
    do {
      try card.locked { [node] disk throws(TapeError) in
        disk.openFiles[node, default: 1] -= 1
        if disk.openFiles[node] == 0 { disk.openFiles[node] = nil }
        disk.release(node)
      }
    } catch { preconditionFailure("closing a file in memory cannot fail") }
  }

  public func byteCount() throws(TapeError) -> Int64 {
    try card.perform(.look, path) { [node] disk throws(TapeError) in
      Int64(disk.live.files[node]?.bytes.count ?? 0)
    }
  }

  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TapeError) -> Int {
    try card.perform(.read, path) { [node] disk throws(TapeError) in
      guard let bytes = disk.live.files[node]?.bytes, offset < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - Int(offset))
      bytes.withUnsafeBytes { source in
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[Int(offset)...].prefix(count)))
      }
      disk.counts.bytesRead += count
      return count
    }
  }

  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError) {
    try change(.write) { [node] disk in disk.write(bytes, at: Int(offset), to: node) }
  }

  public func truncate(to byteCount: Int64) throws(TapeError) {
    try change(.truncate) { [node] disk in disk.truncate(node, to: Int(byteCount)) }
  }

  /// A failed sync is not made good by the next: the system drops the data but goes on showing it.
  /// Only data that is written again can become safe.
  public func sync() throws(TapeError) {
    do {
      try card.perform(.sync, path) { [node] disk throws(TapeError) in disk.sync(file: node) }
    } catch {
      try card.locked { [node] disk throws(TapeError) in disk.giveUp(file: node) }
      throw error
    }
  }

  public func modified() throws(TapeError) -> Int64 {
    try card.perform(.look, path) { [node] disk throws(TapeError) in
      disk.live.files[node]?.modified ?? 0
    }
  }

  public func setModified(_ nanoseconds: Int64) throws(TapeError) {
    try change(.setTime) { [node] disk in
      disk.setModified(nanoseconds, of: node)
      return nil
    }
  }

  private func change(
    _ kind: MemoryCardOperation.Kind, _ body: (inout MemoryCardDisk) -> Int32?
  ) throws(TapeError) {
    try card.perform(kind, path) { [isReadOnly, path] disk throws(TapeError) in
      if isReadOnly { throw disk.refusal(EBADF, path) }
      if let errno = body(&disk) { throw disk.refusal(errno, path) }
    }
  }
}
