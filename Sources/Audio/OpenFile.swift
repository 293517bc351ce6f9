// A file that is being written, page by page: its length, how much of it is synced, and how it is
// closed or repaired. Used by the write thread only, which waits for the card here.

import Realtime
import Recorder
import Tape

/// The result of repairing a file that ended early.
struct RepairedFile: Sendable {
  var frames: Int64 = 0
  var sizeBytes: Int64 = 0
  /// The sum of its sound; nil if it has to be computed from the file.
  var sum: SoundSum?
  /// True if the card did not take the end.
  var endIsOwed = false
}

/// A file that is being written.
final class OpenFile<File: TapeFile & ~Copyable> {
  let id: ItemID
  private(set) var sizeBytes: Int64 = 0
  private var playableFrames: Int64 = 0
  /// Both before the last page.
  private var before: (sizeBytes: Int64, playableFrames: Int64) = (0, 0)
  private var file: File
  /// Of the pages that were written.
  private var hasher = SoundHasher()
  private var syncedBytes: Int64 = 0
  /// Nil before the first sync, which is due with the first page of sound: making the file took
  /// time that the interval does not include, and the pre-roll is on the card from then on.
  private var syncedAtMilliseconds: Int64?
  /// True if a page has just been written: a sync now makes all of it safe. A sync just before the
  /// next page would leave that one unsafe for a whole interval.
  var isFresh = false

  init(_ file: consuming File, id: ItemID) {
    self.file = file
    self.id = id
  }

  /// Appends pages, in one or two pieces. They count once all of them are written.
  func write(_ bytes: RingSpans<UInt8>, _ run: PageRun) throws(TapeError) {
    try file.write(UnsafeRawBufferPointer(bytes.first), at: sizeBytes)
    if bytes.second.count > 0 {
      try file.write(
        UnsafeRawBufferPointer(bytes.second), at: sizeBytes + Int64(bytes.first.count))
    }
    before =
      run.before.map { (sizeBytes + Int64($0.bytes), $0.playableFrames) }
      ?? (sizeBytes, playableFrames)
    isFresh = true
    sizeBytes += Int64(run.bytes)
    playableFrames = run.playableFrames
    let inFirst = min(run.headerBytes, bytes.first.count)
    hasher.add(UnsafeRawBufferPointer(bytes.first), headerBytes: inFirst)
    hasher.add(
      UnsafeRawBufferPointer(bytes.second), headerBytes: run.headerBytes - inFirst)
  }

  /// The sum of the sound that was written.
  var sum: SoundSum { hasher.sum }

  func isDue(_ now: Int64, every milliseconds: Int64) -> Bool {
    guard sizeBytes > syncedBytes else { return false }
    guard let syncedAtMilliseconds else { return playableFrames > 0 }
    let wait = isFresh ? Self.nearly(milliseconds) : Self.patience(milliseconds)
    return now - syncedAtMilliseconds >= wait
  }

  func rest(_ now: Int64, every milliseconds: Int64) -> Int64? {
    guard sizeBytes > syncedBytes else { return nil }
    guard let syncedAtMilliseconds else { return playableFrames > 0 ? 1 : nil }
    return max(1, syncedAtMilliseconds + Self.patience(milliseconds) - now)
  }

  /// After this long, the next page is synced as soon as it is written. From here to `patience` is
  /// longer than the 200 ms between pages: otherwise a sync might come just before a page, and
  /// leave it and the interval after it unsafe (a simulated year lost 1.3 s so).
  private static func nearly(_ milliseconds: Int64) -> Int64 {
    milliseconds - min(milliseconds / 5, 150)
  }

  /// After this long, the file is synced without waiting for the next page.
  private static func patience(_ milliseconds: Int64) -> Int64 { milliseconds + milliseconds / 10 }

  func sync(_ now: Int64) throws(TapeError) {
    try file.sync()
    syncedBytes = sizeBytes
    syncedAtMilliseconds = now
  }

  /// Syncs the sound first: only when it is safe are the tags changed in place.
  func close(_ closing: FileClosing) throws(TapeError) {
    try file.sync()
    try closing.seal?.write(into: file)
    do { try closing.tags.write(into: file) } catch {
      // Marks that do not fit into the file are kept by the index; the sound is what matters.
      if error.code != .noRoom { throw error }
    }
  }

  /// Adds what the repair appended. Nil if it cut off a page that was counted: the card room then
  /// computes the sum, since reading a long file would hold up other takes.
  private func sum(after report: Repair.Report) throws(TapeError) -> SoundSum? {
    guard report.examination.wholeByteCount >= hasher.byteCount else { return nil }
    while try hasher.addPiece(of: file) {}
    return hasher.sum
  }

  private var unsafeBytes: Int64 { max(0, sizeBytes - syncedBytes) }

  /// Repairs the end of the file. Returns how many frames it plays and its size.
  func repair() -> RepairedFile {
    do {
      let report: Repair.Report
      do { report = try Repair.repair(file, distrusting: unsafeBytes) } catch {
        // A full card has no room for the end, so the last page is removed.
        guard error.code == .diskFull, before.playableFrames > 0 else { throw error }
        try file.truncate(to: before.sizeBytes)
        (sizeBytes, playableFrames) = before
        report = try Repair.repair(file, distrusting: unsafeBytes)
      }
      sizeBytes = try file.byteCount()
      return RepairedFile(
        frames: report.examination.frames, sizeBytes: sizeBytes, sum: try sum(after: report))
    } catch {
      // The card room writes the end when the card works again, or at the next start.
      return RepairedFile(frames: playableFrames, sizeBytes: sizeBytes, endIsOwed: true)
    }
  }
}
