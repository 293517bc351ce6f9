// Proves that the frame clock, a plain value, tells lost time from lateness: no drift, no late
// wake-up and no catching up is a gap, and every gap has its length.

import Testing

@testable import Audio

@Suite struct FrameClockTests {
  /// A device that runs at some speed, and a program that receives its blocks.
  struct Device {
    var clock: FrameClock
    let rate: Int
    let period: Int
    var speed = 1.0
    /// How late each block is stamped, in seconds; 0 with exact stamps.
    var lateness: () -> Double = { 0 }
    /// Frames so far, lost ones included.
    var frame: Int64 = 0
    var nanoseconds: Double
    private(set) var lost: [Int64] = []

    init(rate: Int = 48_000, period: Int = 960, from start: Int64 = 1_000_000_000) {
      clock = FrameClock(rate: rate, periodFrames: period)
      (self.rate, self.period, nanoseconds) = (rate, period, Double(start))
    }

    private var nanosecondsPerFrame: Double { 1e9 / Double(rate) / speed }

    @discardableResult
    mutating func deliver(
      _ blocks: Int = 1, frames: Int? = nil, isBehind: Bool = false
    ) -> FrameClock.Stamp {
      var last = FrameClock.Stamp(firstFrame: 0, nanoseconds: 0, lostFrames: 0)
      for _ in 0..<blocks {
        let frames = frames ?? period
        let heard = Int64((nanoseconds + lateness() * 1e9).rounded())
        last = clock.update(frames: frames, atNanoseconds: heard, isBehind: isBehind)
        if last.lostFrames > 0 { lost.append(last.lostFrames) }
        frame += Int64(frames)
        nanoseconds += Double(frames) * nanosecondsPerFrame
      }
      return last
    }

    mutating func lose(_ frames: Int64) {
      frame += frames
      nanoseconds += Double(frames) * nanosecondsPerFrame
    }

    var isTrue: Bool { clock.nextFrame == frame }
    /// The difference in seconds between a block's stamp and when it was heard.
    func error(_ stamp: FrameClock.Stamp) -> Double {
      let heard = nanoseconds - Double(period) * nanosecondsPerFrame
      return abs(Double(stamp.nanoseconds) - heard) / 1e9
    }
  }

  @Test(arguments: [8_000, 44_100, 48_000, 96_000], [64, 960, 4_096])
  func aTrueDeviceLosesNothing(rate: Int, period: Int) {
    var device = Device(rate: rate, period: period)
    let stamp = device.deliver(5_000)
    #expect(device.lost == [] && device.isTrue)
    #expect(device.error(stamp) < 1e-6)
  }

  @Test(arguments: [-500.0, -100, 100, 500])
  func anHourOfDriftIsNoGap(partsPerMillion: Double) {
    // Given a device whose clock is off
    var device = Device()
    device.speed = 1 + partsPerMillion / 1e6
    // When it runs for an hour
    let stamp = device.deliver(50 * 3600)
    // Then all its frames are counted, and their times are known
    #expect(device.lost == [] && device.isTrue)
    #expect(device.error(stamp) < 1e-5)
  }

  @Test(arguments: [-500.0, 0, 500])
  func lateWakeUpsAreNoGap(partsPerMillion: Double) {
    // Given stamps made by a program that is woken 0 to 30 ms late
    var random = SystemlessRandom(seed: 3)
    var device = Device()
    device.speed = 1 + partsPerMillion / 1e6
    device.lateness = { random.below(20) == 0 ? random.within(0...0.03) : random.within(0...0.002) }
    // When an hour passes
    device.deliver(200)
    var worst = 0.0
    for _ in 0..<50 * 3600 {
      let stamp = device.deliver()
      worst = max(worst, device.error(stamp))
    }
    // Then nothing is lost, and an instant is known to some milliseconds
    #expect(device.lost == [] && device.isTrue)
    #expect(worst < 0.004, "\(worst)")
  }

  @Test func batchesOfPeriodsAreNoGap() {
    // Given a device that delivers four periods at once, of which the first ones are stale
    var device = Device(period: 1_024)
    device.deliver(100)
    for _ in 0..<2_000 {
      for index in 0..<4 { device.deliver(isBehind: index < 3) }
    }
    #expect(device.lost == [] && device.isTrue)
  }

  @Test(arguments: [2_881, 4_800, 48_000, 1_000_003, 172_800_000] as [Int64])
  func aStallThatNobodySpokeOfIsFoundWithItsLength(frames: Int64) {
    // Given exact stamps, and a device that is not quite true
    for drift in [0.0, 300e-6, -300e-6] {
      var device = Device()
      device.speed = 1 + drift
      device.deliver(2_000)
      // When a sound server stalls
      device.lose(frames)
      device.deliver(100)
      // Then exactly that is missing, within the precision of the speed over an hour
      let slack = drift == 0 ? 0 : frames / 100_000_000 + 1
      #expect(device.lost.count == 1)
      #expect(abs((device.lost.first ?? 0) - frames) <= slack, "\(device.lost) for \(frames)")
    }
  }

  @Test func aStallWithLateStampsIsFoundToWithinAPeriod() {
    for seed in 1...40 {
      var random = SystemlessRandom(seed: UInt64(seed))
      var device = Device()
      device.lateness = { random.within(0...0.003) }
      device.deliver(1_000)
      device.lose(9_600)
      device.deliver(100)
      #expect(device.lost.count == 1 && abs(device.clock.nextFrame - device.frame) < 960)
    }
  }

