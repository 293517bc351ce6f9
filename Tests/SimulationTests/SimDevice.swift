// A microphone on virtual time whose frames are numbered: each sample says which frame it is, so
// that every frame can be accounted for in the file it went to. It loses frames, is late, is
// unplugged, and knows when each frame was truly heard. One thread.

import Glibc

@testable import Audio

/// One opening of the device, and when each of its frames was heard.
struct DeviceSession {
  let number: Int
  let openedNanoseconds: Int64
  let nanosecondsPerFrame: Double

  func frame(atNanoseconds time: Int64) -> Double {
    Double(time - openedNanoseconds) / nanosecondsPerFrame
  }

  func nanoseconds(of frame: Int64) -> Int64 {
    openedNanoseconds + Int64((Double(frame) * nanosecondsPerFrame).rounded())
  }
}

/// The samples: up from 1 and then down from -1, never silent, and each one different for six
/// seconds.
enum FrameNumbers {
  static let period: Int64 = 48_000
  private static let half = period / 2

  static func sample(of frame: Int64) -> Int16 {
    let place = frame % period
    return Int16(place < half ? place + 1 : half - place - 1)
  }

  /// Returns the frame's number within the period.
  static func place(of sample: Int16) -> Int64 {
    sample > 0 ? Int64(sample) - 1 : half - Int64(sample) - 1
  }

  /// Two periods, so that any block can be copied in one piece.
  static let table = (0..<2 * period).map { sample(of: $0) }
}

// Sendable: a simulation has one thread.
final class SimDevice: @unchecked Sendable {
  let format: StreamFormat
  /// Whether stamps are exact to the nanosecond, and frames come on time.
  let isCalm: Bool
  var isPlugged = true
  /// Whether it delivers nothing, without an error; and whether reading or opening it hangs.
  private(set) var isMute = false
  private(set) var hangs = false
  private var firstMuted: Int64 = 0
  private(set) var session: DeviceSession?
  private(set) var sessions: [DeviceSession] = []
  /// The frame that is read next.
  private(set) var nextFrame: Int64 = 0
  /// The frames read over all openings.
  private(set) var framesRead: Int64 = 0
  private var hasOverrun = false
  /// How many frames end a wait. A wait that has begun goes on as it began.
  private var waitFrames: Int
  private var isWaiting = false
  /// Nothing is delivered before this time; sound heard meanwhile is kept.
  private var heldUntil: Int64 = 0
  /// Frames of each opening that were not delivered, or not in time.
  private var missed: [Int: [Range<Int64>]] = [:]
  private var stampJitter: () -> Int64
  private let drift: Double

  init(
    format: StreamFormat, isCalm: Bool, drift: Double, stampJitter: @escaping () -> Int64
  ) {
    self.format = format
    waitFrames = format.periodFrames
    self.isCalm = isCalm
    self.drift = drift
    self.stampJitter = stampJitter
  }

  func open(at now: Int64) -> DeviceSession {
    let made = DeviceSession(
      number: sessions.count, openedNanoseconds: now,
      nanosecondsPerFrame: 1e9 / Double(format.rate) * (1 + drift))
    sessions.append(made)
    session = made
    (nextFrame, hasOverrun, heldUntil, firstMuted) = (0, false, 0, 0)
    (waitFrames, isWaiting) = (format.periodFrames, false)
    if isMute { miss(0..<Int64.max) }
    return made
  }

  func close(_ number: Int) { if session?.number == number { session = nil } }

  func unplug() {
    miss(nextFrame..<Int64.max)
    isPlugged = false
    session = nil
  }

  /// Whether none of those frames of an opening was delivered in time.
  func hasMissed(_ frames: Range<Int64>, of session: DeviceSession) -> Bool {
    joined(missed[session.number] ?? []).contains { $0.clamped(to: frames) == frames }
  }

  /// Returns the first frame of an opening that could be delivered in time.
  func firstHandedOut(of session: DeviceSession) -> Int64 {
    joined(missed[session.number] ?? []).first { $0.lowerBound == 0 }?.upperBound ?? 0
  }

