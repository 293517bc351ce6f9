// An open ALSA device and its set-up: sample format, channels, rate, period, buffer and timestamps.
// Opened and set up by ordinary threads; then the stream that owns it takes it to one realtime
// thread. It is closed when it is dropped.
import CALSA
import Glibc

/// The set-up that a stream requests. The device takes the nearest one that it supports.
public struct AlsaRequest: Equatable, Sendable {
  /// Any name ALSA knows.
  public var pcmName: String
  public var rate = 48_000
  /// If no channels are picked: 1 to 8 of a microphone, 1 or 2 of a speaker.
  public var channels = 1
  /// As many of the device's channels, counted from 0.
  public var picks: [Int]?
  /// In order of preference.
  public var formats = AlsaSampleFormat.allCases
  public var periodMilliseconds = 50
  /// Nil: a second for capture, a fifth of one for playback.
  public var bufferMilliseconds: Int?

  public init(pcmName: String) { self.pcmName = pcmName }

  static func mostChannels(_ direction: AlsaDirection) -> Int {
    direction == .capture ? AlsaIntake.mostChannels : 2
  }

  func isSensible(_ direction: AlsaDirection) -> Bool {
    let (picks, counts) = (picks ?? [0], 1...Self.mostChannels(direction))
    return counts ~= channels && counts ~= picks.count && picks.allSatisfy { 0..<1024 ~= $0 }
      && 1_000...1_000_000 ~= rate && 1...1_000 ~= periodMilliseconds
      && 1...60_000 ~= bufferMilliseconds ?? 1_000
  }
}

/// The set-up of the device.
public struct AlsaSetup: Equatable, Sendable {
  public let sampleFormat: AlsaSampleFormat
  public let deviceChannels: Int
  public let rate: Int
  public let periodFrames: Int
  public let bufferFrames: Int
}

// Sendable though it holds a pointer: there is one owner and no copy, and a PCM may be used by any
// thread, as long as it is one at a time.
struct AlsaPCM: ~Copyable, @unchecked Sendable {
  let handle: OpaquePointer
  private let name: String
  private let direction: AlsaDirection
  /// Whether the device keeps running after an overrun: the stream then skips the lost frames. A
  /// sound server's plugin counts its position only within the buffer, so it can't tell how many
  /// those are.
  private let runsOn: Bool

  /// Adopts an open device. `runsOn` is for tests; by default a kernel device keeps running.
  init(
    _ handle: OpaquePointer, _ name: String, _ direction: AlsaDirection, runsOn: Bool? = nil
  ) {
    self.handle = handle
    self.name = name
    self.direction = direction
    let isKernels = [SND_PCM_TYPE_HW, SND_PCM_TYPE_PLUG].contains(snd_pcm_type(handle))
    self.runsOn = direction == .capture && runsOn ?? isKernels
  }

  deinit { snd_pcm_close(handle) }

  /// Opens a device that waits only in `snd_pcm_wait`.
  static func open(_ name: String, _ direction: AlsaDirection) throws(AlsaError) -> AlsaPCM {
    calsa_be_quiet()
    calsa_forget_cards()
    var handle: OpaquePointer?
    let result = snd_pcm_open(&handle, name, direction.stream, SND_PCM_NONBLOCK)
    if result >= 0, let handle { return AlsaPCM(handle, name, direction) }
    if [-ENOENT, -ENODEV].contains(result) {
      throw AlsaCards.missing(name, among: AlsaCards.present(withAbilities: false))
    }
    throw AlsaError.refused(name, "be opened", result: result)
  }

  /// Opens a device to probe it. Returns nil if that fails.
  static func openQuietly(
    _ name: String, _ direction: AlsaDirection, converts: Bool = true
  ) -> AlsaPCM? {
    var handle: OpaquePointer?
    let plain = SND_PCM_NO_AUTO_RESAMPLE | SND_PCM_NO_AUTO_CHANNELS | SND_PCM_NO_AUTO_FORMAT
    let mode = SND_PCM_NONBLOCK | (converts ? 0 : plain)
    guard snd_pcm_open(&handle, name, direction.stream, mode) >= 0, let handle else { return nil }
    return AlsaPCM(handle, name, direction)
  }

  /// Whether it is the kernel's device itself, without a plugin.
  var isNative: Bool { snd_pcm_type(handle) == SND_PCM_TYPE_HW }

  /// Sets the device up as near to the request as possible.
  func configure(_ request: AlsaRequest) throws(AlsaError) -> AlsaSetup {
    guard request.isSensible(direction) else {
      let most = AlsaRequest.mostChannels(direction)
      let sentence = "Ask \(name) for 1 to \(most) of its channels, counted from 0, and for a rate."
      throw AlsaError(.unsuitable, sentence)
    }
    let hardware = AlsaParameters()
    let format = try setSound(request, hardware)
    try setSizes(request, hardware)
    try check(snd_pcm_hw_params(handle, hardware.handle), "be set up")
    let setup = hardware.setup(format)
    try setTiming(setup)
    return setup
  }

