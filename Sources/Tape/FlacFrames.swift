// Finds the whole FLAC frames among bytes, with libFLAC's decoder, which checks each one's sum. A
// frame does not say how long it is, and its sum of 16 bits alone would also be right by chance. On
// a thread that has the time; it must survive any bytes.
import CFLAC

/// A frame whose sum is right.
struct FlacFrame: Equatable {
  let firstFrame: Int64
  let frames: Int
  /// Where it ends among the bytes.
  let end: Int
  /// It begins where the frame before ends, or the bytes begin, and its sound follows that one's.
  let isNext: Bool

  var endFrame: Int64 { firstFrame + Int64(frames) }
}

enum FlacFrames {
  /// The frames of one stream among bytes, which need not begin with one. One that is cut off at
  /// the end is left out.
  /// - Parameter next: the sound that the first frame has if it begins with the bytes.
  static func find(
    in bytes: UnsafeRawBufferPointer, _ info: FlacInfo, next: Int64? = nil
  ) throws(TapeError) -> [FlacFrame] {
    let input = FlacInput(bytes, info, next: next)
    return try input.decode { handle throws(TapeError) in
      guard FLAC__stream_decoder_process_until_end_of_metadata(handle) != 0 else {
        throw FlacDecoding.undecodable
      }
      return input.frames(from: handle)
    }
  }
}

/// The decoder's input: a header made of what is known of the stream, and then the bytes.
private final class FlacInput: FlacDecoding {
  private let bytes: UnsafeRawBufferPointer
  private let header: [UInt8]
  private let info: FlacInfo
  /// What the decoder said of its last step.
  private var decoded: [FLAC__FrameHeader] = []
  private var hasLostSync = false
  private var sumIsWrong = false
  private var next: Int64?

  init(_ bytes: UnsafeRawBufferPointer, _ info: FlacInfo, next: Int64?) {
    self.bytes = bytes
    self.info = info
    self.next = next
    var unsealed = info
    unsealed.seal = FlacSeal()
    header =
      FlacHeader.magic + FlacHeader.Block.streamInfo.head(FlacInfo.byteCount, isLast: true)
      + unsealed.bytes
  }

  override func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    header.withUnsafeBytes { header in
      let rest =
        position < header.count ? header[position...] : bytes[(position - header.count)...]
      let count = min(target.count, rest.count)
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
      return count
    }
  }

  override func note(
    _ frame: FLAC__FrameHeader, _ samples: UnsafePointer<UnsafePointer<Int32>?>
  ) { decoded.append(frame) }

  override func note(_ error: FLAC__StreamDecoderErrorStatus) {
    hasLostSync = true
    if error == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH { sumIsWrong = true }
  }

  func frames(from handle: UnsafeMutablePointer<FLAC__StreamDecoder>) -> [FlacFrame] {
    var found: [FlacFrame] = []
    while FLAC__stream_decoder_process_single(handle) != 0,
      FLAC__stream_decoder_get_state(handle) != FLAC__STREAM_DECODER_END_OF_STREAM
    {
      var end: UInt64 = 0
      guard FLAC__stream_decoder_get_decode_position(handle, &end) != 0 else { break }
      // If sound is missing, some versions of libFLAC first make up silence in its place.
      if let frame = decoded.last, !sumIsWrong, belongs(frame) {
        found.append(note(frame, end: Int(end) - header.count))
      } else if !decoded.isEmpty {
        next = nil
      }
      decoded.removeAll(keepingCapacity: true)
      sumIsWrong = false
    }
    return found
  }

  private func note(_ frame: FLAC__FrameHeader, end: Int) -> FlacFrame {
    let first = Int64(clamping: frame.number.sample_number)
    let isNext = next == first && !hasLostSync && decoded.count == 1
    hasLostSync = false
    let frame = FlacFrame(
      firstFrame: first, frames: Int(frame.blocksize), end: end, isNext: isNext)
    next = frame.endFrame
    return frame
  }

  /// Whether the header of a frame is one of this stream.
  private func belongs(_ frame: FLAC__FrameHeader) -> Bool {
    Int(frame.channels) == info.channels && Int(frame.bits_per_sample) == info.bits
      && Int(frame.sample_rate) == info.sampleRate && frame.number.sample_number < 1 << 36
  }
}
