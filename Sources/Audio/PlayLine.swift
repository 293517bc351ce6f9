// What passes between the deck, on an ordinary thread, and the mixer, on the realtime one: plain
// values through rings, made anew each time the speaker is opened. Frames are counted at the
// speaker's rate, from the beginning of the recording; which asking they belong to is their
// generation, so that after a seek what was decoded before is known for stale.
import Realtime

/// A stretch of decoded sound, as its header travels beside the bytes.
struct PlayBlock: Equatable, BitwiseCopyable, Sendable {
  var generation: UInt32
  var firstFrame: Int64
  var frames: Int
  /// Nothing follows it. It may be empty.
  var isLast: Bool
}

/// What the mixer is told.
enum PlayOrder: Equatable, BitwiseCopyable, Sendable {
  case play(generation: UInt32, isPaused: Bool)
  case pause
  case resume
  /// No block of that generation will ever come.
  case stop(generation: UInt32)
  /// A gain from 0 to 1.
  case volume(Float)
  case tone(Int)
}

/// What the mixer has to say. Times are of CLOCK_MONOTONIC, in nanoseconds, and mostly to come:
/// what a device has taken is not heard yet.
enum PlayNotice: Equatable, BitwiseCopyable, Sendable {
  /// Sound starts, at the first of these frames.
  case began(generation: UInt32, frame: Int64, at: Int64)
  /// It has faded out; this frame will be the next. Nil: none was heard yet.
  case paused(generation: UInt32, next: Int64?)
  /// At that time the last frame has been heard.
  case ended(generation: UInt32, at: Int64)
  /// A second has passed with nothing to hear and no order after so many.
  case idle(orders: UInt32)
  case gone(errno: Int32)
}

/// Where playing is, for whoever looks.
struct PlayPosition: Equatable, BitwiseCopyable, Sendable {
  var generation: UInt32 = 0
  /// This frame is heard ...
  var frame: Int64 = 0
  /// ... at that time of CLOCK_MONOTONIC.
  var nanoseconds: Int64 = 0
  var isSounding = false
  /// How often the device ran dry, and how often the decoder came late, since the speaker is open.
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
  /// Memory that was to be locked and is not.
  let refusals: [Refusal]
}

/// Where the decoder puts sound.
struct PlayFeed: ~Copyable, Sendable {
  var sound: RingProducer<UInt8>
  var blocks: RingProducer<PlayBlock>

  /// Whether a block of so many bytes fits.
  mutating func hasRoom(bytes: Int) -> Bool {
    blocks.freeCount() > 0 && sound.freeCount() >= bytes
  }

  /// The sound first: whoever sees the header finds the bytes.
  mutating func put(_ block: PlayBlock, _ bytes: UnsafeRawBufferPointer) {
    let isWhole = sound.write(bytes) == bytes.count
    let isKnown = blocks.push(block)
    precondition(isWhole && isKnown, "a block is put where there is room for it")
  }
}

extension PlayMixer {
  /// How much sound is decoded ahead.
  static let secondsAhead = 2

  /// A new mixer, and the deck's ends of the rings to it.
  static func make(
    _ format: StreamFormat, volume: Float, speakerWaits: Bool, tones: ToneBank,
    waker: consuming Waker, line: inout PlayLine?
  ) throws(Refusal) -> PlayMixer {
    let sound = try ByteRing(
      capacity: secondsAhead * format.rate * format.frameBytes, residency: .locked)
    let blocks = try Ring<PlayBlock>(capacity: 1024, residency: .locked)
    let orders = try Ring<PlayOrder>(capacity: 64, residency: .locked)
    // More than the orders can give rise to: the deck empties this before it gives the next.
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