  /// Sets format, channels and rate.
  private func setSound(
    _ request: AlsaRequest, _ hardware: borrowing AlsaParameters
  ) throws(AlsaError) -> AlsaSampleFormat {
    let parameters = hardware.handle
    try check(snd_pcm_hw_params_any(handle, parameters), "be set up")
    // The device's own rate, not one that a plugin makes of it.
    try check(snd_pcm_hw_params_set_rate_resample(handle, parameters, 0), "keep its own rate")
    try check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "be used frame by frame")
    let format = request.formats.first {
      snd_pcm_hw_params_test_format(handle, parameters, $0.code) >= 0
    }
    guard let format else {
      throw AlsaError(.unsuitable, "\(name) has none of the sample formats that are wanted.")
    }
    try check(snd_pcm_hw_params_set_format(handle, parameters, format.code), "take its format")
    try setChannels(request, parameters)
    var rate = UInt32(request.rate)
    try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil), "take a rate")
    return format
  }

  /// Takes the smallest sufficient number of channels.
  private func setChannels(
    _ request: AlsaRequest, _ parameters: OpaquePointer?
  ) throws(AlsaError) {
    let needed = (request.picks?.max()).map { $0 + 1 } ?? request.channels
    var wanted = UInt32(needed)
    if snd_pcm_hw_params_set_channels_min(handle, parameters, &wanted) >= 0 {
      let result = snd_pcm_hw_params_set_channels_first(handle, parameters, &wanted)
      return try check(result, "take that many channels")
    }
    var most: UInt32 = 0
    snd_pcm_hw_params_get_channels_max(parameters, &most)
    if request.picks != nil {
      throw AlsaError(
        .unsuitable, "\(name) has \(most) channels, and the configuration needs \(needed).")
    }
    try check(snd_pcm_hw_params_set_channels_last(handle, parameters, &most), "take its channels")
  }

  /// Sets the period first. If that makes the buffer too short, the buffer first.
  private func setSizes(
    _ request: AlsaRequest, _ hardware: borrowing AlsaParameters
  ) throws(AlsaError) {
    let milliseconds = request.bufferMilliseconds ?? (direction == .capture ? 1000 : 200)
    let rate = hardware.rate
    let wanted = snd_pcm_uframes_t(rate * milliseconds / 1000)
    let trial = AlsaParameters(copying: hardware)
    var period = snd_pcm_uframes_t(rate * request.periodMilliseconds / 1000)
    var buffer = wanted
    snd_pcm_hw_params_set_period_size_near(handle, trial.handle, &period, nil)
    snd_pcm_hw_params_set_buffer_size_near(handle, trial.handle, &buffer)
    if buffer >= min(wanted, snd_pcm_uframes_t(rate / 5)) {
      snd_pcm_hw_params_copy(hardware.handle, trial.handle)
      return
    }
    period = snd_pcm_uframes_t(rate * request.periodMilliseconds / 1000)
    buffer = wanted
    try check(
      snd_pcm_hw_params_set_buffer_size_near(handle, hardware.handle, &buffer), "take a buffer")
    try check(
      snd_pcm_hw_params_set_period_size_near(handle, hardware.handle, &period, nil),
      "take a period")
  }

  /// Sets when the device wakes the thread, when it starts and stops, and its clock.
  private func setTiming(_ setup: AlsaSetup) throws(AlsaError) {
    var software: OpaquePointer?
    snd_pcm_sw_params_malloc(&software)
    defer { snd_pcm_sw_params_free(software) }
    let period = snd_pcm_uframes_t(setup.periodFrames)
    let buffer = snd_pcm_uframes_t(setup.bufferFrames)
    let start = direction == .capture ? 1 : min(period * 2, buffer - period)
    try check(snd_pcm_sw_params_current(handle, software), "be set up")
    try check(snd_pcm_sw_params_set_avail_min(handle, software, period), "wake us by the period")
    try check(
      snd_pcm_sw_params_set_start_threshold(handle, software, max(1, start)), "start when told")
    var stop = buffer
    if runsOn { try check(snd_pcm_sw_params_get_boundary(software, &stop), "be set up") }
    try check(snd_pcm_sw_params_set_stop_threshold(handle, software, stop), "stop when full")
    // If the device has no such clock, the time of reading is used.
    snd_pcm_sw_params_set_tstamp_mode(handle, software, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(handle, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(handle, software), "be set up")
  }

  func check(_ result: Int32, _ doing: String) throws(AlsaError) {
    if result < 0 { throw AlsaError.refused(name, doing, result: result) }
  }
}

/// Hardware parameters being chosen.
struct AlsaParameters: ~Copyable {
  let handle: OpaquePointer?

  init() {
    var handle: OpaquePointer?
    snd_pcm_hw_params_malloc(&handle)
    self.handle = handle
  }

  init(copying other: borrowing AlsaParameters) {
    self.init()
    snd_pcm_hw_params_copy(handle, other.handle)
  }

  deinit { snd_pcm_hw_params_free(handle) }

  var rate: Int {
    var rate: UInt32 = 0
    snd_pcm_hw_params_get_rate(handle, &rate, nil)
    return Int(rate)
  }

  func setup(_ format: AlsaSampleFormat) -> AlsaSetup {
    var channels: UInt32 = 0
    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    snd_pcm_hw_params_get_channels(handle, &channels)
    snd_pcm_hw_params_get_period_size(handle, &period, nil)
    snd_pcm_hw_params_get_buffer_size(handle, &buffer)
    return AlsaSetup(
      sampleFormat: format, deviceChannels: Int(channels), rate: rate,
      periodFrames: Int(period), bufferFrames: Int(buffer))
  }
}

extension AlsaDirection {
  var stream: snd_pcm_stream_t {
    self == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
  }
}

extension AlsaSampleFormat {
  var code: snd_pcm_format_t {
    switch self {
    case .int16: SND_PCM_FORMAT_S16_LE
    case .int24Packed: SND_PCM_FORMAT_S24_3LE
    case .int24: SND_PCM_FORMAT_S24_LE
    case .int32: SND_PCM_FORMAT_S32_LE
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    }
  }
}
