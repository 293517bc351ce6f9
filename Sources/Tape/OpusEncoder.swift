// libopus' encoder with one owner: a packet's worth of frames in, a packet out. The owning thread
// calls it. All controls are set when it is made, because some of them cost more than a frame (they
// detect the processor's features).
import COpus

// Sendable: noncopyable, and libopus ties an encoder to no thread.
/// An Opus encoder.
public struct OpusEncoder: ~Copyable, @unchecked Sendable {
  private let handle: OpaquePointer
  public let framesPerPacket: Int
  public let channels: Int
  /// The delay from encoder to decoder output, in encoder frames.
  public let lookahead: Int

  public static func open(_ settings: OpusSettings) throws(TapeError) -> OpusEncoder {
    try settings.validate()
    var status: Int32 = OPUS_OK
    let made = opus_encoder_create(
      opus_int32(settings.encoderRate), Int32(settings.channels),
      settings.application.constant, &status)
    guard let made, status == OPUS_OK else { throw failure(status) }
    var lookahead: opus_int32 = 0
    let statuses = [
      copus_set_bitrate(made, opus_int32(settings.bitsPerSecond)),
      copus_set_vbr(
        made, settings.bitrateMode == .constant ? 0 : 1,
        settings.bitrateMode == .variable ? 0 : 1),
      copus_set_complexity(made, opus_int32(settings.complexity)),
      copus_get_lookahead(made, &lookahead),
    ]
    // The owner exists before anything can be thrown, so the handle is freed either way.
    let encoder = OpusEncoder(adopting: made, settings: settings, lookahead: Int(lookahead))
    for status in statuses where status != OPUS_OK { throw failure(status) }
    return encoder
  }

  private init(adopting handle: OpaquePointer, settings: OpusSettings, lookahead: Int) {
    self.handle = handle
    framesPerPacket = settings.framesPerPacket
    channels = settings.channels
    self.lookahead = lookahead
  }

  deinit { opus_encoder_destroy(handle) }

  /// Encodes exactly `framesPerPacket` interleaved frames; returns the packet's length in bytes.
  public func encode(
    _ frames: UnsafePointer<Int16>, into packet: UnsafeMutableBufferPointer<UInt8>
  ) throws(TapeError) -> Int {
    try checked(
      opus_encode(
        handle, frames, Int32(framesPerPacket), Self.start(of: packet), opus_int32(packet.count)))
  }

  public func encode(
    _ frames: UnsafePointer<Float>, into packet: UnsafeMutableBufferPointer<UInt8>
  ) throws(TapeError) -> Int {
    try checked(
      opus_encode_float(
        handle, frames, Int32(framesPerPacket), Self.start(of: packet), opus_int32(packet.count)))
  }

  private static func start(
    of packet: UnsafeMutableBufferPointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    guard let start = packet.baseAddress else { preconditionFailure("a packet needs room") }
    return start
  }

  private func checked(_ result: opus_int32) throws(TapeError) -> Int {
    guard result > 0 else { throw Self.failure(result) }
    return Int(result)
  }

  private static func failure(_ status: Int32) -> TapeError {
    let code: TapeError.Code = status == OPUS_ALLOC_FAIL ? .outOfMemory : .badSettings
    return TapeError(code, "The Opus encoder refused: \(String(cString: opus_strerror(status))).")
  }
}

extension OpusSettings.Application {
  fileprivate var constant: Int32 {
    switch self {
    case .audio: OPUS_APPLICATION_AUDIO
    case .voice: OPUS_APPLICATION_VOIP
    case .lowDelay: OPUS_APPLICATION_RESTRICTED_LOWDELAY
    }
  }
}
