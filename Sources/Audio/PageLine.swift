// Encoded pages on their way from the encode thread to the write thread: two rings, one of headers
// and one of bytes, large enough for a card that stalls for ten minutes. The encoder asks for room
// before it encodes, so that a page always fits.

import Realtime
import Synchronization
import Tape

struct PageHeader: BitwiseCopyable, Sendable {
  /// Which file: numbers that never repeat in one run.
  let file: Int32
  let bytes: Int32
  /// How much the file plays once this page is written, at 48 kHz.
  let playableFrames: Int64
  let isLast: Bool
}

/// How far each end is, in 48 kHz frames of all files together.
final class PageProgress: Sendable {
  /// Stored by the encode thread.
  let encodedBytes = Atomic<Int>(0)
  /// Stored by the write thread.
  let writtenBytes = Atomic<Int>(0)
}

struct PageProducer: ~Copyable, Sendable {
  private var headers: RingProducer<PageHeader>
  private var bytes: RingProducer<UInt8>
  private let waker: Realtime.Waker
  let progress: PageProgress
  private var hasNews = false
  /// The largest page Ogg can make.
  static let largestPageBytes = 65_307

  init(
    headers: consuming RingProducer<PageHeader>, bytes: consuming RingProducer<UInt8>,
    waker: consuming Realtime.Waker, progress: PageProgress
  ) {
    self.headers = headers
    self.bytes = bytes
    self.waker = waker
    self.progress = progress
  }

  /// Whether whatever a tenth of a second can make will fit: the headers and the lead-in of a split
  /// too, with pages as short as they may be.
  mutating func hasRoom() -> Bool {
    bytes.freeCount() >= 4 * Self.largestPageBytes && headers.freeCount() >= 256
  }

  mutating func put(_ page: PageOut, file: Int32) {
    let header = PageHeader(
      file: file, bytes: Int32(page.bytes.count), playableFrames: page.playableFrames,
      isLast: page.isLast)
    let written = bytes.write(page.bytes.assumingMemoryBound(to: UInt8.self))
    let isThere = written == page.bytes.count && headers.push(header)
    precondition(isThere, "room was asked for before encoding")
    progress.encodedBytes.add(page.bytes.count, ordering: .relaxed)
    hasNews = true
  }

  /// How much sound waits for the card, about; nil while it keeps up.
  func behindMilliseconds(bitsPerSecond: Int) -> Int64? {
    let waiting =
      progress.encodedBytes.load(ordering: .relaxed)
      - progress.writtenBytes.load(ordering: .relaxed)
    let milliseconds = Int64(max(0, waiting)) * 8000 / Int64(max(1, bitsPerSecond))
    return milliseconds >= 1000 ? milliseconds : nil
  }

  /// Wakes the writer if there are pages it may not know of: once for all, since waking and
  /// falling asleep again costs more than writing a page.
  mutating func wakeIfNeeded() {
    if hasNews { waker.wake() }
    hasNews = false
  }

  func wake() { waker.wake() }
}

/// Pages of one file that lie behind each other.
struct PageRun {
  static let mostPages = 32

  let file: Int32
  private(set) var bytes = 0
  private(set) var pages = 0
  private(set) var playableFrames: Int64 = 0
  private(set) var isLast = false
  /// The same without its last page.
  private(set) var before: (bytes: Int, playableFrames: Int64)?

  init(_ header: PageHeader) {
    file = header.file
    _ = add(header)
  }

  /// False, and nothing changed, if it does not belong here.
  mutating func add(_ header: PageHeader) -> Bool {
    if header.file != file || isLast { return false }
    if pages > 0 { before = (bytes, playableFrames) }
    bytes += Int(header.bytes)
    pages += 1
    playableFrames = header.playableFrames
    isLast = header.isLast
    return true
  }
}

struct PageConsumer: ~Copyable, Sendable {
  private var headers: RingConsumer<PageHeader>
  private var bytes: RingConsumer<UInt8>
  let progress: PageProgress

  init(
    headers: consuming RingConsumer<PageHeader>, bytes: consuming RingConsumer<UInt8>,
    progress: PageProgress
  ) {
    self.headers = headers
    self.bytes = bytes
    self.progress = progress
  }

  /// The next page's header, left where it is.
  mutating func next() -> PageHeader? { headers.peek(atMost: 1).first.first }

  /// The next page and those of the same file that wait behind it, up to the last: what can be
  /// written in one go.
  mutating func nextRun() -> PageRun? {
    let waiting = headers.peek(atMost: PageRun.mostPages)
    guard let first = waiting.first.first else { return nil }
    var run = PageRun(first)
    for header in waiting.first.dropFirst() where !run.add(header) { return run }
    for header in waiting.second where !run.add(header) { return run }
    return run
  }

  /// The bytes of the pages that `nextRun` told of, in one or two pieces.
  mutating func bytes(of run: PageRun) -> RingSpans<UInt8> {
    let spans = bytes.peek(atMost: run.bytes)
    precondition(spans.count == run.bytes, "a page is there before its header is")
    return spans
  }

  /// Gives the pages' room back, whether their bytes were looked at or not.
  mutating func consume(_ run: PageRun) {
    _ = bytes(of: run)
    bytes.consumeAndReturn(run.bytes)
    _ = headers.peek(atMost: run.pages)
    headers.consume(run.pages)
    progress.writtenBytes.add(run.bytes, ordering: .relaxed)
  }
}
