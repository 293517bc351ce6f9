// What passes between the deck, on an ordinary thread, and the mixer, on the realtime one: plain
// values through rings, made anew each time the speaker is opened. Frames are counted at the
// speaker's rate, from the beginning of the recording. Each load and each seek begins a generation,
// so that sound that was decoded before it is known to be stale.
import Realtime

/// The header of a block of decoded sound; it travels beside the bytes.
struct PlayBlock: Equatable, BitwiseCopyable, Sendable {
  var generation: UInt32
  var firstFrame: Int64
  var frames: Int
  /// True if no block follows. Such a block may be empty.
  var isLast: Bool
}

/// An order to the mixer.
enum PlayOrder: Equatable, BitwiseCopyable, Sendable {
  case play(generation: UInt32, isPaused: Bool)
  case pause
  case resume
  /// Stop: no block of that generation will ever come.
  case stop(generation: UInt32)
  /// A gain from 0 to 1.
  case volume(Float)
  case tone(Int)
}

/// A notice from the mixer. Times are of CLOCK_MONOTONIC, in nanoseconds, and mostly in the future:
/// frames that a device has taken are not heard yet.
enum PlayNotice: Equatable, BitwiseCopyable, Sendable {
  /// Sound starts with this frame, at that time.
  case began(generation: UInt32, frame: Int64, at: Int64)
  /// The sound has faded out; `next` is the next frame, nil if none was heard yet.
  case paused(generation: UInt32, next: Int64?)
  /// At that time the last frame will have been heard.
  case ended(generation: UInt32, at: Int64)
  /// A second has passed without sound and without an order; this many orders came before.
  case idle(orders: UInt32)
  case gone(errno: Int32)
}

/// The position of playback, for any thread.
struct PlayPosition: Equatable, BitwiseCopyable, Sendable {
  var generation: UInt32 = 0
  /// This frame is heard at `nanoseconds`.
  var frame: Int64 = 0
  /// A time of CLOCK_MONOTONIC.
  var nanoseconds: Int64 = 0
  var isSounding = false
  /// How often the device ran dry, and how often the decoder was late, since the speaker was
  /// opened.
  var underruns: UInt32 = 0
  var starvations: UInt32 = 0
}

/// The deck's ends of all rings.
struct PlayLine: ~Copyable, Sendable {
  let format: StreamFormat
  var feed: PlayFeed
  var orders: RingProducer<PlayOrder>
  var notices: RingConsumer<PlayNotice>
  let position: SnapshotReader<PlayPosition>
  /// Memory that could not be locked.
  let refusals: [RealtimeError]
}

/// The rings that the decoder writes to.
struct PlayFeed: ~Copyable, Sendable {
  var sound: RingProducer<UInt8>
  var blocks: RingProducer<PlayBlock>

  /// Returns whether a block of `bytes` fits.
  mutating func hasRoom(bytes: Int) -> Bool {
    blocks.freeCount() > 0 && sound.freeCount() >= bytes
  }

  /// The sound first: a mixer that sees the header finds the bytes.
  mutating func put(_ block: PlayBlock, _ bytes: UnsafeRawBufferPointer) {
    let isWhole = sound.write(bytes) == bytes.count
    let isKnown = blocks.push(block)
    precondition(isWhole && isKnown, "a block is put where there is room for it")
  }
}

extension PlayMixer {
  /// How much sound is decoded ahead.
  static let secondsAhead = 2

  /// Makes a mixer, and in `line` the deck's ends of the rings to it.
  static func make(
    _ format: StreamFormat, volume: Float, speakerWaits: Bool, tones: ToneBank,
    waker: consuming Waker, line: inout PlayLine?
  ) throws(RealtimeError) -> PlayMixer {
    let sound = try ByteRing(
      capacity: secondsAhead * format.rate * format.frameBytes, residency: .locked)
    let blocks = try Ring<PlayBlock>(capacity: 1024, residency: .locked)
    let orders = try Ring<PlayOrder>(capacity: 64, residency: .locked)
    // More than the notices that these orders can cause: the deck empties this before it gives
    // others.
    let notices = try Ring<PlayNotice>(capacity: 256, residency: .locked)
    let position = Snapshot(PlayPosition())
    let refusals = [sound.refusal, blocks.refusal, orders.refusal, notices.refusal]
    let opened = PlayLine(
      format: format, feed: PlayFeed(sound: sound.producer, blocks: blocks.producer),
      orders: orders.producer, notices: notices.consumer, position: position.reader,
      refusals: refusals.compactMap { $0 })
    line = consume opened
    return PlayMixer(
      format, volume: volume, speakerWaits: speakerWaits, tones: tones,
      PlayIntake(sound: sound.consumer, blocks: blocks.consumer), orders: orders.consumer,
      notices: notices.producer, position: position.writer, waker: waker)
  }
}
