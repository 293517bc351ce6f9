// The frame clock: which frame was heard when. Everything about time inside a recording is a frame
// number; this is where frame numbers come from. It follows the device's own speed by a
// second-order loop on CLOCK_MONOTONIC, and sees time that was lost without any error, as a stalled
// sound server loses it: frames that come later than the loop can explain, with nothing held back.
// A time may be told late, as a program that is woken late tells it, but never early. So frames
// that come early after some were given up are the ones that were given up: a server had kept them
// and was slow. Their place is taken by silence already, and they are not counted a second time.
// A plain value, used on the capture thread: no allocation, no lock, no call out of this module.

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
  /// Given up as lost, and might come yet; and how much has come since.
  private var givenUpFrames: Int64 = 0
  private var framesSinceHole: Int64 = 0
  /// What a server has not handed out by then it does not have.
  private static let graceSeconds: Int64 = 10

  /// Lateness that cannot be a matter of timing any more.
  private let stallNanoseconds: Double
  /// Lateness that all blocks of a second have in common is not one of timing either.
  private static let shiftNanoseconds = 10e6
  /// Lateness of one block that says nothing about the device's speed.
  private static let outlierNanoseconds = 5e6
  /// Nobody is early by so much: then what was known before was late.
  private static let earlyNanoseconds = 3e6

  /// The least late block of the second under way.
  private var leastLate = Double.infinity
  private var watchedFrames = 0
  private var watchedBlocks = 0

  public init(rate: Int, periodFrames: Int) {
    self.rate = rate
    nominalNanosecondsPerFrame = 1e9 / Double(rate)
    nanosecondsPerFrame = nominalNanosecondsPerFrame
    stallNanoseconds = max(50e6, 3 * Double(periodFrames) * nominalNanosecondsPerFrame)
  }

  /// Where a block stands on the time line.
  public struct Stamp: Equatable, Sendable {
    public let firstFrame: Int64
    /// When its first frame was heard, with the jitter taken out.
    public let nanoseconds: Int64
    /// Frames that were lost before it.
    public let lostFrames: Int64
    /// So many frames at the block's beginning had been given up: their time is over, and the block
    /// stands without them.
    public var staleFrames = 0
  }

  /// The stream was started again: the next block's time tells how much is missing.
  public mutating func restarted() { mustResume = hasBegun }

  /// Frames were dropped on our own side: they are counted, and their time has passed.
  public mutating func skip(_ frames: Int) { advance(frames) }

  /// Takes the next block.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func take(frames: Int, atNanoseconds heard: Int64, isBehind: Bool) -> Stamp {
    if !hasBegun {
      hasBegun = true
      nextNanoseconds = heard
    }
    let late = Double(heard &- nextNanoseconds) - fraction
    if late < -Self.earlyNanoseconds, givenUpFrames > 0 { return takeBack(frames, late) }
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

  /// A block that comes early, after a hole: as much of it as is early was counted then.
  private mutating func takeBack(_ frames: Int, _ late: Double) -> Stamp {
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

  /// How much time is missing before a block, if that can be said.
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
    // Too little to call it lost: then the first block was told early.
    if least > Self.outlierNanoseconds { fraction += least }
    return nil
  }

  private mutating func watchAnew() {
    leastLate = .infinity
    watchedFrames = 0
    watchedBlocks = 0
  }

  /// Leans towards what was heard: quickly in the first seconds, then so gently that the jitter of
  /// one wake-up moves nothing.
  private mutating func follow(_ late: Double, _ frames: Int) {
    if late > Self.outlierNanoseconds { return }
    // Nothing is heard early: what came before was late.
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
