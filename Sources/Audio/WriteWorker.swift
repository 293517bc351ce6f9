// Writing, as a worker: whole pages from the page ring into files, each at once, and to the card
// for good every second. Made and used on the write thread, an ordinary one that may wait for the
// card as long as the card likes; nobody waits for it. A card that fails or is full ends the
// recording with what it holds, properly closed.

import Realtime
import Recorder
import Tape

/// What the write thread is asked to do.
enum WriteOrder: Sendable {
  /// The file is there: write to it.
  case attach(file: Int32, ItemID, path: String)
  /// There will be no file.
  case discard(file: Int32)
  /// What it says of itself in the end: on its first page there may be less.
  case label(file: Int32, TakeLabel)
  /// The last page is on its way; this is what else there is to write and to tell. Every file gets
  /// one of these two, once.
  case close(FileClosing)
  /// There will be no last page: close the file as it is.
  case mend(FileClosing)
}

/// What is known of a recording when its last page has been made, or when there will be none.
struct FileClosing: Sendable {
  let file: Int32
  let id: ItemID
  let sound: Sound
  var tags: Tags
  let integrity: Integrity
}

final class WriteWorker<File: TapeFile & ~Copyable> {
  /// Where files come from: the card, or a test.
  private let open: (String) throws(TapeError) -> File
  private let now: () -> Int64
  private let orders: Mailbox<WriteOrder>
  private let tell: (SoundEvent) -> Void
  /// Tells the encoder to stop what cannot be written.
  private let abandon: (ItemID) -> Void
  private let syncMilliseconds: Int64
  private var pages: PageConsumer
  /// Nothing is known yet of a file that is not in here.
  private var files: [Int32: FileState] = [:]
  private var closings: [Int32: (closing: FileClosing, hasLastPage: Bool)] = [:]
  private var labels: [Int32: TakeLabel] = [:]

  private enum FileState {
    case open(OpenFile<File>)
    /// Nothing goes into it any more; it is told of when the encoder has said what it knows.
    case failed(MendedFile, StopReason)
    case discarded
  }

  /// `now` is in milliseconds.
  init(
    pages: consuming PageConsumer, orders: Mailbox<WriteOrder>, syncMilliseconds: Int64,
    now: @escaping () -> Int64, abandon: @escaping (ItemID) -> Void,
    tell: @escaping (SoundEvent) -> Void, open: @escaping (String) throws(TapeError) -> File
  ) {
    self.open = open
    self.now = now
    self.orders = orders
    self.syncMilliseconds = syncMilliseconds
    self.abandon = abandon
    self.tell = tell
    self.pages = pages
  }

  /// Nothing waits for the card any more.
  private var isIdle: Bool { pages.next() == nil && closings.isEmpty }

  /// Writes what has come in and syncs what is due.
  func step() {
    takeOrders()
    while let run = pages.nextRun() {
      // The encoder says what it knows of a file before it hands on the last page.
      if run.isLast { takeOrders() }
      // Pages keep their order: those of a file that is not made yet hold up the rest.
      guard let file = files[run.file] else { return syncWhatIsDue() }
      if case .open(let file) = file { write(run, to: file) }
      pages.consume(run)
      if run.isLast { finish(run.file) }
      syncWhatIsDue()
    }
    for (number, closing) in closings where !closing.hasLastPage { finish(number) }
    syncWhatIsDue()
  }

  /// The same; false when no more pages will come and every file is closed.
  func step(until state: WriterState) -> Bool {
    // Asked before looking: pages that came before the end are in the ring then.
    let isLast = state.hasEncoded.load(ordering: .acquiring)
    step()
    return !(isLast && isIdle)
  }

  /// How long it may sleep when nobody wakes it.
  var restMilliseconds: Int? {
    let now = now()
    return openFiles.compactMap { $0.1.rest(now, every: syncMilliseconds) }.min().map(Int.init)
  }

  private var openFiles: [(Int32, OpenFile<File>)] {
    files.compactMap { number, state in
      if case .open(let file) = state { (number, file) } else { nil }
    }
  }

  // MARK: Orders

  private func takeOrders() {
    for order in orders.takeAll() { carryOut(order) }
  }

  private func carryOut(_ order: WriteOrder) {
    switch order {
    case .attach(let number, let id, let path):
      guard files[number] == nil else { return }
      do { files[number] = .open(OpenFile(try open(path), id: id, now: now())) } catch {
        fail(number, id, error, MendedFile())
      }
    case .discard(let number): files[number] = .discarded
    case .label(let number, let label): labels[number] = label
    case .close(let closing): closings[closing.file] = (closing, true)
    case .mend(let closing): closings[closing.file] = (closing, false)
    }
  }

  // MARK: Pages

  private func write(_ run: PageRun, to file: OpenFile<File>) {
    let spans = pages.bytes(of: run)
    attempt(run.file, file) { file throws(TapeError) in try file.write(spans, run) }
  }

  private func syncWhatIsDue() {
    let now = now()
    for (number, file) in openFiles where file.isDue(now, every: syncMilliseconds) {
      attempt(number, file) { file throws(TapeError) in try file.sync(now) }
    }
    for (_, file) in openFiles { file.isFresh = false }
  }

  /// Nothing more will be written to a file: it is closed, and told of.
  private func finish(_ number: Int32) {
    guard let (known, hasLastPage) = closings.removeValue(forKey: number) else { return }
    var closing = known
    if let label = labels.removeValue(forKey: number) { closing.tags.take(label) }
    if case .open(let file) = files[number], hasLastPage {
      attempt(number, file) { file throws(TapeError) in try file.close(closing.tags) }
    }
    var (sound, integrity) = (closing.sound, closing.integrity)
    switch files.removeValue(forKey: number) {
    case .open(let file):
      let whole = MendedFile(frames: sound.frames, sizeBytes: file.sizeBytes)
      let mended = hasLastPage ? whole : file.mend()
      (sound.frames, sound.sizeBytes) = (mended.frames, mended.sizeBytes)
      integrity.endIsOwed = mended.endIsOwed
    case .failed(let written, let reason):
      (sound.frames, sound.sizeBytes) = (written.frames, written.sizeBytes)
      (integrity.stopReason, integrity.endIsOwed) = (reason, written.endIsOwed)
    case .discarded:
      files[number] = .discarded
      return
    // It never had a page. Should it be made yet, nobody waits for it.
    case nil: files[number] = .discarded
    }
    tell(.take(closing.id, .ended(TakeReport(sound: sound, integrity: integrity))))
  }

  // MARK: Failing

  private func attempt(
    _ number: Int32, _ file: OpenFile<File>,
    _ body: (OpenFile<File>) throws(TapeError) -> Void
  ) {
    do { try body(file) } catch { fail(number, file.id, error, file.mend()) }
  }

  private func fail(_ number: Int32, _ id: ItemID, _ error: TapeError, _ written: MendedFile) {
    files[number] = .failed(written, error.code == .diskFull ? .cardFull : .cardFailed)
    abandon(id)
  }
}
