// What every format's encoder of a take does: it takes frames in blocks of any size and passes on
// pages, each as soon as it is whole. One thread owns a writer. A writer never touches a file.

/// Some bytes of a file that belong together: an Ogg page, a FLAC frame, a header.
public struct PageOut {
  /// Valid during the sink's call only.
  public let bytes: UnsafeRawBufferPointer
  /// 0 until the first split, then 1, and so on: pages of one part belong in one file.
  public let part: Int
  /// Frames, at the rate of the file, that this part plays once this page is written.
  public let playableFrames: Int64
  public let isLast: Bool
  /// Whether it is of the header, which comes first; all others are sound, and never change.
  public var isHeader = false
  /// What the header of the file is to say once its last page is written; nil if nothing.
  public var seal: FlacSeal?
}

/// Takes a page. If it throws, the page is lost and the take cannot go on.
public typealias PageSink = (PageOut) throws(TapeError) -> Void

/// Encodes a take, part by part.
public protocol TapeWriter: ~Copyable, Sendable {
  /// True once the last page was passed on.
  var hasEnded: Bool { get }

  /// So many frames later the next page, or two short ones, will be whole; at least 1.
  var framesToPage: Int64 { get }

  /// Encodes interleaved frames, of 16-bit samples or of floats, as the take was begun.
  mutating func write(_ frames: UnsafeRawBufferPointer, to sink: PageSink) throws(TapeError)

  /// Encodes silence in place of missing frames.
  mutating func writeSilence(frames: Int64, to sink: PageSink) throws(TapeError)

  /// Makes the next frame begin a new part. Fails with `.tooSoon` while the last split is not done.
  mutating func split(tags: Tags, serial: UInt32) throws(TapeError)

  /// Ends the take exactly behind its last frame.
  mutating func finish(to sink: PageSink) throws(TapeError)
}

/// A take's writer, whatever its format. A class, since Swift 6.0 frees an optional existential of
/// a noncopyable type that was never set.
public protocol TakeWriter: AnyObject {
  var hasEnded: Bool { get }
  var framesToPage: Int64 { get }
  func write(_ frames: UnsafeRawBufferPointer, to sink: PageSink) throws(TapeError)
  func writeSilence(frames: Int64, to sink: PageSink) throws(TapeError)
  func split(tags: Tags, serial: UInt32) throws(TapeError)
  func finish(to sink: PageSink) throws(TapeError)
}

/// Keeps a writer; it adds nothing.
final class TapeBox<Writer: TapeWriter & ~Copyable>: TakeWriter {
  private var writer: Writer

  init(_ writer: consuming Writer) { self.writer = writer }

  var hasEnded: Bool { writer.hasEnded }
  var framesToPage: Int64 { writer.framesToPage }

  func write(_ frames: UnsafeRawBufferPointer, to sink: PageSink) throws(TapeError) {
    try writer.write(frames, to: sink)
  }

  func writeSilence(frames: Int64, to sink: PageSink) throws(TapeError) {
    try writer.writeSilence(frames: frames, to: sink)
  }

  func split(tags: Tags, serial: UInt32) throws(TapeError) {
    try writer.split(tags: tags, serial: serial)
  }

  func finish(to sink: PageSink) throws(TapeError) { try writer.finish(to: sink) }
}