  private func miss(_ frames: Range<Int64>) {
    guard let session, !frames.isEmpty else { return }
    missed[session.number, default: []].append(frames)
  }

  // MARK: Faults

  /// Drops that many frames.
  func lose(_ frames: Int64, saysSo: Bool) {
    guard session != nil else { return }
    miss(nextFrame..<nextFrame + frames)
    nextFrame += frames
    if saysSo { hasOverrun = true }
  }

  /// Delivers nothing until then, like a sound server that has stopped.
  func sleep(until time: Int64) {
    guard let session else { return }
    let first = nextFrame
    nextFrame = max(nextFrame, Int64(session.frame(atNanoseconds: time).rounded(.down)))
    miss(first..<nextFrame)
  }

  func mute(hangs: Bool) {
    (isMute, self.hangs) = (true, hangs)
    firstMuted = nextFrame
    miss(nextFrame..<Int64.max)
  }

  /// Delivers sound again; the frames in between are lost.
  func speak(at now: Int64) {
    guard isMute else { return }
    (isMute, hangs) = (false, false)
    guard let session else { return }
    nextFrame = max(nextFrame, Int64(session.frame(atNanoseconds: now).rounded(.up)))
    missed[session.number]?.removeAll { $0.upperBound == .max }
    missed[session.number]?.append(firstMuted..<nextFrame)
  }

  func hold(until time: Int64) {
    heldUntil = time
    guard let session else { return }
    miss(nextFrame..<max(nextFrame, Int64(session.frame(atNanoseconds: time).rounded(.up))))
  }

  // MARK: Reading

  /// Far in the future, without overflow when added to.
  private static let never = Int64.max / 2

  /// When the present wait ends.
  var dueNanoseconds: Int64 { due(waitFrames) }

  private func due(_ frames: Int) -> Int64 {
    guard let session else { return 0 }
    if isMute { return Self.never }
    return max(heldUntil, session.nanoseconds(of: nextFrame + Int64(frames)))
  }

  func allowWait(frames: Int) {
    if isWaiting { return }
    waitFrames = format.waitFrames(wanted: frames, atMost: format.mostFrames)
  }

  func read(
    _ number: Int, at now: Int64, mono: Int64, into target: UnsafeMutableRawBufferPointer
  ) -> Arrival {
    guard let session, session.number == number else { return .gone(errno: ENODEV) }
    if hasOverrun {
      hasOverrun = false
      return .restarted(.overrun)
    }
    isWaiting = isMute || now < dueNanoseconds
    if isWaiting { return .nothing }
    let frames = min(waitFrames, target.count / format.frameBytes)
    fill(target, frames)
    let heard = session.nanoseconds(of: nextFrame) - now + mono
    nextFrame += Int64(frames)
    framesRead += Int64(frames)
    let isBehind = now >= due(format.periodFrames)
    return .frames(frames, firstAtNanoseconds: heard + stampJitter(), isBehind: isBehind)
  }

  private func fill(_ target: UnsafeMutableRawBufferPointer, _ frames: Int) {
    let start = Int(nextFrame % FrameNumbers.period)
    FrameNumbers.table.withUnsafeBytes { table in
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: table[(start * 2)..<((start + frames) * 2)]))
    }
  }
}

/// Joins ranges that touch or overlap.
func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
  var joined: [Range<Int64>] = []
  for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
    if let last = joined.last, range.lowerBound <= last.upperBound {
      joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      joined.append(range)
    }
  }
  return joined
}

/// The stream of one opening.
struct SimMicrophone: CaptureStream, ~Copyable {
  let format: StreamFormat
  private let device: SimDevice
  private let number: Int
  private let times: @Sendable () -> (now: Int64, mono: Int64)

  init(
    _ device: SimDevice, _ session: DeviceSession,
    times: @escaping @Sendable () -> (now: Int64, mono: Int64)
  ) {
    format = device.format
    self.device = device
    number = session.number
    self.times = times
  }

  deinit { device.close(number) }

  mutating func allowWait(frames: Int) { device.allowWait(frames: frames) }

  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    let (now, mono) = times()
    return device.read(number, at: now, mono: mono, into: target)
  }
}
