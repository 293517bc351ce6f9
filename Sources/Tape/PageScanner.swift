// Scans a file page by page with one fixed buffer, however long the file, and resynchronises after
// garbage. The file's owner calls it; it must not change the file.
import Glibc
import Realtime

struct PageScanner: ~Copyable {
  private static let windowByteCount = 64 * 1_024
  private static let smallestRead = 8 * 1_024

  private let window = Buffer<UInt8>(count: windowByteCount + OggPage.largestByteCount)
  private var windowStart: Int64 = 0
  private var windowFill = 0
  private let fileByteCount: Int64
  private var position: Int64
  /// Bytes read at once: few at first, since often the first page found is all that is needed.
  private var readByteCount = smallestRead
  private let countsTicks: Bool
  /// Skipped bytes that belong to no page.
  private(set) var strayByteCount: Int64 = 0

  /// With `countsTicks`, pages have the length of their sound.
  init(fileByteCount: Int64, from position: Int64, countsTicks: Bool = false) {
    self.fileByteCount = fileByteCount
    self.position = position
    self.countsTicks = countsTicks
  }

  /// Returns the next whole page that begins before `limit`.
  mutating func next<File: TapeFile & ~Copyable>(
    in file: borrowing File, before limit: Int64 = .max
  ) throws(TapeError) -> OggPage? {
    while position < min(limit, fileByteCount) {
      if unread == 0 { try load(file, atLeast: 1) }
      if unread == 0 { return nil }
      passStrayBytes()
      guard unread > 0 else { continue }
      let found = OggPage.find(
        in: UnsafeMutableRawBufferPointer(rest), offset: position, countsTicks: countsTicks)
      switch found {
      case .page(let page) where page.offset < limit:
        position = page.end
        return page
      case .needs(let byteCount) where position + Int64(byteCount) <= fileByteCount:
        try load(file, atLeast: byteCount)
        // Another program may have cut the file meanwhile.
        if unread < byteCount { pass(1) }
      default: pass(1)
      }
    }
    return nil
  }

  /// Searches backwards from the end of the file. Returns a stream's last whole page, its last page
  /// with a time, and the first page of another stream behind.
  static func last<File: TapeFile & ~Copyable>(
    in file: borrowing File, serial: UInt32, from start: Int64, to end: Int64
  ) throws(TapeError) -> (page: OggPage, timed: OggPage?, stranger: OggPage?)? {
    var scanner = PageScanner(fileByteCount: end, from: start)
    var (found, stranger): (OggPage?, OggPage?)
    var upper = end
    // A small step first: usually the last page is whole, or nearly.
    var step = Int64(smallestRead)
    while upper > start {
      let lower = max(start, upper - step)
      let seen = try scanner.scan(in: file, serial: serial, from: lower, to: upper)
      if found == nil { (found, stranger) = (seen.last, seen.stranger ?? stranger) }
      if let found, let timed = seen.timed { return (found, timed, stranger) }
      upper = lower
      step = Int64(windowByteCount)
    }
    return found.map { ($0, nil, stranger) }
  }

  private mutating func scan<File: TapeFile & ~Copyable>(
    in file: borrowing File, serial: UInt32, from lower: Int64, to upper: Int64
  ) throws(TapeError) -> (last: OggPage?, timed: OggPage?, stranger: OggPage?) {
    var (last, timed, stranger): (OggPage?, OggPage?, OggPage?)
    position = lower
    readByteCount = Int(upper - lower)
    while let page = try next(in: file, before: upper) {
      guard page.serial == serial else {
        stranger = stranger ?? page
        continue
      }
      (last, stranger) = (page, nil)
      if page.granule >= 0 { timed = page }
    }
    return (last, timed, stranger)
  }

  private var unread: Int {
    position < windowStart ? 0 : max(0, Int(windowStart) + windowFill - Int(position))
  }

  private var rest: UnsafeMutableBufferPointer<UInt8> {
    window.slice(windowFill - unread..<windowFill)
  }

  private mutating func load<File: TapeFile & ~Copyable>(
    _ file: borrowing File, atLeast byteCount: Int
  ) throws(TapeError) {
    windowStart = position
    let wanted = Int(min(Int64(max(byteCount, readByteCount)), fileByteCount - position))
    readByteCount = min(window.count, readByteCount * 2)
    windowFill = try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: window.raw[..<wanted]), at: position)
  }

  /// Skips to the next byte that could begin a page.
  private mutating func passStrayBytes() {
    let rest = rest
    guard let start = rest.baseAddress else { return }
    guard let next = memchr(start, 0x4F, rest.count) else { return pass(rest.count) }
    pass(UnsafeRawPointer(next) - UnsafeRawPointer(start))
  }

  private mutating func pass(_ byteCount: Int) {
    position += Int64(byteCount)
    strayByteCount += Int64(byteCount)
  }
}
