// A speaker through ALSA. Opened by an ordinary thread; from then on one realtime thread writes to
// it. It begins to play when two periods are buffered, or when it is drained. An error is repaired
// in place, a bounded number of times, or reported once.
import CALSA
import Realtime

/// A speaker that is open and ready.
public struct AlsaPlayback: ~Copyable, PlaybackStream {
  public let format: StreamFormat
  public let setup: AlsaSetup
  private let pcm: AlsaPCM
  private let outlet: AlsaOutlet
  /// Frames in the device's own format.
  private let raw: AlsaBuffer
  private let frameBytes: Int
  private var retries = AlsaRetries()

  /// Opens a speaker. For ordinary threads; it may take its time.
  public static func open(_ request: AlsaRequest) throws(AlsaError) -> AlsaPlayback {
    try prepare(AlsaPCM.open(request.pcmName, .playback), request)
  }

  static func prepare(
    _ pcm: consuming AlsaPCM, _ request: AlsaRequest
  ) throws(AlsaError) -> AlsaPlayback {
    let setup = try pcm.configure(request)
    let picks = request.picks ?? Array(0..<min(2, setup.deviceChannels))
    return AlsaPlayback(pcm, setup, channels: min(request.channels, picks.count), picks)
  }

  private init(
    _ pcm: consuming AlsaPCM, _ setup: AlsaSetup, channels: Int, _ picks: [Int]
  ) {
    self.pcm = pcm
    self.setup = setup
    outlet = AlsaOutlet(
      setup.sampleFormat, deviceChannels: setup.deviceChannels, channels: channels, picks: picks)
    format = StreamFormat(
      rate: setup.rate, channels: channels, samples: setup.sampleFormat.samples,
      periodFrames: setup.periodFrames)
    frameBytes = format.frameBytes
    raw = AlsaBuffer(frames: setup.periodFrames * 2, setup)
  }

  /// Waits for room, at most half a second, and takes what fits.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func write(from source: UnsafeRawBufferPointer) -> Departure {
    let ready = calsa_wait(pcm.handle, 500)
    if ready < 0 { return repair(ready) }
    if ready == 0 { return afterStandstill() }
    var stamp: Int64 = 0
    let available = calsa_available(pcm.handle, &stamp)
    if available < 0 { return repair(available) }
    let heard = heardNext(available)
    let frames = put(available, from: source)
    if frames < 0 { return repair(frames) }
    if frames == 0 { return afterEmptyPoll() }
    retries.reset()
    return .taken(frames, heardAtNanoseconds: heard)
  }

  /// Discards the frames that were not heard yet, for a pause or a seek.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func drop() {
    // A failure here occurs again at the next write, which reports it.
    _ = calsa_drop(pcm.handle)
    _ = calsa_prepare(pcm.handle)
  }

  /// Waits until the frames taken so far have been heard, then prepares for more.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func drain() {
    let delay = calsa_delay(pcm.handle)
    if delay > 0 {
      let end = calsa_now() &+ AlsaTime.nanoseconds(frames: delay, rate: format.rate)
      runDry(notAfter: end &+ 500_000_000)
    }
    drop()
  }

  /// Writes some silence and waits until the device has played all frames and stops. Cards also
  /// play what follows in their last period, servers report the end too early: silence covers both.
  /// A device that never stops is not waited for longer than `latest`.
  private func runDry(notAfter latest: Int64) {
    var silence = raw.frames * 2
    raw.clear()
    while calsa_now() < latest {
      var stamp: Int64 = 0
      let available = calsa_available(pcm.handle, &stamp)
      if available < 0 { return }
      let room = min(min(available, raw.frames), silence)
      if room > 0 { silence &-= calsa_write(pcm.handle, raw.start(), room) }
      if calsa_state(pcm.handle) == SND_PCM_STATE_PREPARED { _ = calsa_start(pcm.handle) }
      calsa_pause(5)
    }
  }

  /// Returns when a frame that is written now will be heard.
  private func heardNext(_ available: Int) -> Int64 {
    let delay = calsa_delay(pcm.handle)
    let waiting = delay < 0 ? setup.bufferFrames &- available : delay
    return calsa_now() &+ AlsaTime.nanoseconds(frames: waiting, rate: format.rate)
  }

  /// Writes what fits. Returns the number of frames, or a negative errno.
  private func put(_ available: Int, from source: UnsafeRawBufferPointer) -> Int {
    let frames = min(min(available, raw.frames), source.count / frameBytes)
    guard frames > 0, let start = source.baseAddress else { return 0 }
    outlet.convert(frames: frames, from: start, to: raw.start())
    return calsa_write(pcm.handle, raw.start(), frames)
  }

  /// No room came up in half a second.
  private mutating func afterStandstill() -> Departure {
    switch calsa_state(pcm.handle) {
    case SND_PCM_STATE_XRUN, SND_PCM_STATE_PREPARED, SND_PCM_STATE_SETUP: repair(-Int(EPIPE))
    case SND_PCM_STATE_SUSPENDED: repair(-Int(ESTRPIPE))
    case SND_PCM_STATE_DISCONNECTED: .gone(errno: ENODEV)
    default: .nothing
    }
  }

  private mutating func afterEmptyPoll() -> Departure {
    guard let pause = retries.pauseAfterEmptyPoll() else { return .gone(errno: EAGAIN) }
    calsa_pause(pause)
    return .nothing
  }

  private mutating func repair(_ result: Int) -> Departure {
    switch AlsaInterruption(result) {
    case .notNow: return afterEmptyPoll()
    case .gone(let reason): return .gone(errno: reason)
    case .stopped: return restart(result, isSuspended: false)
    case .suspended: return restart(result, isSuspended: true)
    }
  }

  private mutating func restart(_ result: Int, isSuspended: Bool) -> Departure {
    guard let pause = retries.pauseBeforeRestart() else {
      return .gone(errno: Int32(truncatingIfNeeded: -result))
    }
    calsa_pause(pause)
    let prepared = pcm.prepare(isSuspended: isSuspended)
    if prepared < 0, case .gone(let reason) = AlsaInterruption(prepared) {
      return .gone(errno: reason)
    }
    return .restarted
  }
}