  @Test func catchingUpAfterAStallIsNoGap() {
    // Given a program that did not run for a second, and a device that kept everything
    var device = Device()
    device.deliver(1_000)
    device.lateness = { 1 }
    for index in 0..<50 {
      device.lateness = { 1 - Double(index) / 50 }
      device.deliver(isBehind: true)
    }
    device.lateness = { 0 }
    device.deliver(1_000)
    #expect(device.lost == [] && device.isTrue)
  }

  /// A server that stalls, keeps what it hears, and delivers it in pieces afterwards.
  @Test(arguments: [9_600, 72_000, 200_000] as [Int64], [1, 3, 40])
  func whatWasGivenUpAndComesYetIsNotCountedTwice(kept: Int64, blocksInPiece: Int) {
    // Given a device whose server stalled for longer than the clock waits
    var clock = FrameClock(rate: 48_000, periodFrames: 960)
    var (heard, now) = (Int64(0), Int64(0))  // frames delivered, and frames of real time
    var (lost, stale) = (Int64(0), Int64(0))
    var last = Int64(0)
    func take(behind: Int64) {
      // A block is stamped as if the server held nothing beyond what it holds now.
      let stamp = clock.update(
        frames: 960, atNanoseconds: (now - behind) * 62_500 / 3, isBehind: behind > 1_920)
      lost += stamp.lostFrames
      stale += Int64(stamp.staleFrames)
      #expect(stamp.firstFrame >= last, "time went back")
      last = stamp.firstFrame + 960 - Int64(stamp.staleFrames)
      heard += 960
    }
    for _ in 0..<500 {
      now += 960
      take(behind: 960)
    }
    now += kept
    // When it delivers what it kept, at twice real time
    while heard + 960 <= now {
      let piece = min(Int64(blocksInPiece), (now - heard) / 960)
      for index in 0..<piece { take(behind: (piece - index) * 960) }
      now += piece * 480
    }
    for _ in 0..<500 {
      now += 960
      take(behind: 960)
    }
    // Then the timeline is that of real time
    #expect(abs(clock.nextFrame - now) <= 960, "\(clock.nextFrame) instead of \(now)")
    #expect(clock.nextFrame == heard + lost - stale)
  }

  @Test(arguments: [1, 17, 960, 4_800, 480_000] as [Int64])
  func whatARestartLostIsCountedToTheFrame(frames: Int64) {
    var device = Device()
    device.deliver(500)
    device.lose(frames)
    device.clock.restarted()
    device.deliver(10)
    #expect(device.lost == [frames] && device.isTrue)
  }

  @Test func aRestartThatLostNothingIsNoGapAndNeitherIsOneBeforeTheFirstBlock() {
    var device = Device()
    device.clock.restarted()
    device.deliver(500)
    device.clock.restarted()
    device.deliver(500)
    #expect(device.lost == [] && device.isTrue)
  }

  @Test func framesDroppedHereKeepTheirTime() {
    var device = Device()
    device.deliver(500)
    device.lose(9_600)
    device.clock.skip(9_600)
    device.deliver(500)
    #expect(device.lost == [] && device.isTrue)
  }

  @Test func timesNearTheirEndsWrapWithoutATrap() {
    // Given times that overflow Int64, and a device whose times are nonsense
    var clock = FrameClock(rate: 48_000, periodFrames: 960)
    var heard = Int64.max - 50_000_000
    for index in 0..<10 {
      let stamp = clock.update(frames: 960, atNanoseconds: heard, isBehind: false)
      #expect(stamp.firstFrame == Int64(index) * 960 && stamp.lostFrames == 0)
      heard &+= 20_000_000
    }
    for liar in [Int64.min, .max, 0, -1, .min, .max] {
      let stamp = clock.update(frames: 960, atNanoseconds: liar, isBehind: false)
      #expect(stamp.lostFrames >= 0)
      clock.restarted()
    }
  }

  @Test func aFirstBlockThatIsToldLateIsForgotten() {
    // Given a program that was woken late for its first block, and now and then again
    var random = SystemlessRandom(seed: 9)
    var device = Device()
    device.lateness = { 0.03 }
    device.deliver()
    device.lateness = { random.below(20) == 0 ? random.within(0...0.03) : random.within(0...0.002) }
    device.deliver(5)
    // Then within a tenth of a second the times of frames are right within 3 ms
    for _ in 0..<2_000 {
      let stamp = device.deliver()
      #expect(device.error(stamp) < 0.003)
    }
    #expect(device.lost == [] && device.isTrue)
  }

  /// A loss too short to be told from a late wake-up shows when the lateness does not go away.
  @Test(arguments: [600, 960, 1_440, 2_400] as [Int64])
  func aShortStallIsFoundWithinSeconds(frames: Int64) {
    var random = SystemlessRandom(seed: 5)
    for worstLateness in [0, 0.002] {
      var device = Device()
      device.lateness = { worstLateness * random.within(0...1) }
      device.deliver(1_000)
      device.lose(frames)
      device.deliver(200)
      let missed = abs(device.clock.nextFrame - device.frame)
      #expect(missed < 100, "\(device.lost) for \(frames)")
    }
  }
}
