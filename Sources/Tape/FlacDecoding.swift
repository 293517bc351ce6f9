// What libFLAC's decoder calls: it reads bytes from an object and tells it of frames and errors. An
// object stays alive as long as its decoder runs. The calls are on the thread that decodes.

import CFLAC

/// What a decoder reads from and reports to.
class FlacDecoding {
  /// How many bytes were read; of a file, where the next ones are.
  private(set) final var position = 0
  /// Of a file, in which the decoder may seek; nil for a stream.
  final let byteCount: Int?

  init(byteCount: Int? = nil) { self.byteCount = byteCount }

  /// Copies the next bytes; fewer than there is room for only where no more are to be had. Returns
  /// how many.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int { 0 }

  /// A frame was decoded; its samples are planar.
  func note(_ frame: FLAC__FrameHeader, _ samples: UnsafePointer<UnsafePointer<Int32>?>) {}

  func note(_ error: FLAC__StreamDecoderErrorStatus) {}

  /// Passes a decoder that reads from this to `body`.
  final func decode<Result>(
    checksSum: Bool = false,
    _ body: (UnsafeMutablePointer<FLAC__StreamDecoder>) throws(TapeError) -> Result
  ) throws(TapeError) -> Result {
    let handle = try decoder(checksSum: checksSum)
    defer { FLAC__stream_decoder_delete(handle) }
    return try withExtendedLifetime(self) { () throws(TapeError) in try body(handle) }
  }

  /// Makes a decoder that reads from this, which lives longer. The caller deletes the decoder.
  final func decoder(
    checksSum: Bool = false
  ) throws(TapeError) -> UnsafeMutablePointer<FLAC__StreamDecoder> {
    guard let handle = FLAC__stream_decoder_new() else {
      throw TapeError(.outOfMemory, "There is no memory for a FLAC decoder.")
    }
    if checksSum { _ = FLAC__stream_decoder_set_md5_checking(handle, 1) }
    let isFile = byteCount != nil
    let status = FLAC__stream_decoder_init_stream(
      handle, readFlac, isFile ? seekFlac : nil, tellFlac, isFile ? measureFlac : nil,
      isFile ? isFlacAtEnd : nil, noteFrame, nil, noteFlacError,
      Unmanaged.passUnretained(self).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      FLAC__stream_decoder_delete(handle)
      throw Self.undecodable
    }
    return handle
  }

  static var undecodable: TapeError {
    TapeError(.unsupported, "This FLAC stream cannot be decoded.")
  }

  fileprivate final func pass(into target: UnsafeMutableRawBufferPointer) -> Int {
    let count = read(into: target)
    position += count
    return count
  }

  fileprivate final func move(to place: UInt64) { position = Int(clamping: place) }
}

private func owner(_ pointer: UnsafeMutableRawPointer) -> FlacDecoding {
  Unmanaged<FlacDecoding>.fromOpaque(pointer).takeUnretainedValue()
}

private func readFlac(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ target: UnsafeMutablePointer<FLAC__byte>?,
  _ count: UnsafeMutablePointer<Int>?, _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderReadStatus {
  guard let count, let input else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
  count.pointee = owner(input).pass(
    into: UnsafeMutableRawBufferPointer(start: target, count: count.pointee))
  return count.pointee > 0
    ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
}

private func tellFlac(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ offset: UnsafeMutablePointer<UInt64>?,
  _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderTellStatus {
  guard let offset, let input else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
  offset.pointee = UInt64(owner(input).position)
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private func seekFlac(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ offset: UInt64,
  _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderSeekStatus {
  guard let input else { return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR }
  owner(input).move(to: offset)
  return FLAC__STREAM_DECODER_SEEK_STATUS_OK
}

private func measureFlac(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ length: UnsafeMutablePointer<UInt64>?,
  _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderLengthStatus {
  guard let length, let input, let count = owner(input).byteCount else {
    return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR
  }
  length.pointee = UInt64(count)
  return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
}

private func isFlacAtEnd(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ input: UnsafeMutableRawPointer?
) -> FLAC__bool {
  guard let input, let count = owner(input).byteCount else { return 1 }
  return owner(input).position >= count ? 1 : 0
}

private func noteFrame(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ frame: UnsafePointer<FLAC__Frame>?,
  _ samples: UnsafePointer<UnsafePointer<FLAC__int32>?>?, _ input: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderWriteStatus {
  guard let frame, let samples, let input else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
  owner(input).note(frame.pointee.header, samples)
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private func noteFlacError(
  _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ error: FLAC__StreamDecoderErrorStatus,
  _ input: UnsafeMutableRawPointer?
) {
  if let input { owner(input).note(error) }
}
