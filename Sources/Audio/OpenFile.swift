// A file that is being written, page by page: how long it is, what of it is safe, and how it is
// closed, well or as well as can be. Used by the write thread only, which waits for the card here.

import Realtime
import Recorder
import Tape

/// What became of a file that came to an early end.
struct MendedFile: Sendable {
  var frames: Int64 = 0
  var sizeBytes: Int64 = 0
  /// The card took no end.
  var endIsOwed = false
}

/// A file that is being written.
final class OpenFile<File: TapeFile & ~Copyable> {
  let id: ItemID
  private(set) var sizeBytes: Int64 = 0
  private var playableFrames: Int64 = 0
  /// What it was before the last page.
  private var before: (sizeBytes: Int64, playableFrames: Int64) = (0, 0)
  private var file: File
  private var syncedBytes: Int64 = 0
  private var syncedAtMilliseconds: Int64
  /// A page has just been written. What is synced now is all there is; synced just before the next
  /// page, it would lack that one for a whole round.
  var isFresh = false

  init(_ file: consuming File, id: ItemID, now: Int64) {
    self.file = file
    self.id = id
    syncedAtMilliseconds = now
  }

  /// Pages, in one or two pieces. They count once all of them are written.
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
  }

  func isDue(_ now: Int64, every milliseconds: Int64) -> Bool {
    let wait = isFresh ? Self.nearly(milliseconds) : Self.patience(milliseconds)
    return sizeBytes > syncedBytes && now - syncedAtMilliseconds >= wait
  }

  func rest(_ now: Int64, every milliseconds: Int64) -> Int64? {
    sizeBytes > syncedBytes
      ? max(1, syncedAtMilliseconds + Self.patience(milliseconds) - now) : nil
  }

  /// From then on a page takes its sync with it. Until patience ends that is longer than the 200 ms
  /// from one page to the next: else a sync might come just before a page, and leave it and the
  /// round after it unsafe (a simulated year lost 1.3 s so).
  private static func nearly(_ milliseconds: Int64) -> Int64 {
    milliseconds - min(milliseconds / 5, 150)
  }

  /// How long the page is waited for that is nearly there.
  private static func patience(_ milliseconds: Int64) -> Int64 { milliseconds + milliseconds / 10 }

  func sync(_ now: Int64) throws(TapeError) {
    try file.sync()
    syncedBytes = sizeBytes
    syncedAtMilliseconds = now
  }

  /// The sound first: only when it is safe are the tags changed in place.
  func close(_ tags: Tags) throws(TapeError) {
    try file.sync()
    do { try tags.write(into: file) } catch {
      // Marks that find no room in the file are kept by the index; the sound is what matters.
      if error.code != .noRoom { throw error }
    }
  }

  private var unsafeBytes: Int64 { max(0, sizeBytes - syncedBytes) }

  /// Closes it as well as can be; says what it plays and how long it is.
  func mend() -> MendedFile {
    do {
      let report: Repair.Report
      do { report = try Repair.mend(file, distrusting: unsafeBytes) } catch {
        // A card that is full to the last byte has no room for the end: the last page makes some.
        guard error.code == .diskFull, before.playableFrames > 0 else { throw error }
        try file.truncate(to: before.sizeBytes)
        (sizeBytes, playableFrames) = before
        report = try Repair.mend(file, distrusting: unsafeBytes)
      }
      sizeBytes = try file.byteCount()
      return MendedFile(frames: report.examination.frames, sizeBytes: sizeBytes)
    } catch {
      // The card's room will do it when the card works again, or at the next start.
      return MendedFile(frames: playableFrames, sizeBytes: sizeBytes, endIsOwed: true)
    }
  }
}
