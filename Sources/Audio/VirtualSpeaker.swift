// A speaker without hardware: it takes sound in real time, as fast as possible, or by a test's
// clock, and writes it to a file or nowhere. It can be unplugged and run dry on demand. Used by one
// thread, the playback one; unlike a real device, it may write to a file there.
import Glibc
import Realtime
import Synchronization
import Systemd

/// How time passes for a virtual speaker.
public enum SpeakerPace: Sendable {
  case real
  /// All sound is heard at once. `PlaySettings.speakerWaits` keeps it from outrunning a card.
  case max
  /// By that clock, in nanoseconds. It returns where a device would wait: a test advances the
  /// clock.
  case driven(by: @Sendable () -> Int64)
}

/// Faults of a virtual speaker, ordered by any thread, at any time.
public final class SpeakerFaults: Sendable {
  private let goneErrno = Atomic<Int32>(0)
  private let underruns = Atomic<Int>(0)

  public init() {}

  /// Unplugs the speaker: it can't be opened until it is plugged in again.
  public func pullOut() { pullOut(errno: ENODEV) }
  public func pullOut(errno: Int32) { goneErrno.store(errno, ordering: .releasing) }
  public func plugIn() { goneErrno.store(0, ordering: .releasing) }

  /// Makes the speaker run dry once more.
  public func runDry() { underruns.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  fileprivate var gone: Int32? {
    let errno = goneErrno.load(ordering: .acquiring)
    return errno == 0 ? nil : errno
  }

  fileprivate func consumeUnderrun() -> Bool {
    guard underruns.load(ordering: .acquiring) > 0 else { return false }
    underruns.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    return true
  }
}

/// Why a virtual speaker cannot be opened.
public struct SpeakerMissing: Error, CustomStringConvertible {
  public let description = "The virtual speaker is pulled out."
}

/// A speaker that writes a file.
public struct VirtualSpeaker: PlaybackStream, ~Copyable {
  public let format: StreamFormat
  private let pace: SpeakerPace
  private let file: SpeakerFile?
  private let faults: SpeakerFaults?

  // Frames that were taken and not yet heard.
  private var entering: RingProducer<UInt8>
  private var leaving: RingConsumer<UInt8>
  private let bufferFrames: Int
  /// When the first frame since the last start is heard; nil: the next write starts it.
  private var startedAt: Int64?
  private var takenFrames: Int64 = 0
  private var heardFrames: Int64 = 0

  /// - Parameter file: shared by all speakers that are opened in turn, so that it holds all sound.
  public static func open(
    _ format: StreamFormat, pace: SpeakerPace = .real, into file: SpeakerFile? = nil,
    faults: SpeakerFaults? = nil, bufferPeriods: Int = 4
  ) throws -> VirtualSpeaker {
    if faults?.gone != nil { throw SpeakerMissing() }
    let frames = max(2, bufferPeriods) * format.periodFrames
    let fifo = try ByteRing(capacity: frames * format.frameBytes)
    return VirtualSpeaker(
      format: format, pace: pace, file: file, faults: faults, entering: fifo.producer,
      leaving: fifo.consumer, bufferFrames: frames)
  }

  private init(
    format: StreamFormat, pace: SpeakerPace, file: SpeakerFile?, faults: SpeakerFaults?,
    entering: consuming RingProducer<UInt8>, leaving: consuming RingConsumer<UInt8>,
    bufferFrames: Int
  ) {
    self.format = format
    self.pace = pace
    self.file = file
    self.faults = faults
    self.entering = entering
    self.leaving = leaving
    self.bufferFrames = bufferFrames
  }

  deinit { file?.complete() }

  public mutating func write(from source: UnsafeRawBufferPointer) -> Departure {
    if let errno = faults?.gone { return .gone(errno: errno) }
    if faults?.consumeUnderrun() == true { return runDry() }
    if case .max = pace { return playAtOnce(source) }
    settle()
    if startedAt != nil, heardFrames == takenFrames { return runDry() }
    if takenFrames - heardFrames == bufferFrames {
      guard waitForRoom() else { return .nothing }
    }
    return consume(source)
  }

  public mutating func drop() {
    settle()
    leaving.consume(leaving.availableCount())
    startedAt = nil
  }

  public mutating func drain() {
    if case .real = pace, let startedAt { sleep(until: startedAt + nanoseconds(takenFrames)) }
    settle()
    if startedAt != nil { handle(takenFrames) }
    startedAt = nil
  }

  // MARK: Time

  private var now: Int64 {
    if case .driven(let clock) = pace { clock() } else { EventLoop.monotonicNanoseconds() }
  }

  private func nanoseconds(_ frames: Int64) -> Int64 { frames * 1_000_000_000 / Int64(format.rate) }

  /// Writes all frames whose time has passed to the file.
  private mutating func settle() {
    guard let startedAt else { return }
    let passed = max(0, now - startedAt)
    let (seconds, rest) = passed.quotientAndRemainder(dividingBy: 1_000_000_000)
    let rate = Int64(format.rate)
    handle(min(takenFrames, seconds * rate + rest * rate / 1_000_000_000))
  }

  private mutating func handle(_ frames: Int64) {
    let spans = leaving.peek(atMost: Int(frames - heardFrames) * format.frameBytes)
    file?.append(UnsafeRawBufferPointer(spans.first))
    file?.append(UnsafeRawBufferPointer(spans.second))
    leaving.consume(spans.count)
    heardFrames = frames
  }

  private mutating func runDry() -> Departure {
    if startedAt != nil { handle(takenFrames) }
    startedAt = nil
    return .restarted
  }

  /// Waits for a period, and returns whether there is room. A test's clock is not waited for.
  private mutating func waitForRoom() -> Bool {
    guard case .real = pace, let startedAt else { return false }
    sleep(until: startedAt + nanoseconds(heardFrames + Int64(format.periodFrames)))
    settle()
    return takenFrames - heardFrames < bufferFrames
  }

  private func sleep(until nanoseconds: Int64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
  }

  // MARK: Sound

  private mutating func consume(_ source: UnsafeRawBufferPointer) -> Departure {
    let start = startedAt ?? now
    if startedAt == nil { (startedAt, takenFrames, heardFrames) = (start, 0, 0) }
    let room = bufferFrames - Int(takenFrames - heardFrames)
    let frames = min(room, source.count / format.frameBytes)
    let heardAt = start + nanoseconds(takenFrames)
    let bytes = UnsafeRawBufferPointer(rebasing: source[..<(frames * format.frameBytes)])
    let isWhole = entering.write(bytes) == bytes.count
    precondition(isWhole, "the buffer holds what it has room for")
    takenFrames += Int64(frames)
    return .taken(frames, heardAtNanoseconds: heardAt)
  }

  private func playAtOnce(_ source: UnsafeRawBufferPointer) -> Departure {
    let heardAt = now
    file?.append(source)
    return .taken(source.count / format.frameBytes, heardAtNanoseconds: heardAt)
  }
}
