// Encoded pages on their way from the encode thread to the write thread: a ring of headers and two
// of bytes. The first is small and stays in memory and in the cache; it is enough while the card
// keeps up. The second is large enough for a card that stalls for ten minutes; it takes what does
// not fit into the first, and gives its memory back, since to get each page of memory anew cost
// more than all else that FLAC needs beside libFLAC. The encoder checks for room before it encodes,
// so that a page always fits.

import Realtime
import Synchronization
import Tape

struct PageHeader: BitwiseCopyable, Sendable {
  /// The file's number, which is never used again in one run.
  let file: Int32
  let bytes: Int32
  /// How much the file plays once this page is written, at its rate.
  let playableFrames: Int64
  let isLast: Bool
  let isHeader: Bool
  /// Whether its bytes are in the ring for stalls.
  let isStalled: Bool
}

/// How many bytes each end has handled, of all files together.
final class PageProgress: Sendable {
  /// Stored by the encode thread.
  let encodedBytes = Atomic<Int>(0)
  /// Stored by the write thread.
  let writtenBytes = Atomic<Int>(0)
}

/// Both ends of a new line, to be taken apart and given to their threads.
// Frozen, and its ends usable from outside, since tests cannot take it apart otherwise.
@usableFromInline @frozen struct PageLine: ~Copyable {
  @usableFromInline let producer: PageProducer
  @usableFromInline let consumer: PageConsumer

  init(
    _ settings: RecordSettings, _ stream: StreamFormat, waker: consuming Waker
  ) throws(RealtimeError) {
    let headers = try Ring<PageHeader>(
      capacity: settings.pageCount(stream), residency: .onDemand)
    let usual = try Ring<UInt8>(
      capacity: settings.usualPageBytes(stream), residency: .onDemand)
    let stalled = try Ring<UInt8>(capacity: settings.pageBytes(stream), residency: .onDemand)
    let progress = PageProgress()
    producer = PageProducer(
      headers: headers.producer, usual: usual.producer, stalled: stalled.producer, waker: waker,
      progress: progress)
    consumer = PageConsumer(
      headers: headers.consumer, usual: usual.consumer, stalled: stalled.consumer,
      progress: progress)
  }
}

@usableFromInline struct PageProducer: ~Copyable, Sendable {
  private var headers: RingProducer<PageHeader>
  private var usual: RingProducer<UInt8>
  private var stalled: RingProducer<UInt8>
  private let waker: Waker
  let progress: PageProgress
  private var hasNews = false

  fileprivate init(
    headers: consuming RingProducer<PageHeader>, usual: consuming RingProducer<UInt8>,
    stalled: consuming RingProducer<UInt8>, waker: consuming Waker, progress: PageProgress
  ) {
    self.headers = headers
    self.usual = usual
    self.stalled = stalled
    self.waker = waker
    self.progress = progress
  }

  /// Returns whether the pages of 0.1 s of sound fit, of so many files at a time: with the headers
  /// and the lead-in of a split, and with pages as short as they may be.
  mutating func hasRoom(bytes count: Int, files: Int) -> Bool {
    // In one of the two: pages that fit into the sum of both may fit into neither.
    (usual.freeCount() >= count || stalled.freeCount() >= count)
      && headers.freeCount() >= 256 * files
  }

  mutating func put(_ page: PageOut, file: Int32) {
    let isStalled = usual.freeCount() < page.bytes.count
    let header = PageHeader(
      file: file, bytes: Int32(page.bytes.count), playableFrames: page.playableFrames,
      isLast: page.isLast, isHeader: page.isHeader, isStalled: isStalled)
    let bytes = page.bytes.assumingMemoryBound(to: UInt8.self)
    let written = isStalled ? stalled.write(bytes) : usual.write(bytes)
    let isThere = written == page.bytes.count && headers.push(header)
    precondition(isThere, "room was asked for before encoding")
    progress.encodedBytes.add(page.bytes.count, ordering: .relaxed)
    hasNews = true
  }

  /// Returns about how much sound waits for the card; nil if less than a second.
  func behindMilliseconds(bitsPerSecond: Int) -> Int64? {
    let waiting =
      progress.encodedBytes.load(ordering: .relaxed)
      - progress.writtenBytes.load(ordering: .relaxed)
    let milliseconds = Int64(max(0, waiting)) * 8000 / Int64(max(1, bitsPerSecond))
    return milliseconds >= 1000 ? milliseconds : nil
  }

  /// Wakes the writer if pages were added: once for all of them, since waking it costs more than
  /// writing a page.
  mutating func wakeIfNeeded() {
    if hasNews { waker.wake() }
    hasNews = false
  }

  func wake() { waker.wake() }
}

/// Consecutive pages of one file, in one ring.
struct PageRun {
  static let mostPages = 32

  let file: Int32
  let isStalled: Bool
  private(set) var bytes = 0
  /// How many of them, from the first on, are of the file's header.
  private(set) var headerBytes = 0
  private(set) var pages = 0
  private(set) var playableFrames: Int64 = 0
  private(set) var isLast = false
  /// Both without the last page.
  private(set) var before: (bytes: Int, playableFrames: Int64)?

  init(_ header: PageHeader) {
    (file, isStalled) = (header.file, header.isStalled)
    _ = add(header)
  }

  /// Adds a page. Returns false, and changes nothing, if it does not belong to this run.
  mutating func add(_ header: PageHeader) -> Bool {
    if header.file != file || header.isStalled != isStalled || isLast { return false }
    if pages > 0 { before = (bytes, playableFrames) }
    bytes += Int(header.bytes)
    if header.isHeader { headerBytes += Int(header.bytes) }
    pages += 1
    playableFrames = header.playableFrames
    isLast = header.isLast
    return true
  }
}

@usableFromInline struct PageConsumer: ~Copyable, Sendable {
  private var headers: RingConsumer<PageHeader>
  private var usual: RingConsumer<UInt8>
  private var stalled: RingConsumer<UInt8>
  let progress: PageProgress

  fileprivate init(
    headers: consuming RingConsumer<PageHeader>, usual: consuming RingConsumer<UInt8>,
    stalled: consuming RingConsumer<UInt8>, progress: PageProgress
  ) {
    self.headers = headers
    self.usual = usual
    self.stalled = stalled
    self.progress = progress
  }

  /// Returns the next page's header without consuming it.
  mutating func next() -> PageHeader? { headers.peek(atMost: 1).first.first }

  /// Returns the next page and the waiting pages of the same file behind it, up to the file's last:
  /// they can be written in one go.
  mutating func nextRun() -> PageRun? {
    let waiting = headers.peek(atMost: PageRun.mostPages)
    guard let first = waiting.first.first else { return nil }
    var run = PageRun(first)
    for header in waiting.first.dropFirst() where !run.add(header) { return run }
    for header in waiting.second where !run.add(header) { return run }
    return run
  }

  /// Returns the bytes of a run, in one or two pieces.
  mutating func bytes(of run: PageRun) -> RingSpans<UInt8> {
    let spans = run.isStalled ? stalled.peek(atMost: run.bytes) : usual.peek(atMost: run.bytes)
    precondition(spans.count == run.bytes, "a page is there before its header is")
    return spans
  }

  /// Releases the pages of a run, whether their bytes were read or not.
  mutating func consume(_ run: PageRun) {
    _ = bytes(of: run)
    if run.isStalled { stalled.consumeAndReturn(run.bytes) } else { usual.consume(run.bytes) }
    _ = headers.peek(atMost: run.pages)
    headers.consume(run.pages)
    progress.writtenBytes.add(run.bytes, ordering: .relaxed)
  }
}
