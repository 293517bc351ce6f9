// A microphone through ALSA. Opened by an ordinary thread; from then on one realtime thread reads
// it. Reading waits and copies and nothing else. An error is repaired in place, a bounded number of
// times, or reported once.
import CALSA
import Realtime

/// A microphone that is open and running.
public struct AlsaCapture: ~Copyable, CaptureStream {
  public let format: StreamFormat
  public let setup: AlsaSetup
  private let pcm: AlsaPCM
  private let intake: AlsaIntake
  /// The device's own frames, before they are converted.
  private let raw: AlsaBuffer
  private let frameBytes: Int
  private var retries = AlsaRetries()
  /// When frames were last read; 0 before the first.
  private var readAt: Int64 = 0
  /// How many frames end a wait.
  private var waitFrames: Int

  /// Opens and starts a microphone. For ordinary threads; it may take its time.
  public static func open(_ request: AlsaRequest) throws(AlsaError) -> AlsaCapture {
    try start(AlsaPCM.open(request.pcmName, .capture), request)
  }

  static func start(
    _ pcm: consuming AlsaPCM, _ request: AlsaRequest
  ) throws(AlsaError) -> AlsaCapture {
    let setup = try pcm.configure(request)
    try pcm.check(snd_pcm_start(pcm.handle), "be started")
    let picks = request.picks ?? Array(0..<min(request.channels, setup.deviceChannels))
    return AlsaCapture(pcm, setup, picks)
  }

  private init(_ pcm: consuming AlsaPCM, _ setup: AlsaSetup, _ picks: [Int]) {
    self.pcm = pcm
    self.setup = setup
    intake = AlsaIntake(
      setup.sampleFormat, deviceChannels: setup.deviceChannels, picks: picks)
    format = StreamFormat(
      rate: setup.rate, channels: picks.count, samples: setup.sampleFormat.samples,
      periodFrames: setup.periodFrames)
    frameBytes = format.frameBytes
    raw = AlsaBuffer(frames: format.mostFrames, setup)
    waitFrames = setup.periodFrames
  }

  /// Waits for frames, at most half a second, and copies no more than fit.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    let ready = calsa_wait(pcm.handle, 500)
    if ready < 0 { return repair(ready) }
    if ready == 0 { return afterSilence() }
    awaitCatchUp()
    var stamp: Int64 = 0
    let available = calsa_available(pcm.handle, &stamp)
    if available < 0 { return repair(available) }
    if available > setup.bufferFrames { return forward(available) }
    let now = calsa_now()
    let moment = AlsaTime.moment(stamp: stamp, now: now)
    let frames = read(available, into: target)
    if frames < 0 { return repair(frames) }
    if frames == 0 { return afterEmptyPoll() }
    retries.reset()
    readAt = now
    return .frames(
      frames,
      firstAtNanoseconds: moment &- AlsaTime.nanoseconds(frames: available, rate: format.rate),
      isBehind: available &- frames > format.periodFrames)
  }

  /// Three quarters of the device's buffer stay for a thread that is woken late, so only a device
  /// with a long buffer is waited for longer than a period.
  #if compiler(>=6.3)
    @_noLocks
  #else
    @_noAllocation
  #endif
  public mutating func allowWait(frames: Int) {
    let most = min(format.mostFrames, setup.bufferFrames / 4)
    let wanted = format.waitFrames(wanted: frames, atMost: most)
    if wanted == waitFrames { return }
    // A device that refuses keeps its wait, and is not asked again and again.
    waitFrames = wanted
    _ = calsa_set_wait(pcm.handle, wanted)
  }

  /// After a stall, a sound server delivers its backlog in pieces. The first piece alone would look
  /// as if all frames before it were lost, so this waits a moment for the others.
  private func awaitCatchUp() {
    let stood = calsa_now() &- readAt
    let period = AlsaTime.nanoseconds(frames: format.periodFrames, rate: format.rate)
    let awaited = AlsaTime.nanoseconds(frames: waitFrames, rate: format.rate)
    if readAt == 0 || stood < 50_000_000 || stood < awaited &+ period &* 2 { return }
    let due = AlsaTime.frames(nanoseconds: stood &- period, rate: format.rate)
    let enough = min(due, setup.bufferFrames / 2)
    var stamp: Int64 = 0
    for _ in 0..<10 {
      let available = calsa_available(pcm.handle, &stamp)
      if available < 0 || available >= enough { return }
      calsa_pause(20)
    }
  }

  /// Reads what is available and fits. Returns the number of frames, or a negative errno.
  private func read(_ available: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    let room = min(available, target.count / frameBytes)
    guard room > 0, let start = target.baseAddress else { return 0 }
    if intake.isCopy { return calsa_read(pcm.handle, start, room) }
    let frames = calsa_read(pcm.handle, raw.start(), min(room, raw.frames))
    if frames > 0 { intake.convert(frames: frames, from: raw.start(), to: start) }
    return frames
  }

  /// Nothing came in half a second. A sound server may do that. A stream that stopped without an
  /// error is restarted.
  private mutating func afterSilence() -> Arrival {
    switch calsa_state(pcm.handle) {
    case SND_PCM_STATE_XRUN, SND_PCM_STATE_PREPARED, SND_PCM_STATE_SETUP: return repair(-Int(EPIPE))
    case SND_PCM_STATE_SUSPENDED: return repair(-Int(ESTRPIPE))
    case SND_PCM_STATE_DISCONNECTED: return .gone(errno: ENODEV)
    default: return .nothing
    }
  }

  /// The device was ready and had nothing: some plugins do so, some of them for ever.
  private mutating func afterEmptyPoll() -> Arrival {
    guard let pause = retries.pauseAfterEmptyPoll() else { return .gone(errno: EAGAIN) }
    calsa_pause(pause)
    return .nothing
  }

  /// The device has overwritten the oldest frames. All others are kept, except the period that it
  /// may be overwriting now. The next block's time tells how many were lost.
  private mutating func forward(_ available: Int) -> Arrival {
    let lost = available &- setup.bufferFrames &+ setup.periodFrames
    let result = calsa_forward(pcm.handle, lost)
    return result < 0 ? repair(result) : .restarted(.overrun)
  }

  private mutating func repair(_ result: Int) -> Arrival {
    switch AlsaInterruption(result) {
    case .notNow: return afterEmptyPoll()
    case .gone(let reason): return .gone(errno: reason)
    case .stopped: return restart(result, isSuspended: false)
    case .suspended: return restart(result, isSuspended: true)
    }
  }

  private mutating func restart(_ result: Int, isSuspended: Bool) -> Arrival {
    guard let pause = retries.pauseBeforeRestart() else {
      return .gone(errno: Int32(truncatingIfNeeded: -result))
    }
    calsa_pause(pause)
    let prepared = pcm.prepare(isSuspended: isSuspended)
    let started = prepared < 0 ? prepared : calsa_start(pcm.handle)
    if started < 0, case .gone(let reason) = AlsaInterruption(started) {
      return .gone(errno: reason)
    }
    return .restarted(isSuspended ? .suspended : .overrun)
  }
}
