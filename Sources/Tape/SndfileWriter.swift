// Writes WAV and MP3 through libsndfile, with one owner. Blocks on the disk. WAV is always
// begun as RF64, which libsndfile turns into plain WAV if it stays below 4 GiB: plain WAV would
// wrap its sizes past that and lose the sound silently.
import CSndfile
import Glibc

struct SndfileWriter: ~Copyable {
  private var file: OpaquePointer?
  private let name: String
  private let channels: Int
  /// Nil if the file has the rate of the sound.
  private let conversion: RateConversion?

  /// Whether samples must be floats.
  var convertsRate: Bool { conversion != nil }

  /// Writes through a copy of the descriptor; the caller keeps its own.
  /// - Parameter channelNames: those of all channels, for WAV only; empty if they have none.
  static func open(
    _ descriptor: Int32, name: String, _ format: Export.Format, channels: Int, sampleRate: Int,
    tags: Tags, channelNames: [String] = []
  ) throws(TapeError) -> SndfileWriter {
    var info = SF_INFO()
    info.channels = Int32(channels)
    let rate = format.rate(of: sampleRate)
    info.samplerate = Int32(rate)
    info.format = format.sndfileFormat
    guard sf_format_check(&info) == Int32(SF_TRUE) else {
      throw TapeError(
        .unsupported,
        "This system cannot write \(format) at \(sampleRate) Hz in \(channels) channels.")
    }
    // libsndfile closes the copy, also when it fails: it did so to the caller's own descriptor
    // when a disk was too full for a header.
    let own = try PosixFile.copy(of: descriptor, named: name)
    errno = 0
    guard let file = sf_open_fd(own, Int32(SFM_WRITE), &info, Int32(SF_TRUE)) else {
      throw failure(nil, name)
    }
    turnOn(file, SFC_SET_CLIPPING)
    turnOn(file, SFC_RF64_AUTO_DOWNGRADE)
    let writer = SndfileWriter(
      adopting: file, name: name, channels: channels,
      rate == sampleRate
        ? nil : try RateConversion(channels: channels, from: sampleRate, to: rate))
    // Into MP3 libsndfile writes letters beyond ASCII so that others misread them: see `ID3`.
    if case .wav(let depth) = format {
      describe(file, tags)
      BroadcastWave.describe(file, tags, channels: channelNames, sampleRate: sampleRate, depth)
    }
    return writer
  }

  private static func describe(_ file: OpaquePointer, _ tags: Tags) {
    let remarks = tags.remarks.map(BroadcastWave.fitting)
    for (kind, text) in [
      (SF_STR_TITLE, tags.title), (SF_STR_DATE, tags.date), (SF_STR_SOFTWARE, tags.software),
      (SF_STR_ARTIST, tags.speaker), (SF_STR_TRACKNUMBER, tags.sequence.map { "\($0)" }),
      (SF_STR_COMMENT, remarks),
    ] {
      if let text { sf_set_string(file, Int32(kind), text) }
    }
  }

  private init(
    adopting file: OpaquePointer, name: String, channels: Int, _ conversion: RateConversion?
  ) {
    self.file = file
    self.name = name
    self.channels = channels
    self.conversion = conversion
  }

  deinit { if let file { sf_close(file) } }

  func write(_ samples: UnsafeBufferPointer<Int16>) throws(TapeError) {
    precondition(!convertsRate, "what is converted is float")
    errno = 0
    let frames = Int64(samples.count / channels)
    guard sf_writef_short(file, samples.baseAddress, frames) == frames else {
      throw Self.failure(file, name)
    }
  }

  func write(_ samples: UnsafeBufferPointer<Float>) throws(TapeError) {
    guard let conversion else { return try append(samples) }
    try conversion.convert(samples) { (made) throws(TapeError) in try append(made) }
  }

  private func append(_ samples: UnsafeBufferPointer<Float>) throws(TapeError) {
    errno = 0
    let frames = Int64(samples.count / channels)
    guard sf_writef_float(file, samples.baseAddress, frames) == frames else {
      throw Self.failure(file, name)
    }
  }

  /// Writes what is left and closes; without it, the file is not whole.
  mutating func finish() throws(TapeError) {
    try flush()
    guard let open = file.take() else { return }
    errno = 0
    guard sf_close(open) == 0 else {
      throw .system(.cannotWrite, "\(name) cannot be written", errno: errno)
    }
  }

  private func flush() throws(TapeError) {
    try conversion?.finish { (made) throws(TapeError) in try append(made) }
  }

  private static func failure(_ file: OpaquePointer?, _ name: String) -> TapeError {
    // libsndfile reports a system error only in words; errno is as its last call left it.
    let reason = errno
    if reason != 0 { return .system(.cannotWrite, "\(name) cannot be written", errno: reason) }
    return TapeError(
      .cannotWrite, "\(name) cannot be written: \(String(cString: sf_strerror(file)))")
  }
}

extension Export.Format {
  /// Returns the rate of a file that holds sound of another one: MP3 knows none above 48 kHz.
  fileprivate func rate(of sampleRate: Int) -> Int {
    let known = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    if self != .mp3 || known.contains(sampleRate) { return sampleRate }
    return sampleRate % 44_100 == 0 ? 44_100 : 48_000
  }

  fileprivate var sndfileFormat: Int32 {
    switch self {
    case .wav(let depth): Int32(SF_FORMAT_RF64) | depth.subtype
    case .mp3: Int32(SF_FORMAT_MPEG) | Int32(SF_FORMAT_MPEG_LAYER_III)
    case .flac, .opus: 0
    }
  }
}

extension Export.Depth {
  fileprivate var subtype: Int32 {
    switch self {
    case .bits16: Int32(SF_FORMAT_PCM_16)
    case .bits24: Int32(SF_FORMAT_PCM_24)
    case .float: Int32(SF_FORMAT_FLOAT)
    }
  }
}
