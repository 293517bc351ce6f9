// A microphone on virtual time whose frames are numbered: what it hears at each frame says which
// frame that is, so that every one can be accounted for in the file it went to. It loses frames,
// is late, is pulled out, and knows when each frame was truly heard. One thread.

import Glibc

@testable import Audio

/// Which frame of which opening was heard when.
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

  /// The frame's number within the period.
  static func place(of sample: Int16) -> Int64 {
    sample > 0 ? Int64(sample) - 1 : half - Int64(sample) - 1
  }

  /// Two periods, so that any stretch can be copied in one piece.
  static let table = (0..<2 * period).map { sample(of: $0) }
}

// Sendable: a simulation has one thread.
final class SimDevice: @unchecked Sendable {
  let format: StreamFormat
  /// Stamps are true to the nanosecond, and frames come when they should.
  let isCalm: Bool
  var isPlugged = true
  private(set) var session: DeviceSession?
  private(set) var sessions: [DeviceSession] = []
  /// The frame that is read next.
  private(set) var nextFrame: Int64 = 0
  /// Counted over all openings.
  private(set) var framesRead: Int64 = 0
  private var hasOverrun = false
  /// Nothing is handed out before; what is heard meanwhile is kept.
  private var heldUntil: Int64 = 0
  /// Frames of each opening that nobody heard, or not in time.
  private var missed: [Int: [Range<Int64>]] = [:]
  private var stampJitter: () -> Int64
  private let drift: Double

  init(
    format: StreamFormat, isCalm: Bool, drift: Double, stampJitter: @escaping () -> Int64
  ) {
    self.format = format
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
    (nextFrame, hasOverrun, heldUntil) = (0, false, 0)
    return made
  }

  func close(_ number: Int) { if session?.number == number { session = nil } }

  func unplug() {
    miss(nextFrame..<Int64.max)
    isPlugged = false
    session = nil
  }

  /// Whether nothing of those frames of an opening was handed out when it should have been.
  func hasMissed(_ frames: Range<Int64>, of session: DeviceSession) -> Bool {
    joined(missed[session.number] ?? []).contains { $0.clamped(to: frames) == frames }
  }

  private func miss(_ frames: Range<Int64>) {
    guard let session, !frames.isEmpty else { return }
    missed[session.number, default: []].append(frames)
  }

  // MARK: Faults

  /// So many frames are heard by nobody.
  func lose(_ frames: Int64, saysSo: Bool) {
    guard session != nil else { return }
    miss(nextFrame..<nextFrame + frames)
    nextFrame += frames
    if saysSo { hasOverrun = true }
  }

  /// Silent until then, as a server is that has stopped.
  func sleep(until time: Int64) {
    guard let session else { return }
    let first = nextFrame
    nextFrame = max(nextFrame, Int64(session.frame(atNanoseconds: time).rounded(.down)))
    miss(first..<nextFrame)
  }

  func hold(until time: Int64) {
    heldUntil = time
    guard let session else { return }
    miss(nextFrame..<max(nextFrame, Int64(session.frame(atNanoseconds: time).rounded(.up))))
  }

  // MARK: Reading

  /// When the next block is there.
  var dueNanoseconds: Int64 {
    guard let session else { return 0 }
    return max(heldUntil, session.nanoseconds(of: nextFrame + Int64(format.periodFrames)))
  }

  func read(
    _ number: Int, at now: Int64, mono: Int64, into target: UnsafeMutableRawBufferPointer
  ) -> Arrival {
    guard let session, session.number == number else { return .gone(errno: ENODEV) }
    if hasOverrun {
      hasOverrun = false
      return .restarted(.overrun)
    }
    if now < dueNanoseconds { return .nothing }
    let frames = min(format.periodFrames, target.count / format.frameBytes)
    fill(target, frames)
    let heard = session.nanoseconds(of: nextFrame) - now + mono
    nextFrame += Int64(frames)
    framesRead += Int64(frames)
    let isBehind = now >= dueNanoseconds
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

/// What touches is one.
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

  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    let (now, mono) = times()
    return device.read(number, at: now, mono: mono, into: target)
  }
}
