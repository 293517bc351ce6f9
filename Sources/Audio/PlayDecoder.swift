// The decode worker: decodes one recording's file into the ring, a block per step, from any frame
// on. A state machine without a thread of its own; it waits for the disk, so the thread that steps
// it is an ordinary one. An error in the middle is kept as words: the sound before it is heard
// first.
import Realtime
import Tape

struct PlayDecoder: ~Copyable, Sendable {
  enum Progress: Equatable, Sendable {
    case more
    /// The ring has no room for a block.
    case full
    /// Everything up to the end is in the ring.
    case finished
  }

  /// Why the sound ended too early.
  private(set) var failure: String?

  private var reader: SoundReader
  private var converter: PlayConverter?
  private var block: Buffer<UInt8>?
  private var format: StreamFormat?
  private var generation: UInt32 = 0
  private var end: Int64 = 0
  private var isFinished = true

  static func open(_ file: borrowing PosixFile) throws(TapeError) -> PlayDecoder {
    PlayDecoder(reader: try SoundReader.open(file))
  }

  private init(reader: consuming SoundReader) { self.reader = reader }

  /// Begins a generation of sound at `frame`, which counts at the speaker's rate.
  mutating func begin(
    _ generation: UInt32, at frame: Int64, for format: StreamFormat
  ) throws(TapeError) {
    if self.format != format {
      let made = try PlayConverter.open(reader, to: format)
      block = Buffer(count: made.mostFrames * format.frameBytes)
      self.format = format
      converter = consume made
    }
    (self.generation, end, failure, isFinished) = (generation, frame, nil, false)
    try converter?.begin(at: frame, &reader)
  }

  /// Puts the next block into the ring.
  mutating func step(_ feed: inout PlayFeed) -> Progress {
    guard !isFinished, let room = block?.count else { return .finished }
    guard feed.hasRoom(bytes: room) else { return .full }
    do {
      try decode(&feed)
    } catch {
      failure = error.sentence
      put(&feed, firstFrame: end, frames: 0, isLast: true)
    }
    return isFinished ? .finished : .more
  }

  private mutating func decode(_ feed: inout PlayFeed) throws(TapeError) {
    guard let all = block?.all,
      let made = try converter?.next(&reader, into: UnsafeMutableRawBufferPointer(all))
    else { return }
    put(&feed, firstFrame: made.firstFrame, frames: made.frames, isLast: made.isLast)
  }

  private mutating func put(
    _ feed: inout PlayFeed, firstFrame: Int64, frames: Int, isLast: Bool
  ) {
    isFinished = isLast
    end = firstFrame + Int64(frames)
    guard frames > 0 || isLast, let start = block?.start, let format else { return }
    feed.put(
      PlayBlock(
        generation: generation, firstFrame: firstFrame, frames: frames, isLast: isLast),
      UnsafeRawBufferPointer(start: start, count: frames * format.frameBytes))
  }

  /// How far it has decoded, in frames at the speaker's rate: once finished, the length.
  var endFrame: Int64 { end }
}
