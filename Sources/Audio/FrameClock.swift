// The frame clock: which frame was heard when. Everything about time inside a recording is a frame
// number, and frame numbers come from here. It follows the device's own speed by a second-order
// loop on CLOCK_MONOTONIC. It also detects time that was lost without any error, as by a stalled
// sound server: frames that come later than the loop can explain, with no backlog. A time may be
// reported late, as by a program that is woken late, but never early. So if frames come early after
// some were given up as lost, they are those: a slow server had kept them. Silence has already
// taken their place, and they are not counted a second time. A plain value, used on the capture
// thread: no allocation, no lock, no call out of this module.

/// Tells when each frame was recorded.
public struct FrameClock: Sendable {
  private let nominalNanosecondsPerFrame: Double
  private var nanosecondsPerFrame: Double
  /// The frame expected next, and when.
  private(set) var nextFrame: Int64 = 0
  private var nextNanoseconds: Int64 = 0
  private var fraction = 0.0
  private var hasBegun = false
  private var mustResume = false
  private var framesSinceStart: Int64 = 0
  private let rate: Int
  /// Frames that were given up as lost and may still come; and how many frames have come since.
  private var givenUpFrames: Int64 = 0
  private var framesSinceHole: Int64 = 0
  /// After this much sound since a hole, a server no longer has the missing frames.
  private static let graceSeconds: Int64 = 10

  /// A block that is later than this follows lost frames.
  private let stallNanoseconds: Double
  /// If all blocks of a second are later than this, frames were lost, too.
  private static let shiftNanoseconds = 10e6
  /// A single block that is later than this says nothing about the device's speed.
  private static let outlierNanoseconds = 5e6
  /// If a block is earlier than this, the estimate before was late.
  private static let earlyNanoseconds = 3e6

  /// The least lateness of a block in the present second.
  private var leastLate = Double.infinity
  private var watchedFrames = 0
  private var watchedBlocks = 0

  public init(rate: Int, periodFrames: Int) {
    self.rate = rate
    nominalNanosecondsPerFrame = 1e9 / Double(rate)
    nanosecondsPerFrame = nominalNanosecondsPerFrame
    stallNanoseconds = max(50e6, 3 * Double(periodFrames) * nominalNanosecondsPerFrame)
  }

  /// The place of a block on the time line.
  public struct Stamp: Equatable, Sendable {
    public let firstFrame: Int64
    /// When its first frame was heard, with the jitter taken out.
    public let nanoseconds: Int64
    /// Frames that were lost before it.
    public let lostFrames: Int64
    /// How many frames at the block's beginning had been given up. Silence has taken their place,
    /// and the block stands without them.
    public var staleFrames = 0
  }

  /// Notes that the stream was restarted: the next block's time tells how much is missing.
  public mutating func restarted() { mustResume = hasBegun }

  /// Counts frames that were dropped on our own side.
  public mutating func skip(_ frames: Int) { advance(frames) }

  /// Stamps the next block.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func update(frames: Int, atNanoseconds heard: Int64, isBehind: Bool) -> Stamp {
    if !hasBegun {
      hasBegun = true
      nextNanoseconds = heard
    }
    let late = Double(heard &- nextNanoseconds) - fraction
    if late < -Self.earlyNanoseconds, givenUpFrames > 0 { return correct(frames, late) }
    var lost: Int64 = 0
    if let hole = hole(late, frames, isBehind: isBehind) {
      lost = max(0, Int64(hole / nanosecondsPerFrame + 0.5))
      nextFrame &+= lost
      givenUpFrames &+= lost
      framesSinceHole = 0
      nextNanoseconds = heard &- Int64(late - hole)
      fraction = 0
    } else if !isBehind {
      follow(late, frames)
    }
    let stamp = Stamp(firstFrame: nextFrame, nanoseconds: nextNanoseconds, lostFrames: lost)
    advance(frames)
    return stamp
  }

  /// Stamps a block that comes early after a hole: its early part was counted with the hole.
  private mutating func correct(_ frames: Int, _ late: Double) -> Stamp {
    let early = Int64(-late / nanosecondsPerFrame + 0.5)
    let stale = min(min(early, Int64(frames)), givenUpFrames)
    givenUpFrames &-= stale
    mustResume = false
    watchAnew()
    let stamp = Stamp(
      firstFrame: nextFrame, nanoseconds: nextNanoseconds, lostFrames: 0, staleFrames: Int(stale))
    advance(frames &- Int(stale))
    return stamp
  }

  /// Returns how many nanoseconds are missing before a block; nil if none are known to be.
  private mutating func hole(_ late: Double, _ frames: Int, isBehind: Bool) -> Double? {
    if mustResume || (late > stallNanoseconds && !isBehind) {
      mustResume = false
      watchAnew()
      return late
    }
    if isBehind { return nil }
    leastLate = min(leastLate, late)
    watchedFrames += frames
    watchedBlocks += 1
    if watchedFrames < rate || watchedBlocks < 16 { return nil }
    let least = leastLate
    watchAnew()
    if least > Self.shiftNanoseconds { return least }
    // Too little to be a loss: the first block's time was early.
    if least > Self.outlierNanoseconds { fraction += least }
    return nil
  }

  private mutating func watchAnew() {
    leastLate = .infinity
    watchedFrames = 0
    watchedBlocks = 0
  }

  /// Follows the measured time: quickly in the first seconds, then so slowly that the jitter of one
  /// wake-up has no effect.
  private mutating func follow(_ late: Double, _ frames: Int) {
    if late > Self.outlierNanoseconds { return }
    // No time is reported early: the estimate before was late.
    if late < -Self.earlyNanoseconds {
      fraction += late / 2
      return
    }
    let seconds = Double(frames) / Double(rate)
    let isSettling = framesSinceStart < Int64(rate) * 4
    let omega = min(0.5, 2 * Double.pi * (isSettling ? 0.5 : 0.05) * seconds)
    fraction += 1.414 * omega * late
    let speed = nanosecondsPerFrame + omega * omega * late / Double(max(1, frames))
    let limit = nominalNanosecondsPerFrame * 0.005
    nanosecondsPerFrame = min(
      max(speed, nominalNanosecondsPerFrame - limit), nominalNanosecondsPerFrame + limit)
  }

  private mutating func advance(_ frames: Int) {
    nextFrame &+= Int64(frames)
    framesSinceStart &+= Int64(frames)
    framesSinceHole &+= Int64(frames)
    if framesSinceHole > Self.graceSeconds &* Int64(rate) { givenUpFrames = 0 }
    fraction += Double(frames) * nanosecondsPerFrame
    let whole = Int64(fraction)
    nextNanoseconds &+= whole
    fraction -= Double(whole)
  }
}
