// Replays a folder's journal line by line up to its end, and looks for lost lines behind it. Used
// on the card's thread only. It must not believe a line whose checksum, generation or place is
// wrong.

import Glibc
import Recorder

struct JournalReplay {
  private let folder: OpenFolder
  private let mark: UInt32
  private var line = IndexFormat.Line()
  /// Where the next piece begins in the journal.
  private var offset: Int64 = 0
  private var hasEnded = false
  /// The end of the last line, whether it was applied or not. Only zeros follow it.
  private(set) var linesEnd: Int64 = 0
  private(set) var isNewer = false
  /// A valid line follows a bad one, or its snapshot is lost.
  private(set) var hasLostLines = false
  private(set) var hasTornLine = false
  private(set) var lastGeneration = 0

  init(_ folder: OpenFolder) {
    self.folder = folder
    mark = IndexFormat.mark(of: folder.index.id)
  }

  /// Replays the lines of a piece of the journal; returns how many of its bytes are done. The last
  /// line may go on in the next piece.
  mutating func run(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int {
    var (start, end) = (0, lineEnd(in: bytes, from: 0))
    var put: IndexFormat.PutLine?
    while start < bytes.count {
      // Nothing in a journal of a newer version is read.
      if isNewer { return bytes.count }
      guard let next = bytes[start...].firstIndex(where: { $0 != 0 }) else {
        (hasEnded, start) = (true, bytes.count)
        break
      }
      // Zeros end the journal.
      if next > start { hasEnded = true }
      start = next
      if end == bytes.count, !isLast { break }
      let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      // A line counts only with its line end, which its checksum does not cover.
      let isEnded = end < bytes.count
      start = end + 1
      end = lineEnd(in: bytes, from: min(start, bytes.count))
      let after = end < bytes.count ? putLine(bytes[start..<end]) : nil
      if isEnded, read(text, put ?? putLine(text[...]), before: after) {
        replay(endingAt: offset + Int64(start))
      } else {
        (hasEnded, hasTornLine, linesEnd) = (true, true, offset + Int64(start))
      }
      put = after
    }
    offset += Int64(start)
    return start
  }

  private func putLine(_ text: Slice<UnsafeRawBufferPointer>) -> IndexFormat.PutLine? {
    IndexFormat.putLine(UnsafeRawBufferPointer(rebasing: text), mark: mark)
  }

  /// Decodes a line, without the item that the next line replaces; false if it is not whole.
  private mutating func read(
    _ text: UnsafeRawBufferPointer, _ put: IndexFormat.PutLine?, before next: IndexFormat.PutLine?
  ) -> Bool {
    if let put, let next, put.isReplaced(by: next) {
      (line.head, line.changes) = (put.head, [])
      return true
    }
    return IndexFormat.read(text, as: put, in: folder.index.id, mark: mark, into: &line)
  }

  private mutating func replay(endingAt end: Int64) {
    linesEnd = end
    let head = line.head
    if head.version > IndexFormat.version {
      isNewer = true
      return
    }
    // The line precedes the snapshot: the journal had not been cleared.
    if head.generation < folder.generation { return }
    // This number was read already: the card left old bytes behind the last line, and they are out
    // of date.
    if head.generation == folder.generation, head.number <= folder.lineCount {
      (hasEnded, hasTornLine) = (true, true)
      return
    }
    if apply(isNext: !hasEnded) {
      folder.journalEnd = end
    } else {
      hasEnded = true
    }
  }

  /// `memchr` is faster, and there may be tens of thousands of lines.
  private func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress,
      let end = memchr(base + start, 10, bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(end) - base
  }

  /// Applies a line even if it is not known to be the next: most changes hold all that is known of
  /// an item.
  private mutating func apply(isNext: Bool) -> Bool {
    lastGeneration = max(lastGeneration, line.head.generation)
    if !isNext, line.head.generation == folder.generation, line.head.safe <= folder.lineCount {
      // This line and the missing ones before it were not synced: a torn write, nothing lost.
      hasTornLine = true
      return false
    }
    // Taken out one by one: an entry that is shared costs the counting of its references.
    line.changes.reverse()
    while let change = line.changes.popLast() { folder.index.apply(change) }
    guard isNext, line.head.generation == folder.generation,
      line.head.number == folder.lineCount + 1,
      line.head.before == folder.lastSum
    else {
      hasLostLines = true
      return false
    }
    folder.lineCount += 1
    folder.lastSum = line.head.sum
    return true
  }
}
