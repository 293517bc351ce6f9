// libFLAC's encoder with one owner: samples in, whole FLAC frames out. The owning thread calls it.
// What libFLAC writes as a header is left out: `FlacHeader` makes that, in a fixed size.
import CFLAC
import Realtime

// Sendable: noncopyable, and libFLAC ties an encoder to no thread; its output belongs to it.
struct FlacEncoder: ~Copyable, @unchecked Sendable {
  private let handle: UnsafeMutablePointer<FLAC__StreamEncoder>
  private let isMono: Bool
  /// What was made and not passed on yet.
  let output: FlacOutput

  static func open(_ settings: FlacSettings) throws(TapeError) -> FlacEncoder {
    try settings.validate()
    guard let handle = FLAC__stream_encoder_new() else {
      throw TapeError(.outOfMemory, "There is no memory for a FLAC encoder.")
    }
    // The owner exists before anything can be thrown, so the handle is freed either way.
    let encoder = FlacEncoder(
      adopting: handle, isMono: settings.channels == 1,
      output: FlacOutput(reservingBytes: settings.blockFrames * settings.channels * 4 + 8_192))
    let isSet = [
      FLAC__stream_encoder_set_streamable_subset(handle, 0),
      FLAC__stream_encoder_set_channels(handle, UInt32(settings.channels)),
      FLAC__stream_encoder_set_bits_per_sample(handle, UInt32(settings.bits)),
      FLAC__stream_encoder_set_sample_rate(handle, UInt32(settings.sampleRate)),
      FLAC__stream_encoder_set_compression_level(handle, UInt32(settings.level)),
      FLAC__stream_encoder_set_blocksize(handle, UInt32(settings.blockFrames)),
    ]
    let status = FLAC__stream_encoder_init_stream(
      handle, writeFlac, nil, nil, noteFlacHeader,
      Unmanaged.passUnretained(encoder.output).toOpaque())
    guard !isSet.contains(0), status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
      throw TapeError(.badSettings, "The FLAC encoder refused \(settings).")
    }
    return encoder
  }

  private init(
    adopting handle: UnsafeMutablePointer<FLAC__StreamEncoder>, isMono: Bool, output: FlacOutput
  ) {
    self.handle = handle
    self.isMono = isMono
    self.output = output
  }

  deinit { FLAC__stream_encoder_delete(handle) }

  /// Encodes interleaved samples; each FLAC frame that is complete is then in `output`.
  func encode(_ samples: UnsafeBufferPointer<Int32>, frames: Int) throws(TapeError) {
    let isTaken =
      if isMono {
        // One channel needs no sorting, which costs libFLAC 7 % of the instructions of a take.
        withUnsafePointer(to: samples.baseAddress) {
          FLAC__stream_encoder_process(handle, $0, UInt32(frames))
        }
      } else {
        FLAC__stream_encoder_process_interleaved(handle, samples.baseAddress, UInt32(frames))
      }
    guard isTaken != 0 else { throw Self.failure(of: handle) }
  }

  /// Encodes what is left and returns what the header of the file is to say.
  func finish() throws(TapeError) -> FlacSeal { try Self.finish(handle, output) }

  // Of the same within `finish`, Swift 6.0 fails to compile a release build.
  private static func finish(
    _ handle: UnsafeMutablePointer<FLAC__StreamEncoder>, _ output: FlacOutput
  ) throws(TapeError) -> FlacSeal {
    guard FLAC__stream_encoder_finish(handle) != 0 else { throw failure(of: handle) }
    return output.seal
  }

  private static func failure(of handle: UnsafePointer<FLAC__StreamEncoder>) -> TapeError {
    let state = String(cString: FLAC__stream_encoder_get_resolved_state_string(handle))
    return TapeError(.badSettings, "The FLAC encoder failed: \(state).")
  }
}

/// What libFLAC has made and the writer has not passed on yet.
final class FlacOutput {
  typealias Sink = (UnsafeRawBufferPointer, _ frames: Int) throws(TapeError) -> Void

  // Their exclusive use is not checked, which took time at each chunk of samples: libFLAC calls
  // `append` while it encodes or finishes, never within `drain`.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  /// Where each FLAC frame ends in `bytes`, and how many sample frames it holds.
  @exclusivity(unchecked) private var ends: [(bytes: Int, frames: Int)] = []
  fileprivate(set) var seal = FlacSeal()

  init(reservingBytes count: Int) {
    bytes.reserveCapacity(count)
    ends.reserveCapacity(16)
  }

  fileprivate func append(_ more: UnsafeBufferPointer<UInt8>, frames: Int) {
    bytes.append(contentsOf: more)
    ends.append((bytes.count, frames))
  }

  func drain(to sink: Sink) throws(TapeError) {
    if ends.isEmpty { return }
    defer {
      bytes.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
    }
    try bytes.withUnsafeBytes { all in
      Result { () throws(TapeError) in
        var start = 0
        for end in ends {
          try sink(UnsafeRawBufferPointer(rebasing: all[start..<end.bytes]), end.frames)
          start = end.bytes
        }
      }
    }.get()
  }
}

extension FlacHeader {
  /// The library that encodes the sound.
  static var vendor: String { String(cString: cflac_vendor()) }
}

private func writeFlac(
  _ encoder: UnsafePointer<FLAC__StreamEncoder>?, _ bytes: UnsafePointer<FLAC__byte>?,
  _ count: Int, _ frames: UInt32, _ number: UInt32, _ output: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderWriteStatus {
  guard let output else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
  // Without frames, it is part of libFLAC's own header.
  if frames > 0 {
    Unmanaged<FlacOutput>.fromOpaque(output).takeUnretainedValue()
      .append(UnsafeBufferPointer(start: bytes, count: count), frames: Int(frames))
  }
  return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
}

/// Called once, at the end, since libFLAC cannot go back to the header itself.
private func noteFlacHeader(
  _ encoder: UnsafePointer<FLAC__StreamEncoder>?, _ block: UnsafePointer<FLAC__StreamMetadata>?,
  _ output: UnsafeMutableRawPointer?
) {
  guard let output, let info = block?.pointee.data.stream_info else { return }
  let owner = Unmanaged<FlacOutput>.fromOpaque(output).takeUnretainedValue()
  owner.seal.frames = Int64(info.total_samples)
  owner.seal.frameBytes = Int(info.min_framesize)...Int(max(info.min_framesize, info.max_framesize))
  owner.seal.md5 = withUnsafeBytes(of: info.md5sum) { Array($0) }
}
