// The write worker: writes whole pages from the page ring to files, each at once, and syncs a file
// with its first page and every second after it. Made and used on the write thread, an ordinary one
// that may wait for the card for any time; no thread waits for it. If the card fails or is full,
// the recording ends with what it holds, properly closed.

import Realtime
import Recorder
import Tape

/// What the write thread is asked to do.
enum WriteOrder: Sendable {
  /// The file exists: write to it.
  case attach(file: Int32, ItemID, CardPath)
  /// There will be no file.
  case discard(file: Int32)
  /// The final tags: those on its first page may be fewer.
  case label(file: Int32, TakeLabel)
  /// The last page is on its way; this holds the final tags and the report. Every file gets either
  /// `close` or `repair`, once.
  case close(FileClosing)
  /// There will be no last page: close the file as it is.
  case repair(FileClosing)
}

/// What is known of a recording when its last page has been made, or when there will be none.
struct FileClosing: Sendable {
  let file: Int32
  let id: ItemID
  let track: TrackPlace
  let sound: Sound
  var tags: Tags
  let integrity: Integrity
  /// What the header is to say of the sound; nil if nothing.
  var seal: FlacSeal?

  /// The number of the file of the first track of the same part.
  var firstFile: Int32 { file &- Int32(track.index) }
}

final class WriteWorker<File: TapeFile & ~Copyable> {
  /// Opens a file, on the card or of a test.
  private let open: (CardPath) throws(TapeError) -> File
  private let now: () -> Int64
  private let orders: Mailbox<WriteOrder>
  private let tell: (SoundEvent) -> Void
  /// Tells the encoder to stop what cannot be written.
  private let abandon: (ItemID, StopReason) -> Void
  private let syncMilliseconds: Int64
  private var pages: PageConsumer
  /// A file that is not in here was neither attached nor discarded yet.
  private var files: [Int32: FileState] = [:]
  private var closings: [Int32: (closing: FileClosing, hasLastPage: Bool)] = [:]
  private var labels: [Int32: TakeLabel] = [:]
  /// Parts of which some files are closed, by the number of their first file.
  private var reports: [Int32: PartReport] = [:]

  private enum FileState {
    case open(OpenFile<File>)
    /// Nothing more is written to it; its end is reported when the encoder has sent its closing.
    case failed(RepairedFile, StopReason)
    case discarded
  }

  /// `now` is in milliseconds.
  init(
    pages: consuming PageConsumer, orders: Mailbox<WriteOrder>, syncMilliseconds: Int64,
    now: @escaping () -> Int64, abandon: @escaping (ItemID, StopReason) -> Void,
    tell: @escaping (SoundEvent) -> Void, open: @escaping (CardPath) throws(TapeError) -> File
  ) {
    self.open = open
    self.now = now
    self.orders = orders
    self.syncMilliseconds = syncMilliseconds
    self.abandon = abandon
    self.tell = tell
    self.pages = pages
  }

  /// True if nothing waits for the card.
  private var isIdle: Bool { pages.next() == nil && closings.isEmpty }

  /// Writes what has come in and syncs what is due.
  func step() {
    drainOrders()
    while let run = pages.nextRun() {
      // The encoder posts a file's closing before it passes the last page on.
      if run.isLast { drainOrders() }
      // Pages keep their order: those of a file that is not attached yet hold up the rest.
      guard let file = files[run.file] else { return syncWhatIsDue() }
      if case .open(let file) = file { write(run, to: file) }
      pages.consume(run)
      if run.isLast { finish(run.file) }
      syncWhatIsDue()
    }
    for (number, closing) in closings where !closing.hasLastPage { finish(number) }
    syncWhatIsDue()
  }

  /// Does a step. Returns false if no more pages will come and every file is closed.
  func step(until state: WriterState) -> Bool {
    // Read before the ring: pages that came before the end are then in the ring.
    let isLast = state.hasEncoded.load(ordering: .acquiring)
    step()
    return !(isLast && isIdle)
  }

  /// How long it may sleep if it is not woken.
  var restMilliseconds: Int? {
    let now = now()
    var least: Int64?
    for case .open(let file) in files.values {
      guard let rest = file.rest(now, every: syncMilliseconds) else { continue }
      least = min(least ?? rest, rest)
    }
    return least.map(Int.init)
  }

  // MARK: Orders

  private func drainOrders() {
    for order in orders.drain() { perform(order) }
  }

  private func perform(_ order: WriteOrder) {
    switch order {
    case .attach(let number, let id, let path):
      guard files[number] == nil else { return }
      do { files[number] = .open(OpenFile(try open(path), id: id)) } catch {
        fail(number, id, error, RepairedFile())
      }
    case .discard(let number): files[number] = .discarded
    case .label(let number, let label): labels[number] = label
    case .close(let closing): closings[closing.file] = (closing, true)
    case .repair(let closing): closings[closing.file] = (closing, false)
    }
  }

  // MARK: Pages

  private func write(_ run: PageRun, to file: OpenFile<File>) {
    let spans = pages.bytes(of: run)
    attempt(run.file, file) { file throws(TapeError) in try file.write(spans, run) }
  }

  private func syncWhatIsDue() {
    let now = now()
    for case (let number, .open(let file)) in files {
      if file.isDue(now, every: syncMilliseconds) {
        attempt(number, file) { file throws(TapeError) in try file.sync(now) }
      }
      file.isFresh = false
    }
  }

  /// Closes a file to which nothing more will be written, and reports its end.
  private func finish(_ number: Int32) {
    guard let (known, hasLastPage) = closings.removeValue(forKey: number) else { return }
    var closing = known
    if let label = labels.removeValue(forKey: number) {
      closing.tags.apply(label, closing.integrity, track: closing.track)
    }
    if case .open(let file) = files[number], hasLastPage {
      attempt(number, file) { file throws(TapeError) in try file.close(closing) }
    }
    var end = RepairedFile(frames: closing.sound.frames)
    var failure: StopReason?
    switch files.removeValue(forKey: number) {
    case .open(let file):
      (end.sizeBytes, end.sum) = (file.sizeBytes, file.sum)
      if !hasLastPage { end = file.repair() }
    case .failed(let written, let reason): (end, failure) = (written, reason)
    case .discarded:
      files[number] = .discarded
      reports[closing.firstFile] = nil
      return
    // It never had a page. If it is attached later, that is ignored.
    case nil: files[number] = .discarded
    }
    report(closing, end, failure)
  }

  /// Reports the end of a part once the files of all of its tracks are closed.
  private func report(_ closing: FileClosing, _ end: RepairedFile, _ failure: StopReason?) {
    var sound = closing.sound
    (sound.frames, sound.sizeBytes) = (end.frames, end.sizeBytes)
    sound.hash = end.sum.flatMap { SoundHash($0) }
    let report = reports[closing.firstFile, default: PartReport()].add(
      closing, sound, failure: failure, endIsOwed: end.endIsOwed)
    guard let report else { return }
    reports[closing.firstFile] = nil
    tell(.take(closing.id, .ended(report)))
  }

  // MARK: Failing

  private func attempt(
    _ number: Int32, _ file: OpenFile<File>,
    _ body: (OpenFile<File>) throws(TapeError) -> Void
  ) {
    do { try body(file) } catch { fail(number, file.id, error, file.repair()) }
  }

  private func fail(_ number: Int32, _ id: ItemID, _ error: TapeError, _ written: RepairedFile) {
    let reason = error.code == .diskFull ? StopReason.cardFull : .cardFailed
    files[number] = .failed(written, reason)
    abandon(id, reason)
  }
}
